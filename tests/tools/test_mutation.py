"""Mutation testing finds what tests leave open, on a tree of a single module.

`python -m tools.mutation` tries the mutants of deckcheck itself.
"""

import subprocess
from pathlib import Path

import pytest

from tools.mutation import __main__, contexts
from tools.mutation.__main__ import UNCOMPILED_TESTS
from tools.mutation.operators import mutants_of

MODULE = '''\
"""A module with a limit of 3."""
__all__ = ["MAX_TEST_SECONDS", "is_long"]
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


OTHERS = "def test_it_is_imported():\n    import deckcheck.stats.tiny\n"


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


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree that holds one module, its tests, and what measures them."""
    tree = tmp_path / "tree"
    files = {
        "deckcheck/__init__.py": "",
        "deckcheck/stats/__init__.py": "",
        "deckcheck/stats/tiny.py": MODULE,
        "tests/stats/test_tiny.py": TESTS,
        **{f"{name}/test_{Path(name).name}.py": OTHERS for name in UNCOMPILED_TESTS},
        "tools/mutation/contexts.py": Path(contexts.__file__).read_text("utf-8"),
        "pyproject.toml": '[tool.pytest.ini_options]\naddopts = "-ra"\n',
    }
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", tree], check=True)
    monkeypatch.setattr(__main__, "ROOT", tree)
    return tree


@pytest.mark.slow
def test_random_mutants_meet_the_tests_that_execute_them(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*more: str) -> tuple[int, list[str]]:
        words = ["--folder", str(tmp_path / "work"), *more]
        code = __main__.main(words)
        return code, sorted(
            f"{line.split()[0]} {line.partition('tiny.py ')[2]}"
            for line in capsys.readouterr().out.partition("\n\n")[0].splitlines()
        )

    expected = [
        "killed is_long: `return len(words) > LIMIT` -> "
        "`return not len(words) > LIMIT`",
        "killed module: `3` -> `4`",
        "survived is_long: `len(words) > LIMIT` -> `(len(words) >= LIMIT)`",
        "survived unseen: `1` -> `2`",
        "survived unseen: `len(words) + 1` -> `(len(words) - 1)`",
        "survived unseen: `return len(words) + 1` -> `return len(words) + 1 + 1`",
    ]
    assert run() == (1, expected)
    # What was tried is kept.
    assert run("--least", "0.33") == (0, expected)
    assert run("--least", "0.34") == (1, expected)
    # A test that fails anyway could notice nothing.
    failing = TESTS.replace("not is_long", "is_long")
    (tree / "tests/stats/test_tiny.py").write_text(failing, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"without a mutant: FAILED .*_two_words"):
        run()


@pytest.mark.slow
def test_a_mutant_without_end_is_stopped(tree: Path) -> None:
    (tree / "tests/stats/test_tiny.py").write_text("while True: pass\n")

    words = ["pytest", "tests/stats/test_tiny.py"]
    assert __main__.run_pytest(words, tree, 2, uncompiled=False)[0] < 0
