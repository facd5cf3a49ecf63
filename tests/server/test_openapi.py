"""Requests made of the OpenAPI document, good and bad ones: every answer is one that it knows, and none is a 500."""

import asyncio
from collections.abc import Iterator
from itertools import product

import pytest
import schemathesis
from hypothesis import HealthCheck, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from server.processes import Caller, Process

PLACES = [{"kind": "me"}, {"kind": "bot", "level": "aprendiz"}]
FORGETS = ("DELETE", "/api/me")  # comes last: after it there is no identity
EXAMPLES = {"deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    folder = tmp_path_factory.mktemp("server")
    server = Process(str(folder / "carteado.db"), folder / "log")
    server.start()
    yield server
    server.kill()
    assert b"Traceback" not in (folder / "log").read_bytes()


def cookies_of(caller: Caller) -> str:
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in caller.web.cookies.jar)


def cookie_of(server: Process) -> str:
    async def begin() -> str:
        caller = Caller(server, "Ana")
        await caller.begin()
        for game in ("neon-one", "repeat-poker"):
            await caller.request("POST", "/api/matches", {"game": game, "listed": True})
        await caller.hang_up()
        return cookies_of(caller)

    return asyncio.run(begin())


def test_the_server_keeps_to_its_own_document(server: Process) -> None:
    schema = schemathesis.openapi.from_url(f"{server.http}/schema/openapi.json")
    headers = {"cookie": cookie_of(server)}
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) >= 15
    operations.sort(key=lambda operation: (operation.method.upper(), operation.path) == FORGETS)
    for operation in operations:

        @settings(max_examples=25, **EXAMPLES)
        @given(case=operation.as_strategy())
        def probe(case: Case) -> None:
            # A document cannot say which options a game has, so what it allows may still be refused.
            refusals = [positive_data_acceptance]
            case.call_and_validate(base_url=server.http, headers=headers, excluded_checks=refusals)

        probe()


async def opened(people: list[Caller], game: str, **terms: object) -> str:
    """A match of these people, the first of whom opens it."""
    info = await people[0].request("POST", "/api/matches", {"game": game, **terms})
    for other in people[1:]:
        await other.request("POST", f"/api/matches/{info['match']}/join", {"key": info["key"]})
    return str(info["match"])


async def begun(people: list[Caller], match: str) -> str:
    for one in people:
        await one.say("open", match=match)
        await one.say("contribute", match=match, bytes="5a" * 16)
    for one in people:
        while (await one.hear()).get("table") is None:
            pass
    return match


async def finished(one: Caller, match: str) -> str:
    """Played to its end, alone."""
    await one.say("open", match=match)
    await one.say("contribute", match=match, bytes="5a" * 16)
    while not (told := await one.hear()).get("over"):
        if told.get("legal"):
            await one.say("play", match=match, ply=told["ply"], move=told["legal"][0]["move"])
    return match


async def matches_of(ana: Caller, bento: Caller) -> list[str]:
    """One of every kind that there is."""
    both, two = [ana, bento], {"players": 2}
    for one in both:
        await one.begin()
        await one.dial()
    days = [(await one.request("POST", "/api/days/repeat-poker"))["match"] for one in both]
    resigned = await begun(both, await opened(both, "arboretum", options=two))
    await ana.say("resign", match=resigned)
    closed = await opened([bento], "trincheira")
    await bento.request("POST", f"/api/matches/{closed}/leave")
    waiting = [await opened([one], "neon-one", listed=one is ana, drawn=one is ana) for one in both]
    playing = [
        await begun(both, await opened(both, "trincheira")),
        await begun([ana], await opened([ana], "menor-soma", options=two, places=PLACES, listed=True)),
    ]
    over = await finished(ana, await opened([ana], "repeat-poker"))
    return [*waiting, *playing, over, resigned, closed, days[0], await finished(bento, days[1])]


def test_the_paths_of_a_match_keep_to_the_document_for_matches_of_every_kind(server: Process) -> None:
    ana, bento = Caller(server, "Ana"), Caller(server, "Bento")

    async def furnish() -> list[str]:
        matches = await matches_of(ana, bento)
        await ana.hang_up()
        await bento.hang_up()
        return matches

    askers = list(product(asyncio.run(furnish()), [cookies_of(ana), cookies_of(bento), ""]))
    schema = schemathesis.openapi.from_url(f"{server.http}/schema/openapi.json")
    operations = [result.ok() for result in schema.get_all_operations()]
    answers: dict[str, set[int]] = {operation.path: set() for operation in operations if "{match}" in operation.path}
    for operation, mode in product(operations, GenerationMode):
        for n, (match, cookie) in enumerate(askers if operation.path in answers else []):

            @seed(n)
            @settings(max_examples=3, **EXAMPLES)
            @given(case=operation.as_strategy(mode))
            def probe(case: Case) -> None:
                case.path_parameters["match"] = match  # noqa: B023
                checks = [positive_data_acceptance, negative_data_rejection]  # the id may have been all that was bad
                headers = {"cookie": cookie}  # noqa: B023
                answer = case.call_and_validate(base_url=server.http, headers=headers, excluded_checks=checks)
                answers[case.path].add(answer.status_code)

            probe()
    assert len(answers) >= 5 and all(200 in codes and codes & {404, 409} for codes in answers.values())
