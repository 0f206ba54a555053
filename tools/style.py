"""Measure how code and prose are written, in rates that can be compared.

python -m tools.style [NAME...]

prints a column for each installed module, folder or file, by default for `deckcheck/`.
Put packages that read well beside it, for example `deckcheck attr pip docs`. Patterns
and lists of words find a few percent of false hits: compare rates, not single places.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

__all__ = ["measure_code", "measure_prose", "read_code", "read_pages"]

NOUN_OPENING = re.compile(
    r"(?:The|What|Whether|An?|How|All|Every|Each|Who|Why|Where|Which|Whose|By|One|No|As"
    r"|In|Of|When|None|This|That|At|Only|If|With|For|Those|These|Both|Some|Its|Several"
    r"|Two|Same|Also|Here|There|Whatever)\b"
)
"""First words of a docstring that names a result and not an action."""
PARTICIPLE = re.compile(
    r"[a-z]+ed|known|told|said|shown|kept|drawn|given|taken|written|found|met|made|done"
    r"|read|seen|sent|chosen|put|held|won|lost|left"
)
FILLER = re.compile(r"own|said|kept|met|again|one|told|came|gone|place|at")
ONE_WORD_CONSTANT = re.compile(r"_?[A-Z]{2,}")
TURNS = {
    ";": ";",
    "what": r"\bwhat\b",
    "one, ones": r"\bones?\b",
    "that is, are, was": r"\bthat (?:is|are|was|were|has|have)\b",
    "says, tells": r"\b(?:says?|said|tells?|told)\b",
    "lies, stands": r"\b(?:lies?|lying|stands?)\b",
    "of which, of these": r"\bof (?:which|whom|these|those|it|them)\b",
    "those of, that of": r"\b(?:those|that) of\b",
    "is no, is none": r"\b(?:is|are|was|were) (?:no|none)\b",
    "for example": r"\b(?:for example|e\.g\.)",
}
"""Turns of phrase, counted per 1,000 words."""
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
CODE_BLOCK = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
CODE_SPAN = re.compile(r"`[^`\n]*`")


def measure_prose(text: str) -> dict[str, float]:
    """Return the rate of each turn of phrase per 1,000 words."""
    words = max(1, len(re.findall(r"[A-Za-z']+", text)))
    return {
        turn: 1000 * len(re.findall(pattern, text, re.IGNORECASE)) / words
        for turn, pattern in TURNS.items()
    }


def measure_code(root: Path) -> dict[str, float]:
    """Return the rates of a file or of all Python files below a folder.

    Turns of phrase are those of docstrings.
    """
    return read_code(root)[0]


def read_code(root: Path) -> tuple[dict[str, float], str]:
    """Return the rates of code, and its strings with a space except docstrings."""
    counts: Counter[str] = Counter()
    docstrings, messages = [], []
    for code, tree in parse_files(root):
        counts["lines"] += code.count("\n")
        for statement in tree.body:
            count_constants(statement, counts)
        nodes = list(ast.walk(tree))
        texts = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            count_node(node, counts)
            docstrings.append(docstring(node))
            text = node.value if isinstance(node, ast.Constant) else None
            if isinstance(text, str) and " " in text and id(node) not in texts:
                messages.append(CODE_SPAN.sub("", text))
    return list_rates(counts, " ".join(docstrings)), "\n".join(messages)


def list_rates(counts: Counter[str], docstrings: str) -> dict[str, float]:
    """Return the rates of counts, and those of the prose of docstrings."""
    per_line = 1000 / max(1, counts["lines"])
    per_function = 100 / max(1, counts["functions"])
    per_docstring = 100 / max(1, counts["documented"])
    return {
        "lines": counts["lines"],
        "functions": counts["functions"],
        "docstrings that begin with a noun, %": counts["nouns"] * per_docstring,
        "functions named by a participle, %": counts["participles"] * per_function,
        "functions named with _of, %": counts["of_names"] * per_function,
        "filler locals per 1,000 lines": counts["fillers"] * per_line,
        "one-word constants per 1,000 lines": counts["constants"] * per_line,
        "comprehensions per 1,000 lines": counts["comprehensions"] * per_line,
        "conditional expressions per 1,000 lines": counts["conditionals"] * per_line,
    } | measure_prose(docstrings)


def parse_files(root: Path) -> Iterator[tuple[str, ast.Module]]:
    """Yield the text and the syntax tree of each Python file of `root`.

    Templates of code, which do not parse, are passed over.
    """
    for file in [root] if root.is_file() else sorted(root.rglob("*.py")):
        code = file.read_text("utf-8", errors="replace")
        try:
            yield code, ast.parse(code)
        except SyntaxError:
            continue


def count_constants(statement: ast.stmt, counts: Counter[str]) -> None:
    """Count the names of one word that a statement of a module assigns."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                counts["constants"] += bool(ONE_WORD_CONSTANT.fullmatch(node.id))


def count_node(node: ast.AST, counts: Counter[str]) -> None:
    """Add one node to the counts that it concerns."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            count_function(node, counts)
        case ast.Name(id=name, ctx=ast.Store()) if FILLER.fullmatch(name):
            counts["fillers"] += 1
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            counts["comprehensions"] += 1
        case ast.IfExp():
            counts["conditionals"] += 1


def count_function(
    function: ast.FunctionDef | ast.AsyncFunctionDef, counts: Counter[str]
) -> None:
    """Count the name and the docstring of a function that is an action.

    Properties are values, and the language names `__repr__` and its like.
    """
    decorators = [ast.unparse(each) for each in function.decorator_list]
    is_property = any("property" in decorator for decorator in decorators)
    if is_property or function.name.startswith("__"):
        return
    name = function.name.strip("_")
    counts["functions"] += 1
    counts["participles"] += bool(PARTICIPLE.fullmatch(name))
    counts["of_names"] += name.endswith("_of") or "_of_" in name
    if text := docstring(function):
        counts["documented"] += 1
        counts["nouns"] += bool(NOUN_OPENING.match(text))


def docstring(node: ast.AST) -> str:
    """Return the docstring of a module, class or function, or an empty string."""
    return ast.get_docstring(node) or "" if isinstance(node, DOCUMENTED) else ""


def read_pages(root: Path) -> str:
    """Return the prose of a Markdown file, or of all below a folder, without code."""
    pages = [root] if root.is_file() else sorted(root.rglob("*.md"))
    text = "\n".join(page.read_text("utf-8") for page in pages)
    return CODE_SPAN.sub("", CODE_BLOCK.sub("", text))


def find_path(name: str) -> Path:
    """Return the file or folder that `name` means: a path, or an installed module."""
    if Path(name).exists():
        return Path(name)
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        sys.exit(f"`{name}` is neither a path nor an installed module")
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin


def main() -> None:
    """Print the rates of each argument in a column."""
    columns = {}
    for name in sys.argv[1:] or ["deckcheck"]:
        path = find_path(name)
        if path.suffix == ".py" or any(path.rglob("*.py")):
            columns[name] = measure_code(path)
        else:
            columns[name] = measure_prose(read_pages(path))
    print(" " * 40, *(f"{name[-13:]:>14}" for name in columns))
    for rate in max(columns.values(), key=len):
        print(
            f"{rate:40}", *(f"{each.get(rate, 0):14,.1f}" for each in columns.values())
        )


if __name__ == "__main__":
    main()
