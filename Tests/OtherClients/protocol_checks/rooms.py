"""rooms.md: making, finding, entering and leaving rooms."""
import time

from protocol_checks.helpers import Client, account, check, equal, rpc_refused, true
from protocol_checks.host import Host


@check("a room that does not exist: room.not_found")
def _():
    with Client() as c:
        for room in ("A" * 20, "@nobody-of-this-name"):
            for kind in ("room.get", "room.join", "playback.get", "playback.play", "playback.pause"):
                c.refused("room.not_found", kind, {"room": room})
        c.refused("room.not_found", "playback.seek", {"room": "A" * 20, "position_us": 0})


@check("a private room of another looks like none; its owner sees it")
def _():
    owner, other = account(), account()
    with Client(owner["access_token"]) as o, Client() as guest, Client(other["access_token"]) as a:
        room = o.data("room.create", {"title": "Private", "visibility": "private"})["room"]
        equal(room["visibility"], "private", "visibility")
        equal(o.data("room.get", {"room": "@" + owner["username"].upper()})["room"]["id"], room["id"], "by reference")
        for c in (guest, a):
            for kind in ("room.get", "room.join", "playback.get", "playback.play", "playback.pause"):
                real, none = (c.refused("room.not_found", kind, {"room": r}) for r in (room["id"], "A" * 20))
                equal(real, none, f"what {kind} says")
            c.refused("room.not_found", "room.get", {"room": "@" + owner["username"]})
            cursor, rooms = None, []
            while True:
                page = c.data("room.list", {"limit": 200, "cursor": cursor})
                rooms, cursor = rooms + page["rooms"], page["next_cursor"]
                if cursor is None:
                    break
            true(room["id"] not in [r["id"] for r in rooms], "it is listed")
        equal([r["id"] for r in o.data("room.list", {"mine": True})["rooms"]], [room["id"]], "mine")
        equal(o.data("room.join", {"room": room["id"]})["you"]["role"], "owner", "role")
    error, _ = rpc_refused(404, "room.not_found", "room.get", {"room": room["id"]}, token=other["access_token"])
    equal(error, rpc_refused(404, "room.not_found", "room.get", {"room": "A" * 20}, token=other["access_token"])[0],
          "over HTTP")


@check("guests may not create rooms: auth.account_required")
def _():
    with Client() as c:
        c.refused("auth.account_required", "room.create", {"title": "Mine"})


@check("room.create: defaults, limits of fields, and the ninth room")
def _():
    with Client(account()["access_token"]) as c:
        for data, field in (({"title": ""}, "data.title"), ({"title": "x" * 201}, "data.title"),
                            ({"title": "a\nb"}, "data.title"),
                            ({"title": "a\u2028b"}, "data.title"), ({"title": "é" * 101}, "data.title"),
                            ({"visibility": "secret"}, "data.visibility"), ({"delivery": 1}, "data.delivery"),
                            ({"lead_ms": 149}, "data.lead_ms"), ({"lead_ms": 10001}, "data.lead_ms"),
                            ({"lead_ms": 600.0}, "data.lead_ms")):
            c.refused("request.invalid", "room.create", data, field)
        room = c.data("room.create", {})["room"]
        equal([room[k] for k in ("visibility", "delivery", "lead_ms", "host", "host_state", "live", "listeners",
                                 "track")],
              ["public", "party", 600, None, "none", False, 0, None], "room")
        true(len(room["id"]) == 20 and room["id"].isalnum() and room["title"], "id and title")
        true(abs(room["created_ms"] / 1000 - time.time()) < 10, "created_ms")
        for _ in range(7):
            c.data("room.create", {"title": "é" * 100, "lead_ms": 10000, "delivery": "interactive",
                                   "visibility": "private"})
        c.refused("room.limit_reached", "room.create", {})
        seen, cursor = [], None
        for _ in range(20):
            page = c.data("room.list", {"mine": True, "limit": 3, "cursor": cursor})
            true(len(page["rooms"]) <= 3, "a page is too long")
            seen, cursor = seen + [r["id"] for r in page["rooms"]], page["next_cursor"]
            if cursor is None:
                break
        equal((len(seen), len(set(seen))), (8, 8), "rooms in pages of three")


@check("room.leave and playback.get outside any room: room.not_joined")
def _():
    with Client() as c:
        c.refused("room.not_joined", "room.leave")
        c.refused("room.not_joined", "playback.get")
        c.refused("room.not_joined", "playback.play")
        c.refused("room.not_joined", "host.start", {"pacing": "live"})


@check("remote control of another's room: room.forbidden")
def _():
    with Client() as guest, Client(account()["access_token"]) as other:
        for c in (guest, other):
            for kind, data in (("playback.play", {}), ("playback.pause", {}), ("playback.seek", {"position_us": 0})):
                c.refused("room.forbidden", kind, {"room": "@demo"} | data)
            c.data("room.join", {"room": "@demo"})
            c.refused("room.forbidden", "playback.pause")


@check("a refused room.join leaves one where one is; joining the same room again ends nothing")
def _():
    with Host() as h, Client(account()["access_token"]) as other:
        hidden = other.data("room.create", {"visibility": "private"})["room"]["id"]
        other.data("room.join", {"room": hidden})
        h.start()
        h.fill(30)
        h.client.refused("room.not_found", "room.join", {"room": hidden})
        again = h.client.data("room.join", {"room": h.room, "audio": False})
        equal((again["room"]["live"], again["room"]["host_state"]), (True, "here"), "the host's room")
        h.fill(5)
        equal(len(h.heard()), 35, "packets heard")
        fresh = h.listener.data("room.join", {"room": h.room})
        equal(fresh["stream"], again["stream"], "a listener's fresh snapshot")


@check("two room.join at once: both are answered, and one is in the last")
def _():
    with Client(account()["access_token"]) as c:
        rooms = [c.data("room.create", {})["room"]["id"] for _ in range(2)]
        numbers = [c.send("room.join", {"room": room}) for room in rooms]
        answers = {c.reply(number)["data"]["room"]["id"] for number in numbers}
        equal(answers, set(rooms), "rooms joined")
        c.data("room.leave")
        c.refused("room.not_joined", "room.leave")
