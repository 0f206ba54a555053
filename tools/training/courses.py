"""What `learned` is trained for: a variant of a game, its decks, and its opponents."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["COURSES", "Course", "Setting"]


@dataclass(frozen=True)
class Setting:
    """Games of a format with so many players, and a folder of sample decks for it."""

    format: str
    decks: str
    players: int = 2


@dataclass(frozen=True)
class Course:
    """A variant of a game, the settings in which it is played, and the heuristic.

    The heuristic is a player that does not change, so that a training can be repeated.
    """

    game: str
    variant: str
    settings: tuple[Setting, ...]
    heuristic: str = "heuristic"

    @property
    def name(self) -> str:
        """The beginning of the names of its files."""
        return f"{self.game}-{self.variant}"

    @property
    def players(self) -> int:
        """How many players its largest table has."""
        return max(setting.players for setting in self.settings)


COURSES = {
    course.name: course
    for course in (
        Course(
            "gwent",
            "two",
            (Setting("gwent/standard", "decks/gwent/standard"),),
            heuristic="heuristic-1",
        ),
        Course(
            "gwent",
            "many",
            (
                Setting("gwent/free_for_all", "decks/gwent/standard", 3),
                Setting("gwent/free_for_all", "decks/gwent/standard", 4),
                Setting("gwent/free_for_all", "decks/gwent/standard", 5),
                Setting("gwent/two_vs_two", "decks/gwent/standard", 4),
            ),
            heuristic="heuristic-1",
        ),
        Course(
            "sg_gwint",
            "duel",
            (Setting("sg_gwint/approximation", "decks/sg_gwint/approximation"),),
        ),
    )
}
