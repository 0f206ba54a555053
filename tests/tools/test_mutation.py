"""Mutation testing finds what tests leave open, on a tree of a single module.

`python -m tools.mutation` tries the mutants of deckcheck itself.
"""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.mutation import __main__, running
from tools.mutation.faults import read_faults
from tools.mutation.operators import mutants_of
from tools.mutation.reaching import Reach
from tools.mutation.running import Copy
from tools.mutation.sampling import Result, share_noticed

ROOT = Path(__file__).parents[2]

MODULE = '''\
"""A module with a limit of 3."""
__all__ = ["LIMIT", "is_long"]
LIMIT: int = 3


def is_long(words: list[str]) -> bool:
    """Whether there are more words than 3."""
    return len(words) > LIMIT


def unseen(words: list[str]) -> int:
    return len(words) + 1
'''
TESTS = """\
from deckcheck.stats.tiny import is_long

def test_four_words_are_long():
    assert is_long(list("abcd"))

def test_two_words_are_not():
    assert not is_long(list("ab"))
"""


def changes(source: str) -> list[tuple[str, str, str]]:
    """Operator, old and new text of all mutants of a module."""
    mutants = mutants_of("a.py", source.encode())
    for mutant in mutants:
        compile(mutant.apply(source.encode()), "a.py", "exec")
    return [(mutant.operator, mutant.old, mutant.new) for mutant in mutants]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a < b", [("comparison", "a < b", "(a <= b)")]),
        ("a in b", [("comparison", "a in b", "(a not in b)")]),
        ("a - b", [("arithmetic", "a - b", "(a + b)")]),
        ("a and b", [("boolean", "a and b", "(a or b)")]),
        ("not a", [("negation", "not a", "(a)")]),
        ("-a", [("negation", "-a", "(a)")]),
        ("a[7]", [("constant", "7", "8")]),
        ("a[True]", [("constant", "True", "False")]),
        ("a[0.5]", [("constant", "0.5", "1.0")]),
        ("c = max(a, b)", [("extreme", "max(a, b)", "min(a, b)")]),
        ("c = f(a, b)", [("order", "f(a, b)", "f(b, a)")]),
        ("c = f(s, a, b)", [("order", "f(s, a, b)", "f(s, b, a)")]),
        ("a if b else c", [("branches", "a if b else c", "(c if b else a)")]),
        ("if f(): a", [("condition", "f()", "(not f())")]),
        ("c = a.low", [("bound", "a.low", "(a.high)")]),
        (
            "c = a or b",
            [("boolean", "a or b", "(a and b)"), ("precedence", "a or b", "(b or a)")],
        ),
        ("c = {**a, **b}", [("precedence", "{**a, **b}", "({**b, **a})")]),
        ("c = f(a=b)", [("keyword", "f(a=b)", "f()")]),
        (
            "if a < b: c\nelse: d",
            [("comparison", "a < b", "(a <= b)"), ("branch", "a < b", "False")],
        ),
        ("def f(): c = a[:, b]", []),
        ("def f(): c = {a, b}", [("part", "{a, b}", "({a})")]),
        ("def f(): c = {a: b, d: e}", [("part", "{a: b, d: e}", "({a: b})")]),
        ("f()", [("removal", "f()", "pass")]),
        ("a.b = c", [("removal", "a.b = c", "pass")]),
        ("raise a", [("removal", "raise a", "pass")]),
        ("for a in b: continue", [("removal", "continue", "pass")]),
        ("def f(): return a", [("result", "return a", "return None")]),
        ("def f() -> bool: return a", [("result", "return a", "return not a")]),
        ("def f() -> int: return a", [("result", "return a", "return a + 1")]),
        ('é = ("ü", a < b)', [("comparison", "a < b", "(a <= b)")]),
        # What no test could see has no mutant, nor has the text of an error.
        ("raise A(1 + 2, f(3))", [("removal", "raise A(1 + 2, f(3))", "pass")]),
        *(
            (source, [])
            for source in (
                '"""Docstring, 3 > 2."""',
                "__all__ = [1 < 2]",
                "a: f(1, 2)",
                "def f(a: g(1, 2)) -> g(1, 2): ...",
                "@f(1, 2)\nclass A: ...",
                "assert a < 1",
                'f"{1 + a}"',
                'a = "text" + b',
                "A = int | None",
                "a = cast(int, b)",
                "a = isinstance(b, int)",
                "a = f(s, x)",
                "if TYPE_CHECKING: import a",
            )
        ),
    ],
)
def test_each_operator_changes_one_thing(
    source: str, expected: list[tuple[str, str, str]]
) -> None:
    assert changes(source) == expected


def test_names_tell_mutants_apart_wherever_they_stand() -> None:
    source = "class A:\n    def f(self):\n        return g(1, 1, 2)\n"
    below = f"# A comment\n{source}"
    names = [mutant.name for mutant in mutants_of("a.py", source.encode())]

    assert len(set(names)) == len(names) == 5
    assert "a.py A.f: `1` -> `2` #2" in names
    assert [mutant.name for mutant in mutants_of("a.py", below.encode())] == names


def test_tests_are_near_by_what_they_import_run_and_name(tmp_path: Path) -> None:
    tree = {
        "deckcheck/__init__.py": "",
        "deckcheck/api/runs.py": "",
        "deckcheck/cli/__init__.py": "def main(words): ...",
        "deckcheck/cli/studies.py": "def tune():\n    from deckcheck.sim import play",
        "deckcheck/sim/__init__.py": "from deckcheck.sim.kernel import play",
        "deckcheck/sim/kernel.py": "def play(): ...",
        "deckcheck/stats/__init__.py": "HOME = 'deckcheck.sim.kernel'",
        "tests/a/test_none.py": "import deckcheck",
        "tests/b/test_text.py": "from deckcheck.stats import HOME",
        "tests/c/test_command.py": "main(['tune'])",
        "tests/d/test_package.py": "from deckcheck.sim import play",
        "tests/e/test_kernel.py": "from deckcheck.sim import play",
        "tests/repository/test_docs.py": "from deckcheck.sim import play",
        "tests/sim/test_transcripts.py": "",
    }
    for name, text in tree.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    reach = Reach(tmp_path)
    assert reach.tests_of("deckcheck/sim/kernel.py", 1, uncompiled=False) == [
        *("tests/sim/test_transcripts.py", "tests/e/test_kernel.py"),
        "tests/d/test_package.py",
        *("tests/c/test_command.py", "tests/b/test_text.py"),
    ]
    none = reach.tests_of("deckcheck/api/runs.py", 1, uncompiled=False)
    assert none == ["tests/a/test_none.py"]


def test_mutants_of_a_game_meet_its_scenarios(tmp_path: Path) -> None:
    for game in ("gwent", "sg_gwint", "sg_gwint_again"):
        (tmp_path / "tests" / "scenarios" / game).mkdir(parents=True)
        (tmp_path / "tests" / "scenarios" / game / "moves.yaml").write_text("")
    (tmp_path / "tests" / "scenarios" / "__pycache__").mkdir()
    reach = Reach(tmp_path)

    file = "deckcheck/engine/{}/rounds.py"
    assert reach.tests_of(file.format("gwent"), 1, True) == ["tests/scenarios/gwent"]
    assert reach.tests_of(file.format("sg_gwint"), 1, True) == [
        *("tests/scenarios/sg_gwint", "tests/scenarios/sg_gwint_again")
    ]
    assert reach.tests_of("deckcheck/scenarios/contract.py", 1, False) == [
        f"tests/scenarios/{game}" for game in ("gwent", "sg_gwint", "sg_gwint_again")
    ]
    assert reach.tests_of("deckcheck/sim/kernel.py", 1, True) == []


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """The command, on a tree that holds one module and its tests."""
    tree = tmp_path / "tree"
    files: dict[str, str] = {
        "deckcheck/__init__.py": "",
        "deckcheck/stats/__init__.py": "",
        "deckcheck/stats/tiny.py": MODULE,
        "tests/stats/test_tiny.py": TESTS,
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-ra"\n',
    }
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / running.HOOK, tree / running.HOOK)
    subprocess.run(["git", "init", "--quiet", tree], check=True)
    monkeypatch.setattr(running, "ROOT", tree)

    def run_command(*arguments: Any) -> tuple[int, str]:
        folder = tmp_path / "work"
        code = __main__.main(["--folder", str(folder), *map(str, arguments)])
        return code, capsys.readouterr().out

    return run_command


@pytest.mark.slow
def test_random_mutants_meet_the_nearest_tests(run: Run) -> None:
    code, printed = run("random", "--package", "stats")
    mutants, report = printed.split("\npackage")
    outcomes = sorted(
        f"{line.split()[0]} {line.partition('tiny.py ')[2]}"
        for line in mutants.splitlines()
    )

    assert code == 1
    assert outcomes == [
        "killed is_long: `return len(words) > LIMIT` -> "
        "`return not len(words) > LIMIT`",
        "killed module: `3` -> `4`",
        "survived is_long: `len(words) > LIMIT` -> `(len(words) >= LIMIT)`",
        "survived unseen: `1` -> `2`",
        "survived unseen: `len(words) + 1` -> `(len(words) - 1)`",
        "survived unseen: `return len(words) + 1` -> `return len(words) + 1 + 1`",
    ]
    assert "stats               6    33.3%" in report
    assert "unseen: `1` -> `2` (line 12)" in report
    # What was tried is kept.
    assert run("random", "--package", "stats") == (1, f"\npackage{report}")
    for least, code in (("0.33", 0), ("0.34", 1)):
        words = ("random", "--package", "stats", "--least", least)
        assert run(*words) == (code, f"\npackage{report}")


@pytest.mark.slow
def test_a_test_that_fails_anyway_notices_nothing(run: Run, tmp_path: Path) -> None:
    failing = TESTS.replace('not is_long(list("ab"))', "False")
    (tmp_path / "tree/tests/stats/test_tiny.py").write_text(failing, encoding="utf-8")

    with pytest.raises(SystemExit, match=r"without a mutant: FAILED .*_two_words"):
        run("random", "--package", "stats")


@pytest.mark.slow
@pytest.mark.usefixtures("run")
def test_a_mutant_without_end_is_stopped(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "work")
    file, tests = "deckcheck/stats/tiny.py", ["tests/stats/test_tiny.py"]
    endless = (file, b"while True: pass\n")

    assert copy.test(tests, 2, endless, uncompiled=False).result == "timeout"
    assert copy.test(tests, 20, None, uncompiled=False).result == "survived"


@pytest.mark.slow
def test_faults_of_a_list_are_put_in_again(run: Run, tmp_path: Path) -> None:
    fault = (
        "- name: {name}\n  file: deckcheck/stats/tiny.py\n  old: {old}\n"
        "  new: {new}\n  effect: wrong\n  tests: [tests/stats/test_tiny.py]\n"
    )
    noticed = fault.format(name="limit", old="int = 3", new="int = 4")
    missed = fault.format(name="equal", old="'> L'", new="'>= L'")
    lost = fault.format(name="text", old="words", new="letters")
    path = tmp_path / "faults.yaml"

    path.write_text(noticed + missed + lost)
    code, printed = run("faults", "--list", path)
    lines = [line for line in printed.splitlines() if line]
    assert code == 1
    assert [line.split("  ")[0] for line in lines[::2]] == [
        *("killed", "survived", "not found", "2 faults went unnoticed")
    ]
    path.write_text(noticed)
    assert run("faults", "--list", path)[0] == 0


def test_what_cannot_be_noticed_is_left_out_of_the_share() -> None:
    said = ("killed", "timeout", "survived", "survived")
    results = [Result(f"m{n}", "a", "b", 1, r, "", 0.0) for n, r in enumerate(said)]

    assert share_noticed(results, {}) == 1 / 2
    assert share_noticed(results, {"m3": "the same"}) == 2 / 3
    assert share_noticed(results[3:], {"m3": "the same"}) == 1


def test_faults_of_the_list_can_be_put_in_and_name_their_tests() -> None:
    faults = read_faults()
    assert len({fault.name for fault in faults}) == len(faults)
    for fault in faults:
        source = (ROOT / fault.file).read_bytes()
        assert fault.apply(source) != source
        for test in fault.tests:
            file, *names = re.split("::|#", test.partition("[")[0])
            text = (ROOT / file).read_text("utf-8")
            found = r"^ *(def|class|title:) {}\b"
            assert all(re.search(found.format(n), text, re.MULTILINE) for n in names)
