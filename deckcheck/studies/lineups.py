"""Which lineup to bring to matches: play, result, report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import Any, Literal

from typing_extensions import TypedDict

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck, Header
from deckcheck.decks.model import make_sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.documents.records import Count, Interval, Ordinal, Share
from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import option, quote
from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import DUEL_STREAMS, seat, set_table
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
from deckcheck.sim.cross_checking import (
    find_cross_check,
    make_duel_format,
    usual_games,
)
from deckcheck.sim.documents import RunDocument
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.figures import Claim, Row, ends, make_document, round_figure, tidy
from deckcheck.sim.jobs import Job
from deckcheck.sim.matches import (
    MatchTable,
    count_deck_games,
    count_match_games,
    match_job,
)
from deckcheck.sim.result import result_document
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.selection import MatchRules
from deckcheck.sim.simulation import MATCH_PLAY
from deckcheck.sim.standings import ResultHeader, combine_checksums, table_result
from deckcheck.sim.study import Interrupted, StudySpec
from deckcheck.specs import LineupsSpec, SolveSpec
from deckcheck.stats import Combination, Estimate
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.optimising import UNSETTLED_WIDTH
from deckcheck.studies.duels import DuelStudy
from deckcheck.studies.lineup_choice import (
    DuelRates,
    LineupsState,
    Members,
    OpeningChoice,
    Pool,
    ReplyChoice,
    best_against,
    best_mix,
    build_pool,
    duel_chances,
    estimate_lineup,
    interval_level,
    lineup_values,
    plan_match,
    shares_drawn_again,
)
from deckcheck.studies.payoff import (
    HALF,
    RANGE_HEAD,
    RESAMPLED_NOTE,
    count_pair_scores,
    get_pair_table,
    make_pair_job,
    rate_pair,
)
from deckcheck.studies.solve import Solve, make_solve
from deckcheck.validation import DeckReport


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
"""Instead of a lineup: all of the mix, as often as it says."""


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
    pool: int = 0
    """The number of decks."""
    legal: int = 0
    """The number of legal lineups of these decks."""
    lonely: tuple[tuple[str, str], ...] = ()
    """The decks that are in no legal lineup, each with the reason."""
    pair_games: int = 0
    cross_check: str | None = None
    text: str = ""
    """The first of `lineups` as a file."""

    @property
    def mix(self) -> tuple[LineupRate, ...]:
        """The lineups of the mix."""
        return tuple(lineup for lineup in self.lineups if lineup.share is not None)

    @property
    def _leading(self) -> LineupRate | None:
        """The lineup whose win rate is given: the one to bring, or the best other."""
        if self.field:
            return self.lineups[0] if self.lineups[0].fresh else None
        others = [x for x in self.lineups if x.share is None and x.fresh]
        return max(others, key=lambda x: x.fresh.value if x.fresh else 0, default=None)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The win rate in the answer, by each bot, compared with a half."""
        named = self._leading
        if named is None:
            return ()
        rates = (
            (self.decks[0].policy, named.fresh),
            (self.cross_check, named.cross_checked),
        )
        return tuple(
            Claim.of(named.name, "", rate, even=HALF, by=by)
            for by, rate in rates
            if by and rate
        )

    @property
    def answer(self) -> str:
        """What to bring, and how sure that is."""
        sentences = (
            self._write_field_answer() if self.field else self._write_mix_answer()
        )
        return " ".join(sentences)

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
        mix, best = self._describe_mix(), self._leading
        if best is None or best.fresh is None:
            yield self._recommend(mix)
            yield "No other lineup was measured in fresh matches."
            return
        decks, rate = list_lineup(best.decks), rate_with_level(best.fresh)
        number = self.legal - len(self.mix)
        if best.fresh.interval.low > HALF:
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
        return result_document(
            LineupsDocument,
            self,
            decks_to_choose_from=self.pool,
            lineups_compared=self.legal,
            in_no_lineup=[{"name": n, "reason": why} for n, why in self.lonely],
            lineups=[_make_lineup_document(lineup) for lineup in self.lineups],
            opponents=[{"name": n, **_rate(rate)} for n, rate in self.opponents],
        )

    def to_rows(self) -> list[Row]:
        """Return tidy rows: the lineups against the field or the mix, and each."""
        rows: list[Row] = []
        for lineup in self.lineups:
            if lineup.share is not None:
                rows += tidy("share", lineup.share, lineup.share.games, lineup.name)
            against = () if self.field else (MIX_NAME,)
            name, games = lineup.name, self.pair_games
            in_selection = lineup.in_selection
            rows += tidy(
                "match_win_rate_in_selection", in_selection, games, name, *against
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


def _rate(rate: Estimate) -> MatchRate:
    return {
        "win_rate": round_figure(rate.value),
        "interval": ends(rate.interval),
        "matches": rate.games,
    }


def _make_lineup_document(lineup: LineupRate) -> ChosenLineupDocument:
    fresh, cross_checked = (
        rate and _rate(rate) for rate in (lineup.fresh, lineup.cross_checked)
    )
    return make_document(
        ChosenLineupDocument, lineup, fresh=fresh, cross_checked=cross_checked
    )


def make_result(
    spec: StudySpec[LineupsSpec], state: LineupsState, head: Mapping[str, Any]
) -> LineupsResult:
    """Return the result so far. `head` has the facts of the run."""
    pool, best = state.pool, state.named[0]
    decks = _write_lineup_file([pool.decks[i].deck for i in best], spec.format)
    sheets = [make_sheet(deck, spec.database) for deck in decks]
    level = joint_level(len(pool.names))
    names = [entrant.name for entrant in pool.decks]
    return LineupsResult(
        **head,
        games=state.matches,
        games_played=state.games_played,
        lineups=lineup_rates(state),
        field=tuple(pool.names),
        opponents=tuple(
            (name, state.rates[0, column].estimate(level))
            for column, name in enumerate(pool.names)
            if (0, column) in state.rates
        ),
        openings=tuple(state.openings),
        meetings=_count_meetings(state, names) if pool.names else (),
        pool=len({deck for lineup in pool.own for deck in lineup} | {*pool.lonely}),
        lonely=tuple((names[i], why) for i, why in pool.lonely.items()),
        legal=len(pool.own),
        pair_games=state.pair_games,
        cross_check=spec.question.cross_check,
        text=write_decks("text", sheets, spec.database).text,
    )


def _count_meetings(
    state: LineupsState, names: Sequence[str]
) -> tuple[MeetingDocument, ...]:
    """Return the decks that met, the most frequent meeting first."""
    games = sum(state.deck_games.values())
    ordered = sorted(state.deck_games.items(), key=lambda met: -met[1])
    meetings = []
    for (deck, opponent), number in ordered:
        if number:
            share = number / games
            meetings.append(
                MeetingDocument(names[deck], names[opponent], number, share)
            )
    return tuple(meetings)


def _write_lineup_file(decks: Sequence[Deck], fmt: Format) -> list[Deck]:
    """Return the decks of a lineup for one file: the first deck names the format."""
    named: list[Deck] = []
    for deck in decks:
        headers = {key: deck.headers[key] for key in deck.headers if key != "format"}
        if not named:
            headers["format"] = (Header(fmt.id, deck.span),)
        named.append(replace(deck, headers=headers))
    return named


def lineup_rates(state: LineupsState) -> tuple[LineupRate, ...]:
    """Return the lineups that were measured, in their order."""
    shares = state.choice.shares
    names = [entrant.name for entrant in state.pool.decks]
    games = state.pair_games
    lineups = []
    for row, (index, promised) in enumerate(state.choice.promised.items()):
        share = None
        if index in shares:
            share = Estimate(shares[index], state.share_intervals[index], games)
        level = interval_level(state, row)
        fresh, cross_checked = (
            estimate_lineup(
                rates, row, list(shares.values()), len(state.opponents), level
            )
            for rates in (state.rates, state.cross_checked)
        )
        decks = tuple(names[i] for i in state.pool.own[index])
        lineups.append(LineupRate(decks, share, promised, fresh, cross_checked))
    return tuple(lineups)


# Tables of a lineup to bring


def lineups_report(result: LineupsResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = (
        f"{count(result.games_played)}: {count(result.pair_games)} for each pair of "
        f"decks, then {count(result.games)} matches for each pair of lineups"
    )
    decks, lineups = count(result.pool), count(result.legal)
    tables = (
        _tabulate_lineups,
        _tabulate_opponents,
        _tabulate_openings,
        _tabulate_meetings,
    )
    report = study_report(
        result,
        games,
        [table(result) for table in tables],
        [("lineups", f"{lineups} legal lineups of {decks} decks")],
        title=f"Which lineup to bring to {result.format}?",
    )
    lonely = (
        f"{quote(name)} is not in any legal lineup of these decks, most often "
        f"because of this rule: {reason}"
        for name, reason in result.lonely
    )
    return replace(report, warnings=(*report.warnings, *lonely))


def _tabulate_lineups(result: LineupsResult) -> ReportTable:
    columns = [
        Column("lineup"),
        Column("in selection games", IN_PERCENT),
        Column("wins", IN_PERCENT, "95% interval"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (lineup.name, lineup.in_selection, lineup.fresh) for lineup in result.lineups
    ]
    if not result.field:
        columns.insert(1, Column("bring", IN_PERCENT, RANGE_HEAD))
        shares = [lineup.share for lineup in result.lineups]
        rows = [(row[0], s, *row[1:]) for row, s in zip(rows, shares, strict=True)]
    if result.cross_check is not None:
        label = policy_label(result.cross_check)
        columns.append(Column(label, IN_PERCENT, "95% interval"))
        again = [lineup.cross_checked for lineup in result.lineups]
        rows = [(*row, rate) for row, rate in zip(rows, again, strict=True)]
    title, note = "The lineups that did best in the first games", _note(result)
    return ReportTable(title, tuple(columns), tuple(rows), note=note, whole=True)


def _note(result: LineupsResult) -> str:
    """Return the note that explains the columns of the lineups."""
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
    lineups_report, extra_outputs=(("decks", lambda result: result.text),)
)


MIN_PAIR_GAMES = 20
"""The fewest games of two decks by which lineups are chosen."""

MATCH_GAMES = 3
"""The games of a match, as a rule at most."""

PAIR_SIZE = 2


@dataclass(frozen=True)
class LineupChoice(DuelStudy[LineupsSpec, LineupsResult]):
    """The decks of which a lineup is to be made, and the field; `run` chooses."""

    KIND = "lineups"
    QUESTION = LineupsSpec

    start: tuple[Entrant, ...]
    against: tuple[Entrant, ...]

    @cached_property
    def pool(self) -> Pool:
        """The lineups; raises UsageError as `build_pool` does."""
        return build_pool(self.format, self.database, self.start, self.against)

    @cached_property
    def rules(self) -> MatchRules:
        """The rules between the games of a match, which the game has."""
        rules: MatchRules = load_game(self.format.game).match_rules(self.format)
        return rules

    @property
    def one_game(self) -> Format:
        """The format of a single game of a match."""
        return make_duel_format(self.format)

    @property
    def pair_games(self) -> int:
        """The games of each pair of decks: half of all, in game pairs."""
        meetings = max(1, len(self.pool.meetings))
        return self.question.budget // 2 // meetings // PAIR_SIZE * PAIR_SIZE

    def check_games(self) -> None:
        """Raise UsageError for too few games to choose by."""
        if self.pair_games < MIN_PAIR_GAMES:
            least = 2 * MIN_PAIR_GAMES * len(self.pool.meetings)
            raise UsageError(
                f"{self.question.budget:,} games are too few for this choice, "
                f"which needs at least {least:,}",
                f"Give more with {option('games')}, or name fewer decks",
            )

    def answer(self, games: GameSession) -> LineupsResult:
        """Measure the decks, choose, and measure what was chosen in fresh matches."""
        choosing = _Choosing(self, games)
        try:
            choosing.run()
        except StoppedEarly:
            partial = choosing.result() if choosing.state.named else None
            raise Interrupted(partial and replace(partial, complete=False)) from None
        return choosing.result()


class _Choosing:
    """One run: what the decks did, what was chosen by it, and the fresh matches."""

    def __init__(self, study: LineupChoice, games: GameSession) -> None:
        self._study = study
        self._games = games
        self._next = 0
        self.state = LineupsState(study.pool)

    def run(self) -> None:
        """Play everything."""
        self._games.until = "the end of the first games"
        self._choose(self._measure())
        question, state = self._study.question, self.state
        left = question.budget // 2 // MATCH_GAMES
        state.matches = self._round_matches(left // max(1, len(state.meetings)))
        self._games.until = "the end of the fresh matches"
        self._play(state.matches, question.policy, state.rates)
        if question.cross_check is None:
            return
        again = question.cross_check_games
        again = again or usual_games(question.cross_check, question.budget)
        self._games.until = f"the end of the matches played by {question.cross_check}"
        matches = self._round_matches(again // MATCH_GAMES // len(state.opponents))
        self._play(matches, question.cross_check, state.cross_checked)

    def result(self) -> LineupsResult:
        """Return the result so far."""
        study, state = self._study, self.state
        named = [*state.named, *state.opponents]
        places = dict.fromkeys(deck for members in named for deck in members)
        entrants = [study.pool.decks[i] for i in places]
        head = study.head(self._games, entrants, study.question.cross_check)
        checksum = combine_checksums(self._games.tallies.values())
        return make_result(study.spec, state, {**head, "checksum": checksum})

    @staticmethod
    def _round_matches(wanted: int) -> int:
        """Return this number of matches in whole pairs, and at least two."""
        return max(PAIR_SIZE, wanted // PAIR_SIZE * PAIR_SIZE)

    def _measure(self) -> dict[tuple[int, int], DuelRates]:
        """Let all decks meet whose chances have to be known."""
        study, pool = self._study, self._study.pool
        work = [
            make_pair_job(
                study.one_game,
                study.database,
                (pool.decks[a], pool.decks[b]),
                self._next + i,
                study.pair_games,
            )
            for i, (a, b) in enumerate(pool.meetings)
        ]
        self._next += len(work)
        self._games.play(
            work, tuple(dict.fromkeys(get_pair_table(j).engine for j in work))
        )
        rates = {}
        for meeting, job in zip(pool.meetings, work, strict=True):
            tally = self._games.tallies[job.number]
            table = table_result(job.names, tally)
            rates[meeting] = DuelRates(
                count_pair_scores(tally), table.draws / table.games
            )
            self.state.games_played += table.games
        return rates

    def _choose(self, met: Mapping[tuple[int, int], DuelRates]) -> None:
        """Find the best lineups by the games so far."""
        study, pool, state = self._study, self._study.pool, self.state
        state.pair_games = study.pair_games
        state.chances = duel_chances(len(pool.decks), met)
        others = pool.against or pool.own
        values = lineup_values(state.chances, pool.own, others, study.rules)
        if pool.against:
            state.choice, state.opponents = best_against(values), list(pool.against)
            named = zip(pool.names, pool.against, strict=True)
            state.openings = [
                self._choose_opening(name, other) for name, other in named
            ]
            return
        state.choice = best_mix(values)
        state.opponents = [pool.own[i] for i in state.choice.shares]
        state.share_intervals = shares_drawn_again(
            met, pool.own, state.choice, study.rules, study.question.seed
        )

    def _choose_opening(self, name: str, other: Members) -> OpeningChoice:
        """Return how the best lineup begins a match with the lineup of this name."""
        best, rules = self.state.named[0], self._study.rules
        decks = self.state.pool.decks
        plans = plan_match(self.state.chances, best, other, rules)
        replies = []
        for deck, reply in zip(other, plans[rules.begin(1)].replies, strict=True):
            if reply is not None:
                replies.append(ReplyChoice(decks[deck].name, decks[best[reply]].name))
        first = best[plans[rules.begin(0)].first]
        return OpeningChoice(name, decks[first].name, tuple(replies))

    def _play(
        self, matches: int, policy: str, rates: dict[tuple[int, int], Combination]
    ) -> None:
        """Let the lineups that were chosen play fresh matches."""
        meetings = self.state.meetings
        work = [
            self._make_job(row, column, self._next + i, policy, matches)
            for i, (row, column) in enumerate(meetings)
        ]
        self._next += len(work)
        if not work:
            return
        try:
            tables = (job.table for job in work if isinstance(job.table, MatchTable))
            engines = dict.fromkeys(table.table.engine for table in tables)
            self._games.play(work, tuple(engines))
        finally:
            for meeting, job in zip(meetings, work, strict=True):
                tally = self._games.tallies.get(job.number)
                if tally is None:
                    continue
                rates[meeting] = rate_pair(count_pair_scores(tally))
                self.state.games_played += count_match_games(tally)
                if meeting[0] == 0 and policy == self._study.question.policy:
                    self._note_meetings(meeting[1], tally)

    def _note_meetings(self, column: int, tally: Ints) -> None:
        """Count which decks of the best lineup met which of an opponent."""
        lineup, other = self.state.named[0], self.state.opponents[column]
        met, games = self.state.deck_games, count_deck_games(tally)
        for (a, b), number in zip(product(lineup, other), games, strict=True):
            met[a, b] = met.get((a, b), 0) + number

    def _make_job(
        self, row: int, column: int, number: int, policy: str, matches: int
    ) -> Job:
        """Return the matches of two lineups, which choose decks by the first games."""
        study, pool, state = self._study, self._study.pool, self.state
        members = state.named[row], state.opponents[column]
        name = pool.names[column] if pool.names else ""
        sides = (
            pool.lineup(members[0]).played_by(policy),
            pool.lineup(members[1], name).played_by(policy),
        )
        tables = [
            set_table(
                study.one_game,
                study.database,
                [seat(deck.deck, deck.policy) for deck in pair],
                streams=DUEL_STREAMS,
            )
            for pair in product(sides[0].entrants, sides[1].entrants)
        ]
        plans = plan_match(state.chances, *members, study.rules)
        pairs = matches // PAIR_SIZE
        return match_job(number, sides, tables, plans, rules=study.rules, pairs=pairs)


def find_solution_kind(fmt: Format | None) -> str:
    """Return the kind of the study that finds what to bring in a format."""
    is_match = fmt is not None and fmt.seating.play == MATCH_PLAY
    return LineupChoice.KIND if is_match else Solve.KIND


def make_solution(
    fmt: Format,
    database: CardDatabase,
    decks: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: SolveSpec,
) -> Solve | LineupChoice:
    """Make the study of what to bring: a lineup to matches, else a mix of decks.

    Raises UsageError as `make_lineup_choice` and `make_solve` do, and for settings of
    the search where lineups are chosen.
    """
    question = question.played_in(fmt)
    start, against = (enter(group, [question.policy]) for group in (decks, opponents))
    if find_solution_kind(fmt) == Solve.KIND:
        return make_solve(fmt, database, start, against, question)
    usual = SolveSpec(seed=question.seed, policy=question.policy)
    for key in ("factions", "bound", "rounds"):
        if getattr(question, key) != getattr(usual, key):
            name = "faction" if key == "factions" else key
            raise UsageError(
                f"{option(name)} does not apply to {quote(fmt.id)}, where lineups are "
                "made of decks that exist",
                "Leave it out",
            )
    asked = LineupsSpec(
        **{each.name: getattr(question, each.name) for each in fields(LineupsSpec)}
    )
    return make_lineup_choice(fmt, database, start, against, asked)


def make_lineup_choice(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
    question: LineupsSpec,
) -> LineupChoice:
    """Make the study of which lineup of the decks `start` to bring to matches.

    Raises UsageError as `build_pool` does, and for too few games to choose by.
    """
    games, policies = question.cross_check_games, [question.policy]
    player = find_cross_check(
        question.cross_check, games, make_duel_format(fmt), policies
    )
    question = replace(question, cross_check=player)
    study = LineupChoice(fmt, database, question, tuple(start), tuple(against))
    study.check_games()
    return study
