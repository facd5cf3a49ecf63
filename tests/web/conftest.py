"""A real browser at a real server: Chromium, the page as it is built, bots that play at random and do not pause."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from npm import PAGE, is_built
from playwright.sync_api import Browser, Page, expect, sync_playwright
from web.chromium import launch
from web.house import House

# Where one of these asserts in vain, pytest says what was compared, as it does in a test.
pytest.register_assert_rewrite("web.checks", "web.matches", "web.tours", "web.visit")

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"

PATIENCE = 60_000  # milliseconds: other tests keep the machine busy

# Chromium says the one if the service worker wakes between a preload and its use, so that the file is fetched again,
# and the other a few seconds later, if the page is still there.
NOT_OURS = ("cross-world service worker resource mismatch", "preloaded using link preload but not used within")

NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def page_folder() -> Path:
    """The page, built by the install; CARTEADO_WEB names another one."""
    if other := os.environ.get("CARTEADO_WEB"):
        return Path(other)
    if not is_built():
        pytest.fail("the page is not built of these sources: make check builds it, and so does pip install -e .")
    return PAGE


@pytest.fixture(scope="session")
def house(page_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(tmp_path_factory.mktemp("house"), page_folder)
    one.start()
    yield one
    one.stop()


@pytest.fixture(scope="module")  # it has an event loop of its own, in which no other test could run one
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        one = launch(playwright)
        yield one
        one.close()


def ours(said: str) -> list[str]:
    return [] if any(text in said for text in NOT_OURS) else [said]


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
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.on("console", lambda said: complaints.extend(ours(said.text)))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield made
    for context in contexts:
        context.close()
    assert complaints == []
