"""Real games: counted by hand, and compared with runs whose truth is known."""

from pathlib import Path

import pytest

from deckcheck.findings import UsageError
from deckcheck.studies.field import Field, Meeting, Origin
from deckcheck.studies.real_games import make_real_games
from deckcheck.studies.real_games_table import GamesTable, read_games

HEAD = "deck,opponent,winner\n"
PILOTED = "player,deck,opponent player,opponent,winner\n"
ORIGIN = Origin("gwent/standard", "2025-10", (), 1, "", "")


def read_text(text: str, tmp_path: Path) -> GamesTable:
    file = tmp_path / "results.csv"
    file.write_text(text, encoding="utf-8")
    return read_games(file)


def make_rows(a: str, b: str, wins: int, losses: int, draws: int = 0) -> str:
    return f"{a},{b},{a}\n" * wins + (
        f"{b},{a},{b}\n" * losses + f"{a},{b},draw\n" * draws
    )


def make_run(rates: dict[tuple[str, str], int]) -> Field:
    """A run in which the first of each two won so many of 1,000 pairs."""
    met = tuple(Meeting(a, b, (1000 - n, 0, 0, 0, n)) for (a, b), n in rates.items())
    names = tuple(dict.fromkeys(name for pair in rates for name in pair))
    return Field(names, met, "deck", "game", ORIGIN)


def test_standings_rate_decks_by_the_same_players(tmp_path: Path) -> None:
    # Anna wins 9 of 10 games with A. With B, both win as many of their games.
    strong = "Anna,A,Ben,B,Anna\n" * 27 + "Anna,A,Ben,B,Ben\n" * 3
    swapped = "Anna,B,Ben,A,Anna\n" * 27 + "Anna,B,Ben,A,Ben\n" * 3
    alone = make_real_games(read_text(PILOTED + strong, tmp_path))
    both = make_real_games(read_text(PILOTED + strong + swapped, tmp_path))

    assert [row.adjusted for row in alone.standings] == [None, None]
    assert "cannot separate decks from players" in alone.answer
    rates = [row.adjusted.value for row in both.standings if row.adjusted]
    assert rates == pytest.approx([0.5, 0.5])
    best = both.players[0]
    assert best.name == "Anna"
    assert best.is_clear


@pytest.mark.parametrize("line", ["a, b ,A", "A,B,a", '"A","B","A"', "Á,B,A"])
def test_names_match_in_any_spelling(line: str, tmp_path: Path) -> None:
    table = read_text(f"{HEAD}A,B,B\n{line}\n", tmp_path)

    assert {name for game in table.games for name in (game.a, game.b)} == {"A", "B"}
    assert [game.score for game in table.games] == [0, 1]


def test_tables_of_spreadsheets_are_read(tmp_path: Path) -> None:
    for text in (
        "\ufeff" + HEAD + "A,B,A\n",
        "sep=;\ndeck;opponent;winner\nA;B;A\n",
        "deck\topponent\twinner\nA\tB\tA\n",
        'Deck,Opponent,Winner\r\n"A","B","A"\r\n,,\r\n',
        "\n\nWINNER,OPPONENT,DECK\nA,B,A\n",
    ):
        [game] = read_text(text, tmp_path).games

        assert (game.a, game.b, game.score) == ("A", "B", 1), text


def test_clear_circles_are_found(tmp_path: Path) -> None:
    pairs = [("A", "B"), ("B", "C"), ("C", "A")]
    clear = "".join(make_rows(a, b, 45, 5) for a, b in pairs)
    even = "".join(make_rows(a, b, 5, 4) for a, b in pairs)

    assert make_real_games(read_text(HEAD + clear, tmp_path)).cycle == tuple("ABC")
    assert make_real_games(read_text(HEAD + even, tmp_path)).cycle == ()


def test_a_run_agrees_with_its_own_rates_and_not_with_others(tmp_path: Path) -> None:
    pairs = {("A", "B"): 700, ("A", "C"): 600, ("B", "C"): 550}
    text = HEAD + "".join(
        make_rows(a, b, n // 2, 500 - n // 2) for (a, b), n in pairs.items()
    )
    table = read_text(text, tmp_path)
    same = make_real_games(table, make_run(pairs))
    other = make_real_games(table, make_run({p: 1000 - n for p, n in pairs.items()}))

    assert [each.agrees for each in same.compared] == [True] * 3
    assert same.favourites is not None
    assert same.favourites.value == pytest.approx(0, abs=0.02)
    assert [each.agrees for each in other.compared] == [False] * 3
    # Each favourite of the other run loses as often as it wins there.
    assert other.favourites is not None
    mean = sum(2 * n / 1000 - 1 for n in pairs.values()) / 3
    assert other.favourites.value == pytest.approx(-mean, abs=0.02)
    assert other.favourites.interval.high < 0


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_bytes(b"deck,opponent,winner\n\xff\xfe,B,B\n")

    with pytest.raises(UsageError, match="is not text in UTF-8"):
        read_games(file)
