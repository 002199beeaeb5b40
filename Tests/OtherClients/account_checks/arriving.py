"""From nobody to somebody with a room that others find."""
import json

from protocol_checks.helpers import HELLO, PASSWORD, Client, check, connect, equal, some_name, true

from account_checks.stage import curl, issuer, ok, outsider, person, record, refused


def post(kind, data, token=None):
    status, body = curl(f"/v1/rpc/{kind}", "-H", "Content-Type: application/json", "--data-binary", json.dumps(data),
                        token=token)
    equal(status, 200, f"{kind}: {body}")
    return json.loads(body)["data"]


def newcomer():
    name = some_name()
    return {"email": f"{name}@example.org", "password": PASSWORD, "username": name, "display_name": "New Here"}


def is_listed(rooms, room, owner):
    found = [r for r in rooms if r["id"] == room["id"]]
    equal([(r["owner"]["username"], r["owner"]["uid"]) for r in found], [(owner["username"], owner["uid"])], "owners")


@check("a stranger with curl alone: signs up, makes a room, and others find it")
def _():
    given = newcomer()
    grant = post("auth.sign_up", given)
    record.owns(given["email"], grant["user"]["uid"])
    equal(grant["user"]["username"], given["username"], "username")
    room = post("room.create", {"title": "By curl"}, grant["access_token"])["room"]
    guest = post("auth.guest", {})["access_token"]
    is_listed(post("room.list", {}, guest)["rooms"], room, grant["user"])


@check("a stranger over WebSocket: signs up, makes a room, and others find it")
def _():
    with Client(None) as c, Client() as guest:
        given = newcomer()
        grant = c.data("auth.sign_up", given)
        record.owns(given["email"], grant["user"]["uid"])
        me = c.data("user.me")
        equal((me["user"], me["email_confirmed"], me["role"]), (grant["user"], False, "user"), "user.me")
        room = c.data("room.create", {"title": "By WebSocket"})["room"]
        is_listed(guest.data("room.list")["rooms"], room, grant["user"])


@check("somebody the issuer knows, over HTTP: nothing that shows a name until there is one; then a room")
def _():
    grant = outsider()
    equal((grant["user"]["username"], grant["user"]["guest"]), (None, False), "user")
    token = grant["access_token"]
    for kind, data in (("room.create", {}), ("room.list", {}), ("people.follow", {"user": "@somebody"}),
                       ("username.change", {"old_username": "nobody", "username": some_name()})):
        refused("auth.username_required", kind, data, token, 403)
    name = some_name()
    named = ok("username.claim", {"username": name}, token)
    equal((named["user"], "refresh_token" in named), (grant["user"] | {"username": name}, False), "access grant")
    for each in (named["access_token"], token):  # the token of before knows it, too
        equal(ok("user.me", token=each)["user"], named["user"], "user.me")
    refused("username.already_chosen", "username.claim", {"username": some_name()}, token, 409)
    room = ok("room.create", {}, named["access_token"])["room"]
    is_listed(ok("room.list", token=ok("auth.guest")["access_token"])["rooms"], room, named["user"])


@check("somebody the issuer knows, over WebSocket; a second time it is the same account")
def _():
    subject, name = some_name(), some_name()
    with Client(None) as c, Client() as guest:
        grant = c.data("auth.exchange", {"provider": "firebase", "token": issuer.token(subject)})
        equal(grant["user"], {"uid": subject, "username": None, "guest": False}, "user")
        for kind, data in (("room.create", {}), ("room.join", {"room": "@somebody"})):
            c.refused("auth.username_required", kind, data)
        other = Client(grant["access_token"])
        c.data("username.claim", {"username": name})
        room = c.data("room.create")["room"]
        is_listed(guest.data("room.list")["rooms"], room, grant["user"] | {"username": name})
        other.data("room.join", {"room": room["id"]})  # a connection that was open before has the name as well
        c.refused("username.already_chosen", "username.claim", {"username": name})
        again = Client(None).data("auth.exchange", {"provider": "firebase", "token": issuer.token(subject)})
        equal(again["user"], grant["user"] | {"username": name}, "the second time")
        c.refused("auth.provider_unknown", "auth.exchange", {"provider": "facebook", "token": "x"})


@check("the issuer's address is taken over only if it has confirmed it and nobody has it here")
def _():
    made = person()
    for claims in ({"email": made["email"], "email_verified": True},
                   {"email": some_name() + "@example.org", "email_verified": False},
                   {"email": some_name() + "@example.org"}):
        grant = ok("auth.exchange", {"provider": "firebase", "token": issuer.token(some_name(), **claims)})
        me = ok("user.me", token=grant["access_token"])
        equal((me["email"], me["email_confirmed"]), (None, False), f"with {sorted(claims)}")
        true(grant["user"]["uid"] != made["user"]["uid"], "an account was taken over")
    address = some_name() + "@example.org"
    me = ok("user.me", token=outsider(email=address, email_verified=True)["access_token"])
    equal((me["email"], me["email_confirmed"]), (address, True), "a confirmed one")


@check("the issuer's name for somebody that somebody else has already: another account")
def _():
    made = person()
    grant = outsider(made["user"]["uid"])
    true(grant["user"]["uid"] != made["user"]["uid"], "an account was taken over")
    equal(outsider(made["user"]["uid"])["user"]["uid"], grant["user"]["uid"], "the second time")


@check("a guest in a room signs up: the same uid, still in the room; the guest's token is over")
def _():
    owner = outsider(name=True)
    room = ok("room.create", {}, owner["access_token"])["room"]["id"]
    with Client() as c, Client(owner["access_token"]) as beside:
        guest = c.welcome["user"]
        c.data("room.join", {"room": room})
        beside.data("room.join", {"room": room})
        second = Client(c.welcome["access_token"])
        given = newcomer()
        grant = c.data("auth.sign_up", given)
        record.owns(given["email"], guest["uid"])
        equal(grant["user"], {"uid": guest["uid"], "username": given["username"], "guest": False}, "user")
        c.data("playback.get")  # answered from within a room only
        equal(c.data("user.me")["user"], grant["user"], "user.me")
        equal(beside.data("room.get", {"room": room})["room"]["listeners"], 2, "listeners")
        second.closes(4401)
        with connect() as d:
            d.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": c.welcome["access_token"]}})
        refused("auth.token_invalid", "user.me", token=c.welcome["access_token"], status=401)
        refused("auth.token_invalid", "auth.sign_up", newcomer(), c.welcome["access_token"], 401)


@check("a guest signs up over HTTP: the same uid; the guest's connections close with 4401")
def _():
    with Client() as c:
        given = newcomer()
        grant = ok("auth.sign_up", given, c.welcome["access_token"])
        record.owns(given["email"], grant["user"]["uid"])
        equal(grant["user"]["uid"], c.welcome["user"]["uid"], "uid")
        c.closes(4401)


@check("a guest whose sign-up is refused stays the guest")
def _():
    taken = person()
    with Client() as c:
        c.refused("username.taken", "auth.sign_up", newcomer() | {"username": taken["username"]})
        c.refused("auth.email_taken", "auth.sign_up", newcomer() | {"email": taken["email"]})
        equal(c.data("user.me")["user"], c.welcome["user"], "user.me")
        Client(c.welcome["access_token"]).data("user.me")
