"""Who sees whom, and where."""
from protocol_checks.helpers import Client, check, equal, true
from protocol_checks.host import STREAM

from account_checks.stage import ok, outsider, person, refused


def seen(by, whom):
    """What `by` is told of where `whom` is: None, or (state, room)."""
    people = ok("people.presence", {}, by["access_token"])["people"]
    found = [(p["state"], p["room"]["id"]) for p in people if p["user"]["user"]["uid"] == whom["user"]["uid"]]
    true(len(found) <= 1, f"{found}")
    return found[0] if found else None


def follow(one, other):
    return ok("people.follow", {"user": other["user"]["uid"]}, one["access_token"])["relation"]


def consent(whom, word):
    ok("settings.update", {"presence": word}, whom["access_token"])


@check("presence: only whom one follows, and only by their consent: nobody, friends, followers")
def _():
    ada, bob, room_owner = (outsider(name=True) for _ in range(3))
    room = ok("room.create", {}, room_owner["access_token"])["room"]["id"]
    with Client(bob["access_token"]) as c:
        consent(bob, "followers")
        c.data("room.join", {"room": room})
        equal(seen(ada, bob), None, "without following")
        equal(follow(ada, bob), {"following": True, "followed_by": False, "blocked": False}, "relation")
        equal(seen(ada, bob), ("listening", room), "followers")
        consent(bob, "friends")
        equal(seen(ada, bob), None, "friends, whom he does not follow")
        follow(bob, ada)
        equal(seen(ada, bob), ("listening", room), "friends")
        consent(bob, "nobody")
        equal(seen(ada, bob), None, "nobody")
        consent(bob, "followers")
        c.data("room.leave")
        equal(seen(ada, bob), None, "after leaving")
        c.data("room.join", {"room": room})
        equal(seen(ada, bob), ("listening", room), "after coming back")
    equal(seen(ada, bob), None, "after going away")
    refused("auth.account_required", "people.presence", {}, ok("auth.guest")["access_token"], 403)


@check("presence: the host is live; a private room is shown to nobody else")
def _():
    ada, bob = outsider(name=True), outsider(name=True)
    consent(bob, "followers")
    follow(ada, bob)
    with Client(bob["access_token"]) as c:
        public = c.data("room.create")["room"]["id"]
        private = c.data("room.create", {"visibility": "private"})["room"]["id"]
        c.data("room.join", {"room": public})
        c.data("host.start", {"stream": STREAM, "pacing": "server", "track": {"title": "Tune"}})
        equal(seen(ada, bob), ("live", public), "as host")
        with Client(bob["access_token"]) as d:
            d.data("room.join", {"room": private})
            equal(seen(ada, bob), ("live", public), "in a public and a private one")
            c.data("host.stop")
            c.data("room.leave")
            equal(seen(ada, bob), None, "in the private one")


@check("presence: a block in either direction hides, and so does one by the room's owner")
def _():
    for who in ("ada", "bob", "owner"):
        ada, bob, owner = (outsider(name=True) for _ in range(3))
        consent(bob, "followers")
        follow(ada, bob)
        follow(bob, ada)
        with Client(bob["access_token"]) as c, Client(owner["access_token"]) as d:
            room = d.data("room.create")["room"]["id"]
            c.data("room.join", {"room": room})
            equal(seen(ada, bob), ("listening", room), "before")
            blocker, blocked = {"ada": (ada, bob), "bob": (bob, ada), "owner": (owner, ada)}[who]
            ok("people.block", {"user": blocked["user"]["uid"]}, blocker["access_token"])
            equal(seen(ada, bob), None, f"blocked by {who}")
            ok("people.unblock", {"user": blocked["user"]["uid"]}, blocker["access_token"])
            equal(seen(ada, bob), ("listening", room) if who == "owner" else None, "following does not come back")


@check("whom somebody has blocked, for them they do not exist: by name, identifier, search, list and room")
def _():
    ada, bob, cleo = (outsider(name=True) for _ in range(3))
    for someone in (ada, bob, cleo):
        ok("profile.update", {"public": True, "display_name": f"Quux {someone['username']}"}, someone["access_token"])
    follow(bob, ada), follow(ada, cleo), follow(bob, cleo), follow(ada, bob)
    room = ok("room.create", {}, ada["access_token"])["room"]["id"]
    relation = ok("people.block", {"user": "@" + bob["username"]}, ada["access_token"])["relation"]
    equal(relation, {"following": False, "followed_by": False, "blocked": True}, "relation")
    token = bob["access_token"]
    for reference in ("@" + ada["username"], ada["user"]["uid"]):
        for kind in ("user.get", "people.follow", "people.unfollow", "people.followers", "people.following"):
            refused("user.not_found", kind, {"user": reference}, token, 404)
    names = lambda kind, data: [u["user"]["username"] for u in ok(kind, data, token)["users"]]
    equal(names("user.search", {"query": ada["username"]}), [], "user.search")
    true(ada["username"] not in names("user.search", {"query": "quux"}), "user.search by display name")
    equal(names("people.following", {}), [cleo["username"]], "people.following")
    equal(names("people.followers", {"user": "@" + cleo["username"]}), [bob["username"]], "cleo's followers")
    refused("room.not_found", "room.get", {"room": room}, token, 404)
    refused("room.not_found", "room.get", {"room": "@" + ada["username"]}, token, 404)
    true(room not in str(ok("room.list", {"limit": 200}, token)), "room.list")
    # And the other way round: she does not follow whom she has blocked, and finds them to unblock them.
    refused("user.blocked", "people.follow", {"user": bob["user"]["uid"]}, ada["access_token"], 409)
    found = ok("people.blocked", {}, ada["access_token"])["users"]
    equal([u["user"]["uid"] for u in found], [bob["user"]["uid"]], "people.blocked")
    # Whoever has blocked the caller can be blocked by identifier.
    ok("people.block", {"user": ada["user"]["uid"]}, token)


@check("a profile that is not public: nothing of it for strangers, all of it for friends")
def _():
    ada, bob = outsider(name=True), outsider(name=True)
    ok("profile.update", {"display_name": "Zyx Secret", "bio": "Of me.", "public": False}, ada["access_token"])
    token, name = bob["access_token"], "@" + ada["username"]
    follow(bob, ada)
    equal(ok("user.get", {"user": name}, token)["profile"], None, "for a follower")
    equal(ok("user.search", {"query": "zyx"}, token)["users"], [], "by display name")
    found = ok("user.search", {"query": name}, token)["users"]
    equal([(u["user"]["uid"], u["display_name"], u["photo"]) for u in found], [(ada["user"]["uid"], None, None)],
          "by the whole name")
    for kind in ("people.followers", "people.following"):
        refused("user.private", kind, {"user": name}, token, 403)
    follow(ada, bob)
    equal(ok("user.get", {"user": name}, token)["profile"]["bio"], "Of me.", "for a friend")
    equal(len(ok("people.followers", {"user": name}, token)["users"]), 1, "followers, for a friend")
    equal(ok("user.get", {"user": name}, ok("auth.guest")["access_token"])["profile"], None, "for a guest")
    true("email" not in str(ok("user.get", {"user": name}, token)), "an address")
    for kind in ("people.follow", "people.block"):
        equal(refused("request.invalid", kind, {"user": "@" + bob["username"]}, token, 400)["field"], "data.user",
              "oneself")
    person()
