"""Requests made of the OpenAPI document, good and bad ones: every answer is one that it knows, and none is a 500."""

import asyncio
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance
from server.processes import Caller, Process

FORGETS = ("DELETE", "/api/me")  # comes last: after it there is no identity


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("server")
    server = Process(str(folder / "carteado.db"), folder / "log")
    server.start()
    yield server
    server.kill()
    assert b"Traceback" not in (folder / "log").read_bytes()


def cookie_of(server: Process) -> str:
    async def begin() -> str:
        caller = Caller(server, "Ana")
        await caller.begin()
        for game in ("neon-one", "repeat-poker"):
            await caller.request("POST", "/api/matches", {"game": game, "listed": True})
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in caller.web.cookies.jar)
        await caller.hang_up()
        return cookies

    return asyncio.run(begin())


def test_the_server_keeps_to_its_own_document(server: Process) -> None:
    schema = schemathesis.openapi.from_url(f"{server.http}/schema/openapi.json")
    headers = {"cookie": cookie_of(server)}
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) >= 15
    operations.sort(key=lambda operation: (operation.method.upper(), operation.path) == FORGETS)
    for operation in operations:

        @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(case=operation.as_strategy())
        def probe(case: Case) -> None:
            # A document cannot say which options a game has, so what it allows may still be refused.
            refusals = [positive_data_acceptance]
            case.call_and_validate(base_url=server.http, headers=headers, excluded_checks=refusals)

        probe()
