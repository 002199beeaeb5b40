"""What is tried at doors that are not meant for one, and with what nobody would type."""
import collections, http.client, json, stat
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import PASSWORD, Client, check, equal, rpc, some_name, true

from account_checks.names import at_once
from account_checks.pictures import png
from account_checks.photos import fetch, upload
from account_checks.stage import admin, curl, main_server, ok, outsider, person, record, refused

CURSORS = ("", "0", "-1", "1", "20", "1000", "9223372036854775807", "9223372036854775808", "-9223372036854775808", ".",
           "1.", ".x", "1.x", "0.0.0", "1e3", "' OR 1=1 --", "%00", "\u0000", "é", "x" * 256)
QUERIES = ('"', "'", "*", "a*", '"a" OR "b"', "a AND", "NEAR(a b)", "username:a", "{username}:a", "^a", "-a", "a\\",
           "%", "_", "a NOT b", "(", ")", "@", "@@", "@a b", "\u200b", "é" * 50, "ÅÅÅ", "ﬁ", "İ", "ß", "😀", "a" * 100,
           " ".join("abcdefghijklmnopqrstuvwxyz"), "; DROP TABLE users", "\u202eabc", "a\u0301\u0301\u0301\u0301")


@check("the operator's door is not on the network, whatever is said about where one comes from")
def _():
    owner, boss = person(), admin()
    server = main_server()
    for kind, data in (("user.create", {}), ("users.set_role", {"user": "@" + owner["username"], "role": "admin"}),
                       ("user.recovery_link", {"user": "@" + owner["username"]}), ("users.list", {}), ("", {})):
        for headers in ([], ["-H", "X-Forwarded-For: 127.0.0.1"], ["-H", "Host: localhost"],
                        ["-H", "Forwarded: for=unix:"]):
            for token in (None, owner["access_token"], boss["access_token"]):
                status, body = curl(f"/v1/operator/{kind}", *headers, "--data-binary", json.dumps(data), token=token)
                equal(status, 404, f"/v1/operator/{kind}: {body[:80]}")
    equal(ok("user.me", token=owner["access_token"])["role"], "user", "role")
    door = server.data / "admin.sock"
    true(stat.S_ISSOCK(door.stat().st_mode), "there is no door at all")
    equal((stat.S_IMODE(server.data.stat().st_mode), stat.S_IMODE(door.stat().st_mode) & 0o077), (0o700, 0), "modes")
    for path in server.data.rglob("*"):
        true(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, f"others may look into {path.name}")


@check("metrics are not at the address of the clients, and are at the operator's socket")
def _():
    for header in ("X-Forwarded-For: 203.0.113.9", "Via: 1.1 proxy", "X-Nothing: 1"):
        equal(curl("/metrics", "-H", header)[0], 404, header)
    true("sona_sockets " in main_server().metrics(), "the operator sees them")


@check("cursors that were never given out: request.invalid or an honest page, of every list")
def _():
    boss = admin()
    for kind, data in (("user.search", {"query": "a"}), ("people.followers", {}), ("people.following", {}),
                       ("people.friends", {}), ("people.blocked", {}), ("users.list", {}), ("room.list", {})):
        for cursor in CURSORS:
            status, body, _ = rpc(kind, data | {"cursor": cursor}, boss["access_token"])
            true(status == 200 or (status, body["error"]["code"]) == (400, "request.invalid"),
                 f"{kind} with {cursor!r}: {status} {str(body)[:120]}")


@check("searches for what means something to SQL, to a search language or to Unicode find people or nobody")
def _():
    boss = admin()
    for query in QUERIES:
        for kind in ("user.search", "users.list"):
            status, body, _ = rpc(kind, {"query": query}, boss["access_token"])
            if kind == "users.list" and status == 400 or len(query.encode()) > 100:
                continue
            equal((status, isinstance(body["data"]["users"], list)), (200, True), f"{kind} {query!r}: {body}")


@check("pages of a search and of a list hold everybody once, however short the pages are")
def _():
    word, boss = some_name(), outsider(name=True)
    everybody = [outsider(name=True) for _ in range(7)]
    for someone in everybody:
        ok("profile.update", {"public": True, "display_name": f"{word} {some_name()}"}, someone["access_token"])
        ok("people.follow", {"user": boss["user"]["uid"]}, someone["access_token"])
    wanted = sorted(someone["user"]["uid"] for someone in everybody)
    for kind, data in (("user.search", {"query": word}), ("people.followers", {})):
        for limit in (1, 2, 3, 7, 8):
            found, cursor, pages = [], None, 0
            while pages < 30:
                page = ok(kind, data | {"limit": limit} | ({"cursor": cursor} if cursor else {}), boss["access_token"])
                found += [u["user"]["uid"] for u in page["users"]]
                cursor, pages = page["next_cursor"], pages + 1
                if cursor is None:
                    break
            equal(sorted(found), wanted, f"{kind} by {limit}")
    name = everybody[3]["username"]
    for limit in (1, 2):
        found, cursor, pages = [], None, 0
        while pages < 10:
            page = ok("user.search", {"query": name, "limit": limit} | ({"cursor": cursor} if cursor else {}),
                      boss["access_token"])
            found += [u["user"]["username"] for u in page["users"]]
            cursor, pages = page["next_cursor"], pages + 1
            if cursor is None:
                break
        equal(found, [name], f"a whole username by {limit}")


@check("one guest signs up six times at once: one account, and the others are told")
def _():
    for way in ("http", "websocket"):
        guest = ok("auth.guest")["access_token"]
        clients = [Client(guest) for _ in range(6)] if way == "websocket" else []

        def attempt(client):
            name = some_name()
            given = {"email": f"{name}@example.org", "username": name, "password": PASSWORD}
            if client is None:
                return rpc("auth.sign_up", given, guest)[1]
            try:
                return client.ask("auth.sign_up", given, 60)
            except helpers.Closed as closed:
                return {"error": {"code": str(closed.code)}}
        replies = at_once([lambda c=c: attempt(c) for c in (clients or [None] * 6)])
        codes = collections.Counter(r.get("error", {}).get("code", "ok") for r in replies)
        equal((codes.pop("ok", 0), sum(codes.values())), (1, 5), f"{way}: {codes}")
        # On a busy machine some are told to come back before anything is looked at.
        true(set(codes) <= {"auth.token_invalid", "auth.busy", "4401"}, f"{way}: {codes}")


@check("one account claims six usernames at once: one is its, and the others are free")
def _():
    made, names = outsider(), [some_name() for _ in range(6)]
    replies = at_once([lambda n=n: rpc("username.claim", {"username": n}, made["access_token"])[1] for n in names])
    codes = collections.Counter(r.get("error", {}).get("code", "ok") for r in replies)
    equal(codes, {"ok": 1, "username.already_chosen": 5}, "codes")
    mine = ok("user.me", token=made["access_token"])["user"]["username"]
    true(mine in names, f"{mine}")
    for name in names:
        if name != mine:
            outsider(name=name)


@check("whoever removes their account takes their photo along, and nobody's presence, lists or rooms know them")
def _():
    made, other = outsider(name=True), outsider(name=True)
    token, uid = made["access_token"], made["user"]["uid"]
    photo = upload(png(), token)
    ok("profile.update", {"public": True}, token)
    room = ok("room.create", {}, token)["room"]["id"]
    ok("people.follow", {"user": other["user"]["uid"]}, token)
    ok("people.block", {"user": outsider(name=True)["user"]["uid"]}, token)
    ok("account.remove", {"code": ok("account.export", {}, token)["code"]}, token)
    for size in ("32", "64", "full"):
        equal(fetch(photo, size)[0], 404, f"photo {size}")
    there = other["access_token"]
    for kind, data in (("people.followers", {}), ("user.search", {"query": made["username"]}), ("room.list", {})):
        true(uid not in str(ok(kind, data, there)), kind)
    refused("room.not_found", "room.get", {"room": room}, there, 404)
    equal(ok("user.get", {"user": other["user"]["uid"]}, there)["followers"], 0, "followers")
    true(ok("username.check", {"username": made["username"]})["available"], "the username")


@check("HTTP heads that are too much: a hundred headers, a path of 20 kB, bytes that are none; the server goes on")
def _():
    at = urlsplit(helpers.URL)
    for path, headers in (("/v1/rpc/user.me", {f"X-{k}": "y" * 100 for k in range(100)}),
                          ("/v1/photos/" + "a" * 20_000 + "/full", {}), ("/v1/rpc/" + "%2e" * 300, {}),
                          ("/v1/rpc/user.me", {"Authorization": "Bearer " + "\xff" * 200}),
                          ("/v1/rpc/user.me", {"Authorization": "Basic x"}),
                          ("/v1/rpc/user.me", {"Authorization": ""})):
        link = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
        try:
            link.request("POST", path, "{}", headers)
            true(400 <= link.getresponse().status < 500, f"{path[:30]}: taken")
        except (ConnectionError, http.client.HTTPException):
            pass  # closed without an answer
        link.close()
    record.add("metrics", main_server().metrics())
    ok("auth.guest")
