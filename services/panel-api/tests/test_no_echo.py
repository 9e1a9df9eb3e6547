"""What is refused is not said again: a secret in the wrong field must not come back in the answer (C53)."""

from __future__ import annotations

from typing import Any

import pytest
from panel_world import World, bearer, org_file

pytestmark = pytest.mark.integration

SECRET = "Sommer-Regen-42!"
MAPPED: dict[str, Any] = {"platform": "slack", "external_user_id": "U7"}
BODIES: dict[str, tuple[str, str, bytes | dict[str, Any]]] = {
    "an unknown field of a file": ("PUT", "/file", org_file("acme") | {SECRET: 1}),
    "a code of a file": ("PUT", "/file", org_file("acme") | {"keys": {SECRET: {"kind": SECRET}}}),
    "a name that stands nowhere": (
        "PUT",
        "/file",
        org_file("acme") | {"keys": {"x": {"kind": "gateway", "channels": [SECRET]}}},
    ),
    "a duplicate key": ("PUT", "/file", b'{"%b": 1, "%b": 2}' % (SECRET.encode(), SECRET.encode())),
    "a channel of a key": ("POST", "/keys", {"kind": "gateway", "name": "k", "channels": [SECRET]}),
    "a user of an account": ("POST", "/identities", MAPPED | {"user": SECRET}),
    "a field of an account": ("POST", "/identities", MAPPED | {SECRET: "x"}),
    "a column of a CSV": ("POST", "/identities/import", b"platform,external_user_id,%b\n" % SECRET.encode()),
    "a cell of a CSV": (
        "POST",
        "/identities/import",
        b"platform,external_user_id,user,status\nslack,U7,%b,verified\n%b,U8,,\n"
        % (SECRET.encode(), SECRET.encode()),
    ),
}


@pytest.mark.parametrize("name", BODIES)
async def test_a_secret_in_the_wrong_place_is_not_repeated(acme: World, name: str) -> None:
    method, path, body = BODIES[name]
    kind = "text/csv" if path.endswith("import") else "application/json"
    sent: dict[str, Any] = {"json": body} if isinstance(body, dict) else {"content": body}
    headers = bearer(acme.tokens["ingrid"]) | {"Content-Type": kind}
    answer = await acme.http.request(method, acme.path + path, headers=headers, **sent)
    assert 400 <= answer.status_code < 500, answer.text
    assert SECRET not in answer.text
    assert answer.json()["detail"]
