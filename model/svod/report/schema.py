"""Out: the JSON Schema of `svod check --format json`, from the same families and grades that the findings use."""

from __future__ import annotations

from svod.diagnostics import Severity
from svod.findings import Family, Grade

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": {"type": "string"}}
COUNT = {"type": "integer", "minimum": 0}


def report_schema() -> dict[str, object]:
    """A schema in the dialect 2020-12; every field is always there."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Report of svod check",
        "description": "What a check found in a rulebook: errors first, then by family, code and place in the text.",
        **_object(
            {
                "rulebook": {**TEXT, "description": "name of the rulebook"},
                "edition": {**TEXT, "description": "edition that was checked"},
                "scope": _scope(),
                "findings": {"type": "array", "items": _finding()},
                "summary": _summary(),
            }
        ),
    }


def _object(properties: dict[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _scope() -> dict[str, object]:
    return {
        "description": "what a verdict speaks about",
        **_object(
            {
                "deck": {**TEXT, "description": "size of the full deck, such as 36; several as 36|52"},
                "players": {**TEXT, "description": "number of players, such as 3 or 2..8"},
                "cards": {**TEXTS, "description": "the cards of a reduced deck; empty for a full one"},
                "switches": {**TEXTS, "description": "variants and readings in force; * before a name: left free"},
                "edition": TEXT,
                "budget": {**TEXT, "description": "limits under which the answer was sought; empty for none"},
            }
        ),
    }


def _finding() -> dict[str, object]:
    return _object(
        {
            "code": {"type": "string", "pattern": "^[SNTAXFC][0-9]{3}$", "description": "see `svod explain CODE`"},
            "family": {"enum": [family.value for family in Family]},
            "severity": {"enum": [severity.value for severity in Severity]},
            "grade": {
                "enum": [grade.value for grade in Grade],
                "description": "how good the witness is; only `reachable` has a play from the deal, replayed",
            },
            "rules": {**TEXTS, "description": "numbers of the items concerned"},
            "title": TEXT,
            "position": _position(),
            "play": {"type": "array", "items": _move(), "description": "the moves that lead to the position"},
            "verdict": {**TEXT, "description": "what is so in the position"},
            "method": {**TEXT, "description": "how it was found"},
            "scope": _scope(),
            "seconds": {"type": "number", "minimum": 0},
            "accepted": {"type": ["string", "null"], "description": "the rulebook's reason for leaving it, if it does"},
        }
    )


def _move() -> dict[str, object]:
    return _object(
        {
            "action": {**TEXT, "description": "the act in the words of the rulebook"},
            "by": {"type": ["string", "null"], "description": "the seat that acts; null for chance"},
            "rules": {**TEXTS, "description": "rules that allowed or forbade it and rules whose consequences followed"},
            "lawful": {"type": "boolean", "description": "false for a breach"},
        }
    )


def _position() -> dict[str, object]:
    card = {
        "oneOf": [
            TEXT,
            _object({"card": TEXT, "by": {**TEXT, "description": "who laid it"}}),
        ]
    }
    cards: dict[str, object] = {"type": "array", "items": card}
    zone = {"oneOf": [cards, {"type": "object", "additionalProperties": cards}]}
    value: dict[str, object] = {"type": ["string", "integer", "boolean", "null", "object"]}
    board: dict[str, object] = {
        "zones": {"type": "object", "additionalProperties": zone},
        "registers": {"type": "object", "additionalProperties": value},
    }
    position = _object({**board, "switches": TEXTS})
    frame = {**_object(board), "description": "the board before the first open breach; only while one is open"}
    return {
        "description": "the position to look at in canonical form; a pile from the bottom, an owned zone by seat",
        "oneOf": [{"type": "null"}, {**position, "properties": {**board, "switches": TEXTS, "frame": frame}}],
    }


def _summary() -> dict[str, object]:
    families: dict[str, object] = {
        "type": "object",
        "properties": {family.value: COUNT for family in Family},
        "additionalProperties": False,
    }
    return _object(
        {
            "errors": {**COUNT, "description": "findings at error level that are not accepted"},
            "warnings": COUNT,
            "notes": {**COUNT, "description": "good to know, such as what was proved"},
            "accepted": COUNT,
            "unknown": {**COUNT, "description": "questions that stayed open; never counted as clean"},
            "families": families,
            "exit": {"enum": [0, 1, 4], "description": "exit code; 4: cut short, no error until then"},
        }
    )
