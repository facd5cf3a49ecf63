"""One catalogue a language: the same texts in both, and none that nobody says."""

from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

import carteado
from carteado.text.spoken import attribute

PACKAGE = Path(carteado.__file__).parent
MODULES = [
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    for room in ("terminal", "text", "server")
    for file in sorted((PACKAGE / room).glob("*.py"))
    if "\nWORDS = {" in file.read_text()
]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("module", MODULES)
def test_both_languages_say_the_same_things_with_the_same_blanks(module):
    words = import_module(module).WORDS
    assert words["pt"].keys() == words["en"].keys()
    for key, text in words["pt"].items():
        if isinstance(text, str):
            assert fields(text) == fields(words["en"][key]), key


@pytest.mark.parametrize("module", MODULES)
def test_every_text_is_said_somewhere(module):
    """A key stands in the code outside the two catalogues; or it is a name that tables use, looked up as it comes."""
    loaded = import_module(module)
    room, own = module.split(".")[1], Path(loaded.__file__).stem.removesuffix("_words")
    files = [*(PACKAGE / room).glob(f"{own}*.py")]
    if room != "text":
        files = [*(PACKAGE / room).glob("*.py"), PACKAGE / "cli.py"]  # the catalogue's own file is one of these
    source = "".join(file.read_text() for file in files)
    looked_up = set(getattr(loaded, "LOOKED_UP", ()))
    keys = [key for key in loaded.WORDS["pt"] if key not in looked_up]
    spoken = [key for key in keys if f"SAY.{attribute(key)}" in source]
    unused = [key for key in keys if source.count(f'"{key}"') + source.count(f"'{key}'") + (key in spoken) < 3]
    assert not unused
