"""What stands in web/ agrees with the server and with itself."""

import shutil
import subprocess
import sys

import pytest
from web.conftest import ROOT, WEB


def test_the_types_of_messages_are_those_of_the_server() -> None:
    done = subprocess.run([sys.executable, WEB / "scripts/wire_types.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def node(script: str) -> "subprocess.CompletedProcess[str]":
    program = shutil.which("node")
    if program is None:
        pytest.skip("no node")
    return subprocess.run([program, WEB / "scripts" / script], capture_output=True, text=True)


def test_every_text_is_there_in_both_languages_and_used() -> None:
    done = node("texts.mjs")
    assert done.returncode == 0, done.stderr


def test_no_address_of_a_registry_stands_in_the_lock_file() -> None:
    assert "resolved" not in (ROOT / "web/package-lock.json").read_text()
