"""The page's files: how long they may be kept, how they are packed, and which addresses are the page's own."""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from server.people import new_house
from server.visitors import Browser

from carteado.server.app import App
from carteado.server.page import unzips

START = "<!doctype html><title>Carteado</title>" + "<p>cartas</p>" * 50
SCRIPT = "console.log('carteado');" * 50
Story = Callable[[Browser], Awaitable[None]]


@pytest.fixture
def web(tmp_path: Path) -> Path:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(START)
    (folder / "worker.js").write_text(SCRIPT)
    (folder / "manifest.webmanifest").write_text('{"name": "carteado"}')
    (folder / "assets" / "main-abc123.js").write_text(SCRIPT)
    (folder / "assets" / "letters-abc123.woff2").write_bytes(bytes(1000))
    return folder


def tell_with_page(web: Path, story: Story) -> None:
    async def whole() -> None:
        async with new_house(web.parent, requests_at_once=10_000, web=web) as house, Browser(App(house)) as browser:
            await story(browser)

    asyncio.run(whole())


def test_what_has_a_hash_in_its_name_is_kept_for_ever_and_the_rest_asked_for_anew(web: Path) -> None:
    async def story(browser: Browser) -> None:
        asset = await browser.get("/assets/main-abc123.js")
        assert asset.text == SCRIPT and "immutable" in asset.headers["cache-control"]
        assert asset.headers["content-type"].startswith("text/javascript")
        for path in ("/", "/index.html", "/worker.js"):
            answer = await browser.get(path)
            assert answer.headers["cache-control"] == "no-cache" and answer.headers["etag"]
            again = await browser.get(path, headers={"if-none-match": answer.headers["etag"]})
            assert again.status_code == 304 and again.content == b""
            assert (await browser.get(path, headers={"if-none-match": '"other"'})).status_code == 200

    tell_with_page(web, story)


def test_it_is_packed_where_that_helps_and_the_client_can_unpack_it(web: Path) -> None:
    async def story(browser: Browser) -> None:
        packed = await browser.get("/", headers={"accept-encoding": "gzip, br"})
        assert packed.headers["content-encoding"] == "gzip" and packed.text == START
        assert int(packed.headers["content-length"]) == len(gzip.compress(START.encode(), 9))
        plain = await browser.get("/", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers and plain.text == START
        letters = await browser.get("/assets/letters-abc123.woff2")
        assert "content-encoding" not in letters.headers and letters.headers["content-type"] == "font/woff2"

    tell_with_page(web, story)


@pytest.mark.parametrize("accepts", ["gzip", "br, gzip;q=0.5", "*", "GZIP ; q=1, br", "gzip;q=0.001"])
def test_gzip_goes_to_who_accepts_it(accepts: str) -> None:
    assert unzips(accepts)


@pytest.mark.parametrize("accepts", ["", "br", "identity", "gzip;q=0", "br, gzip; q=0.000", "x-gzip2", "*;q=0"])
def test_gzip_does_not_go_to_who_refuses_it(accepts: str) -> None:
    assert not unzips(accepts)


def test_addresses_of_the_page_get_the_page_and_unknown_ones_of_the_server_a_problem(web: Path) -> None:
    async def story(browser: Browser) -> None:
        for path in ("/", "/replay/abcdefgh", "/regras", "/mesa/abcdefgh/key"):
            assert (await browser.get(path)).text == START
        for path in ("/api/nothing", "/api", "/api/matches/abcdefgh/nothing", "/assets/gone.js"):
            answer = await browser.get(path)
            assert answer.status_code == 404 and set(answer.json()) == {"code", "words"}
        for path in ("/../carteado.db", "/%2e%2e/carteado.db", "/assets/../../carteado.db"):
            assert (await browser.get(path)).status_code == 404
        assert (await browser.post("/")).status_code in (404, 405)

    tell_with_page(web, story)


@pytest.mark.parametrize("path", ["/", "/assets/main-abc123.js", "/api/games", "/healthz", "/api/nothing"])
def test_head_is_answered_like_get_without_the_body(web: Path, path: str) -> None:
    async def story(browser: Browser) -> None:
        get, head = await browser.get(path), await browser.head(path)
        assert head.content == b"" and head.status_code == get.status_code
        for name in ("content-type", "content-length", "content-security-policy"):
            assert head.headers.get(name) == get.headers.get(name)

    tell_with_page(web, story)


def test_many_at_one_address_may_open_the_page_at_once(web: Path) -> None:
    """Friends behind one router: each first visit takes dozens of files."""

    async def whole() -> None:
        few = {"requests_at_once": 5, "requests_a_second": 0.001}
        async with new_house(web.parent, web=web, **few) as house, Browser(App(house)) as browser:
            codes = [(await browser.get("/assets/main-abc123.js")).status_code for _ in range(101)]
            assert codes == [200] * 100 + [429]
            assert (await browser.get("/api/games")).status_code == 200

    asyncio.run(whole())


def test_without_a_folder_there_is_no_page(tmp_path: Path) -> None:
    async def story(browser: Browser) -> None:
        assert (await browser.get("/")).status_code == 404

    tell_with_page(tmp_path / "none", story)
