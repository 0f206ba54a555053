"""Names of code in docstrings, comments and pages: each leads somewhere."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
REFERENCE = re.compile(r"`([A-Za-z_]\w*(?:\.\w+)+)(?:\(\))?`")
SOURCE_FILE = re.compile(r"`((?:[\w*]+/)+[\w*]+\.py)`(?! of (?:the tag|commit))")
FILE_SUFFIX = re.compile(r"\.(?:py|yaml|toml|jsonl|csv|html)$")


def defined_names(scope: str, tree: ast.AST) -> Iterator[str]:
    """Yield the dotted names that a module or class defines, imports or declares."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                yield f"{scope}.{name}"
                if isinstance(node, ast.ClassDef):
                    yield from defined_names(f"{scope}.{name}", node)
            case ast.ImportFrom(names=imported):
                yield from (f"{scope}.{each.asname or each.name}" for each in imported)
            case ast.Assign() | ast.AnnAssign() | ast.If() | ast.Try():
                names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
                yield from (f"{scope}.{each.id}" for each in names)


def find_dead_references() -> Iterator[str]:
    """Yield each reference that leads nowhere, after its place.

    A reference is a dotted name that begins with a module or class of `deckcheck`, from
    any package on. The first half of two may be an object: `result.standings`.
    """
    defined = set()
    for file in [*ROOT.glob("deckcheck/**/*.py"), ROOT / "deckcheck" / "__init__.pyi"]:
        module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        defined |= {module, *defined_names(module, ast.parse(file.read_text("utf-8")))}
    known = {name.split(".", start)[-1] for name in defined for start in range(6)}
    beginnings = {name.split(".")[0] for name in known if "." in name}
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    for file in sorted([*ROOT.glob("deckcheck/**/*.py"), *pages]):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            place = f"{file.relative_to(ROOT)}:{number}"
            for name in REFERENCE.findall(line):
                first, *members = name.split(".")
                is_object = (
                    first.islower() and len(members) == 1 and members[0] in known
                )
                is_code = first in beginnings and not FILE_SUFFIX.search(name)
                if is_code and name not in known and not is_object:
                    yield f"{place}: {name}"
            for name in SOURCE_FILE.findall(line):
                folders = [ROOT, ROOT / "deckcheck", file.parent]
                if not any(next(folder.glob(name), None) for folder in folders):
                    yield f"{place}: {name}"


def test_references_lead_somewhere() -> None:
    assert list(find_dead_references()) == []
