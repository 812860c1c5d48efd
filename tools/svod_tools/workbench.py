"""In: which rulebook is meant, at which parameters. Out: its book and norms, or diagnostics and exit code 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from svod.diagnostics import Code, Problems, Text
from svod.norms import ir
from svod.pipeline import Compilation, compile_texts, switches_for
from svod.source import Source
from svod_tools import files, terminal
from svod_tools.options import Choice
from svod_tools.vocabulary import Vocabulary, read_vocabulary

BAD_PARAMETER = Code(
    "C003",
    Text("такого значения параметра нет", "no such parameter value"),
    Text(
        "Свод называет, какие значения могут быть у его параметров (колода, число игроков и другие). "
        "Укажите одно из них: --players, --deck или --set имя=число.",
        "The rulebook states which values its parameters may have (deck, number of players, others). "
        "Give one of them: --players, --deck or --set name=number.",
    ),
)

PLAYERS_PREFERRED = 4


@dataclass(frozen=True)
class Workbench:
    """A compiled rulebook with its vocabulary; makes norms at chosen parameters."""

    choice: Choice
    loaded: files.Loaded
    compilation: Compilation
    vocabulary: Vocabulary
    problems: Problems

    @property
    def sources(self) -> dict[str, Source]:
        """Every text, for diagnostics."""
        return self.loaded.sources

    @property
    def newest(self) -> bool:
        """Whether the last edition there is has been applied."""
        return bool(self.loaded.editions)

    def values(self, problems: Problems) -> dict[str, int]:
        """One value for each parameter: as chosen, else the first (four players where that many may play)."""
        return {name: values[0] for name, values in self.ranges(problems).items()}

    def ranges(self, problems: Problems) -> dict[str, tuple[int, ...]]:
        """The chosen values of each parameter, preferred ones first; nothing chosen means all."""
        chosen = self._chosen(problems)
        found: dict[str, tuple[int, ...]] = {}
        for parameter in self.compilation.parameters:
            allowed = parameter.choices
            wanted = chosen.get(parameter.name, ())
            wrong = [value for value in wanted if allowed and value not in allowed]
            if wrong:
                _refuse(parameter.name, wrong[0], allowed, problems)
            values = wanted or _preferred(allowed, parameter.seats)
            if values:
                found[parameter.name] = values
        return found

    def _chosen(self, problems: Problems) -> dict[str, tuple[int, ...]]:
        parameters = self.compilation.parameters
        seats = [parameter.name for parameter in parameters if parameter.seats]
        named = self.vocabulary.parameters.get("deck")
        decks = [parameter.name for parameter in parameters if not parameter.seats and named in (None, parameter.name)]
        chosen: dict[str, tuple[int, ...]] = {}
        for option, numbers, names in (("--players", self.choice.players, seats), ("--deck", self.choice.deck, decks)):
            if numbers and names:
                chosen[names[0]] = numbers
            elif numbers:
                message = Text(
                    f"{option}: в своде нет такого параметра", f"{option}: the rulebook has no such parameter"
                )
                problems.report(BAD_PARAMETER, message, None)
        for name, value in self.choice.settings:
            meant = self.vocabulary.parameters.get(name, name)
            if meant in {parameter.name for parameter in parameters}:
                chosen[meant] = (value,)
            else:
                known = ", ".join(parameter.name for parameter in parameters) or "—"
                message = Text(f"--set: параметра «{name}» нет", f"--set: there is no parameter “{name}”")
                problems.report(BAD_PARAMETER, message, None, help=Text(f"есть: {known}", f"there are: {known}"))
        return chosen

    def norms(self, problems: Problems, cards: Sequence[str] | None = None) -> ir.Norms | None:
        """Norms at the chosen parameters."""
        values = self.values(problems)
        if problems.has_errors:
            return None
        return self.compilation.norms(values, problems, cards)

    def switches(self, norms: ir.Norms, problems: Problems) -> frozenset[str]:
        """Variants and readings in force, as chosen with --with."""
        return switches_for(norms, self.loaded.switches, problems)

    def fail(self, problems: Problems) -> int:
        """Print the problems; exit code 2."""
        return terminal.bad_input(problems, self.sources, self.choice.language)


def open_workbench(choice: Choice) -> Workbench | int:
    """The rulebook read and compiled, or the exit code after its problems have been printed."""
    problems = Problems()
    loaded = files.load_rulebook(
        choice.path, problems, edition=choice.edition, newest=choice.newest, overlays=choice.overlays
    )
    if loaded is None:
        return terminal.bad_input(problems, {}, choice.language)
    vocabulary = read_vocabulary(loaded.vocabulary, problems)
    compilation = compile_texts(loaded.chapters, loaded.overlays, problems)
    if compilation is None or problems.has_errors:
        return terminal.bad_input(problems, loaded.sources, choice.language)
    return Workbench(choice, loaded, compilation, vocabulary, problems)


def _preferred(allowed: Sequence[int], seats: bool) -> tuple[int, ...]:
    if not seats or not allowed:
        return tuple(allowed)
    first = min(allowed, key=lambda value: (abs(value - PLAYERS_PREFERRED), value))
    return (first, *(value for value in allowed if value != first))


def _refuse(name: str, value: int, allowed: Sequence[int], problems: Problems) -> None:
    listed = ", ".join(str(each) for each in allowed)
    message = Text(f"«{name}» не может быть {value}", f"“{name}” cannot be {value}")
    problems.report(BAD_PARAMETER, message, None, help=Text(f"может быть: {listed}", f"may be: {listed}"))
