"""What stands in web/ agrees with the server and with itself. (Its types, texts, units and size: make check.)"""

import pytest
from web.conftest import ROOT, WEB

from carteado.server.typescript import typescript


def test_the_types_of_messages_are_those_of_the_server() -> None:
    assert (WEB / "src" / "lib" / "wire.ts").read_text(encoding="utf-8") == typescript()


@pytest.mark.parametrize("folder", ["web", "tests/web/browser"])
def test_no_address_of_a_registry_stands_in_a_lock_file(folder: str) -> None:
    assert "resolved" not in (ROOT / folder / "package-lock.json").read_text()
