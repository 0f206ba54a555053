"""The lineup to bring to matches: the document, the result and its tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from typing_extensions import TypedDict

from deckcheck.documents.records import Count, Interval, Ordinal, Share
from deckcheck.messages import quote
from deckcheck.policies.registry import policy_in_words, policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    IN_PERCENT,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    describe_pilot,
    rate_text,
    rate_with_level,
    study_report,
    words,
)
from deckcheck.sim.documents import RunDocument
from deckcheck.sim.figures import Claim, Row, ends, make_document, round_figure, tidy
from deckcheck.sim.result_document import make_result_document
from deckcheck.sim.result_header import ResultHeader
from deckcheck.stats import Estimate
from deckcheck.stats.optimising import UNSETTLED_WIDTH
from deckcheck.studies.lineup_choice import (
    OpeningChoice,
)
from deckcheck.studies.payoff import (
    HALF,
    RANGE_HEAD,
    RESAMPLED_NOTE,
)


class MatchRate(TypedDict):
    """A match win rate with its interval; a drawn match counts half."""

    win_rate: Share
    """The match win rate, 0 to 1."""
    interval: Interval
    """The lower and the upper end of the win rate's interval."""
    matches: Count
    """The number of matches behind the win rate."""


class NamedMatchRate(MatchRate):
    """The match win rate against one lineup."""

    name: str
    """The name of the lineup."""


class ChosenLineupDocument(TypedDict):
    """A lineup that did best in the first games."""

    decks: list[str]
    """The names of its decks."""
    share: Share | None
    """The share of matches to bring it to, 0 to 1; null if it is in no mix."""
    share_interval: Interval | None
    """The middle 95% of the shares when all games are drawn again, 0 to 1."""
    in_selection: Share
    """The match win rate in the selection games, 0 to 1."""
    fresh: MatchRate | None
    """The match win rate in fresh matches; null if it played none."""
    cross_checked: MatchRate | None
    """The same played by another policy; null if none was asked for."""


@dataclass(frozen=True, slots=True)
class MeetingDocument:
    """Two decks that met in the fresh matches of the best lineup."""

    deck: str
    """The deck of the best lineup."""
    opponent: str
    """The deck of the opponent's lineup."""
    games: Ordinal
    """The number of their games."""
    share: Share
    """The share of all games of the best lineup, 0 to 1."""


class LeftOutDeck(TypedDict):
    """A deck that is in no legal lineup."""

    name: str
    """The name of the deck."""
    reason: str
    """The most frequent reason why it is illegal together with others."""


class LineupsDocument(RunDocument):
    """The output of `deckcheck solve --output-format json` in a format of matches."""

    schema_version: Literal[1]
    """The version of this document."""
    answer: str
    """The answer in a sentence or two."""
    decks_to_choose_from: Ordinal
    """The number of different decks that lineups were made of."""
    lineups_compared: Ordinal
    """The number of legal lineups of these decks."""
    in_no_lineup: list[LeftOutDeck]
    """The decks that are in no legal lineup."""
    pair_games: Ordinal
    """The number of games by which the win rate of each pair of decks is known."""
    cross_check: str | None
    """The policy that played the matches again; null if none was asked for."""
    lineups: list[ChosenLineupDocument]
    """The mix first, where there is no field, then the lineups that did best."""
    field: list[str]
    """The names of the lineups to meet; empty where the mix was asked for."""
    opponents: list[NamedMatchRate]
    """Fresh matches of the best lineup with each of the field."""
    openings: list[OpeningChoice]
    """How the best lineup begins its matches with each of the field."""
    meetings: list[MeetingDocument]
    """How often its decks met those of the field, the most frequent first."""


# The lineup to bring: its win rate in selection games and in fresh matches

MIX_NAME = "(mix)"
"""In place of the name of an opponent: the mix of lineups, each with its share."""


@dataclass(frozen=True, slots=True)
class LineupRate:
    """A lineup by the names of its decks, see `ChosenLineupDocument`."""

    decks: tuple[str, ...]
    share: Estimate | None
    in_selection: float
    fresh: Estimate | None
    cross_checked: Estimate | None

    @property
    def name(self) -> str:
        """Its decks in a row."""
        return ", ".join(self.decks)


@dataclass(frozen=True, slots=True, repr=False)
class LineupsResult(ResultHeader):
    """The lineup to bring, see `LineupsDocument`.

    `games` are the matches of each pair of lineups.
    """

    lineups: tuple[LineupRate, ...] = ()
    field: tuple[str, ...] = ()
    opponents: tuple[tuple[str, Estimate], ...] = ()
    openings: tuple[OpeningChoice, ...] = ()
    meetings: tuple[MeetingDocument, ...] = ()
    decks_to_choose_from: int = 0
    """The number of decks to choose from."""
    lineups_compared: int = 0
    """The number of legal lineups of these decks."""
    in_no_lineup: tuple[tuple[str, str], ...] = ()
    """The decks that are in no legal lineup, each with the reason."""
    pair_games: int = 0
    cross_check: str | None = None
    decklists: str = ""
    """The first of `lineups` as a file."""

    @property
    def mix(self) -> tuple[LineupRate, ...]:
        """The lineups of the mix."""
        return tuple(lineup for lineup in self.lineups if lineup.share is not None)

    @property
    def _measured_lineup(self) -> tuple[LineupRate, Estimate] | None:
        """The lineup of the answer and its win rate in fresh matches, if measured.

        It is the lineup to bring against a field, else the best outside the mix.
        """
        if self.field:
            candidates = self.lineups[:1]
        else:
            candidates = tuple(x for x in self.lineups if x.share is None)
        measured = [(x, x.fresh) for x in candidates if x.fresh is not None]
        return max(measured, key=lambda pair: pair[1].value, default=None)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The win rate in the answer, by each bot, compared with a half."""
        measured = self._measured_lineup
        if measured is None:
            return ()
        lineup, fresh = measured
        claims = [Claim.of(lineup.name, "", fresh, even=HALF, by=self.decks[0].policy)]
        if self.cross_check and lineup.cross_checked:
            second = lineup.cross_checked
            claims.append(
                Claim.of(lineup.name, "", second, even=HALF, by=self.cross_check)
            )
        return tuple(claims)

    @property
    def answer(self) -> str:
        """The sentences that name the lineup to bring and its win rate."""
        if self.field:
            return " ".join(self._write_field_answer())
        return " ".join(self._write_mix_answer())

    def _write_field_answer(self) -> Iterator[str]:
        """Yield the sentences about the lineup to bring against the field."""
        best = self.lineups[0]
        decks = list_lineup(best.decks)
        if best.fresh is None:
            yield f"Bring {decks}."
            yield "The win rate of this lineup was not measured in fresh matches."
            return
        field = quote(self.field[0]) if len(self.field) == 1 else "this field"
        rate = rate_with_level(best.fresh)
        for lineup in self.lineups[1:]:
            if lineup.fresh and lineup.fresh.value > best.fresh.value:
                yield (
                    f"Too few matches to tell which lineup to bring against {field}: "
                    f"the favourite of the first games, {decks}, wins {rate} of fresh "
                    f"matches, and {list_lineup(lineup.decks)} wins "
                    f"{rate_text(lineup.fresh)}."
                )
                break
        else:
            yield f"Bring {decks}: this lineup wins {rate} of matches against {field}."
        yield self._describe_bots(best)

    def _write_mix_answer(self) -> Iterator[str]:
        """Yield the sentences about the mix of lineups, and the best of the others."""
        mix = self._describe_mix()
        measured = self._measured_lineup
        if measured is None:
            yield self._recommend(mix)
            yield "No other lineup was measured in fresh matches."
            return
        best, fresh = measured
        decks = list_lineup(best.decks)
        rate = rate_with_level(fresh)
        number = self.lineups_compared - len(self.mix)
        if fresh.interval.low > HALF:
            yield (
                f"No stable mix yet: {decks} wins {rate} of matches against the best "
                f"mix so far, {mix}."
            )
        else:
            yield self._recommend(mix)
            target = "this mix" if len(self.mix) > 1 else "this lineup"
            if number == 1:
                yield (
                    f"The only other lineup, {decks}, wins {rate} of matches against "
                    f"{target}."
                )
            else:
                yield (
                    f"The best of the {number} other lineups is {decks}: it wins "
                    f"{rate} of matches against {target}."
                )
        yield self._describe_bots(best)

    def _describe_mix(self) -> str:
        """List the lineups of the mix and how often to bring them."""
        shares = []
        for lineup in self.mix:
            assert lineup.share is not None
            decks = list_lineup(lineup.decks)
            if len(self.mix) == 1:
                return f"{decks} in every match"
            shares.append(f"{decks} in {100 * lineup.share.value:.0f}%")
        return f"{'; '.join(shares)} of your matches"

    def _recommend(self, mix: str) -> str:
        """Say to bring the mix, or that its shares are hardly known."""
        for lineup in self.mix:
            assert lineup.share is not None
            low, high = lineup.share.interval
            if high - low > UNSETTLED_WIDTH:
                return f"Too few games to recommend a lineup. Best guess: {mix}."
        return f"Bring {mix}."

    def _describe_bots(self, lineup: LineupRate) -> str:
        """Name the bot, and say what a lineup wins with the second bot, if any."""
        first = self.decks[0].policy
        if lineup.cross_checked is None or self.cross_check is None:
            return describe_pilot(first)
        return (
            f"{describe_pilot(first)} Piloted by "
            f"{policy_in_words(self.cross_check, first)}, {list_lineup(lineup.decks)} "
            f"wins {rate_text(lineup.cross_checked)}."
        )

    def to_dict(self) -> LineupsDocument:
        """Return the document that `deckcheck schema solve-lineups` describes."""
        return make_result_document(
            LineupsDocument,
            self,
            in_no_lineup=[{"name": n, "reason": why} for n, why in self.in_no_lineup],
            lineups=[_make_lineup_document(lineup) for lineup in self.lineups],
            opponents=[
                {"name": name, **_make_match_rate(rate)}
                for name, rate in self.opponents
            ],
        )

    def to_rows(self) -> list[Row]:
        """Return tidy rows: every lineup, then the first against each opponent."""
        against = () if self.field else (MIX_NAME,)
        rows: list[Row] = []
        for lineup in self.lineups:
            name = lineup.name
            if lineup.share is not None:
                rows += tidy("share", lineup.share, lineup.share.games, name)
            rows += tidy(
                "match_win_rate_in_selection",
                lineup.in_selection,
                self.pair_games,
                name,
                *against,
            )
            rates = {
                "match_win_rate": lineup.fresh,
                "match_win_rate_cross_checked": lineup.cross_checked,
            }
            for metric, rate in rates.items():
                rows += tidy(metric, rate, rate.games if rate else 0, name, *against)
        for name, rate in self.opponents:
            best = self.lineups[0].name
            rows += tidy("match_win_rate", rate, rate.games, best, name)
        return rows


def list_lineup(decks: Sequence[str]) -> str:
    """Return the decks of a lineup as a sentence names them.

    >>> list_lineup(["The swarm", "Siege masters"])
    '`The swarm` + `Siege masters`'
    """
    return " + ".join(map(quote, decks))


def _make_match_rate(rate: Estimate) -> MatchRate:
    return {
        "win_rate": round_figure(rate.value),
        "interval": ends(rate.interval),
        "matches": rate.games,
    }


def _make_lineup_document(lineup: LineupRate) -> ChosenLineupDocument:
    rates: dict[str, MatchRate | None] = {"fresh": None, "cross_checked": None}
    if lineup.fresh is not None:
        rates["fresh"] = _make_match_rate(lineup.fresh)
    if lineup.cross_checked is not None:
        rates["cross_checked"] = _make_match_rate(lineup.cross_checked)
    return make_document(ChosenLineupDocument, lineup, **rates)


# Tables of a lineup to bring


def lineups_report(result: LineupsResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = (
        f"{count(result.games_played)}: {count(result.pair_games)} for each pair of "
        f"decks, then {count(result.games)} matches for each pair of lineups"
    )
    decks = count(result.decks_to_choose_from)
    lineups = count(result.lineups_compared)
    tables = [
        _tabulate_lineups(result),
        _tabulate_opponents(result),
        _tabulate_openings(result),
        _tabulate_meetings(result),
    ]
    report = study_report(
        result,
        games,
        tables,
        [("lineups", f"{lineups} legal lineups of {decks} decks")],
        title=f"Which lineup to bring to {result.format}?",
    )
    warnings = list(report.warnings)
    for name, reason in result.in_no_lineup:
        warnings.append(
            f"{quote(name)} is not in any legal lineup of these decks, most often "
            f"because of this rule: {reason}"
        )
    return replace(report, warnings=tuple(warnings))


def _tabulate_lineups(result: LineupsResult) -> ReportTable:
    """Return the lineups of the answer: shares only without a field."""
    columns = [Column("lineup")]
    if not result.field:
        columns.append(Column("bring", IN_PERCENT, RANGE_HEAD))
    columns.append(Column("in selection games", IN_PERCENT))
    columns.append(Column("wins", IN_PERCENT, "95% interval"))
    if result.cross_check is not None:
        label = policy_label(result.cross_check)
        columns.append(Column(label, IN_PERCENT, "95% interval"))
    rows: list[tuple[Cell, ...]] = []
    for lineup in result.lineups:
        row: list[Cell] = [lineup.name]
        if not result.field:
            row.append(lineup.share)
        row += [lineup.in_selection, lineup.fresh]
        if result.cross_check is not None:
            row.append(lineup.cross_checked)
        rows.append(tuple(row))
    title = "The lineups that did best in the first games"
    note = _explain_lineup_columns(result)
    return ReportTable(title, tuple(columns), tuple(rows), note=note, whole=True)


def _explain_lineup_columns(result: LineupsResult) -> str:
    """Return the note below the lineups."""
    chosen = (
        "in selection games: by the games that chose the lineups; wins: in fresh "
        "matches"
    )
    if result.field:
        return (
            f"match win rates in % against the field; {chosen}, both sides choosing "
            "decks by the first games; the first interval is an individual 95% "
            "interval, the others are simultaneous (Bonferroni)"
        )
    return (
        f"bring: how often, in %; {RESAMPLED_NOTE}; "
        f"match win rates in % against the mix; {chosen}, both sides choosing decks by "
        "the first games; wins have simultaneous 95% intervals (Bonferroni)"
    )


def _tabulate_opponents(result: LineupsResult) -> ReportTable:
    columns = (Column("opponent"), Column("wins", IN_PERCENT, "95% interval"))
    title = "The first of these lineups against each opponent"
    note = "in % of the fresh matches; simultaneous 95% intervals (Bonferroni)"
    return ReportTable(title, columns, result.opponents, note=note)


def _tabulate_openings(result: LineupsResult) -> ReportTable:
    """Return the decks to choose for game 1."""
    rows: list[tuple[Cell, ...]] = []
    for opening in result.openings:
        rows.append((opening.opponent, "you choose first", opening.first))
        for reply in opening.replies:
            rows.append((opening.opponent, f"after {reply.to}", reply.deck))
    title, columns = "Which deck to choose for game 1", ("opponent", "if", "choose")
    note = "after: the opponent has chosen this deck first"
    return ReportTable(title, words(*columns), tuple(rows), note=note, even=None)


def _tabulate_meetings(result: LineupsResult) -> ReportTable:
    """Return how often decks met, which are the decks to tune a deck against."""
    columns = (*words("deck", "met"), Column("in", IN_PERCENT))
    rows = tuple(
        (meeting.deck, meeting.opponent, meeting.share) for meeting in result.meetings
    )
    title = "How often the decks of the first lineup met those of the field"
    note = "in % of all games of its fresh matches"
    return ReportTable(title, columns, rows, note=note, even=None)


LINEUPS = Presentation[LineupsResult](
    lineups_report, extra_outputs=(("decks", lambda result: result.decklists),)
)
