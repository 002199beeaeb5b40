"""connection.md: the same over HTTP."""
from protocol_checks.helpers import PASSWORD, account, check, equal, rpc, rpc_refused, some_name, true


@check("HTTP: accounts, with the statuses of errors.md")
def _():
    made = account()
    base = {k: made[k] for k in ("email", "password", "username")}
    rpc_refused(409, "auth.email_taken", "auth.sign_up", base | {"username": some_name()})
    rpc_refused(409, "username.taken", "auth.sign_up", base | {"email": some_name() + "@x.org"})
    rpc_refused(422, "auth.email_invalid", "auth.sign_up", base | {"email": "nothing"})
    rpc_refused(422, "auth.password_unusable", "auth.sign_up", base | {"password": "short"})
    rpc_refused(422, "username.invalid", "auth.sign_up", base | {"username": "a b"})
    error, _ = rpc_refused(400, "request.invalid", "auth.sign_up", base | {"username": 5})
    equal(error.get("field"), "data.username", "field")
    rpc_refused(401, "auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": "wrong one"})
    status, body, headers = rpc("auth.sign_in", {"email": made["email"], "password": PASSWORD})
    equal((status, body["type"], "id" in body), (200, "ok", False), "sign-in")
    true(headers.get("content-type", "").startswith("application/json"), "content-type")
    token, refresh = body["data"]["access_token"], body["data"]["refresh_token"]
    status, body, _ = rpc("user.me", token=token)
    equal((status, body["data"]["user"]["username"]), (200, made["username"]), "user.me")
    status, body, _ = rpc("auth.refresh", {"refresh_token": refresh})
    equal(status, 200, "refresh")
    status, again, _ = rpc("auth.sign_out", {"refresh_token": body["data"]["refresh_token"]},
                           token=body["data"]["access_token"])
    equal((status, again), (200, {"type": "ok", "data": {}}), "sign-out")
    rpc_refused(401, "auth.refresh_invalid", "auth.refresh", {"refresh_token": body["data"]["refresh_token"]})
    rpc_refused(401, "auth.token_invalid", "user.me", token=token)


@check("HTTP: a refresh token shown again gives its successor again; once that was used, it voids all that descends")
def _():
    made = account()
    status, two, _ = rpc("auth.refresh", {"refresh_token": made["refresh_token"]})
    equal(status, 200, "refresh")
    status, again, _ = rpc("auth.refresh", {"refresh_token": made["refresh_token"]})
    equal((status, again["data"]["refresh_token"]), (200, two["data"]["refresh_token"]), "again")
    status, three, _ = rpc("auth.refresh", {"refresh_token": two["data"]["refresh_token"]})
    equal(status, 200, "the successor")
    rpc_refused(401, "auth.refresh_invalid", "auth.refresh", {"refresh_token": made["refresh_token"]})
    rpc_refused(401, "auth.refresh_invalid", "auth.refresh", {"refresh_token": three["data"]["refresh_token"]})
    rpc_refused(401, "auth.token_invalid", "user.me", token=two["data"]["access_token"])


@check("HTTP: guests and rooms, with the statuses of errors.md")
def _():
    status, body, _ = rpc("auth.guest", body="")
    equal((status, body["data"]["user"]["guest"], "refresh_token" in body["data"]), (200, True, False), "auth.guest")
    guest, owner = body["data"]["access_token"], account()["access_token"]
    rpc_refused(401, "auth.required", "user.me")
    rpc_refused(401, "auth.required", "room.list")
    rpc_refused(401, "auth.token_invalid", "user.me", token="made.up.token")
    rpc_refused(403, "auth.account_required", "room.create", {}, token=guest)
    rpc_refused(404, "room.not_found", "room.get", {"room": "A" * 20}, token=guest)
    rpc_refused(400, "request.invalid", "room.get", {"room": "short"}, token=guest)
    rpc_refused(400, "request.invalid", "room.create", {"lead_ms": 1}, token=owner)
    rpc_refused(409, "room.not_joined", "playback.get", {}, token=guest)
    status, body, _ = rpc("room.create", {"title": "Over HTTP"}, token=owner)
    equal((status, body["data"]["room"]["title"]), (200, "Over HTTP"), "room.create")
    status, body, _ = rpc("room.get", {"room": body["data"]["room"]["id"]}, token=guest)
    equal((status, body["data"]["room"]["title"]), (200, "Over HTTP"), "room.get")
    for room in ("@demo", "@DEMO"):
        status, body, _ = rpc("playback.get", {"room": room}, token=guest)
        equal((status, sorted(body["data"])), (200, ["playback", "server_us", "upcoming"]), "playback.get")
    equal(rpc("room.list", body="", token=guest)[0], 200, "room.list")


@check("HTTP: what is not served so, and what is not JSON")
def _():
    _, body, _ = rpc("auth.guest")
    guest = body["data"]["access_token"]
    for kind in ("room.join", "room.leave", "hello", "host.start", "playback.play", "no.such", ""):
        rpc_refused(404, "request.unknown", kind, {}, token=guest)
    for body in ("nonsense", "[]", "3", '{"a":1,"a":2}', '{"x":9007199254740992}', "\ufeff{}".encode(),
                 b'{"x":"\xff"}'):
        rpc_refused(400, "request.malformed", "room.list", token=guest, body=body)
    rpc_refused(400, "request.too_deep", "room.list", token=guest, body='{"x":' + "[" * 17 + "]" * 17 + "}")
    true(rpc("room.list", token=guest, method="GET")[0] in (404, 405), "GET is served")
