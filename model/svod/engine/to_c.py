"""Program text in the integer subset of Python → C text that computes the same; everything else is refused.

The subset. A module holds constants (`NAME = 5`), constant tables (`NAME = (1, 2, 3)`) and functions. All values are
whole numbers of 64 bits. Parameters whose name begins with a capital letter are arrays, all other names are numbers.
Statements: `while`, `for x in range(…)`, `if`, `break`, `continue`, `pass`, assignment (plain or augmented) to a local
or to an element of an array, a call, `return` of a number. Expressions: arithmetic, comparison, `and`, `or`, `not`,
`x if c else y`, elements of arrays and tables, `min` and `max` of two, calls of functions of the module, and what C has
an instruction for: `T67[b % 67]`, the number of the only set bit of `b`, `m.bit_count()`, and `popcount(m)`, a function
of the program; none of these for negative numbers. What a call returns must not depend on when its neighbours in an
expression are called.

NOTE(entry points): a shared object that exports plain names may have its calls caught by a library that has the same
ones, so everything is `static` but the functions asked for, and these carry the prefix `svod_`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from svod.diagnostics import InternalError
from svod.engine.parsed import parsed

PREFIX = "svod_"

PRELUDE = """\
#include <stdint.h>
typedef int64_t word;
#define INLINE static inline __attribute__((always_inline))
INLINE word floor_mod(word a, word b) { word r = a % b; return (r != 0 && ((r ^ b) < 0)) ? r + b : r; }
INLINE word floor_div(word a, word b) { word q = a / b; return (a % b != 0 && ((a ^ b) < 0)) ? q - 1 : q; }
INLINE word least(word a, word b) { return b < a ? b : a; }
INLINE word greatest(word a, word b) { return b > a ? b : a; }
"""

_BINARY: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARE: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


def c_from_source(source: str, entries: Iterable[str]) -> str:
    """The C text of the program; `entries` are the functions to export."""
    return c_from_module(parsed(source), entries)


def c_from_module(module: ast.Module, entries: Iterable[str]) -> str:
    """The C text of a parsed program; `entries` are the functions to export."""
    wanted = tuple(entries)
    printer = _Module()
    printer.collect(module)
    for name in wanted:
        if name not in printer.functions:
            raise _refuse(module, f"no function {name} to export")
    parts = [PRELUDE, *printer.constants_text()]
    parts += [_signature(f) + ";" for f in printer.functions.values()]
    parts += [_Body(printer, f).text() for f in printer.functions.values()]
    parts += [_exported(printer.functions[name]) for name in wanted]
    return "\n".join(parts) + "\n"


def is_array(name: str) -> bool:
    """Whether a parameter of this name is an array."""
    return name[:1].isupper()


def c_name(kind: str, name: str) -> str:
    """A C identifier that clashes with no word of C and no library: `kind` is a letter, beyond ASCII all is spelled."""
    safe = "".join(c if c.isascii() else f"_u{ord(c):x}" for c in name)
    return f"{kind}_{safe}"


def _refuse(node: ast.AST, why: str) -> InternalError:
    line = getattr(node, "lineno", None)
    where = f" at line {line}" if line is not None else ""
    return InternalError("to_c", f"{why}{where}")


def entry_name(function: str) -> str:
    """The name under which a function is exported."""
    return PREFIX + c_name("x", function)[2:]


def _parameters(function: ast.FunctionDef) -> str:
    names = [a.arg for a in function.args.args]
    return ", ".join(f"word *{c_name('v', n)}" if is_array(n) else f"word {c_name('v', n)}" for n in names) or "void"


def _signature(function: ast.FunctionDef) -> str:
    return f"static word {c_name('f', function.name)}({_parameters(function)})"


def _exported(function: ast.FunctionDef) -> str:
    actual = ", ".join(c_name("v", a.arg) for a in function.args.args)
    head = f"word {entry_name(function.name)}({_parameters(function)})"
    return f"{head} {{ return {c_name('f', function.name)}({actual}); }}"


@dataclass(slots=True)
class _Module:
    """What a module declares."""

    numbers: dict[str, int] = field(default_factory=dict)
    tables: dict[str, tuple[int, ...]] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)

    def collect(self, module: ast.Module) -> None:
        for statement in module.body:
            match statement:
                case ast.Expr(value=ast.Constant(value=str())):
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._constant(name, value)
                case ast.FunctionDef():
                    self._function(statement)
                case _:
                    raise _refuse(statement, f"{type(statement).__name__} in a module")

    def _constant(self, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Tuple):
            self.tables[name] = tuple(self._literal(e) for e in value.elts)
        else:
            self.numbers[name] = self._literal(value)

    def _literal(self, node: ast.expr) -> int:
        match node:
            case ast.Constant(value=int(value)):
                return int(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return -value
            case ast.Name(id=name) if name in self.numbers:
                return self.numbers[name]
            case _:
                raise _refuse(node, "a constant that is no number")

    def _function(self, function: ast.FunctionDef) -> None:
        a = function.args
        if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults or function.decorator_list:
            raise _refuse(function, f"the parameters of {function.name}")
        if function.name in self.functions:
            raise _refuse(function, f"{function.name} is defined twice")
        self.functions[function.name] = function

    def constants_text(self) -> list[str]:
        lines = [f"#define {c_name('c', name)} ({_number(value)})" for name, value in self.numbers.items()]
        for name, values in self.tables.items():
            body = ", ".join(_number(v) for v in values) or "0"
            lines.append(f"static const word {c_name('c', name)}[{max(1, len(values))}] = {{{body}}};")
        return lines


def _number(value: int) -> str:
    if not -(1 << 63) < value < (1 << 63):
        raise InternalError("to_c", f"the number {value} needs more than 64 bits")
    return f"INT64_C({value})" if value >= 0 else f"(-INT64_C({-value}))"


@dataclass(slots=True)
class _Body:
    """Prints one function."""

    module: _Module
    function: ast.FunctionDef
    parameters: tuple[str, ...] = ()
    locals: dict[str, None] = field(default_factory=dict)
    ranges: int = 0

    def text(self) -> str:
        self.parameters = tuple(a.arg for a in self.function.args.args)
        for node in ast.walk(self.function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in self.parameters:
                if is_array(node.id) or node.id in self.module.numbers or node.id in self.module.tables:
                    raise _refuse(node, f"assignment to {node.id}")
                self.locals[node.id] = None
        body = self.block(self.function.body, "  ")
        lines = [_signature(self.function) + " {"]
        if self.locals:
            lines.append("  word " + ", ".join(f"{c_name('v', n)} = 0" for n in self.locals) + ";")
        return "\n".join([*lines, *body, "  return 0;", "}"])

    # ------------------------------------------------------------------------------------------- statements

    def block(self, statements: Sequence[ast.stmt], indent: str) -> list[str]:
        return [line for statement in statements for line in self.statement(statement, indent)]

    def statement(self, node: ast.stmt, indent: str) -> list[str]:
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass():
                return []
            case ast.Expr(value=ast.Call() as call):
                return [f"{indent}{self.value(call)};"]
            case ast.Assign(targets=[target], value=value):
                return [f"{indent}{self.target(target)} = {self.value(value)};"]
            case ast.AugAssign(target=target, op=op, value=value):
                if any(isinstance(n, ast.Call) for n in ast.walk(target)):
                    raise _refuse(node, "an augmented assignment whose place is computed by a call")
                place = self.target(target)
                return [f"{indent}{place} = {self.binary(node, op, place, self.value(value))};"]
            case ast.Return(value=ast.expr() as value):
                return [f"{indent}return {self.value(value)};"]
            case ast.Return():
                return [f"{indent}return 0;"]
            case ast.Break():
                return [f"{indent}break;"]
            case ast.Continue():
                return [f"{indent}continue;"]
            case ast.If(test=test, body=body, orelse=orelse):
                lines = [f"{indent}if ({self.test(test)}) {{", *self.block(body, indent + "  ")]
                if orelse:
                    lines += [f"{indent}}} else {{", *self.block(orelse, indent + "  ")]
                return [*lines, f"{indent}}}"]
            case ast.While(test=test, body=body, orelse=[]):
                return [f"{indent}while ({self.test(test)}) {{", *self.block(body, indent + "  "), f"{indent}}}"]
            case ast.For(target=ast.Name() as name, iter=iterable, body=body, orelse=[]):
                return self.loop(name, iterable, body, indent)
            case _:
                raise _refuse(node, f"statement {type(node).__name__}")

    def loop(self, name: ast.Name, iterable: ast.expr, body: Sequence[ast.stmt], indent: str) -> list[str]:
        """`range` is read once, and the counter is not the variable: the body may change that as it likes."""
        match iterable:
            case ast.Call(func=ast.Name(id="range"), args=[stop], keywords=[]):
                first, last = "0", self.value(stop)
            case ast.Call(func=ast.Name(id="range"), args=[start, stop], keywords=[]):
                first, last = self.value(start), self.value(stop)
            case _:
                raise _refuse(iterable, "a loop over something other than range")
        self.ranges += 1
        i, end = f"i{self.ranges}", f"n{self.ranges}"
        head = f"{indent}for (word {i} = {first}, {end} = {last}; {i} < {end}; {i}++) {{"
        return [head, f"{indent}  {self.target(name)} = {i};", *self.block(body, indent + "  "), f"{indent}}}"]

    def target(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name) if not is_array(name):
                return c_name("v", name)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.parameters and is_array(name):
                return f"{c_name('v', name)}[{self.value(index)}]"
            case _:
                raise _refuse(node, "target of an assignment")

    # ------------------------------------------------------------------------------------------ expressions

    def test(self, node: ast.expr) -> str:
        """As a condition: only whether it is zero matters."""
        match node:
            case ast.BoolOp(op=op, values=values):
                sign = " && " if isinstance(op, ast.And) else " || "
                return "(" + sign.join(self.test(v) for v in values) + ")"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(!{self.test(operand)})"
            case _:
                return self.value(node)

    def value(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool() | int() as value):
                return _number(int(value))
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(node, op, self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"(-{self.value(operand)})"
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return f"(~{self.value(operand)})"
            case ast.UnaryOp(op=ast.Not()):
                return self.test(node)
            case ast.BoolOp(op=ast.And(), values=values):
                return self.chain([f"{self.test(v)} ? " for v in values[:-1]], self.value(values[-1]), " : 0")
            case ast.BoolOp(op=ast.Or(), values=values):
                # the form with an omitted middle reads its first operand once, as Python does
                return self.chain([f"{self.value(v)} ?: " for v in values[:-1]], self.value(values[-1]), "")
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self.test(test)} ? {self.value(body)} : {self.value(orelse)})"
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                return self.compare(left, ops, comparators)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                return self.element(node, name, index)
            case ast.Call():
                return self.call(node)
            case _:
                raise _refuse(node, f"expression {type(node).__name__}")

    @staticmethod
    def chain(heads: Sequence[str], last: str, tail: str) -> str:
        return "(" + "(".join(heads) + last + (tail + ")") * len(heads)

    def name(self, node: ast.AST, name: str) -> str:
        if name in self.parameters or name in self.locals:
            if is_array(name):
                raise _refuse(node, f"array {name} as a number")
            return c_name("v", name)
        if name in self.module.numbers:
            return c_name("c", name)
        raise _refuse(node, f"unknown name {name}")

    def binary(self, node: ast.AST, op: ast.operator, left: str, right: str) -> str:
        if isinstance(op, ast.Mod):
            return f"floor_mod({left}, {right})"
        if isinstance(op, ast.FloorDiv):
            return f"floor_div({left}, {right})"
        if type(op) not in _BINARY:
            raise _refuse(node, f"operator {type(op).__name__}")
        return f"({left} {_BINARY[type(op)]} {right})"

    def compare(self, left: ast.expr, ops: Sequence[ast.cmpop], comparators: Sequence[ast.expr]) -> str:
        parts: list[str] = []
        for op, right in zip(ops, comparators, strict=True):
            if type(op) not in _COMPARE:
                raise _refuse(right, f"comparison {type(op).__name__}")
            if len(ops) > 1 and right is not comparators[-1] and not isinstance(right, ast.Name | ast.Constant):
                raise _refuse(right, "a chain of comparisons that would read its middle twice")
            parts.append(f"({self.value(left)} {_COMPARE[type(op)]} {self.value(right)})")
            left = right
        return parts[0] if len(parts) == 1 else "(" + " && ".join(parts) + ")"

    def element(self, node: ast.AST, name: str, index: ast.expr) -> str:
        if name in self.parameters and is_array(name):
            return f"{c_name('v', name)}[{self.value(index)}]"
        if name not in self.module.tables:
            raise _refuse(node, f"unknown array {name}")
        match index:
            case ast.BinOp(left=bit, op=ast.Mod(), right=ast.Constant(value=67)) if name == "T67":
                return f"((word)__builtin_ctzll((uint64_t){self.value(bit)}))"
            case _:
                return f"{c_name('c', name)}[{self.value(index)}]"

    def call(self, node: ast.Call) -> str:
        if node.keywords:
            raise _refuse(node, "a call with named arguments")
        match node.func:
            case ast.Attribute(value=of, attr="bit_count") if not node.args:
                return f"((word)__builtin_popcountll((uint64_t){self.value(of)}))"
            case ast.Name(id="popcount") if len(node.args) == 1 and "popcount" in self.module.functions:
                return f"((word)__builtin_popcountll((uint64_t){self.value(node.args[0])}))"
            case ast.Name(id="min" | "max" as name) if len(node.args) == 2:
                function = "least" if name == "min" else "greatest"
                return f"{function}({self.value(node.args[0])}, {self.value(node.args[1])})"
            case ast.Name(id=name) if name in self.module.functions:
                return self.call_of(node, self.module.functions[name])
            case _:
                raise _refuse(node, "a call of something that is no function of the program")

    def call_of(self, node: ast.Call, function: ast.FunctionDef) -> str:
        formal = [a.arg for a in function.args.args]
        if len(formal) != len(node.args):
            raise _refuse(node, f"{function.name} takes {len(formal)} arguments")
        return f"{c_name('f', function.name)}({', '.join(map(self.argument, formal, node.args))})"

    def argument(self, formal: str, actual: ast.expr) -> str:
        if not is_array(formal):
            return self.value(actual)
        match actual:
            case ast.Name(id=name) if name in self.parameters and is_array(name):
                return c_name("v", name)
            case _:
                raise _refuse(actual, f"argument {formal} that is no array")
