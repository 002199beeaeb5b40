"""accounts.md."""
import time

from protocol_checks.helpers import HELLO, PASSWORD, Client, account, check, connect, equal, some_name, true


@check("sign-up: what it answers, user.me, taken address and name, whatever their case")
def _():
    name = some_name().capitalize()
    given = {"email": f"{name}@Example.org", "password": PASSWORD, "username": name, "display_name": "Dïsplay"}
    with Client(None) as c:
        grant = c.data("auth.sign_up", given)
        equal((grant["user"]["username"], grant["user"]["guest"]), (name, False), "user")
        true(1 <= len(grant["refresh_token"]) <= 512 and 1 <= len(grant["access_token"]) <= 8192, "tokens")
        true(grant["expires_in_s"] > 0, "expires_in_s")
        me = c.data("user.me")
        equal(me["user"], grant["user"], "user")
        equal(me["email"].lower(), given["email"].lower(), "email")
        equal(me["profile"]["display_name"], "Dïsplay", "display_name")
        equal((me["profile"]["bio"], type(me["profile"]["public"])), (None, bool), "profile")
    with Client(None) as c:
        c.refused("auth.email_taken", "auth.sign_up",
                  given | {"email": given["email"].upper(), "username": some_name()})
        c.refused("username.taken", "auth.sign_up", given | {"email": some_name() + "@x.org", "username": name.upper()})
        c.refused("auth.required", "user.me")


@check("sign-up: unusable addresses, passwords and names")
def _():
    with Client(None) as c:
        base = {"email": some_name() + "@example.org", "password": PASSWORD, "username": some_name()}
        for field, values, code in (
                ("email", ("", "a@", "@b", "a.b", "a@b@c", "a b@c", "a@b\n", "x" * 250 + "@b.cd"),
                 "auth.email_invalid"),
                ("password", ("", "1234567", "x" * 129, "ü" * 7, "😀" * 129), "auth.password_unusable"),
                ("username", ("", "ab", "x" * 25, ".abc", "-abc", "_abc", "a b c", "añb", "abc/"), "username.invalid")):
            for value in values:
                c.refused(code, "auth.sign_up", base | {field: value})
        for field in base:
            c.refused("request.invalid", "auth.sign_up", {k: v for k, v in base.items() if k != field}, f"data.{field}")
            c.refused("request.invalid", "auth.sign_up", base | {field: 5}, f"data.{field}")
        c.refused("request.invalid", "auth.sign_up", base | {"display_name": "x" * 101}, "data.display_name")


@check("sign-up: a password with U+0000 in it: auth.password_unusable")
def _():
    name = some_name()
    with Client(None) as c:
        for password in ("\u0000bcdefgh", "abcdefgh\u0000", "abcd\u0000efgh"):
            given = {"email": f"{name}@example.org", "username": name, "password": password}
            c.refused("auth.password_unusable", "auth.sign_up", given)


@check("sign-up: passwords of 8 and of 128 code points; every code point is taken as it is")
def _():
    for password in ("😀" * 8, "e\u0301" * 4, "\té\n\x7f \u00a0x ", "😀" * 128):
        made = account(password=password)
        with Client(None) as c:
            c.data("auth.sign_in", {"email": made["email"], "password": password})
    with Client(None) as c:
        c.refused("auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": password[:-1]})


@check("sign-in: unknown address and wrong password look the same")
def _():
    made = account()
    with Client(None) as c:
        times = []
        wrong, unknown = ({}, {})
        for _ in range(2):
            begin = time.monotonic()
            wrong = c.refused("auth.credentials_invalid", "auth.sign_in",
                              {"email": made["email"], "password": "not this one"})
            middle = time.monotonic()
            unknown = c.refused("auth.credentials_invalid", "auth.sign_in",
                                {"email": "x" + made["email"], "password": "not this one"})
            times.append((middle - begin, time.monotonic() - middle))
        equal(wrong, unknown, "what it says")
        true(min(min(t) for t in times) > 0.3 * max(max(t) for t in times), f"times differ: {times}")
        grant = c.data("auth.sign_in", {"email": made["email"].upper(), "password": PASSWORD})
        equal(grant["user"]["uid"], made["user"]["uid"], "uid")
        equal(c.data("user.me")["user"]["uid"], made["user"]["uid"], "uid")


@check("refresh: a new token each time, the same again while it is unused; an older one voids all, and connections close")
def _():
    made = account()
    with Client(None) as c, Client(None) as d, Client(None) as again:
        one = made["refresh_token"]
        two = c.data("auth.refresh", {"refresh_token": one})
        true(two["refresh_token"] != one, "the token is the same")
        equal(two["user"]["uid"], made["user"]["uid"], "uid")
        equal(again.data("auth.refresh", {"refresh_token": one})["refresh_token"], two["refresh_token"], "a lost reply")
        three = c.data("auth.refresh", {"refresh_token": two["refresh_token"]})
        holder = Client(two["access_token"])
        d.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": one})
        d.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": three["refresh_token"]})
        d.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": "nobody made this"})
        holder.closes(4401)
        with connect() as e:
            e.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": two["access_token"]}})
            e.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": made["access_token"]}})
        fresh = d.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        d.data("auth.refresh", {"refresh_token": fresh["refresh_token"]})


@check("refreshing as the same user leaves the connection in its room")
def _():
    made = account()
    with Client(made["access_token"]) as c:
        c.data("room.join", {"room": "@demo"})
        c.data("auth.refresh", {"refresh_token": made["refresh_token"]})
        c.packets(10)
        c.data("playback.get")


@check("becoming somebody else leaves the room")
def _():
    made = account()
    with Client() as c:
        c.data("room.join", {"room": "@demo"})
        c.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        c.refused("room.not_joined", "playback.get")


@check("sign-out revokes: anonymous here, 4401 elsewhere; another sign-in of the same user goes on")
def _():
    made = account()
    with Client(None) as c, Client(None) as second:
        second.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        grant = c.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        holder = Client(grant["access_token"])
        c.data("room.join", {"room": "@demo"})
        equal(c.data("auth.sign_out", {"refresh_token": grant["refresh_token"]}), {}, "data")
        holder.closes(4401)
        c.inbox.clear()
        c.refused("auth.required", "user.me")
        c.silent(0.5)
        equal([m for m in c.inbox if isinstance(m, bytes)], [], "what came after signing out")
        c.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": grant["refresh_token"]})
        with connect() as d:
            d.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": grant["access_token"]}})
        second.data("user.me")
        second.data("auth.sign_out", {"refresh_token": "nobody made this"})
        second.refused("auth.required", "user.me")


@check("a guest who shows the token again is the same guest")
def _():
    with Client() as c:
        with Client(c.welcome["access_token"]) as d:
            equal(d.welcome["user"], c.welcome["user"], "user")
            me = d.data("user.me")
            equal((me["user"], me["email"]), (c.welcome["user"], None), "user.me")
