# SPDX-License-Identifier: Apache-2.0
"""What can be changed in a module, one small change each; it runs nothing.

A change replaces a piece of the source, so a mutant keeps its lines. Left alone: annotations,
docstrings, and texts with a blank in them, which are prose for people; but in a printed tableau
each mark is turned round.
"""

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
}
NAMES = {"any": "all", "all": "any", "max": "min", "min": "max"}
OTHER_HAND = {"player": "banker", "banker": "player"}
# How a value is stored, not what it says.
STORAGE = {"frozen", "gc", "kw_only"}
DELETED = (ast.Assign, ast.AugAssign, ast.Raise, ast.Expr)
Enums = Mapping[str, list[str]]


class Mutant(NamedTuple):
    """A changed module: where, what the lines were and what they are now, and all of its text."""

    line: int
    where: str
    was: str
    now: str
    text: str


def enums_in(texts: Iterable[str]) -> dict[str, list[str]]:
    """The members of every enumeration that these modules define."""
    return {
        node.name: [
            target.id
            for one in node.body
            if isinstance(one, ast.Assign)
            for target in one.targets
            if isinstance(target, ast.Name)
        ]
        for text in texts
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id == "Enum" for base in node.bases)
    }


def mutants_of(text: str, enums: Enums) -> list[Mutant]:
    """Every mutant of a module, in the order of its lines, each once."""
    finding = _Finding(text, enums)
    finding.visit(ast.parse(text))
    found = {}
    for start, end, new, where in sorted(finding.edits, key=lambda edit: edit[:2]):
        changed = (finding.source[:start] + new.encode() + finding.source[end:]).decode()
        line, was, now = _difference(text, changed)
        if was != now:
            found.setdefault(changed, Mutant(line, where, was, now, changed))
    return list(found.values())


def _difference(text: str, changed: str) -> tuple[int, str, str]:
    """The number of the first line that differs, and what differs, each on one line."""
    old, new = text.splitlines(), changed.splitlines()
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    while len(old) > first + 1 and len(new) > first + 1 and old[-1] == new[-1]:
        del old[-1], new[-1]
    was, now = (" ".join(" ".join(lines[first:]).split()) for lines in (old, new))
    return first + 1, was, now


class _Finding(ast.NodeVisitor):
    """Collects the edits: start and end in bytes, the new text, and the function it is in."""

    def __init__(self, text: str, enums: Enums) -> None:
        self.source = text.encode()
        self.enums = enums
        self.words = set(re.findall(r"\w+", text))
        self.edits: list[tuple[int, int, str, str]] = []
        self.scope: list[str] = []
        self.depth = 0
        self.starts = [0]
        for line in self.source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset

    def put(self, node: ast.AST, new: ast.AST | str) -> None:
        """The node becomes this; in parentheses where it might be torn apart."""
        text = new if isinstance(new, str) else ast.unparse(new)
        if isinstance(new, (ast.BoolOp, ast.BinOp, ast.IfExp)):
            text = f"({text})"
        self.edits.append((*self.span(node), text, ".".join(self.scope)))

    def drop(self, first: ast.AST, last: ast.AST) -> None:
        """What reaches from one node to another in a list goes, with its comma."""
        start, end = self.span(first)[0], self.span(last)[1]
        comma = re.compile(rb"\s*, *").match(self.source, end)
        self.edits.append((start, comma.end() if comma else end, "", ".".join(self.scope)))

    def with_(self, node: ast.AST, **fields: object) -> ast.AST:
        changed = copy.copy(node)
        for name, value in fields.items():
            setattr(changed, name, value)
        return changed

    def without(self, given: list[ast.AST]) -> Iterator[list[ast.AST]]:
        for number in range(len(given)):
            yield given[:number] + given[number + 1 :]

    # --- what is not looked into -----------------------------------------------------------------

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """A text with values in it is prose."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.scope.append(node.name)
        self.depth += 1
        for one in (*node.args.defaults, *node.args.kw_defaults, *node.body):
            if one is not None:
                self.visit(one)
        self.depth -= 1
        self.scope.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.scope.append(node.name)
        for one in (*(key for key in node.keywords if key.arg not in STORAGE), *node.body):
            self.visit(one)
        self.scope.pop()

    # --- statements ------------------------------------------------------------------------------

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return
        is_return = isinstance(node, ast.Return) and node.value is None
        if self.depth and (is_return or isinstance(node, DELETED)):
            self.put(node, "pass")
        super().visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.put(node, "return None")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.put(node, self.with_(node, op=ARITHMETIC[type(node.op)]()))
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        self.put(node.test, "True")
        self.put(node.test, "False")
        self.generic_visit(node)

    def visit_match_case(self, node: ast.match_case) -> None:
        if node.guard is None:
            self.put(node.pattern, f"{ast.unparse(node.pattern)} if False")
        else:
            self.put(node.guard, "True")
            self.put(node.guard, "False")
        self.generic_visit(node)

    def visit_MatchOr(self, node: ast.MatchOr) -> None:
        for left in self.without(list(node.patterns)):
            self.put(node, " | ".join(map(ast.unparse, left)))
        self.generic_visit(node)

    # --- expressions -----------------------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> None:
        for number, op in enumerate(node.ops):
            for other in COMPARISONS[type(op)]:
                ops = [*node.ops[:number], other(), *node.ops[number + 1 :]]
                self.put(node, self.with_(node, ops=ops))
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.put(node, self.with_(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And()))
        for left in self.without(list(node.values)):
            self.put(node, left[0] if len(left) == 1 else self.with_(node, values=left))
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.put(node, node.operand)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.put(node, self.with_(node, op=ARITHMETIC[type(node.op)]()))
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.put(node, node.body)
        self.put(node, node.orelse)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.put(test, "True")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        for key in node.keywords:
            self.drop(key, key)
        self.generic_visit(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        if isinstance(node.ctx, ast.Load):
            for one, left in zip(node.elts, self.without(list(node.elts)), strict=True):
                if len(left) == 1:
                    self.put(node, self.with_(node, elts=left))
                elif left:
                    self.drop(one, one)
        self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> None:
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None:
                self.drop(key, value)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self.put(node, repr(not value))
        elif isinstance(value, int):
            self.put(node, repr(value + 1))
            self.put(node, repr(value - 1))
        elif isinstance(value, str) and "|" in value:
            self._marks(node)
        elif isinstance(value, str) and " " not in value:
            self.put(node, repr(f"{value}~"))

    def _marks(self, node: ast.Constant) -> None:
        """Each mark of a printed tableau: draw becomes stand, and stand draw."""
        start, end = self.span(node)
        for mark in re.finditer(rb"(?<= )[DS](?=\s)", self.source[start:end]):
            other = "S" if mark[0] == b"D" else "D"
            place = start + mark.start()
            self.edits.append((place, place + 1, other, ".".join(self.scope)))

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self._other(node, node.id, "")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        members = self.enums.get(owner, [])
        if node.attr in members:
            other = members[(members.index(node.attr) + 1) % len(members)]
            self.put(node, f"{owner}.{other}")
            return
        if isinstance(node.ctx, ast.Load):
            self._other(node, node.attr, f"{ast.unparse(node.value)}.")
        self.visit(node.value)

    def _other(self, node: ast.expr, name: str, before: str) -> None:
        """The same of the other hand, where the module has such a name."""
        other = NAMES.get(name) or re.sub(
            "player|banker", lambda word: OTHER_HAND[word[0]], name.lower()
        )
        other = other.upper() if name.isupper() else other
        if other != name and (name in NAMES or other in self.words):
            self.put(node, before + other)
