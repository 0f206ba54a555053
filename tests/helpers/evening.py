"""An evening of the organiser of 45 players: whatever arrived, and how it is meant."""

import csv
import io
import json
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from helpers.events import make_book, make_mail, make_zip

from deckcheck.cards import load_database
from deckcheck.cards.translations import read_names
from deckcheck.decks.model import make_sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.events.seals import read_decks

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
DATABASE = load_database("gwent")
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))
JPG = b"\xff\xd8\xff\xe0" + bytes(100)
NAMES = """\
Anna Nowak, Ben Ito, Carla Rossi, Çağla Yılmaz, Dora Vogt, Émile Lefèvre,
Filip Šťastný, Gráinne O'Brien, Håkon Ødegård, Ilse Müller, João Simões,
Krzysztof Wójcik, Łucja Zięba, Marta García López, Nils Åkesson, Olga Петрова,
Pavel Dvořák, Quentin Roux, Ruža Horvat, Søren Kjær, Tomás Núñez, Ulla Groß,
Viktor Nagy, Wanda Kos, Xavier Puig, Yuki Tanaka, Zoë de Wit, Aino Mäkinen,
Bjarne Lund, Chiara Conti, Dmitri Orlov, Elif Demir, Fina Bosch, Goran Babić,
Hana Kim, Ivo Marek, Jan Kos, Karin Lindqvist, Lea Weiß, Mei Lin, Noah Levi,
Otto Berg, Petra Malá, Rhys Evans, Sofia Greco"""
PLAYERS = [name.strip() for name in NAMES.replace("\n", " ").split(",")]

EVENT = f"""\
name = "Harbour cup"
date = "2026-03-14"
deadline = "2026-03-12, 20:00 Europe/Prague"
late = "refuse"
format = "gwent/standard@2025-10"
lists = "lists"
players = {json.dumps(PLAYERS, ensure_ascii=False)}
"""

LETTERS = (
    (
        "Hello Ben,\nhere is my list for Saturday.",
        "Thanks a lot!\nSent from my iPhone 12",
    ),
    ("Hola!", "¡Muchas gracias!\nUn saludo"),
    ("Hallo zusammen,\n\nanbei meine Liste :)", "Viele Grüße\n+49 171 2345678"),
    ("Bonjour,\nvoici ma liste.", "Merci, à samedi !\n12 rue du Port, 75002 Paris"),
    ("Cześć, przesyłam talię na turniej.", "Pozdrawiam serdecznie,"),
    ("Ahoj,\nposílám balíček", "Díky\nOdesláno z iPhonu"),
    ("Ciao ragazzi,\necco la mia lista!", "Grazie\nBest,"),
    ("Olá, segue a minha lista", "Obrigado!\nAbraço"),
    ("Здравствуйте! Вот мой список.", "С уважением,"),
    ("Hej,\nhär kommer min lista", "Mvh"),
    ("こんにちは。リストを送ります。", "よろしくお願いします"),
    ("Merhaba, listem aşağıda.", "Teşekkürler, görüşürüz"),
)
"""What stands around lists, in the languages of players."""


@dataclass
class Player:
    """A player: the deck that is meant, and whether the list may be accepted."""

    name: str
    lines: list[str]
    is_legal: bool = True
    why: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def cards(self) -> Counter[str]:
        [deck] = read_decks(self.text.encode(), "a.deck", DATABASE)
        return deck.counts()


def make_players() -> dict[str, Player]:
    """Give each player a deck of their own: with all specials, or without some."""
    players = {}
    files = sorted(DECKS.glob("*.deck"))
    for number, name in enumerate(PLAYERS):
        lines = files[number % len(files)].read_text(encoding="utf-8").splitlines()
        lines = [line for line in lines if line and not line.startswith("#")]
        if number >= len(files):
            start = lines.index("Specials:") + number // len(files)
            del lines[start]
        players[name] = Player(name, lines)
    return players


def translate(lines: list[str], language: str) -> list[str]:
    """Write the cards of a list in a language."""
    sections = dict(read_names(DATABASE.root, "gwent", language))
    translate = []
    for line in lines:
        count, name = "", line
        if line[0].isdigit():
            count, _, name = line.partition(" ")
        card = DATABASE.find_card(name, suggest=False).id
        other = sections["cards"].get(card or "")
        shown = other if isinstance(other, str) or other is None else other[0]
        translate.append(f"{count} {shown or name}".strip())
    return translate


def send_mail(
    player: str, text: str, *, day: int = 11, kind: str = "plain", **files: bytes
) -> bytes:
    """Return a mail of a player, received on a day of March at eight."""
    sender = f'"{player}" <{len(player)}@example.org>'
    date = f"{day} Mar 2026 08:00:00 +0100"
    return make_mail(sender, text, kind=kind, date=date, **files)


def make_csv(delimiter: str, *rows: tuple[str, ...]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter).writerows(rows)
    return stream.getvalue().encode("utf-8")


def make_code(text: str) -> str:
    [deck] = read_decks(text.encode(), "a.deck", DATABASE)
    return write_decks("code", [make_sheet(deck, DATABASE)], DATABASE).text.strip()


def arrange(players: dict[str, Player]) -> dict[str, bytes]:
    """Return the files of the inbox, and mark the players whose list is not legal."""
    files: dict[str, bytes] = {}
    rest = iter(players.values())
    for number, (greeting, thanks) in enumerate(LETTERS):
        player = next(rest)
        text = f"{greeting}\n\n{player.text}\n{thanks}\n{player.name}\n"
        files[f"{number:02}.eml"] = send_mail(player.name, text)
    arrange_mails(files, rest)
    arrange_files(files, rest)
    arrange_forms(files, rest)
    arrange_illegal_lists(files, rest)
    for number, player in enumerate(rest, start=60):
        notation = NOTATIONS[number % len(NOTATIONS)]
        cards = "".join(
            notation.format(*count_card(line)) + "\n"
            for line in player.lines
            if not line.endswith(":") and ": " not in line[:9]
        )
        leader = next(line for line in player.lines if line.startswith("Leader"))
        text = f"Hi,\n{leader}\n\n{cards}\nSee you on 14.3. at 10:00\n"
        files[f"{number}.eml"] = send_mail(player.name, text)
    return files


NOTATIONS = ("{}x {}", "- {} {}", "{1} x{0}", "\u2022 {}x {}", "{}\t{}")


def count_card(line: str) -> tuple[str, str]:
    """Return the count of a line, and its card."""
    count, _, card = line.partition(" ")
    return (count, card) if count.isdigit() else ("1", line)


def arrange_mails(files: dict[str, bytes], rest: Iterator[Player]) -> None:
    """Mails with files, pages, codes, quotes and older mails."""
    player = next(rest)  # A logo and a card of a calendar beside the list.
    attached = {"deck.txt": player.text.encode(), "logo.png": PNG}
    attached["invite.ics"] = b"BEGIN:VCALENDAR\nEND:VCALENDAR\n"
    files["20.eml"] = send_mail(player.name, "See file\n", **attached)
    player = next(rest)  # No attachment can be read.
    files["21.eml"] = send_mail(player.name, player.text, **{"a.jpg": JPG})
    player = next(rest)  # A page, with marks of quotes below.
    items = "".join(f"<li>{line}</li>" for line in player.lines)
    page = f"<p>Hi!</p><ul>{items}</ul><p>Cheers</p><blockquote>Send it</blockquote>"
    files["22.eml"] = send_mail(player.name, page, kind="html")
    player = next(rest)
    code = make_code(player.text)
    text = f"Hi, my code is <{code}>\n\nThanks\n"
    files["23.eml"] = send_mail(player.name, text)
    player = next(rest)  # The answer to a letter, and to a mail of another program.
    quote = "".join(f"> {line}\n" for line in ["Dear player,", "3 Decoy", "Ben"])
    text = f"{player.text}\nOn 10 March Ben wrote:\n{quote}"
    files["24.eml"] = send_mail(player.name, text)
    player = next(rest)
    older = player.text.replace("Units:", "2 Scorch\nUnits:")
    head = "-----Ursprüngliche Nachricht-----\nVon: Ben <ben@example.org>\nBetreff: X"
    files["25.eml"] = send_mail(player.name, f"{player.text}\n{head}\n\n{older}")
    # A question of somebody whose list is there, and one of nobody.
    files["26.eml"] = send_mail(player.name, "When does it start?\nIs Decoy allowed?\n")
    files["27.eml"] = send_mail("Shop", "2 tickets for the price of one!\n")


def arrange_files(files: dict[str, bytes], rest: Iterator[Player]) -> None:
    """An archive, tables, a list in another language, a name of a file."""
    one, two = next(rest), next(rest)
    inner = {f"lists/{one.name}/deck.txt": one.text, f"{two.name}.deck": two.text}
    files["club.zip"] = make_zip(**inner)
    for language in ("de", "pl"):
        player = next(rest)
        text = "\n".join(translate(player.lines, language))
        files[f"{player.name}.txt"] = text.encode("utf-8")
    player = next(rest)
    files[f"{player.name}.deck"] = player.text.encode("utf-16")


def arrange_forms(files: dict[str, bytes], rest: Iterator[Player]) -> None:
    """Forms in several languages: no head says what is in a column."""
    a, b, late = next(rest), next(rest), next(rest)
    late.is_legal = False
    files["antworten.csv"] = make_csv(
        ";",
        ("Zeitstempel", "Nachname", "Vorname", "Bemerkung", "Deine Liste"),
        ("11.03.2026 20:15:00", *split(a), "freue mich", f"Hallo!\n\n{a.text}"),
        ("12.03.2026 19:59:59", *split(b), "", b.text),
        ("12.03.2026 20:15:00", *split(late), "sorry", late.text),
    )
    a, b = next(rest), next(rest)
    files["réponses.csv"] = make_csv(
        ",",
        ("Votre liste", "Nom du joueur", "Horodateur"),
        (a.text, ", ".join(split(a)), "3/10/2026 8:15:00 PM"),
        (b.text, fold(b.name), "2/27/2026 11:05:00 AM"),
    )
    a, b = next(rest), next(rest)
    files["odpowiedzi.xlsx"] = make_book(
        ("Dzień", "Godzina", "Gracz", "Talia"),
        ("10.03.2026", "21:40", a.name, a.text),
        ("11.03.2026", "7:05", b.name.upper(), b.text),
    )


def arrange_illegal_lists(files: dict[str, bytes], rest: Iterator[Player]) -> None:
    """Lists that may not pass, whatever is around them."""
    changes = (
        ("Hi\n\n{0}\nPS: please play 1 Roach less, and 2 Decoy more.\n", "a change"),
        ("{0}2 Balistae\n", "an unknown card at the end"),
        ("Hello,\n\n{0}4 Decoy\nCheers\n", "too many copies"),
        ("{0}~~1 Scorch~~\nBye\n", "a card that is crossed out"),
        ("{0}\n1 Rumpelstiltskin\n\nThanks\n", "an unknown card apart"),
        ("{0}Biting Frst\n", "a misspelt card without a count"),
    )
    for number, (text, why) in enumerate(changes, start=40):
        player = next(rest)
        player.is_legal, player.why = False, why
        files[f"{number}.eml"] = send_mail(player.name, text.format(player.text))
    player = next(rest)  # A second list that is another one.
    player.is_legal, player.why = False, "two lists"
    files["50.eml"] = send_mail(player.name, player.text)
    fewer = "\n".join(player.lines[:-1])
    files["51.eml"] = send_mail(player.name, f"Sorry, this one!\n\n{fewer}\n")
    player = next(rest)  # After the deadline.
    player.is_legal, player.why = False, "late"
    files["52.eml"] = send_mail(player.name, player.text, day=13)
    player = next(rest)  # Nothing that can be read.
    player.is_legal, player.why = False, "a picture"
    files["53.eml"] = send_mail(player.name, "My list\n", **{"list.jpg": JPG})


def split(player: Player) -> tuple[str, str]:
    """Return the last name of a player and the rest of the name."""
    first, _, last = player.name.rpartition(" ")
    return last, first


def fold(name: str) -> str:
    """Write a name as those do who have no accents on their keys."""
    plain = name.replace("ı", "i").replace("ü", "ue").replace("ø", "o")
    decomposed = unicodedata.normalize("NFKD", plain)
    return "".join(c for c in decomposed if not unicodedata.combining(c))
