"""Lists within letters: what is left out around them, and what nobody may leave out."""

from pathlib import Path

from deckcheck.cards import load_database
from deckcheck.events.recognising import ListRecogniser

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "decks/gwent/standard/nr_siege_masters.deck").read_text().splitlines()
DECK = "\n".join(line for line in LINES if line and not line.startswith("#"))
RECOGNISER = ListRecogniser(load_database("gwent"))
AROUND = [
    ("Hi Ben, my list:\n", "\nThanks, Anna"),
    ("Dzień dobry,\n\nw załączeniu moja talia.\n\n", "\n\nZ poważaniem\nJan"),
    ("Γεια σας, στέλνω τη λίστα μου\n", "\nΕυχαριστώ πολύ"),
    ("مرحبا، هذه قائمتي\n\n", "\nشكرا"),
    ("Hola!\n", "\nBest,\nOlaf"),
    ("I play since 3 years.\n\n", "\n2 questions: when and where?"),
    ("", "\nSent from my iPhone 12"),
    ("", "\n\nTeam: Wolves\nTel: 0171 123456\n5 Market Street"),
    ("", "\nOn 10 March Ben wrote:\n> 3 Decoy\n> Ben"),
    ("", "\n-- Older mail --\nFrom: a@b.org\n\n9 Decoy"),
]
KEPT = [
    ("", "\n1 Rumpelstiltskin"),
    ("", "\n3 Siege thingies"),
    ("", "\nBalista"),
    ("", "\nSige Twer"),
    ("", "\n\nSige Towr"),
    ("", "\nPS: one Roach less, please"),
    ("", "\nOhne Plötze bitte."),
    ("", "\n\n~~1 Scorch~~"),
    ("", "\n\n28 cards"),
    ("9 Decoy\n", ""),
    ("Name: My deck\n\n", ""),
]


def test_lines_around_a_list_are_left_out() -> None:
    for above, below in AROUND:
        found = RECOGNISER.find_list(f"{above}{DECK}{below}\n", "Olaf Berg")
        assert found is not None
        assert found.text == f"{DECK}\n", (above, below)
        words = [line for line in f"{above}\n{below}".splitlines() if line.strip()]
        assert list(found.left_out) == words


def test_lines_that_may_be_of_the_list_are_kept() -> None:
    for above, below in KEPT:
        letter = f"{above}{DECK}{below}\n"
        found = RECOGNISER.find_list(letter)
        assert found is not None
        assert found.text == letter
    questions = "When does it start?\nIs Decoy allowed?\n"
    for text in ("", questions, "Name: Anna\nDeck\n", "Scorch\n"):
        assert RECOGNISER.find_list(text) is None, text
