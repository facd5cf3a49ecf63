"""The messages of `wire` as TypeScript, for the page."""

from typing import Any

import msgspec
from msgspec import inspect

from carteado import wire
from carteado.server.record import Record, RecordEvent

HEAD = "// Written by `carteado types` from the server's messages: do not edit.\n\n"
PLAIN: dict[Any, str] = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
    inspect.AnyType: "any",
}


def written(kind: Any) -> str:
    """A type as TypeScript writes it."""
    if isinstance(kind, inspect.Metadata):
        return written(kind.type)
    if isinstance(kind, inspect.LiteralType):
        return " | ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, inspect.UnionType):
        return " | ".join(dict.fromkeys(written(part) for part in kind.types))
    if isinstance(kind, inspect.ListType):
        inner = written(kind.item_type)
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if isinstance(kind, inspect.DictType):
        return f"Record<string, {written(kind.value_type)}>"
    if isinstance(kind, inspect.StructType):
        return str(kind.cls.__name__) + "Message" * (kind.cls is Record)
    return PLAIN[type(kind)]


def interface(cls: type[msgspec.Struct]) -> str:
    """Incoming fields with a default may be left out; outgoing ones only where the server leaves them out."""
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    may_miss = issubclass(cls, wire.Incoming) or cls.__struct_config__.omit_defaults
    lines = [f"  {info.tag_field}: {info.tag!r};".replace("'", '"')] if info.tag is not None else []
    lines += [f"  {f.encode_name}{'?' if may_miss and not f.required else ''}: {written(f.type)};" for f in info.fields]
    return f"export interface {cls.__name__}{'Message' * (cls is Record)} {{\n" + "\n".join(lines) + "\n}\n"


def aliases() -> list[str]:
    unions = {"Request": wire.Request, "Reply": wire.Reply}
    plain = {"Lang": wire.Lang, "Level": wire.Level, "Status": wire.Status}
    return [f"export type {name} = {written(inspect.type_info(kind))};\n" for name, kind in {**plain, **unions}.items()]


def typescript() -> str:
    """All messages as interfaces, the unions of the socket, and the plain types that have names."""
    bases = (wire.Incoming, wire.Outgoing, wire.FromClient, wire.FromServer)
    found = [one for one in vars(wire).values() if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    structs = [one for one in found if one not in bases and one is not msgspec.Struct] + [RecordEvent, Record]
    constant = f"export const PROTOCOL = {wire.PROTOCOL};\n"
    return HEAD + "\n".join([constant, *aliases(), *(interface(one) for one in structs)])
