"""The messages of `wire` as TypeScript, for the page."""

from typing import Any

import msgspec

from carteado import wire
from carteado.server.record import Record

Schema = dict[str, Any]
REFERENCE = "#/$defs/"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def all_messages() -> list[type]:
    found = [kind for kind in vars(wire).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    own = [kind for kind in found if kind.__module__ == wire.__name__ and kind.__struct_fields__]
    return [*own, Record]


def typescript() -> str:
    """All messages as interfaces, and the two unions of the socket."""
    named = all_messages()
    _, parts = msgspec.json.schema_components(named, ref_template=REFERENCE + "{name}")
    lines = ["// Made by `carteado types` from src/carteado/wire.py: do not edit.", ""]
    for name in sorted(parts):
        lines += [f"export interface {name} {body(parts[name])}", ""]
    for name, union in (("FromClient", wire.Request), ("FromServer", wire.Reply)):
        lines += [f"export type {name} = {' | '.join(kind.__name__ for kind in union.__args__)};", ""]
    return "\n".join(lines)


def body(schema: Schema) -> str:
    needed = schema.get("required", [])
    fields = [
        f"  {name}{'' if name in needed else '?'}: {type_of(field)};" for name, field in schema["properties"].items()
    ]
    return "\n".join(["{", *fields, "}"])


def type_of(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).removeprefix(REFERENCE)
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(type_of(part) for part in schema["anyOf"])
    kind = schema.get("type")
    if kind == "array":
        inner = type_of(schema.get("items", {}))
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if kind == "object":
        inner = schema.get("additionalProperties", {})
        return f"{{ [key: string]: {type_of(inner) if isinstance(inner, dict) else 'unknown'} }}"
    return PLAIN.get(str(kind), "unknown")
