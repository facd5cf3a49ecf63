"""What stands in web/ agrees with the server and with itself. (Its types, texts, units and size: make check.)"""

import subprocess
import sys

import pytest
from web.conftest import ROOT, WEB


def test_the_types_of_messages_are_those_of_the_server() -> None:
    done = subprocess.run([sys.executable, WEB / "scripts/wire_types.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("folder", ["web", "tests/web/browser"])
def test_no_address_of_a_registry_stands_in_a_lock_file(folder: str) -> None:
    assert "resolved" not in (ROOT / folder / "package-lock.json").read_text()
