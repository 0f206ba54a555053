"""Every kind of finding of reading, names and suppression comments."""

from __future__ import annotations

from deckcheck.findings import Rule, Severity

# The findings of reading a deck: family DP, text 1xx, YAML and JSON 2xx.

_GWENT_HEAD = "Leader: Foltest, The Siegemaster\n\n"

_UNITS = """\
2 Ballista
2 Catapult
2 Trebuchet
2 Kaedweni Siege Expert
2 Redanian Foot Soldier
3 Blue Stripes Commando
3 Poor Fucking Infantry
2 Crinfrid Reavers Dragon Hunter
Roach
Thaler
Prince Stennis
Siege Tower
"""
"""22 units, as many as `gwent/standard` asks for."""

UNREADABLE_LINE = Rule(
    code="DP101",
    name="unreadable-line",
    summary="A line is neither a header nor a card",
    what="""\
A card line is a name with an optional count before or after it: `3 Ballista`,
`3x Ballista`, `Ballista x3`, `Ballista 3`. Lines with two counts, a count without a
card, a number that may be a count or the number of the line, or more than 500
characters are none of that.""",
    why="""\
A line that nobody can read is reported at its place and counted nowhere, rather than
guessed at or left out in silence.""",
    bad=_GWENT_HEAD + "3 Ballista x2\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

IMPOSSIBLE_COUNT = Rule(
    code="DP102",
    name="impossible-count",
    summary="A count is not a whole number from 1 to 999",
    what="""\
`0 Ballista`, `-3 Ballista`, `1.5 Ballista` and `2147483648x Ballista` have impossible
counts.""",
    why="The line stays in the deck but counts nowhere until its count is clear.",
    bad=_GWENT_HEAD + "-2 Ballista\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

UNKNOWN_HEADER = Rule(
    code="DP103",
    name="unknown-header",
    severity=Severity.WARNING,
    summary="A `Key: value` line has an unknown key",
    what="""\
deckcheck uses the headers `Name`, `Format`, `Faction` and `Leader`. `Player`, `Author`,
`Team`, `Event`, `Date`, `Source`, `Version` and `Note` are yours to use.""",
    why="""\
A misspelt header has no effect: `Leadr: Foltest` names no leader. The line is
ignored.""",
    bad=_GWENT_HEAD + "Colour: blue\n2 Ballista\n",
    good=_GWENT_HEAD.replace("\n\n", "\nNote: blue sleeves\n\n") + "2 Ballista\n",
)

DUPLICATE_HEADER = Rule(
    code="DP104",
    name="duplicate-header",
    summary="A header appears twice in one deck",
    what="""\
Two `Name`, `Format` or `Faction` lines in one deck. The first is used. Two leaders are
`too-many-leaders`.""",
    why="""\
Two decks may have run together: decks of one file are separated by a line `---`.""",
    bad="Faction: Monsters\nFaction: Skellige\n" + _GWENT_HEAD + "2 Ballista\n",
    good="Faction: Northern Realms\n" + _GWENT_HEAD + "2 Ballista\n",
)

EMPTY_HEADER = Rule(
    code="DP105",
    name="empty-header",
    severity=Severity.WARNING,
    summary="A header has no value",
    what="`Leader:` with nothing after the colon. The line is ignored.",
    why="The value was forgotten, or is on the next line, where it is read as a card.",
    bad="Faction:\n" + _GWENT_HEAD + "2 Ballista\n",
    good="Faction: Northern Realms\n" + _GWENT_HEAD + "2 Ballista\n",
)

LATE_HEADER = Rule(
    code="DP106",
    name="late-header",
    severity=Severity.WARNING,
    summary="A header comes after the first card",
    what="Headers belong above the cards. The line still counts.",
    why="""\
A header among the cards is easily overlooked, and may belong to a second deck whose
`---` line is missing.""",
    bad="2 Ballista\nLeader: Foltest, The Siegemaster\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

UNKNOWN_FORMAT = Rule(
    code="DP107",
    name="unknown-format",
    summary="The `Format` header names an unknown format",
    what="""\
There is no format of that name, so the sizes and limits of the deck cannot be checked.
Card names are still checked when the game is known.""",
    why="""\
No other format is used instead: a deck must not pass because of a misspelt word.
An unknown format in the option `--format` is misuse and ends with exit code 2.""",
    bad="Format: gwent/standart\n" + _GWENT_HEAD + "2 Ballista\n",
    good="Format: gwent/standard\n" + _GWENT_HEAD + "2 Ballista\n",
)

EMPTY_DECK = Rule(
    code="DP108",
    name="empty-deck",
    summary="The file holds no deck",
    what="The file is empty, or holds nothing but comments and blank lines.",
    why="An empty file is usually a failed upload.",
    bad="# my deck\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

OVERSIZED_FILE = Rule(
    code="DP109",
    name="oversized-file",
    summary="The file is too large to be a decklist",
    what="""\
Files above 1 MiB or 10,000 lines are not read. Of a larger file no more than its first
MiB is ever loaded.""",
    why="A decklist has about thirty lines; a file this large is something else.",
    bad="2 Ballista\n" * 10_001,
    good=_GWENT_HEAD + "2 Ballista\n",
)

BINARY_FILE = Rule(
    code="DP110",
    name="binary-file",
    summary="The file is not text",
    what="It is an image, an archive or a spreadsheet: text never holds such bytes.",
    why="""\
The finding says what the file looks like. UTF-16 text is read when it starts with a
byte order mark.""",
    bad="2 Ballista\0\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

UNDECODABLE_FILE = Rule(
    code="DP111",
    name="undecodable-file",
    summary="The text is not UTF-8",
    what="""\
The file is text in another encoding, such as Windows-1252. The finding points at the
first character that UTF-8 does not have.""",
    why="""\
A guessed encoding could silently turn `Eithné` into another name. UTF-8 with or
without a byte order mark, and UTF-16 and UTF-32 with one, are read.""",
    bad=_GWENT_HEAD + "Eithn\udce9\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

CARD_AS_HEADING = Rule(
    code="DP112",
    name="card-as-heading",
    summary="A heading is the name of a card",
    what="""\
A line that ends in a colon is a heading, `Spies:`, and holds no card. With a count,
`3 Scorch:`, it is a card all the same. The name of a card alone may be either, and is
an error; what is nearly such a name is a warning.""",
    why="Read as a heading, the card would be in the deck and counted nowhere.",
    bad=_GWENT_HEAD + "Scorch:\n2 Ballista\n",
    good=_GWENT_HEAD + "Scorch\n2 Ballista\n",
)

NOT_A_DECK = Rule(
    code="DP113",
    name="not-a-deck",
    summary="The file is something else than a deck",
    what="""\
It is a web page, XML, the text of a word processor, JSON under the name of a text, a
report or a letter of deckcheck, a format or a configuration. The finding says what it
looks like, and what to do.""",
    why="""\
Whatever has the suffix of a deck gets a verdict. Line by line such a file would have a
hundred findings, none of which names the cause; left out, nobody would notice.""",
    bad="<html><body>2 Ballista</body></html>\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

BARE_TITLE = Rule(
    code="DP114",
    name="bare-title",
    severity=Severity.WARNING,
    summary="The name of the deck stands in the first line without `Name:`",
    what="""\
The first line has no count, and is neither a card, nor nearly one, nor a leader or a
faction: it is taken for the name of the deck. `--fix` writes `Name:` in front.""",
    why="""\
Lists that are pasted from elsewhere begin with their title. It may be a card that
unknown all the same, so it is reported.""",
    bad="My first deck\n" + _GWENT_HEAD + "2 Ballista\n",
    good="Name: My first deck\n" + _GWENT_HEAD + "2 Ballista\n",
)

LEFT_OUT = Rule(
    code="DP115",
    name="left-out",
    severity=Severity.NOTE,
    summary="A card is left out, because the list does not mean it",
    what="""\
The card stands below a heading such as `Sideboard`, `Maybeboard` or `Cut`, is crossed
out or hidden, has a box that is not ticked, or is quoted from another mail. Boxes none
of which is ticked, and a list that is quoted as a whole, count.""",
    why="""\
What a player crossed out is not in the deck, and nobody should have to guess whether it
was read so.""",
    bad=_GWENT_HEAD + "2 Ballista\n\nSideboard:\n2 Biting Frost\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

COMMENTED_CARD = Rule(
    code="DP116",
    name="commented-card",
    severity=Severity.NOTE,
    summary="A comment is the name of a card",
    what="""\
`#`, `//`, `;` and `--` in front of a line make a comment of it, `#` and `//` also
behind a line. Here the comment is a card, with or without a count. Of any sign but `#`
it is a warning.""",
    why="Programs differ in their signs for comments, and lists come from all of them.",
    bad=_GWENT_HEAD + "2 Ballista\n; 2 Catapult\n",
    good=_GWENT_HEAD + "2 Ballista\n; to be played with care\n",
)

AMBIGUOUS_LIST = Rule(
    code="DP117",
    name="ambiguous-list",
    summary="Whether the deck is legal depends on lines that may not be meant",
    what="""\
The list has lines that are left out, or the signs of a diff. Read the other way, the
deck is legal and otherwise not, or the other way round. A comment with `#` is left out
for sure.""",
    why="A deck is never legal, or illegal, by a guess at what its player means.",
    bad=_GWENT_HEAD + _UNITS + "~~2 Siege Tower~~\n",
    good=_GWENT_HEAD + _UNITS + "# 2 Siege Tower\n",
)

LOOKS_LIKE_A_DIFF = Rule(
    code="DP118",
    name="looks-like-a-diff",
    severity=Severity.WARNING,
    summary="Some lines begin with `-`, and others with `+`",
    what="""\
Both signs are read as bullets, so all of these lines count. In a diff those with `-`
would be gone.""",
    why="Changes to a deck are often sent as a diff.",
    bad=_GWENT_HEAD + "- 2 Ballista\n+ 2 Catapult\n",
    good=_GWENT_HEAD + "- 2 Ballista\n- 2 Catapult\n",
)

OWN_HEADING = Rule(
    code="DP119",
    name="own-heading",
    severity=Severity.NOTE,
    summary="A heading is none of the usual ones: the cards below it count",
    what="""\
A line that ends in a colon, or one without a count above cards that have one, is a
heading. Some headings set cards aside, `Sideboard`; below all others the cards are part
of the deck.""",
    why="A heading may mean that the cards are not to be played.",
    bad=_GWENT_HEAD + "Engines:\n2 Ballista\n",
    good=_GWENT_HEAD + "Units:\n2 Ballista\n",
)

BELOW_DASHES = Rule(
    code="DP120",
    name="below-dashes",
    severity=Severity.WARNING,
    summary="Cards stand below a line `--`",
    what="""\
In mails `--` begins the signature, and `---` parts two decks. Here cards stand below
`--`: they are part of the deck above it.""",
    why="A deck is never cut in two without a word.",
    bad=_GWENT_HEAD + "2 Ballista\n--\n2 Catapult\n",
    good=_GWENT_HEAD + "2 Ballista\n2 Catapult\n",
)

MISSING_FORMAT = Rule(
    code="DP121",
    name="missing-format",
    summary="Nothing says which format the deck is for",
    what="""\
Neither the deck nor `--format` nor a configuration names a format, so that sizes and
limits cannot be checked. The names of its cards are, where one game knows most of
them. The example below stands for a deck that is checked without a format.""",
    why="""\
A format that is guessed may judge a deck by the rules of another game. The other decks
of a run are judged all the same.""",
    bad="Leader: Foltest, The Siegemaster\n\n2 Ballista\n",
    good="Format: gwent/standard\n" + _GWENT_HEAD + "2 Ballista\n",
)

FAILED_READING = Rule(
    code="DP122",
    name="failed-reading",
    summary="Reading the file failed, by a defect of deckcheck",
    what="""\
Something in the file, such as a thousand brackets in each other, ends in an error that
nobody foresaw. The finding names it. The example below stands for such a file.""",
    why="One list never keeps the others from their verdict.",
    bad=_GWENT_HEAD + "2 Ballista\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

SAME_CARDS = Rule(
    code="DP123",
    name="same-cards",
    severity=Severity.NOTE,
    summary="Two decks of a run have the same cards",
    what="""\
Leader and cards are the same, whatever their names, comments and order of lines. The
example below stands for two such files.""",
    why="A file may be saved twice, or the same list sent by two players.",
    bad=_GWENT_HEAD + "2 Ballista\n",
    good=_GWENT_HEAD + "2 Ballista\n",
)

MALFORMED_DOCUMENT = Rule(
    code="DP201",
    name="malformed-document",
    summary="The YAML or JSON cannot be read",
    what="""\
The syntax is broken, a key stands twice in one mapping, or the document uses anchors,
aliases or tags.""",
    why="""\
Most YAML readers silently keep the last of two equal keys: of two lines `Ballista: 1`
one would be lost.""",
    bad="cards:\n  Ballista: 1\n  Ballista: 1\n",
    good="leader: Foltest, The Siegemaster\ncards:\n  Ballista: 2\n",
)

MALFORMED_DECK = Rule(
    code="DP202",
    name="malformed-deck",
    summary="The YAML or JSON is not a deck",
    what="""\
A deck is a mapping with `name`, `format`, `faction`, `leader` and `cards`; `cards` maps
names to counts, or lists names. Several decks are a list under `decks`.""",
    why="A value of another shape is reported at its place and counts nowhere.",
    bad="cards: Ballista\n",
    good="leader: Foltest, The Siegemaster\ncards:\n  Ballista: 2\n",
)

READING_RULES: tuple[Rule, ...] = (
    UNREADABLE_LINE,
    IMPOSSIBLE_COUNT,
    UNKNOWN_HEADER,
    DUPLICATE_HEADER,
    EMPTY_HEADER,
    LATE_HEADER,
    UNKNOWN_FORMAT,
    EMPTY_DECK,
    OVERSIZED_FILE,
    BINARY_FILE,
    UNDECODABLE_FILE,
    CARD_AS_HEADING,
    NOT_A_DECK,
    BARE_TITLE,
    LEFT_OUT,
    COMMENTED_CARD,
    AMBIGUOUS_LIST,
    LOOKS_LIKE_A_DIFF,
    OWN_HEADING,
    BELOW_DASHES,
    MISSING_FORMAT,
    FAILED_READING,
    SAME_CARDS,
    MALFORMED_DOCUMENT,
    MALFORMED_DECK,
)


# The findings of names: cards (family DC), factions and leaders (family DF).

_NAMES_HEAD = "Leader: Foltest, The Siegemaster\n\n"
_GOOD = "Faction: Northern Realms\n" + _NAMES_HEAD + "2 Ballista\n"

UNKNOWN_CARD = Rule(
    code="DC101",
    name="unknown-card",
    summary="A name is not in the card database of the game",
    what="""\
Names match whatever their case, accents, quotes, dashes and spacing; ids and aliases
match too. This name matches nothing, and its line counts nowhere. Up to three similar
names are suggested.""",
    why="""\
A misspelt card should not cause a second finding: a minimum is not reported as missed
while the unknown cards could fill it.""",
    bad=_NAMES_HEAD + "2 Ballsta\n",
    good=_GOOD,
)

AMBIGUOUS_CARD = Rule(
    code="DC102",
    name="ambiguous-card",
    summary="A name fits several cards",
    what="""\
The name is shared by several cards; the finding lists them. No two cards of Gwent have
a name in common, so the example below stands for two cards called Archer.""",
    why="Only the player knows which card was meant, so none is chosen.",
    bad=_NAMES_HEAD + "2 Archer\n",
    good=_GOOD,
)

REPEATED_CARD = Rule(
    code="DC104",
    name="repeated-card",
    severity=Severity.NOTE,
    summary="A card is on several lines of one deck",
    what="The copies on all lines are added up. This does not make a deck illegal.",
    why="One of the lines may have been meant as another card.",
    bad=_NAMES_HEAD + "Ballista\nBallista\n",
    good=_GOOD,
)

REMOVED_CARD = Rule(
    code="DC105",
    name="removed-card",
    summary="A deck holds a card that a set of the format has removed",
    what="""\
The card is one of the game, but a set of cards that the format names has removed it;
the finding says which. Its line counts nowhere. The example below stands for a deck of
a format with such a set.""",
    why="A set with `remove: [Decoy]` says that its league plays without the card.",
    bad=_NAMES_HEAD + "2 Decoy\n",
    good=_GOOD,
)

UNPUBLISHED_CARD = Rule(
    code="DC106",
    name="unpublished-card",
    summary="Of a card or leader only the name is public",
    what="""\
The card database knows the name, but not what the card does, because the official list
is not public. The deck is judged as far as that goes. It cannot be played. The example
below stands for such a card in the set of a league.""",
    why="A card of unknown values is never taken for a blank one.",
    bad="Format: gwent/league\n" + _NAMES_HEAD + "The White Wolf\n",
    good="Format: gwent/league\n" + _NAMES_HEAD + "Geralt of Rivia\n",
    severity=Severity.NOTE,
)

UNKNOWN_FACTION = Rule(
    code="DF101",
    name="unknown-faction",
    summary="The `Faction` header names an unknown faction",
    what="""\
The name matches no faction of the game, or it means the neutral cards, which fit every
deck and are not a faction of their own.""",
    why="gwent 1.1.1: one faction per deck.",
    bad="Faction: Northern Relams\n" + _NAMES_HEAD + "2 Ballista\n",
    good=_GOOD,
)

UNKNOWN_LEADER = Rule(
    code="DF102",
    name="unknown-leader",
    summary="The `Leader` header names an unknown leader",
    what="""\
A leader is written with name and title, `Foltest, The Siegemaster`, or by either alone
where that is enough.""",
    why="gwent 1.1.2: exactly 1 leader.",
    bad="Leader: Foltest, The Siegemister\n\n2 Ballista\n",
    good=_GOOD,
)

AMBIGUOUS_LEADER = Rule(
    code="DF103",
    name="ambiguous-leader",
    summary="A name fits several leaders",
    what="`Foltest` alone could be any of five leaders: the title says which.",
    why="gwent 1.1.2: exactly 1 leader. None is chosen for the player.",
    bad="Leader: Foltest\n\n2 Ballista\n",
    good=_GOOD,
)

NAMING_RULES: tuple[Rule, ...] = (
    UNKNOWN_CARD,
    AMBIGUOUS_CARD,
    REPEATED_CARD,
    REMOVED_CARD,
    UNPUBLISHED_CARD,
    UNKNOWN_FACTION,
    UNKNOWN_LEADER,
    AMBIGUOUS_LEADER,
)


# The findings of suppression comments (family DS).

SIGN = "deckcheck"
"""The word without which a file holds no suppression."""

_COMMENTS_HEAD = "Leader: Foltest, The Siegemaster\n\n"

UNUSED_SUPPRESSION = Rule(
    code="DS101",
    name="unused-suppression",
    severity=Severity.WARNING,
    summary="A suppression comment suppresses nothing",
    what="""\
A comment names a finding that its line, or its file, does not have. A comment after
other text is about that line, one above the first line about the whole file.""",
    why="""\
A comment that is no longer needed would hide the next mistake of that kind.""",
    bad=_COMMENTS_HEAD + "2 Ballista  # deckcheck: ignore[too-many-copies]\n",
    good=_COMMENTS_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copies]\n",
)

UNKNOWN_SUPPRESSION = Rule(
    code="DS102",
    name="unknown-suppression",
    severity=Severity.WARNING,
    summary="A suppression comment names an unknown finding",
    what="""\
The brackets hold names or codes of findings, separated by commas:
`too-many-copies`, `DL103`.""",
    why="A misspelt name suppresses nothing, although it looks as if it did.",
    bad=_COMMENTS_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copeis]\n",
    good=_COMMENTS_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copies]\n",
)

MALFORMED_SUPPRESSION = Rule(
    code="DS103",
    name="malformed-suppression",
    severity=Severity.WARNING,
    summary="A comment looks like a suppression but cannot be read as one",
    what="""\
A suppression, `# deckcheck: ignore[name]`, always says what it ignores.""",
    why="""\
A comment without a name would hide everything, even findings that nobody has seen yet.
It suppresses nothing.""",
    bad=_COMMENTS_HEAD + "2 Ballista  # deckcheck: ignore\n",
    good=_COMMENTS_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copies]\n",
)

SUPPRESSION_RULES: tuple[Rule, ...] = (
    UNUSED_SUPPRESSION,
    UNKNOWN_SUPPRESSION,
    MALFORMED_SUPPRESSION,
)
