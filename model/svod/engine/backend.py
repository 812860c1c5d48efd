"""Program text in the integer subset → something whose functions can be called: CPython here, native code from outside.

A program is text (see `to_c` for the subset). A `Compiler` turns it into a `Backend`; both compute the same, only the
speed differs. Buffers are flat arrays of whole numbers that belong to one backend and are indexed like lists.
"""

from __future__ import annotations

import ast
import platform
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import Protocol

from svod.diagnostics import InternalError
from svod.engine.parsed import parsed


class Buffer(Protocol):
    """A flat array of whole numbers; slices may be read, and written with as many values."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> int: ...

    def __setitem__(self, index: int, value: int, /) -> None: ...


class Backend(Protocol):
    """A program that runs. Functions not among the entries it was compiled for raise `KeyError`."""

    @property
    def native(self) -> bool:
        """Whether the program runs as machine code; a verdict found without says so."""

    @property
    def description(self) -> str:
        """What runs it, in a few words: «CPython 3.11», «gcc 12.2 -O1»."""

    def buffer(self, size: int) -> Buffer:
        """A new array of zeros."""

    def grown(self, buffer: Buffer, size: int) -> Buffer:
        """The same values followed by zeros, `size` in all; the old array must not be used again."""

    def copy(self, source: Buffer, target: Buffer) -> None:
        """Make the values of an array those of another one of the same size."""

    def call(self, name: str, *arguments: int | Buffer) -> int:
        """Run an entry point; arrays are changed in place."""

    def function(self, name: str) -> Callable[..., int]:
        """An entry point as a callable, for those who call it often."""


class Compiler(Protocol):
    """Makes a backend of a program text."""

    def __call__(self, source: str, entries: Iterable[str]) -> Backend: ...


def as_truth(test: ast.expr) -> ast.expr:
    """A condition as CPython tests it quickest: a number is true unless it is 0."""
    match test:
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[ast.Constant(value=0)]):
            return left
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
            return ast.copy_location(ast.UnaryOp(ast.Not(), left), test)
        case ast.BoolOp(values=values):
            test.values = [as_truth(value) for value in values]
            return test
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            test.operand = as_truth(operand)
            return test
        case _:
            return test


def sped_up(module: ast.Module) -> ast.Module:
    """The same program, quicker in CPython, which looks up every global name and calls every function: named whole
    numbers are written out, and so are functions of one expression where they are called with their own parameters;
    nothing is compared with 0 where only its truth matters."""
    numbers: dict[str, int] = {}
    short: dict[str, tuple[list[str], ast.expr]] = {}

    class WrittenOut(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            if isinstance(node.ctx, ast.Load) and node.id in numbers:
                return ast.copy_location(ast.Constant(numbers[node.id]), node)
            return node

        def visit_Call(self, node: ast.Call) -> ast.expr:
            self.generic_visit(node)
            if isinstance(node.func, ast.Name) and node.func.id in short:
                parameters, value = short[node.func.id]
                if parameters == [argument.id for argument in node.args if isinstance(argument, ast.Name)]:
                    return deepcopy(value) if len(node.args) == len(parameters) else node
            return node

        def visit_If(self, node: ast.If) -> ast.If:
            self.generic_visit(node)
            node.test = as_truth(node.test)
            return node

        def visit_While(self, node: ast.While) -> ast.While:
            self.generic_visit(node)
            node.test = as_truth(node.test)
            return node

        def visit_IfExp(self, node: ast.IfExp) -> ast.IfExp:
            self.generic_visit(node)
            node.test = as_truth(node.test)
            return node

    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(number))):
                numbers[name] = number
            case ast.FunctionDef(name=name, args=arguments, body=body):
                WrittenOut().visit(node)
                if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
                    short[name] = [argument.arg for argument in arguments.args], body[0].value
            case _:
                pass
    return ast.fix_missing_locations(module)


class PythonBackend:
    """The program as it stands, run by CPython."""

    __slots__ = ("_functions", "description")

    native = False

    def __init__(self, source: str, entries: Iterable[str]) -> None:
        names: dict[str, object] = {}
        exec(compile(sped_up(parsed(source)), "<program>", "exec"), names)
        self._functions: dict[str, Callable[..., int]] = {}
        for name in entries:
            function = names.get(name)
            if not callable(function):
                raise InternalError("backend", f"the program has no function {name}")
            self._functions[name] = function
        self.description = f"{platform.python_implementation()} {platform.python_version()}"

    def buffer(self, size: int) -> Buffer:
        return [0] * size

    def grown(self, buffer: Buffer, size: int) -> Buffer:
        assert isinstance(buffer, list)
        buffer.extend([0] * (size - len(buffer)))
        return buffer

    def copy(self, source: Buffer, target: Buffer) -> None:
        assert isinstance(source, list) and isinstance(target, list)
        target[:] = source

    def call(self, name: str, *arguments: int | Buffer) -> int:
        return self._functions[name](*arguments)

    def function(self, name: str) -> Callable[..., int]:
        return self._functions[name]


def in_python(source: str, entries: Iterable[str]) -> Backend:
    """The compiler that is always there."""
    return PythonBackend(source, entries)


def fill(buffer: Buffer, values: Sequence[int], start: int = 0) -> None:
    """Write `values` into the array from `start` on."""
    for offset, value in enumerate(values):
        buffer[start + offset] = value


def read(buffer: Buffer, start: int, count: int) -> list[int]:
    """`count` values of the array from `start` on."""
    return [buffer[i] for i in range(start, start + count)]
