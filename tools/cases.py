"""What `tools.golden` records: the cases, and the files that they find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Cases = Mapping[str, Sequence[str]]

COPIED = {
    "decks": "decks",
    "examples": "examples",
    "tests/scenarios/deckmaster": "scenarios/deckmaster",
    "tests/scenarios/gwen_t": "scenarios/gwen_t",
    "tests/scenarios/gwent/medics.yaml": "scenarios/gwent.yaml",
    "tests/scenarios/sg_gwint/rounds.yaml": "scenarios/sg_gwint.yaml",
}
"""What the commands find in their folder, under which name."""

DECKS = "decks/gwent/standard"
SIEGE, SWARM = f"{DECKS}/nr_siege_masters.deck", f"{DECKS}/mo_swarm.deck"
PAIR = f"{SIEGE} {SWARM}"
FIELD = f"--against {SWARM} {DECKS}/sk_longships.deck"
EVENT = "event examples/first-event/event.toml"
CLUB = "event examples/tournament/event.toml --salts golden/salts.json"


def _outputs(words: str, name: str = "out") -> str:
    return " ".join(f"--output-format {word}:{name}.{word}" for word in words.split())


FIGURES = f"--output-format table {_outputs('json csv parquet markdown html')}"
TABLES = f"{FIGURES} {_outputs('line standings matrix')}"
KEPT = f"{FIGURES} {_outputs('line')} --run run"
PAGE = "report run --output-format html:page.html"

CASES: Cases = {
    # Those that take longest come first.
    "games/{format}": (
        "generate {format} --seed 3 --count 2 -o games/{format}/field",
        "simulate --plan games/{format}/plan.toml -q --output-format json",
    ),
    "balance": (
        f"balance golden/balance.toml --run run --confirm-games 8 {FIGURES}"
        f" {_outputs('line set')}",
        "report run --output-format table",
    ),
    "impact": (f"impact {SIEGE} {FIELD} -n 20 {KEPT}", PAGE),
    "impact/redraws": (
        f"impact {SIEGE} --redraws {FIELD} -n 20 --confirm none {KEPT}",
        PAGE,
    ),
    "impact/hand": (
        f"impact {SIEGE} --hand 'Roach, 2 Ballista, Clear Weather, Trebuchet, Scorch,"
        f" Decoy, Thaler, Geralt, Catapult' {FIELD} -n 20 --confirm none",
    ),
    "tune": (
        f"tune {SIEGE} {FIELD} -n 2000 --changes 2 --keep Roach --confirm-games 20"
        f" --deck tuned.deck {KEPT} {_outputs('deck')}",
        "resume run --output-format deck",
        "report run --output-format table",
    ),
    "build": (
        f"build gwent/standard --faction Skellige {FIELD} -n 4000 --confirm none"
        f" --deck built.deck {KEPT} {_outputs('deck')}",
        PAGE,
    ),
    "solve": (
        "solve gwent/standard --faction Skellige --faction Monsters -n 1000 --rounds 1"
        f" --confirm none {FIELD} --decks mix.deck {KEPT} {_outputs('decks')}",
        PAGE,
    ),
    "solve/lineups": (
        "solve gwent/tournament --start decks/gwent/tournament --against"
        " decks/gwent/tournament/kin_of_the_coast.deck -n 2000 --confirm none"
        f" {KEPT}",
        PAGE,
    ),
    "expect": (
        f"expect golden/expect.toml --run run {FIGURES}"
        f" {_outputs('junit github gitlab')}",
        "expect golden/expect.toml --output-format github --fail-on warning",
        PAGE,
        "simulate --plan golden/expect.toml --output-format markdown",
    ),
    "compare": (
        f"compare {SIEGE} examples/compare/second_horn.deck {FIELD} -n 40 {KEPT}",
        "resume run",
        PAGE,
        f"compare {SIEGE} examples/compare/*.deck {FIELD} -n 20 --policy learned",
    ),
    "compare/formats": (
        f"compare {SIEGE} --new-format examples/what_if/what_if.yaml {FIELD} -n 40"
        f" {FIGURES}",
        f"compare --new-format examples/what_if/what_if.yaml -n 20 --against {PAIR}",
    ),
    "compare/shards": (
        f"compare {PAIR} {FIELD} -n 40 --run s1 --shard 1/2 -q",
        f"compare {PAIR} {FIELD} -n 40 --run s2 --shard 2/2 -q",
        "merge s1 s2 --run run",
        "resume run",
    ),
    "simulate": (
        f"simulate {PAIR} -n 20 --run run --games-table games.csv {TABLES}",
        f"resume run {TABLES}",
        "resume run -n 40",
        f"report run {TABLES} --plots plots",
        "report run --html page.html --losses 'Siege masters' --sample 8",
        "report run --losses 'Siege masters' --sample 8"
        f" {_outputs('json csv markdown html')}",
        f"meta run {FIGURES} {_outputs('line')}",
        "replay run --game 3",
        "simulate golden/nothing.deck",
    ),
    "simulate/robin": (
        f"simulate {PAIR} {DECKS}/sk_*.deck -n 20 --run old -q",
        f"simulate {PAIR} {DECKS}/sk_*.deck -n 20 --run new --policy random {TABLES}",
        f"report --compare old new {FIGURES}",
        f"report --history old new {FIGURES}",
        "report new --full",
        f"meta old --weights examples/meta/saturday.csv {FIGURES}",
        "merge old --run merged",
    ),
    "simulate/shards": (
        f"simulate {PAIR} -n 40 --run s1 --shard 1/2",
        f"simulate {PAIR} -n 40 --run s2 --shard 2/2",
        "merge s1 s2 --run run",
        "resume run --games-table games.csv",
    ),
    "simulate/options": (
        f"simulate {PAIR} -n 20 --mirror --color always",
        f"simulate {PAIR} -n 400 --policy random --until-width 20%",
        f"simulate {PAIR} -n 400 --policy random --sprt 0,100",
        f"simulate {PAIR} {DECKS}/sk_*.deck -n 100 --policy random --adaptive",
        f"simulate {PAIR} -n 20 --policy random --policy learned --every-policy",
        f"simulate {PAIR} {DECKS}/sk_*.deck -n 20 --gauntlet --rule 'ban Scorch'"
        " --allow-illegal",
        "simulate --random-decks -f gwen_t/pool --players 4 -n 20",
        "simulate --random-decks -f deckmaster/standard -n 20 --policy search:8",
        "simulate decks/gwent/solo/mo_full_moon.deck --opponent monsters -n 20",
        "simulate decks/gwent/tournament -n 10 --select random",
        "simulate decks/sg_gwint -f examples/sg_gwint/club.yaml -n 10",
    ),
    "samples/gwent": (
        f"simulate {DECKS} -n 4 --output-format json --games-table games.csv",
        f"simulate {DECKS} -n 2 --output-format matrix --policy learned",
        "simulate decks/gwent/advanced -n 10 --output-format json --policy search:4",
    ),
    "samples/modes": (
        f"simulate decks/gwent/free_for_all -n 12 {TABLES}",
        "simulate decks/gwent/two_vs_two -n 12 --output-format json",
        "simulate decks/gwent/solo -n 12 --output-format json",
        "simulate decks/gwent/solo_built -n 12 --output-format json",
        "simulate decks/gwent/solo_built_leader -n 12",
        "simulate decks/gwent/solo_leader -n 12",
        f"simulate decks/gwent/tournament -n 12 {TABLES}",
    ),
    "samples/others": (
        f"simulate decks/sg_gwint/approximation -n 10 {TABLES}",
        f"simulate decks/gwen_t/pool -n 10 {TABLES}",
        f"simulate decks/deckmaster/standard -n 10 {TABLES}",
    ),
    "replay": (
        f"replay {PAIR} --game 3 --output-format text {_outputs('markdown html json')}",
        f"replay {PAIR} --game 2 -v --moves 5-20 --side A",
        f"replay {PAIR} --game 2 --output-format line",
        "replay decks/gwent/free_for_all --pairing 1",
        "replay decks/gwent/two_vs_two --pairing 2",
        "replay decks/gwent/solo/mo_full_moon.deck --opponent skellige --game 2",
        "replay decks/gwent/tournament --pairing 1 --select fixed",
    ),
    "replay/others": (
        "replay decks/sg_gwint/approximation/siege_lines.deck"
        f" decks/sg_gwint/approximation/wild_hunt.deck {_outputs('json html')}",
        "replay --random-decks -f gwen_t/pool --game 2",
        "replay --random-decks -f deckmaster/standard --game 2 --policy random",
    ),
    "warmup": ("warmup deckmaster/standard", "warmup gwent/standrad"),
    "scenario": (
        "scenario scenarios/deckmaster --output-format text -v",
        f"scenario scenarios {_outputs('json')}",
    ),
    "validate": (
        "validate decks",
        "validate decks --output-format line",
        "validate decks examples/broken --output-format full"
        f" {_outputs('concise json jsonl github gitlab sarif junit markdown rdjson')}",
        "validate examples/broken --output-format github",
        "validate examples/broken --statistics",
        "validate examples/broken --statistics --output-format json",
        "validate examples/broken --no-suppress --output-format concise -v",
        "validate examples/broken/gwent/misspelt-card.deck --color always",
        "validate examples/tournament --exclude 'ben_*' --show-files",
        f"validate {SIEGE} --rule 'max specials 2' --rule 'ban Scorch' --exit-zero",
        f"validate {SIEGE} --format gwent/advanced --fail-on warning -q",
        f"validate {SIEGE} --format examples/what_if/what_if.yaml -v",
        f"validate - --stdin-filename mine.deck < {SIEGE}",
        "validate decks --isolated --show-settings",
        "validate examples/broken --diff",
        "validate examples/broken --fix -q",
        "validate nothing.deck",
    ),
    "event": (
        *(
            f"event examples/{name}/event.toml"
            for name in ("tournament", "first-event")
        ),
        "event examples/troubled-tournament/event.toml --output-format full"
        f" {_outputs('concise json jsonl github gitlab sarif junit rdjson')}"
        f" {_outputs('markdown html')}",
        f"{CLUB} --letters letters --sheets sheets.html --seal seal.json"
        f" {_outputs('html markdown')}",
        f"{CLUB} --verify seal.json",
        f"{CLUB} --seal seal.json --reseal --reveal {_outputs('html markdown')}",
    ),
    "collect": (
        "collect examples/first-event/inbox examples/first-event/event.toml",
        f"{EVENT} --letters letters -o findings.txt {_outputs('html')}",
        "collect examples/first-event/replies examples/first-event/event.toml",
        f"{EVENT} --salts golden/salts.json --seal seal.json",
    ),
    "fmt": (
        "fmt decks/gwent/languages examples/tournament --diff",
        "fmt decks examples/broken --check",
        "fmt decks/gwent/languages examples/tournament",
        f"fmt - < {SWARM}",
    ),
    "convert": (
        *(
            f"convert {SWARM} --to {notation}"
            for notation in ("text", "yaml", "json", "csv", "code")
        ),
        f"convert {SWARM} --to gwent-classic",
        f"convert {SWARM} --to sheet",
        f"convert {SWARM} -o swarm.yaml",
        "convert swarm.yaml --to csv",
        "convert decks/deckmaster/standard/crossroads.deck --to code",
        "convert decks/gwent/tournament/kin_of_the_coast.deck --to json",
        "convert DC1_Dmd3ZW50L3N0YW5kYXJkAwIFAQcCDUZ3JA --to text",
        "convert examples/broken/gwent/binary.deck --to text",
    ),
    "stats": (
        f"stats {SIEGE} --group medic --group 'Decoy, Scorch' --output-format table",
        f"stats {DECKS} --at-least 2 --output-format json -o out.json",
        "stats decks/sg_gwint decks/gwen_t decks/deckmaster decks/gwent/tournament",
    ),
    "generate": (
        "generate gwent/standard --seed 7 --count 5 -o new",
        "generate deckmaster/standard --option arrow_model=by_value",
        "generate gwent/standard --rule 'max specials 2' --rule 'ban Decoy'",
    ),
    "cards": (
        "cards list --output-format table",
        "cards list --output-format json",
        *(f"cards list --game {game}" for game in ("sg_gwint", "gwen_t", "deckmaster")),
        "cards list --faction nilfgaard --ability spy",
        "cards find --kind hero --strength 10.. --row siege e",
        "cards show kambi",
        "cards show 'Foltest, The Siegemaster' --output-format json",
    ),
    "formats": (
        "formats list --output-format table",
        "formats list --output-format json",
        "formats diff gwent/standard gwent/advanced",
        "formats diff gwent/standard examples/what_if/what_if.yaml"
        " --output-format json",
        f"formats --for {SIEGE}",
        f"formats --for {SIEGE} --output-format json",
    ),
    "formats/{format}": (
        "formats show {format}",
        "formats show {format} --output-format json",
    ),
    "rule": ("rule", "rule too-many-copis"),
    "rule/{rule}": ("rule {rule}",),
    "schema/{schema}": ("schema {schema}",),
    "help": ("--help", "--version", "validat", "validate --nonsense"),
    "help/{command}": ("{command} --help", "{command}", "{command} --show-settings"),
}
"""The commands of each case, which run one after the other in one folder.

A case with a word in braces is there for each of the names that the program gives. What
stands behind `<` is standard input.
"""

FILES = {
    "golden/salts.json": """\
{"schema_version": 1, "tool": {"name": "deckcheck", "version": "0.3.0"},
 "event": "Winter cup", "note": "", "salts_key": "%s"}
"""
    % ("0123456789abcdef" * 4),
    "golden/balance.toml": """\
decks = ["../decks/gwent/standard/mo_*.deck", "../decks/gwent/standard/sk_*.deck"]
format = "../examples/balance/league.yaml"
policy = "heuristic-1"
games = 20
[targets]
deck = 60
faction = [44, 56]
[bounds]
strength = 1
cards = ["War Longship", "Light Longship"]
""",
    "golden/expect.toml": f"""\
[defaults]
policies = ["random"]
games = 40
[experiments.now]
decks = ["../{SIEGE}", "../{SWARM}"]
expect = ["win_rate(Siege masters) > 99%", "win_rate(*) < 98%"]
[experiments.stronger]
before = "now"
decks = ["../{SIEGE}", "../{SWARM}"]
format = "../examples/what_if/what_if.yaml"
expect = ["change(Siege masters) > 0 points"]
""",
}
"""Files that the commands find besides `COPIED`."""
