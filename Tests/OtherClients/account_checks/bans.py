"""Who is banned, and who is gone."""
import time

from protocol_checks.helpers import HELLO, PASSWORD, Client, Failure, check, connect, equal, rpc, some_name, true
from protocol_checks.websocket import Closed

from account_checks.stage import (admin, curl, issuer, mailbox, main_server, ok, outsider, person, reader, record,
                                  refused, sign_in)


def banned_everywhere(made, token, refresh, ends):
    """Whatever is shown of a banned account is answered with auth.banned."""
    waits = [refused("auth.banned", "user.me", token=token, status=403)]
    status, _ = curl("/v1/photo", "--data-binary", "x", token=token)
    equal(status, 403, "with a photo")
    with connect() as c:
        waits.append(c.refused("auth.banned", "hello", HELLO | {"auth": {"token": token}}))
        c.data("hello", HELLO)
        if "password" in made:
            given = {"email": made["email"], "password": PASSWORD}
            waits += [c.refused("auth.banned", "auth.sign_in", given),
                      refused("auth.banned", "auth.sign_in", given, status=403)]
            c.refused("auth.credentials_invalid", "auth.sign_in", given | {"password": "wrong password"})
        else:
            given = {"provider": "firebase", "token": made["token"]}
            waits += [c.refused("auth.banned", "auth.exchange", given),
                      refused("auth.banned", "auth.exchange", given, status=403)]
    for error in waits:
        left = error.get("retry_after_ms")
        true(left is None if ends is None else left is not None and ends - 30_000 < left <= ends,
             f"retry_after_ms {left} of {ends}")
    refused("auth.banned", "auth.refresh", {"refresh_token": refresh}, status=403)


@check("a ban: connections close with 4403; hello, bearer, sign-in, exchange, refresh say auth.banned; then unbanned")
def _():
    boss = admin()
    before = main_server().refusals().get("auth.banned", 0)
    for made in (person(), outsider(name=True)):
        for seconds in (3600, None):
            ask = {"user": made["user"]["uid"], "reason": "for a check"} | ({"seconds": seconds} if seconds else {})
            sockets = [Client(made["access_token"]) for _ in range(3)]
            told = ok("users.ban", ask, boss["access_token"])["user"]
            equal((told["ban"]["reason"], told["ban"]["until_ms"] is None), ("for a check", seconds is None), "ban")
            for socket in sockets:
                socket.closes(4403)
            banned_everywhere(made, made["access_token"], made["refresh_token"], seconds and seconds * 1000)
            told = ok("users.unban", {"user": made["user"]["uid"]}, boss["access_token"])["user"]
            equal(told["ban"], None, "ban")
            ok("auth.refresh", {"refresh_token": made["refresh_token"]})
            new = sign_in(made) if "password" in made else ok(
                "auth.exchange", {"provider": "firebase", "token": made["token"]})
            equal(ok("user.me", token=new["access_token"])["user"]["uid"], made["user"]["uid"], "uid")
            made = made | new
    true(main_server().refusals()["auth.banned"] - before >= 20, "auth.banned is not counted")


@check("after a ban the tokens of before are good again, with whatever the role is then")
def _():
    boss, made = admin(), admin()
    ok("users.ban", {"user": "@" + made["username"]}, boss["access_token"])
    refused("auth.banned", "users.list", {}, made["access_token"], 403)
    ok("users.set_role", {"user": "@" + made["username"], "role": "user"}, boss["access_token"])
    main_server().operator("user", "unban", "@" + made["username"])
    refused("auth.forbidden", "users.list", {}, made["access_token"], 403)
    again = ok("auth.refresh", {"refresh_token": made["refresh_token"]})
    refused("auth.forbidden", "users.list", {}, again["access_token"], 403)
    Client(again["access_token"]).data("user.me")


@check("a ban is not evaded by a request that is on its way and would end the sign-in itself")
def _():
    boss, made = admin(), person()
    with Client(made["access_token"]) as c:
        numbers = [c.send("auth.change_password", {"new_password": PASSWORD}) for _ in range(8)]
        ok("users.ban", {"user": made["user"]["uid"]}, boss["access_token"])
        c.closes(4403, 30)  # when the hashes that were begun are done
        true(len(numbers) == 8, "nothing was asked")


@check("a ban is not evaded by requests without end that would end the sign-in themselves")
def _():
    boss, made = admin(), person()
    with Client(made["access_token"]) as c:
        try:
            c.send("auth.change_password", {"new_password": PASSWORD})
            ok("users.ban", {"user": made["user"]["uid"]}, boss["access_token"])
            end = time.monotonic() + 12
            while time.monotonic() < end:
                c.send("auth.change_password", {"new_password": PASSWORD})
                time.sleep(0.05)
                while c.ws.receive(0):
                    pass
            told = c.ask("settings.update", {"theme": "dark"})
            raise Failure(f"12 s after the ban the connection is open, and settings.update says {told.get('error', 'ok')}")
        except Closed as closed:
            equal(closed.code, 4403, "close code")


@check("a ban of two seconds ends by itself")
def _():
    boss, made = admin(), person()
    ok("users.ban", {"user": "@" + made["username"], "seconds": 2}, boss["access_token"])
    left = refused("auth.banned", "auth.sign_in", {"email": made["email"], "password": PASSWORD})["retry_after_ms"]
    time.sleep(left / 1000 + 0.05)
    Client(sign_in(made)["access_token"]).data("user.me")


@check("a ban by the operator while the server runs; recovery does not get around it")
def _():
    made = reader()
    socket = Client(made["access_token"])
    ok("auth.request_recovery", {"email": made["email"]})
    code = mailbox.code(made["email"], 2)  # the first asked to confirm the address
    main_server().operator("user", "ban", "@" + made["username"], "--reason", "by hand")
    socket.closes(4403)
    given = {"code": code, "new_password": "a password of the banned"}
    refused("auth.banned", "auth.recover", given, status=403)
    main_server().operator("user", "unban", "@" + made["username"])
    ok("auth.recover", given)


@check("nobody bans themselves, or whom there is not")
def _():
    boss = admin()
    equal(refused("request.invalid", "users.ban", {"user": boss["user"]["uid"]}, boss["access_token"])["field"],
          "data.user", "field")
    refused("user.not_found", "users.ban", {"user": "@" + some_name()}, boss["access_token"], 404)
    refused("user.not_found", "users.unban", {"user": "nobody"}, boss["access_token"], 404)
    refused("user.not_found", "users.set_role", {"user": "nobody", "role": "admin"}, boss["access_token"], 404)


@check("an account that is removed: connections close with 4403, its tokens open nothing, its name is free")
def _():
    made, follower = person(), outsider(name=True)
    room = ok("room.create", {}, made["access_token"])["room"]["id"]
    ok("people.follow", {"user": "@" + made["username"]}, follower["access_token"])
    refused("auth.code_invalid", "account.remove", {"code": "x" * 32}, made["access_token"], 422)
    with Client(made["access_token"]) as c, Client() as guest:
        other = Client(made["access_token"])
        guest.data("room.join", {"room": room})
        export = c.data("account.export")
        true(0 < export["code_expires_in_s"] <= 3600, "code_expires_in_s")
        true(made["email"] in str(export["export"]) and room in str(export["export"]), "the export lacks something")
        stranger = person()
        refused("auth.code_invalid", "account.remove", {"code": export["code"]}, stranger["access_token"], 422)
        equal(c.data("account.remove", {"code": export["code"]}), {}, "data")
        c.closes(4403)
        other.closes(4403)
        guest.event("room.closed")
    with connect() as c:
        c.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": made["access_token"]}})
    refused("auth.token_invalid", "user.me", token=made["access_token"], status=401)
    refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": made["refresh_token"]}, status=401)
    refused("auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": PASSWORD}, status=401)
    refused("user.not_found", "user.get", {"user": made["user"]["uid"]}, follower["access_token"], 404)
    equal(ok("people.following", {}, follower["access_token"])["users"], [], "whom the follower follows")
    again = rpc("auth.sign_up", {k: made[k] for k in ("email", "password", "username")})[1]["data"]
    true(again["user"]["uid"] != made["user"]["uid"], "the same uid again")
    record.owns(made["email"], again["user"]["uid"])


@check("whom the issuer knows and who removed the account: the next time it is a new one, without anything")
def _():
    subject = some_name()
    made = outsider(subject, name=True)
    code = ok("account.export", {}, made["access_token"])["code"]
    ok("account.remove", {"code": code}, made["access_token"])
    refused("auth.token_invalid", "user.me", token=made["access_token"], status=401)
    again = ok("auth.exchange", {"provider": "firebase", "token": issuer.token(subject)})
    equal(ok("user.me", token=again["access_token"])["user"]["username"], None, "username")
    refused("auth.token_invalid", "user.me", token=made["access_token"], status=401)
