"""Signing out, and what ends with a new password."""
import collections

from protocol_checks.helpers import HELLO, PASSWORD, Client, check, connect, equal, rpc, some_name, true

from account_checks.names import at_once
from account_checks.stage import mailbox, ok, outsider, reader, record, refused, sign_in

NEW = "a new password, quite long"


def nothing_is_left(*grants):
    """Neither token of them is good any more."""
    for grant in grants:
        with connect() as c:
            c.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": grant["access_token"]}})
        refused("auth.token_invalid", "user.me", token=grant["access_token"], status=401)
        refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": grant["refresh_token"]}, status=401)


@check("sign-out everywhere over WebSocket: others close with 4401, this one is anonymous and stays")
def _():
    made = reader()
    second, bystander = sign_in(made), reader()
    with Client(made["access_token"]) as c, Client(bystander["access_token"]) as beside:
        others = [Client(g["access_token"]) for g in (made, second, second)]
        room = c.data("room.create")["room"]["id"]
        c.data("room.join", {"room": room})
        equal(c.data("auth.sign_out_everywhere"), {}, "data")
        for other in others:
            other.closes(4401)
        c.refused("auth.required", "user.me")
        beside.data("user.me")
        nothing_is_left(made, second)
        c.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        c.refused("room.not_joined", "playback.get")
        equal(c.data("user.me")["user"]["uid"], made["user"]["uid"], "uid")


@check("sign-out everywhere over HTTP: every connection closes with 4401")
def _():
    for made in (reader(), outsider(name=True)):
        others = [Client(made["access_token"]) for _ in range(2)]
        equal(ok("auth.sign_out_everywhere", {}, made["access_token"]), {}, "data")
        for other in others:
            other.closes(4401)
        nothing_is_left(made)


@check("a new password over WebSocket: others close with 4401, this one stays, in its room, with new tokens")
def _():
    made = reader()
    second = sign_in(made)
    with Client(made["access_token"]) as c:
        others = [Client(g["access_token"]) for g in (made, second)]
        room = c.data("room.create")["room"]["id"]
        c.data("room.join", {"room": room})
        c.refused("auth.password_unusable", "auth.change_password", {"new_password": "short"})
        record.passwords.add(NEW)
        grant = c.data("auth.change_password", {"new_password": NEW})
        for other in others:
            other.closes(4401)
        c.data("playback.get")
        equal(c.data("user.me")["user"], grant["user"], "user.me")
        nothing_is_left(made, second)
        again = c.data("auth.refresh", {"refresh_token": grant["refresh_token"]})
        Client(again["access_token"]).data("user.me")
    refused("auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": PASSWORD}, status=401)
    sign_in(made, NEW)
    mail = mailbox.wait(made["email"], 2)
    true("password" in mail["Subject"], f"the owner was told {mail['Subject']!r}")


@check("recovery: the code of the mail works once; others close with 4401; the address counts as confirmed")
def _():
    made = reader()
    equal(ok("user.me", token=made["access_token"])["email_confirmed"], False, "before")
    with Client(made["access_token"]) as other, Client() as c:
        equal(c.data("auth.request_recovery", {"email": made["email"].upper()}), {}, "data")
        code = mailbox.code(made["email"], 2)
        c.refused("auth.password_unusable", "auth.recover", {"code": code, "new_password": "short"})
        given = {"code": code, "new_password": NEW}
        grant = c.data("auth.recover", given)
        equal(grant["user"], made["user"], "user")
        other.closes(4401)
        nothing_is_left(made)
        me = c.data("user.me")
        equal((me["user"], me["email_confirmed"]), (made["user"], True), "user.me")
    for wrong in (code, code[:-1], code + "A", code.swapcase(), "x", "é" * 64):
        refused("auth.code_invalid", "auth.recover", given | {"code": wrong}, status=422)
    with Client(grant["access_token"]) as c:
        c.data("user.me")
    sign_in(made, NEW)


@check("a recovery code used eight times at once sets one password")
def _():
    made = reader()
    ok("auth.request_recovery", {"email": made["email"]})
    code, passwords = mailbox.code(made["email"], 2), [f"password number {k}" for k in range(8)]
    replies = at_once([(lambda p=p: rpc("auth.recover", {"code": code, "new_password": p})[1]) for p in passwords])
    codes = collections.Counter(r.get("error", {}).get("code", "ok") for r in replies)
    equal(codes, {"auth.code_invalid": 7, "ok": 1}, "codes")
    winner = next(k for k, r in enumerate(replies) if r["type"] == "ok")
    sign_in(made, passwords[winner])
    refused("auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": passwords[winner - 1]})


@check("what an intruder left behind ends with a new password: their sign-ins, and their change of the address")
def _():
    made, evil = reader(), some_name() + "@example.org"
    record.owns(evil, made["user"]["uid"])
    ok("auth.change_email", {"email": evil}, made["access_token"])
    code = mailbox.code(evil)
    ok("auth.change_password", {"new_password": NEW}, made["access_token"])
    refused("auth.code_invalid", "auth.confirm_email", {"code": code}, status=422)
    equal(ok("user.me", token=sign_in(made, NEW)["access_token"])["email"], made["email"], "email")
