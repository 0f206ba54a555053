"""Compiled code: its sources, its types, its chance and its threads."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Thread, current_thread
from typing import Any, TypeVar

import numba
import numpy as np
import pytest

import deckcheck
from deckcheck.decks import Deck
from deckcheck.engine import cache as cache_folder
from deckcheck.engine import compiling, jit
from deckcheck.engine.cache import PACKAGE_FOLDER, compiled_sources, source_hash
from deckcheck.engine.compiling import FAILS, VERDICT_FILE, WORKS, inner_code_works
from deckcheck.engine.gwent.board import rescore
from deckcheck.engine.gwent.match import GwentMatchRules
from deckcheck.engine.inner import is_installed
from deckcheck.engine.internals import NUMBA_INTERNALS, check_internals
from deckcheck.engine.jit import entry
from deckcheck.engine.primitives import draw_below, seed_generator
from deckcheck.engine.records import Records
from deckcheck.engine.registry import GAMES, EngineError, load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing import table as table_module
from deckcheck.playing.table import Table, lend_records, open_table, seat
from deckcheck.playing.versions import (
    Counted,
    open_seat,
    retune_table,
    seat_candidates,
    seat_version,
    seat_versions,
    with_swapped_decks,
)
from deckcheck.sim.matches import MatchTable
from deckcheck.studies.observed import watch_cards

# The hash that names the cache folder covers what is compiled, and nothing else.
#
# What compiled code is made of is read from the sources: it begins with the functions
# that are compiled and the records they work on, and goes on to every name these use.
# Types of parameters are no use, numba does not read them.

DECORATORS = {"jit", "entry"}
MACHINERY = {f"deckcheck.engine.{name}" for name in ("jit", "inner", "compiling")}
LIST_DISPATCHERS = """
import sys
from importlib import import_module
from numba.core.dispatcher import Dispatcher
for module in sys.argv[1:]:
    import_module(module)
for name in sorted(sys.modules):
    if name.startswith("deckcheck"):
        for value in vars(sys.modules[name]).values():
            if isinstance(value, Dispatcher):
                print(value.py_func.__module__, value.py_func.__qualname__)
"""


def dotted(path) -> str:
    """The name of the module in a file below the package."""
    parts = path.relative_to(PACKAGE_FOLDER.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


FILES = {dotted(path): path for path in PACKAGE_FOLDER.rglob("*.py")}


@cache
def parsed(module: str) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(FILES[module].read_text("utf-8"))


@cache
def imports(module: str) -> dict[str, tuple[str, str]]:
    """Where the names that a module imports from deckcheck come from."""
    found = {}
    for node in parsed(module).body:
        if isinstance(node, ast.ImportFrom) and node.module in FILES:
            for alias in node.names:
                found[alias.asname or alias.name] = (node.module, alias.name)
    return found


@cache
def definitions(module: str) -> dict[str, list[ast.stmt]]:
    """The statements at the top of a module that define each name."""
    found: dict[str, list[ast.stmt]] = {}
    for node in parsed(module).body:
        names = []
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [n.id for n in ast.walk(node) if is_stored(n)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def names_used(node: ast.AST) -> Iterator[str]:
    """Every name a statement reads, those of types aside."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.Name):
                yield child.id
            elif isinstance(child, ast.AST):
                yield from names_used(child)


def compiled_functions() -> Iterator[tuple[str, str]]:
    """Module and name of every function with one of our decorators."""
    for module, path in FILES.items():
        if "jit" not in path.read_text("utf-8"):
            continue
        for name, nodes in definitions(module).items():
            for node in nodes:
                if isinstance(node, ast.FunctionDef) and DECORATORS & {
                    d.id for d in node.decorator_list if isinstance(d, ast.Name)
                }:
                    yield module, name


@cache
def needed() -> frozenset[str]:
    """The modules that compiled code is made of."""
    seen: set[tuple[str, str]] = set()
    waiting = [
        *compiled_functions(),
        *((game, "RECORD_TYPES") for game in GAMES.values()),
    ]
    while waiting:
        module, name = waiting.pop()
        if (module, name) in seen or module in MACHINERY:
            continue
        if name in imports(module):
            waiting.append(imports(module)[name])
        elif name in definitions(module):
            seen.add((module, name))
            for node in definitions(module)[name]:
                waiting += [(module, used) for used in names_used(node)]
    return frozenset(module for module, _ in seen) | MACHINERY


def hashed() -> set[str]:
    return {dotted(path) for path in compiled_sources()}


@pytest.mark.compiled
def test_all_that_is_compiled_is_hashed() -> None:
    assert needed() - hashed() == set()


@pytest.mark.compiled
def test_all_that_is_hashed_is_compiled() -> None:
    assert hashed() - needed() == set()


@pytest.mark.compiled
def test_no_compiled_function_is_overlooked() -> None:
    """The functions numba has are those that the sources mark."""
    modules = [name for name, path in FILES.items() if "jit" in path.read_text("utf-8")]
    listed = subprocess.run(
        [sys.executable, "-c", LIST_DISPATCHERS, *modules],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = {tuple(line.split()) for line in listed.stdout.splitlines()}

    assert found == set(compiled_functions())


def is_enumeration(module: str, name: str) -> bool:
    """Whether a name means a class of numbered words, such as `RowName`."""
    module, name = imports(module).get(name, (module, name))
    nodes = definitions(module).get(name, []) if module in FILES else []
    return any(
        isinstance(node, ast.ClassDef)
        and any("Enum" in ast.unparse(base) for base in node.bases)
        for node in nodes
    )


@pytest.mark.compiled
def test_no_array_is_indexed_by_a_member_of_an_enumeration() -> None:
    """numba can do so from 0.68 on only; `.value` of the member is a plain number."""
    found = [
        f"{module}:{node.lineno}"
        for module in hashed()
        for node in ast.walk(parsed(module))
        if isinstance(node, ast.Subscript)
        for index in (
            node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        )
        if isinstance(index, ast.Attribute)
        and isinstance(index.value, ast.Name)
        and is_enumeration(module, index.value.id)
    ]

    assert found == []


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the package whose files may be changed."""
    package = tmp_path / "deckcheck"
    shutil.copytree(
        PACKAGE_FOLDER, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    monkeypatch.setattr(cache_folder, "PACKAGE_FOLDER", package)
    return package


@pytest.mark.compiled
def test_a_comment_recompiles_only_where_code_is_compiled(copied) -> None:
    for path, is_compiled in {
        "engine/gwent/board.py": True,
        "engine/gwent/codes.py": True,
        "engine/gwen_t/state.py": True,
        "engine/inner.py": True,
        "policies/players.py": True,
        "engine/gwent/match.py": False,
        "engine/cache.py": False,
        "engine/jit.py": True,
        "policies/registry.py": True,
        "scenarios/gwent.py": False,
    }.items():
        before = source_hash()
        with (copied / path).open("a", encoding="utf-8") as file:
            file.write("# a comment\n")
        assert (source_hash() != before) == is_compiled, path


# Inner functions without machine code: used only where a trial succeeds.

ROOT = Path(__file__).parents[2]
PLAY = """
import sys
from deckcheck import simulate
from deckcheck.engine.inner import is_installed
played = simulate(*sys.argv[1:], games=100, policies=["heuristic", "sane_random"])
print(is_installed(), played.checksum)
"""
FAILED_BEFORE = f"""
from deckcheck.engine.cache import choose_cache_folder
(choose_cache_folder()[0] / "{VERDICT_FILE}").write_text("{FAILS}")
"""
DECKS = ROOT / "decks" / "gwen_t" / "pool"


@pytest.fixture
def first_process(monkeypatch):
    """A process in which nothing was tried yet."""
    monkeypatch.setattr(compiling, "is_installed", lambda: False)
    monkeypatch.setattr(compiling, "SHIPPED_FOLDER", None)


@pytest.mark.compiled
@pytest.mark.usefixtures("first_process")
@pytest.mark.parametrize(
    "trial",
    [
        "raise AttributeError('no such method')",
        "import os; os.abort()",
        "from deckcheck.engine import jit; jit.TRIAL_TOTAL = 31; jit.run_trial()",
    ],
    ids=["a method is gone", "the process dies", "the number is wrong"],
)
def test_a_trial_that_fails_is_remembered(tmp_path, monkeypatch, trial):
    monkeypatch.setattr(compiling, "TRIAL_CODE", trial)

    assert not inner_code_works(tmp_path)
    assert (tmp_path / VERDICT_FILE).read_text() == FAILS

    monkeypatch.setattr(compiling, "TRIAL_CODE", "")
    assert not inner_code_works(tmp_path)


@pytest.mark.compiled
@pytest.mark.usefixtures("first_process")
def test_a_trial_that_succeeds_is_made_once(tmp_path, monkeypatch):
    assert inner_code_works(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [VERDICT_FILE]

    monkeypatch.setattr(compiling, "TRIAL_CODE", "raise SystemExit(1)")
    assert inner_code_works(tmp_path)


@pytest.mark.compiled
@pytest.mark.usefixtures("first_process")
@pytest.mark.parametrize("kept", [b"", b"maybe", b"\xff\xfe"])
def test_a_spoiled_verdict_is_found_anew(tmp_path, monkeypatch, kept):
    monkeypatch.setattr(compiling, "TRIAL_CODE", "")
    (tmp_path / VERDICT_FILE).write_bytes(kept)

    assert inner_code_works(tmp_path)
    assert (tmp_path / VERDICT_FILE).read_text() == WORKS


@pytest.mark.compiled
@pytest.mark.usefixtures("first_process")
@pytest.mark.parametrize("folder", ["missing", None])
def test_where_nothing_can_be_kept_the_trial_decides(tmp_path, monkeypatch, folder):
    monkeypatch.setattr(compiling, "TRIAL_CODE", "raise SystemExit(1)")

    assert not inner_code_works(folder and tmp_path / folder)


def told(program, **environment):
    """What a program prints that plays two decks of a small game."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, sorted(DECKS.glob("*.deck"))[:2])],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.compiled
@pytest.mark.slow
def test_without_it_the_same_games_are_played(tmp_path):
    usual = told(PLAY)
    without = told(FAILED_BEFORE + PLAY, NUMBA_CACHE_DIR=str(tmp_path))

    assert usual[0] == "True"
    assert without == ["False", *usual[1:]]


@jit.jit
def one_more(number):
    """Part of those who call it."""
    return number + 1


def two_more(number):
    """Not kept, so that it is compiled each time."""
    return one_more(one_more(number))


@pytest.mark.compiled
@pytest.mark.skipif(not is_installed(), reason="numba compiles in its own way")
def test_what_compiled_code_alone_calls_is_no_machine_code():
    outer = numba.njit(boundscheck=True)(two_more)
    compiling.mark_outer(outer)

    assert outer(1) == 3
    for function, is_code in ((outer, True), (one_more, False)):
        (made,) = function.overloads.values()
        engine = made.library.codegen._engine
        assert engine.is_symbol_defined(made.fndesc.llvm_func_name) == is_code


CELL = np.dtype([("n", np.int16, (3,)), ("cell", np.int64, (2,))])
BOARD = np.dtype([("row", np.int64, (3,)), ("table", np.int32, (2, 3)), ("c", CELL, 2)])


def touch(s, i, j):
    """Read and write cells by plain numbers, by numbers known before, and in parts."""
    s.table[i, j] += 5
    s.row[j] = s.table[i, j]
    s.c[i].n[j] = 7
    part = s.table[i]
    return s.row[j] + part[j] + s.table[1, 2] + s.c[0].n[1] + len(s.row)


def last_cell(s):
    return s.row[-1]


@pytest.mark.compiled
@pytest.mark.skipif(not is_installed(), reason="numba compiles in its own way")
def test_cells_of_records_are_those_of_numpy_and_no_others():
    compiled = numba.njit(boundscheck=True)(touch)
    compiling.mark_outer(compiled)
    one, other = np.zeros((2, 1), BOARD).view(np.recarray)
    for i, j in ((0, 1), (1, 2), (1, 2), (0, 0)):
        assert compiled(one[0], i, j) == touch(other[0], i, j)
    np.testing.assert_array_equal(one, other)

    for i, j in ((2, 0), (-1, 0), (0, 3), (0, -1), (2**62, 0), (0, -(2**62))):
        with pytest.raises(IndexError):
            compiled(one[0], i, j)
    np.testing.assert_array_equal(one, other)
    assert numba.njit(last_cell)(one[0]) == one[0].row[2] == 10


# A numba that the engine cannot be compiled with is refused, and named.

RUN = """
import numba.core.typing.templates as templates
del templates.make_overload_template
from deckcheck.cli import main
raise SystemExit(main())
"""


def test_the_installed_numba_has_all() -> None:
    check_internals()


@pytest.mark.parametrize(
    "name", ["numba.core.gone", "numba.core.caching:Gone", "numba:njit.gone"]
)
def test_what_is_missing_is_named(name: str) -> None:
    with pytest.raises(EngineError) as caught:
        check_internals((*NUMBA_INTERNALS, name))

    message = f"numba {numba.__version__} has no `{name.replace(':', '.')}`"
    assert caught.value.message.startswith(message)
    assert "version of numba that deckcheck allows" in (caught.value.help or "")


def test_the_command_ends_with_one_sentence() -> None:
    arguments = ("simulate", "decks/gwent/standard", "-n", "2", "--policy", "random")
    ended = subprocess.run(
        [sys.executable, "-c", RUN, *arguments],
        env={**os.environ, "NUMBA_DISABLE_JIT": "0"},
        check=False,
        capture_output=True,
        text=True,
    )

    assert ended.returncode == 2
    assert "has no `numba.core.typing.templates.make_overload_template`" in ended.stderr
    assert "Traceback" not in ended.stderr


# Compiled functions: what Python may call.


def test_inner_functions_refuse_calls_from_python():
    """They have no wrapper, so such a call would crash; uncompiled they are Python."""
    error = TypeError if jit.compiled else AttributeError
    with pytest.raises(error):
        rescore(None, None, 0, 0)


# The generator of all chance: the published one, with a sequence for each game.

WORD = 1 << 32
HALF = 1 << 31  # the largest bound: products have 63 bits
TRIPLES = [(0, 0, 0), (1, 2, 3), (2**62 - 1, 2**32 - 1, 2**32 - 1)]


@entry
def draw(rng, bound, drawn):
    """Fill `drawn` with random integers below `bound`."""
    for i in range(len(drawn)):
        drawn[i] = draw_below(rng, bound)


def sequence(seed, stream, counter, bound=HALF, count=8):
    rng, drawn = np.zeros(4, np.int64), np.zeros(count, np.int64)
    seed_generator(rng, seed, stream, counter)
    draw(rng, bound, drawn)
    return tuple(drawn.tolist())


def published(a, b, c, counter, count):
    """Words of sfc32 as PractRand 0.94 has it, in 32-bit arithmetic."""
    a, b, c, counter, *steps = np.array([a, b, c, counter, 1, 9, 3, 21, 11], np.uint32)
    one, shift, left, turn, back = steps
    words = []
    with np.errstate(over="ignore"):
        for _ in range(count):
            word = a + b + counter
            counter += one
            a = b ^ (b >> shift)
            b = c + (c << left)
            c = ((c << turn) | (c >> back)) + word
            words.append(int(word))
    return words


@pytest.mark.parametrize(("seed", "stream", "counter"), TRIPLES)
def test_words_are_those_of_sfc32(seed, stream, counter):
    words = published(seed % WORD, seed // WORD, stream, counter, count=16 + 8)

    assert sequence(seed, stream, counter) == tuple(word >> 1 for word in words[16:])


def test_every_bit_of_seed_stream_and_counter_matters():
    places = [(1 << bit, 0, 0) for bit in range(62)]
    places += [(0, 1 << bit, 0) for bit in range(32)]
    places += [(0, 0, 1 << bit) for bit in range(32)]
    sequences = {sequence(*place) for place in [(0, 0, 0), *places]}

    assert len(sequences) == 1 + 62 + 32 + 32


def test_neighbours_have_nothing_in_common():
    """Games differ by 1 in their counter: first draws are even and independent."""
    first = np.array(
        [sequence(7, 0, counter, bound=10, count=1) for counter in range(4000)]
    )
    pairs = 10 * first[:-1, 0] + first[1:, 0]
    counts = np.bincount(pairs, minlength=100)
    deviations = (counts - counts.mean()) ** 2 / counts.mean()

    # Chi-squared with 99 degrees of freedom lies below this in 999 of 1000 cases.
    assert deviations.sum() < 149


@pytest.mark.parametrize("bound", [1, 2, 7, 1000])
def test_draws_lie_below_the_bound(bound):
    drawn = sequence(3, 1, 4, bound=bound, count=5000)

    assert min(drawn) == 0
    assert max(drawn) == bound - 1


# Threads that play at one table at the same time get the games of one alone.

POOL = Path(__file__).parents[2] / "decks" / "gwen_t" / "pool"
POLICY = "sane_random"
FORMAT = load_format("gwen_t/pool")
DATABASE = database_of(FORMAT)
NUMBERS = load_game(FORMAT.game).card_numbers(DATABASE)
SEED, SETS, THREADS = 5, 2, 3
AT_ONCE = 1e-5  # seconds
PATIENCE = 120.0

T = TypeVar("T")


@pytest.fixture(scope="module")
def decks() -> list[Deck]:
    return deckcheck.read(POOL)


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(AT_ONCE)
    yield
    sys.setswitchinterval(before)


def table(decks: list[Deck]) -> Table:
    return seat_version(
        FORMAT, DATABASE, seat(decks[0], POLICY), seat(decks[1], POLICY)
    )


def versions(decks: list[Deck]) -> Any:
    opponent, *own = (seat(deck, POLICY) for deck in decks[:3])
    return seat_versions(FORMAT, DATABASE, opponent, own, [(0, 1)])


def candidates(decks: list[Deck]) -> Any:
    seat = open_seat(table(decks), NUMBERS, decks[1].counts())
    counts = [(0, deck.counts()) for deck in decks[1:3]]
    return seat_candidates([seat], NUMBERS, counts)


def contrasts(decks: list[Deck]) -> Any:
    counts = [deck.counts() for deck in decks[1:3]]
    weights = [((1, 1), (0, -1))]
    return with_swapped_decks(table(decks), NUMBERS, counts, weights)


def matches(decks: list[Deck]) -> Any:
    one = table(decks)
    nine = replace(one, contexts=one.contexts * 9)
    return MatchTable(nine, (3, 3), ("random", "random"), {}, GwentMatchRules())


PLAYERS: dict[str, Callable[[list[Deck]], Any]] = {
    "a table": table,
    "a counted one": lambda decks: Counted(table(decks)),
    "a watched one": lambda decks: watch_cards(
        table(decks), NUMBERS, list(decks[1].counts())
    ),
    "a retuned one": lambda decks: retune_table(table(decks), [table(decks[1:])], 3),
    "contrasts": contrasts,
    "candidates": candidates,
    "versions": versions,
    "matches": matches,
}


def in_threads(play: Callable[[int], T], starts: list[int]) -> list[T]:
    """What a thread for each start returns.

    Those that share records may never end, so nobody waits for them for ever.
    """
    played: dict[int, T] = {}

    def keep(start: int) -> None:
        played[start] = play(start)

    threads = [Thread(target=keep, args=[start], daemon=True) for start in starts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return [played[start] for start in starts]


@pytest.mark.parametrize("player", PLAYERS)
def test_each_thread_plays_in_records_of_its_own(
    decks: list[Deck], player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lent: list[tuple[Thread, Any]] = []
    play = table_module.play_games

    def note(*arguments: Any) -> None:
        lent.append((current_thread(), arguments[:3]))
        play(*arguments)

    monkeypatch.setattr(table_module, "play_games", note)
    played = PLAYERS[player](decks)
    in_threads(lambda start: played.play(SEED, 1, start, 1), [0, 1, 2])

    users: dict[int, set[Thread]] = {}
    for thread, records in lent:
        for record in records:
            users.setdefault(id(record), set()).add(thread)
    assert {len(threads) for threads in users.values()} == {1}


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("player", PLAYERS)
def test_threads_play_as_one_does(decks: list[Deck], player: str) -> None:
    played = PLAYERS[player](decks)
    starts = [SETS * turn for turn in range(THREADS)]

    def play(start: int) -> Any:
        return played.play(SEED, 1, start, SETS)

    alone = [play(start) for start in starts]
    for one, other in zip(alone, in_threads(play, starts), strict=True):
        np.testing.assert_array_equal(one, other)


def test_who_opens_a_table_gets_records_of_their_own(decks: list[Deck]) -> None:
    """A replay is told in records in which nobody else plays."""
    one, other = open_table(table(decks)), open_table(table(decks))
    kept = lend_records(table(decks))
    for records in zip(one, other, kept, strict=False):
        assert len({id(each) for each in records}) == len(records)
        assert not np.shares_memory(records[0], records[1])


INNER = np.dtype([("number", np.int32), ("cells", np.int64, (2,))])
OUTER = np.dtype(
    [
        ("place", np.int64),
        ("cells", np.int32, (2, 3)),
        ("inner", INNER),
        ("inners", INNER, (2,)),
    ]
)


def test_uncompiled_games_play_in_the_memory_of_the_array() -> None:
    array = np.zeros(2, OUTER)
    first, second = (records := Records(array))
    first.place = 7
    first.place += 1
    first.cells[1] = 5
    first.inner.number = 3
    first.inner.cells = 4
    first.inners[1].cells[0] = 6
    inners = [(0, [0, 0]), (0, [6, 0])]
    expected = (8, [[0, 0, 0], [5, 5, 5]], (3, [4, 4]), inners)
    assert array[0] == np.array(expected, OUTER)

    array["place"][1] = 9
    assert (second.place, type(second.place)) == (9, np.int64)
    first.inners[0] = first.inners[1]
    records[1] = first
    first.inners[1].cells[0] = 0
    assert second.place == 8
    assert array["inners"]["cells"][1].tolist() == [[6, 0], [6, 0]]
    assert second.inners[0].cells.tolist() == [6, 0]
    assert second.inners[0] == second.inners[1] != first.inners[1]


def test_uncompiled_games_have_no_records_beyond_the_array() -> None:
    records = Records(np.zeros(2, OUTER))
    assert records[np.int64(1)] is records[1]
    for index in (-1, 2):
        with pytest.raises(IndexError):
            records[index]
    with pytest.raises(AttributeError):
        records[0].nothing  # noqa: B018
    with pytest.raises(ValueError, match="nothing"):
        records[0].nothing = 1
