"""All mutants of a module: single changes of its code that a test should notice.

What no test of behaviour can see gets no mutant: docstrings, annotations, decorators,
assertions, texts, the arguments of exceptions, `__all__` and `__slots__`.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Mutant", "mutants_of"]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
PAIRS = (("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"))
OPPOSITES = {
    name: other
    for pair in (*PAIRS, ("any", "all"), ("floor", "ceil"))
    for name, other in (pair, pair[::-1])
}
BOUNDS = {"value": "low", "low": "high", "high": "low"}
"""An estimate and the ends of its interval, one taken for another."""
NUMBERS = frozenset({"int", "float", "Card", "Move", "Player", "Row", "Side"})
RECORDS = frozenset({"s", "x", "p"})
"""The records of a game, which compiled functions take first: swapped, all fails."""
SYMMETRIC = frozenset({"min", "max", "minimum", "maximum", "isclose"})
TYPING = frozenset({"cast", "NewType", "TypeVar", "isinstance", "issubclass"})
UNSEEN = frozenset({"__all__", "__slots__"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the bytes from `start` to `end` of a file become `new`.

    `function` is the qualified name of what it lies in, empty at the level of the
    module.
    """

    file: str
    function: str
    operator: str
    line: int
    start: int
    end: int
    old: str
    new: str
    number: int = 1

    @property
    def name(self) -> str:
        """What it is called, without a line number: the same after other edits."""
        again = f" #{self.number}" if self.number > 1 else ""
        return (
            f"{self.file} {self.function or 'module'}: "
            f"{_shortened(self.old)} -> {_shortened(self.new)}{again}"
        )

    def apply(self, source: bytes) -> bytes:
        """The text of the module with the change."""
        return source[: self.start] + self.new.encode() + source[self.end :]


def mutants_of(file: str, source: bytes) -> list[Mutant]:
    """All mutants of a module, in the order of their places."""
    visitor = _Visitor(file, source)
    visitor.visit(ast.parse(source))
    counts: Counter[str] = Counter()
    numbered = []
    for mutant in sorted(visitor.mutants, key=lambda m: (m.start, m.end, m.new)):
        counts[mutant.name] += 1
        fields = {name: getattr(mutant, name) for name in Mutant.__slots__}
        numbered.append(Mutant(**{**fields, "number": counts[mutant.name]}))
    return numbered


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return f"`{line}`" if len(line) <= 70 else f"`{line[:45]} ... {line[-20:]}`"


class _Visitor(ast.NodeVisitor):
    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.mutants: list[Mutant] = []
        self.scopes: list[ast.FunctionDef | ast.ClassDef] = []

    # What changes

    def visit_Compare(self, node: ast.Compare) -> None:
        for at, comparison in enumerate(node.ops):
            new = copy.deepcopy(node)
            new.ops[at] = COMPARISONS[type(comparison)]()
            self.add("comparison", node, new)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = any(_is_text(side) for side in (node.left, node.right))
        if not texts and not (self.is_outside() and isinstance(node.op, ast.BitOr)):
            self.add_arithmetic(node)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if not _is_text(node.value):
            self.add_arithmetic(node)
        self.add("removal", node, ast.Pass())
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        new = copy.deepcopy(node)
        new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self.add("boolean", node, new)
        if isinstance(node.op, ast.Or) and not any(map(_is_condition, node.values)):
            new = copy.deepcopy(node)
            new.values.reverse()
            self.add("precedence", node, new)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        unpacked = [at for at, key in enumerate(node.keys) if key is None]
        if unpacked and len(node.keys) > 1:
            new = copy.deepcopy(node)
            new.keys.reverse()
            new.values.reverse()
            self.add("precedence", node, new)
        self.add_without_last(node, node.values)
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple | ast.List | ast.Set) -> None:
        if isinstance(node, ast.Set) or isinstance(node.ctx, ast.Load):
            self.add_without_last(node, node.elts)
        self.generic_visit(node)

    visit_List = visit_Set = visit_Tuple

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        index = node.slice
        self.visit_all(index.elts if isinstance(index, ast.Tuple) else [index])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if node.attr in BOUNDS and isinstance(node.ctx, ast.Load):
            new = copy.deepcopy(node)
            new.attr = BOUNDS[node.attr]
            self.add("bound", node, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self.add("negation", node, node.operand)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.add("constant", node, ast.Constant(not value))
        elif isinstance(value, int):
            self.add("constant", node, ast.Constant(value + 1))
        elif isinstance(value, float):
            self.add("constant", node, ast.Constant(2 * value or 1.0))

    def visit_Return(self, node: ast.Return) -> None:
        new = self.other_result(node.value)
        if new is not None:
            self.add("result", node, ast.Return(new))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        name = _name(node.func)
        if name in TYPING:
            self.visit_all(node.args[1:] if name == "cast" else ())
            return
        if name in OPPOSITES:
            new = copy.deepcopy(node)
            if isinstance(new.func, ast.Name):
                new.func.id = OPPOSITES[name]
            else:
                new.func.attr = OPPOSITES[name]  # type: ignore[attr-defined]
            self.add("extreme", node, new)
        last = node.args[-2:]
        fixed = any(isinstance(a, ast.Starred) or _name(a) in RECORDS for a in last)
        if len(last) > 1 and not fixed and name not in SYMMETRIC:
            new = copy.deepcopy(node)
            new.args[-2:] = new.args[:-3:-1]
            self.add("order", node, new)
        if node.keywords and node.keywords[-1].arg not in (None, "strict"):
            new = copy.deepcopy(node)
            new.keywords.pop()
            self.add("keyword", node, new)
        self.visit(node.func)
        self.visit_all(node.args)
        self.visit_all(word.value for word in node.keywords if word.arg != "strict")

    def visit_IfExp(self, node: ast.IfExp) -> None:
        new = copy.deepcopy(node)
        new.body, new.orelse = new.orelse, new.body
        self.add("branches", node, new)
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if ast.unparse(node.test) in ("TYPE_CHECKING", "__name__ == '__main__'"):
            return
        if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            self.add("condition", node.test, ast.UnaryOp(ast.Not(), node.test))
        if node.orelse:
            self.add("branch", node.test, ast.Constant(False))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.add("removal", node, ast.Pass())
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Continue | ast.Break | ast.Raise) -> None:
        self.add("removal", node, ast.Pass())

    visit_Break = visit_Continue = visit_Raise

    def visit_Assign(self, node: ast.Assign) -> None:
        names = {_name(target) for target in node.targets}
        if names & UNSEEN:
            return
        if all(isinstance(t, ast.Attribute | ast.Subscript) for t in node.targets):
            self.add("removal", node, ast.Pass())
        self.generic_visit(node)

    # Where it lies

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.visit_all(node.args.defaults)
        self.visit_all(default for default in node.args.kw_defaults if default)
        self.scopes.append(node)
        self.visit_all(node.body)
        self.scopes.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scopes.append(node)
        self.visit_all(node.body)
        self.scopes.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None and _name(node.target) not in UNSEEN:
            self.visit(node.value)

    def visit_Assert(self, node: ast.Assert) -> None:
        """An assertion tells the type checker something, or what cannot happen."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A text; its parts have no places of their own before Python 3.12."""

    def visit_all(self, nodes: Iterator[ast.AST] | list[ast.AST] | tuple[()]) -> None:
        for node in nodes:
            self.visit(node)

    # How it is written

    def is_outside(self) -> bool:
        """Whether this runs as the module is imported."""
        return not any(isinstance(scope, ast.FunctionDef) for scope in self.scopes)

    def add_arithmetic(self, node: ast.BinOp | ast.AugAssign) -> None:
        if type(node.op) in ARITHMETIC:
            new = copy.deepcopy(node)
            new.op = ARITHMETIC[type(node.op)]()
            self.add("arithmetic", node, new)

    def add_without_last(self, node: ast.expr, parts: list[ast.expr]) -> None:
        """Leave a part out of what a function puts together, as of a fingerprint."""
        if len(parts) > 1 and not self.is_outside():
            new = copy.deepcopy(node)
            if isinstance(new, ast.Dict):
                new.keys.pop()
                new.values.pop()
            else:
                new.elts.pop()  # type: ignore[attr-defined]
            self.add("part", node, new)

    def other_result(self, value: ast.expr | None) -> ast.expr | None:
        """What a function returns in place of a value; None if there is no other."""
        if value is None or isinstance(value, ast.Constant):
            return None
        [*_, function] = (s for s in self.scopes if isinstance(s, ast.FunctionDef))
        kind = _name(function.returns) if function.returns else ""
        if kind == "bool" or isinstance(value, ast.Compare):
            return ast.UnaryOp(ast.Not(), value)
        if kind in NUMBERS:
            return ast.BinOp(value, ast.Add(), ast.Constant(1))
        return ast.Constant(None)

    def add(self, operator: str, node: ast.AST, new: ast.AST) -> None:
        start = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        old = self.source[start:end].decode()
        text = ast.unparse(new)
        if text == ast.unparse(node):
            return
        if isinstance(new, ast.expr) and not isinstance(new, ast.Constant | ast.Call):
            text = f"({text})"
        self.mutants.append(
            Mutant(
                file=self.file,
                function=".".join(scope.name for scope in self.scopes),
                operator=operator,
                line=node.lineno,  # type: ignore[attr-defined]
                start=start,
                end=end,
                old=old,
                new=text,
            )
        )


def _name(node: ast.AST) -> str:
    """The last part of a name, `floor` of `np.floor`; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def _is_condition(node: ast.expr) -> bool:
    """Whether it is true or false, so that the order of two does not matter."""
    if isinstance(node, ast.Call):
        return _name(node.func).startswith(("is", "has", "starts", "ends"))
    return isinstance(node, ast.Compare | ast.UnaryOp | ast.BoolOp)


def _is_text(node: ast.expr) -> bool:
    is_literal = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return is_literal or isinstance(node, ast.JoinedStr)
