"""The whole server as one ASGI program: a shell that guards the door, Litestar behind it, and the socket."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, SerializationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from carteado import wire
from carteado.server import record, unread
from carteado.server.api import HANDLERS
from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.limits import Buckets
from carteado.server.opening import Unfit
from carteado.server.page import Page
from carteado.server.settings import LOOPBACK
from carteado.server.socket import Sockets
from carteado.server.store import StoreError
from carteado.server.words import language, say
from carteado.wire import Problem, write

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MOST_BODY = 64 * 1024
HOME = 64  # bits of an address of IPv6 that are one household's
FILES = 20  # times as many of the page's files as of all else: a first visit takes 80 of them
STATUSES = {
    "no identity": 401,
    "bad origin": 403,
    "bad host": 403,
    "no match": 404,
    "no game": 404,
    "no day": 404,
    "no link": 404,
    "not found": 404,
    "bad message": 400,
    "bad name": 400,
    "closed": 410,
    "bad option": 400,
    "bad places": 400,
    "bad position": 400,
    "bad seat": 400,
    "not alone": 400,
    "not kept": 404,
    "too big": 413,
    "too fast": 429,
    "too many bots": 429,
    "too many matches": 429,
    "storage": 503,
    "busy": 503,
    "stopping": 503,
    "failed": 500,
}  # all others: 409
CSP = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self';"
    " object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", CSP.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]
SAFE = ("GET", "HEAD", "OPTIONS")
NOBODYS = "TRACE"  # a method that nothing here has: who asks so is told which there are
NO_BODY = "it has no body"
SCHEMA = "/schema/openapi.json says what is expected"


class Strict(Request[Any, Any, Any]):
    async def json(self) -> Any:
        """Read as the socket reads: Litestar would take "2" for a number and 1 for a yes."""
        field = self.route_handler.parsed_data_field
        kind = Any if field is None else field.annotation
        try:
            return msgspec.json.decode(await self.body(), type=kind)
        except msgspec.MsgspecError as error:
            raise SerializationException(unread.why(error, kind)) from error


def problem(request: Request[Any, Any, Any], code: str, status: int | None = None, why: str = "") -> Response[Problem]:
    words = say(language(request.headers.get("accept-language", "")), code, why=why)
    return Response(Problem(code, words), status_code=status or STATUSES.get(code, 409), media_type="application/json")


def house_of(request: Request[Any, Any, Any]) -> House:
    house: House = request.app.state.house
    return house


def on_refused(request: Request[Any, Any, Any], error: Refused) -> Response[Problem]:
    return problem(request, error.code or "busy", why=error.why if isinstance(error, Unfit) else "")


def on_store(request: Request[Any, Any, Any], error: StoreError) -> Response[Problem]:
    house_of(request).failed("", error)
    return problem(request, "storage")


def on_http(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """Litestar's own complaints: of them only what is wrong with what came, nothing about the inside."""
    status = error.status_code
    code = {404: "not found", 405: "not found", 413: "too big"}.get(status, "bad message")
    answer = problem(request, "failed" if status >= 500 else code, status, _unread(request, error.__cause__))
    if error.headers:
        answer.headers.update(error.headers)
    return answer


def on_unreadable(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """JSON that is nested without end, or not in UTF-8."""
    return problem(request, "bad message", why=unread.why(error, None))


def _unread(request: Request[Any, Any, Any], cause: BaseException | None) -> str:
    """Where in the body (which the handler has as `data`), the path or the query it is wrong."""
    if isinstance(cause, SerializationException):
        return cause.detail
    if not isinstance(cause, msgspec.ValidationError):
        return SCHEMA
    found = unread.why(cause, request.route_handler.signature_model)
    return NO_BODY if "field `data`" in found else found


def on_crash(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    house_of(request).crashed("", error)
    return problem(request, "failed")


class Document(JsonRenderPlugin):
    """OpenAPI, with the messages as they are checked here: Litestar leaves out some of what is refused."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        known = {**vars(record), **vars(wire)}
        messages = [known[name] for name in openapi_schema["components"]["schemas"]]
        _, schemas = msgspec.json.schema_components(messages, ref_template="#/components/schemas/{name}")
        return super().render(request, {**openapi_schema, "components": {"schemas": schemas}})


def make_litestar(house: House, on_failure: Callable[[str], None]) -> Litestar:
    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        try:
            await house.start()
        except StoreError as error:
            on_failure(str(error))
            raise
        try:
            yield
        finally:
            await house.stop()

    return Litestar(
        HANDLERS,
        dependencies={"house": Provide(lambda: house, sync_to_thread=False)},
        lifespan=[lifespan],
        state=State({"house": house}),
        openapi_config=OpenAPIConfig(
            title="Carteado", version="1", path="/schema", render_plugins=[Document(path="/openapi.json")]
        ),
        exception_handlers={
            Refused: on_refused,
            StoreError: on_store,
            HTTPException: on_http,
            RecursionError: on_unreadable,
            UnicodeDecodeError: on_unreadable,
            Exception: on_crash,
        },
        request_class=Strict,
        request_max_body_size=MOST_BODY,
        logging_config=None,
        signature_types=[House],
    )


class App:
    """The shell: origin, rate and headers, for every answer alike."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.why_not = ""  # it could not be opened, for the operator
        self.litestar = make_litestar(house, self._fail)
        self.sockets = Sockets(house)
        self.page = Page(house.settings.web)
        self.proxies = [ip_network(one) for one in house.settings.proxies]
        rate, most = house.settings.requests_a_second, house.settings.requests_at_once
        self.buckets, self.file_buckets = Buckets(rate, most), Buckets(FILES * rate, FILES * most)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.litestar(scope, receive, self._in_brief(send))  # type: ignore[arg-type]
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if scope["type"] == "websocket":
            await self._socket(scope, headers, receive, send)
            return
        guarded, method = _with_headers(send), scope["method"]
        if method == "HEAD":
            scope, guarded = {**scope, "method": "GET"}, _without_body(guarded)
        elif method == "OPTIONS":  # of several methods at one address Litestar would say the first alone
            scope, guarded = {**scope, "method": NOBODYS}, _instead_of_a_refusal(guarded)
        file = self.page.found(scope["path"]) if scope["method"] == "GET" else None
        if not self.is_called_so(headers):
            await _refuse(guarded, "bad host", headers)
        elif method not in SAFE and not self.is_home(headers):
            await _refuse(guarded, "bad origin", headers)
        elif not (self.buckets if file is None else self.file_buckets).take(self._whose(scope, headers)):
            await _refuse(guarded, "too fast", headers)
        elif scope["path"].strip("/") == "metrics" and self.address(scope, headers) not in LOOPBACK:
            await _refuse(guarded, "not found", headers)  # numbers of a quiet house tell when somebody answers (T13)
        elif file is not None:
            await self.page.send(file, headers, guarded)
        else:
            await self.litestar(scope, receive, guarded)  # type: ignore[arg-type]

    def _fail(self, why: str) -> None:
        self.why_not = why

    def _in_brief(self, send: Send) -> Send:
        """Why the house cannot open, in a sentence and not with all the lines of code that it came through."""

        async def said(message: Message) -> None:
            is_known = message["type"] == "lifespan.startup.failed" and self.why_not
            told = json.dumps({"event": "cannot open", "why": self.why_not}, ensure_ascii=False)
            await send({**message, "message": told} if is_known else message)

        return said

    async def _socket(self, scope: Scope, headers: dict[str, str], receive: Receive, send: Send) -> None:
        line = scope["extensions"].pop("line")  # which has the scope, too: nothing holds itself
        if not self.is_called_so(headers):
            why = "bad host"
        elif not self.is_home(headers):
            why = "bad origin"
        elif not self.buckets.take(self._whose(scope, headers)):
            why = "too fast"
        else:
            why = "" if scope["path"] == "/ws" else "not found"
        if why:
            await receive()
            await _refuse(_instead_of_a_socket(send), why, headers)
        else:
            whose = "" if self.address(scope, headers) in LOOPBACK else self._whose(scope, headers)
            await self.sockets(whose, headers, line, receive, send)

    def is_called_so(self, headers: dict[str, str]) -> bool:
        """Whether it was asked for by a name of its own. On one's own machine a page from elsewhere could have its own
        name lead here, and be at home; in public only who has the certificate of a name is asked for by it."""
        host, settings = headers.get("host", ""), self.house.settings
        if settings.secure_cookie or not host or {f"http://{host}", f"https://{host}"} & {*settings.origins}:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name == "localhost" or _read(name) is not None

    def is_home(self, headers: dict[str, str]) -> bool:
        """Whether the page that asks came from here. A program that is no browser sends no origin and has no cookie of
        anybody else."""
        origin, settings = headers.get("origin"), self.house.settings
        if origin is None or origin in settings.origins:
            return True
        try:
            scheme, host, *_ = urlsplit(origin)
        except ValueError:  # of half a bracket
            return False
        schemes = ("https",) if settings.secure_cookie else ("http", "https")
        return scheme in schemes and host == headers.get("host", "") != ""

    def address(self, scope: Scope, headers: dict[str, str]) -> str:
        peer = str((scope.get("client") or ("",))[0])
        is_proxy = any(address in network for network in self.proxies) if (address := _read(peer)) else False
        said = headers.get("x-forwarded-for", "") if is_proxy else ""  # anybody else could say he comes from anywhere
        found = said.rpartition(",")[2].strip() or peer
        return str(_read(found) or found)

    def _whose(self, scope: Scope, headers: dict[str, str]) -> str:
        """To whom is counted what comes from there: who has one address of IPv6 has all that begin like it."""
        address = self.address(scope, headers)
        found = _read(address)
        return str(ip_network((found, HOME), strict=False)) if isinstance(found, IPv6Address) else address


def _read(address: str) -> IPv4Address | IPv6Address | None:
    """None if it is none. Where both kinds are heard at one door, IPv4 comes in the clothes of IPv6."""
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return guarded


def _without_body(send: Send) -> Send:
    """For HEAD: all that GET would answer, but the body."""

    async def headed(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return headed


def _instead_of_a_refusal(send: Send) -> Send:
    """For OPTIONS: the methods that there are, and no word that it is none of them."""
    headed = _without_body(send)
    is_known = False

    async def told(message: Message) -> None:
        nonlocal is_known
        if message.get("status") == 405:
            is_known = True
            allowed = [pair for pair in message["headers"] if pair[0] == b"allow"]
            message = {**message, "status": 204, "headers": allowed}
        await (headed if is_known else send)(message)

    return told


def _instead_of_a_socket(send: Send) -> Send:
    async def said(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    return _with_headers(said)


async def _refuse(send: Send, code: str, headers: dict[str, str]) -> None:
    body = write(Problem(code, say(language(headers.get("accept-language", "")), code)))
    kind = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": STATUSES[code], "headers": kind})
    await send({"type": "http.response.body", "body": body})
