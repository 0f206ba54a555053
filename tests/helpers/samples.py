"""Games to try whatever holds for every game: one entry for each way to play."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from helpers import census
from helpers.records import lend

from deckcheck import read
from deckcheck.decks import Deck
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.table import (
    Table,
    circular_orders,
    new_states,
    open_table,
    seat,
    set_table,
)
from deckcheck.policies.registry import policy_number

DECKS = Path(__file__).parents[2] / "decks"
FACTIONS = ("northern_realms", "nilfgaard", "monsters", "scoiatael", "skellige")
FOLDERS = {
    "deckmaster": ("standard",),
    "gwen_t": ("pool",),
    "gwent": ("standard", "advanced"),
    "sg_gwint": ("approximation",),
}


def hands(s: Any, sizes: Sequence[int]) -> Any:
    """The cards in every hand, whatever their order."""
    return [sorted(s.hand[player, :n].tolist()) for player, n in enumerate(sizes)]


@dataclass(frozen=True)
class Sample:
    """A way to play: a format, and how many sit down to it.

    `decks` are the numbers of theirs among the sample decks of the game, none for
    random ones. `census` counts the cards of a state, those that left the game as 0;
    `snapshot` lists all that matters of it; of a player the others cannot see the rows
    of the fields in `hidden`, of which the first always changes with what they think.
    `dealt` is what the shuffles of a set decide.
    """

    format: str
    players: int
    decks: tuple[int, ...]
    census: Callable[[Any, Any], Counter[int]]
    snapshot: Callable[[Any], dict[str, Any]]
    hidden: tuple[str, ...] = ("hand", "deck")
    dealt: Callable[[Any, Sequence[int]], Any] = hands
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        options = [f"{name}={value}" for name, value in self.options.items()]
        decks = [f"decks {self.decks}"] if self.decks else ["random decks"]
        return ", ".join([self.format, str(self.players), *decks, *options])

    def seats(self, policies: Sequence[str]) -> list[Seat]:
        """A seat for each player, with the policies given in turn."""
        names = [policies[i % len(policies)] for i in range(self.players)]
        if not self.decks:
            return [Seat(None, policy_number(name)) for name in names]
        decks = sample_decks(self.format.partition("/")[0])
        return [
            seat(decks[number], name)
            for number, name in zip(self.decks, names, strict=True)
        ]

    def table(self, *policies: str) -> Table:
        """Seated players, their orders, sets in which everyone begins once."""
        fmt = load_format(self.format)
        fmt = replace(fmt, options={**fmt.options, **self.options})
        orders = circular_orders(self.players)[:6]
        return set_table(
            *(fmt, database_of(fmt), self.seats(policies)),
            entrant_in=[tuple(range(self.entrants))] * len(orders),
            orders=orders,
        )

    @property
    def cards(self) -> tuple[str, ...]:
        """The fields with cards of which some are hidden."""
        return tuple(name for name in self.hidden if name in ("hand", "deck"))

    @property
    def entrants(self) -> int:
        """How many places there are: one for each player, or for each of two teams."""
        return 2 if load_format(self.format).seating.play == "teams" else self.players


class Solo(Sample):
    """A user with a whole faction, and an automa; `decks` are the two factions."""

    def table(self, *policies: str) -> Table:
        """The user with a leader, who plays by the first policy."""
        mine, theirs = (FACTIONS[number] for number in self.decks)
        return solo_table(mine, theirs, self.format, sum(self.decks), policies[0])


def solo_table(
    mine: str,
    theirs: str,
    format: str = "gwent/solo",
    leader: int = 0,
    policy: str = "random",
) -> Table:
    """A table of a user with a whole faction and one of its leaders, and an automa."""
    fmt, game = load_format(format), load_game("gwent")
    database = database_of(fmt)
    leaders = [x.id for x in database.leaders.values() if x.faction == mine]
    deck = Seat({}, policy_number(policy), mine, leaders[leader % len(leaders)])
    user = game.player_seat(database, fmt, deck)
    automa = game.automa_seat(database, fmt, theirs)
    return set_table(fmt, database, [user, automa], rotation=1)


@cache
def sample_decks(game: str) -> list[Deck]:
    """The sample decks of the formats for single decks, in a fixed order."""
    return [deck for folder in FOLDERS[game] for deck in read(DECKS / game / folder)]


def opened(table: Table) -> tuple[Any, Any, Any]:
    """Two states, the game and a spare one, and the context of the first order."""
    _, contexts = open_table(table)
    states = lend(new_states(table.game, table.variant, 2))
    return states, states[0], lend(contexts)[0]


def gwent_cards(s: Any, x: Any) -> Counter[int]:
    """The cards of Gwent, and how many are out of the game."""
    return census.gwent_census(s, x) + Counter({0: int(s.n_removed)})


GWENT = (gwent_cards, census.gwent_snapshot, ("hand", "deck", "seen"))


def solo_cards(s: Any, x: Any) -> Counter[int]:
    """The cards of solo, and how many are out of the game."""
    return census.solo_census(s, x) + Counter({0: int(s.n_removed)})


SOLO = (solo_cards, census.solo_snapshot, ("deck", "hidden", "leaders", "seen"))
GWEN_T = (census.gwen_t_census, census.gwen_t_snapshot)
DECKMASTER = (
    *(census.deckmaster_census, census.deckmaster_snapshot),
    *(("deck",), census.deckmaster_dealt),
)
SG_GWINT = (
    *(census.sg_gwint_census, census.sg_gwint_snapshot),
    ("hand", "deck", "seen", "coin"),
)
AGAINST_AUTOMA = ((1, 4), (4, 0), (2, 3), (3, 1), (0, 2))
DUELS = ((0, 7), (3, 12), (16, 5), (9, 18))

SAMPLES = (
    *(Sample("gwent/standard", 2, decks, *GWENT) for decks in DUELS),
    Sample("gwent/free_for_all", 3, (0, 7, 13), *GWENT),
    Sample("gwent/free_for_all", 4, (3, 12, 5, 16), *GWENT),
    Sample("gwent/free_for_all", 5, (16, 5, 9, 18, 1), *GWENT),
    Sample("gwent/two_vs_two", 4, (0, 7, 13, 4), *GWENT),
    *(Solo("gwent/solo_leader", 2, factions, *SOLO) for factions in AGAINST_AUTOMA),
    Sample("gwen_t/pool", 2, (0, 3), *GWEN_T),
    Sample("gwen_t/pool", 3, (4, 1, 2), *GWEN_T),
    Sample("gwen_t/pool", 4, (0, 1, 0, 1), *GWEN_T),
    Sample("gwen_t/pool", 5, (4, 3, 2, 1, 0), *GWEN_T),
    Sample("gwen_t/pool", 6, (0, 0, 1, 2, 3, 4), *GWEN_T),
    Sample("gwen_t/pool", 2, (), *GWEN_T),
    Sample("gwen_t/pool", 6, (), *GWEN_T),
    Sample(
        *("gwen_t/pool", 3, (2, 3, 4), *GWEN_T),
        options={
            "gems": 3,
            "turn_order": "pass_order",
            "clear_board_between_rounds": False,
            "reshuffle_between_rounds": True,
        },
    ),
    Sample("sg_gwint/approximation", 2, (0, 1), *SG_GWINT),
    Sample("sg_gwint/approximation", 2, (2, 3), *SG_GWINT),
    Sample("sg_gwint/approximation", 2, (4, 2), *SG_GWINT),
    Sample("sg_gwint/approximation", 2, (0, 0), *SG_GWINT),
    Sample(
        *("sg_gwint/approximation", 2, (1, 4), *SG_GWINT),
        options={
            "setup_order": "short",
            "klepna_is_turn": True,
            "replays": 2,
            "starter_after_tie": "other",
            "weather_effect": "to_one",
            "boosts_include_self": False,
            "lagers_stack": True,
            "pulled_card": "hand",
            "tokens": "listed",
            "revived_abilities": "idle",
        },
    ),
    Sample("deckmaster/standard", 2, (0, 0), *DECKMASTER),
    Sample("deckmaster/standard", 2, (3, 3), *DECKMASTER),
    Sample("deckmaster/standard", 2, (), *DECKMASTER),
    Sample(
        *("deckmaster/standard", 2, (2, 2), *DECKMASTER),
        options={
            "attack_order": "up_right_down_left",
            "attack_power": "start",
            "dying_card_retaliates": False,
            "score_burnout": True,
            "second_status": "stays_out",
        },
    ),
)

EACH_WAY = tuple(
    next(sample for sample in SAMPLES if str(sample).startswith(start))
    for start in (
        *("gwent/standard, 2", "gwent/free_for_all, 3", "gwent/free_for_all, 5"),
        *("gwent/two_vs_two, 4", "gwen_t/pool, 2, d", "gwen_t/pool, 6, r"),
        *("gwen_t/pool, 3, decks (2, 3, 4), g", "sg_gwint/approximation, 2, decks (0"),
        *("sg_gwint/approximation, 2, decks (1", "deckmaster/standard, 2, decks (0"),
        *("deckmaster/standard, 2, r", "deckmaster/standard, 2, decks (2"),
        *(f"gwent/solo_leader, 2, decks ({faction}" for faction in (1, 2, 3)),
    )
)
"""Those that differ in what is played by: games, numbers of players, options."""
