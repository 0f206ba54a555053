"""The players of a user's game: names, enemies, random names (rules 3.1 and 3.2)."""

from __future__ import annotations

from random import Random

MOST_ENEMIES = 5
RANDOM_NAMES = (
    "Germany",
    "Japan",
    "United States of America",
    "Soviet Union",
    "Great Britain",
)


class Seating:
    """The names of a game that is being configured.

    `random_enemies` is None until somebody asks for a number of them.
    """

    def __init__(self) -> None:
        self.user: str | None = None
        self.enemies: list[str] = []
        self.random_enemies: int | None = None

    def set_name(self, name: str) -> None:
        """Name the user; raises ValueError for a name that is taken or empty."""
        self._check(name, [*self.enemies])
        self.user = name

    def add_enemy(self, name: str) -> None:
        """Add an enemy; raises ValueError for a taken or empty name, or the sixth."""
        self._check(name, [*self.enemies, self.user])
        if len(self.enemies) == MOST_ENEMIES:
            raise ValueError(f"at most {MOST_ENEMIES} enemies")
        self.enemies.append(name)

    def _check(self, name: str, taken: list[str | None]) -> None:
        if not name.strip():
            raise ValueError("a name has a letter")
        if name in taken:
            raise ValueError(f"the name `{name}` is taken")

    def names(self, chance: Random) -> tuple[str, list[str]]:
        """The user and their enemies; what nobody set is decided at random.

        Raises ValueError where nobody is left to play against, or too many are.
        """
        free = [name for name in RANDOM_NAMES if name not in self.enemies]
        if self.user in free:
            free.remove(self.user)
        chance.shuffle(free)
        user = self.user or (free.pop() if free else self._nameless())
        count = self.random_enemies
        if count is None:
            # "nothing set: one random enemy"
            count = 0 if self.enemies else 1
        enemies = [*self.enemies, *free[:count]]
        if not 1 <= len(enemies) <= MOST_ENEMIES:
            raise ValueError(f"1 to {MOST_ENEMIES} enemies, found {len(enemies)}")
        return user, enemies

    def _nameless(self) -> str:
        raise ValueError("all random names are taken, and the user has none")
