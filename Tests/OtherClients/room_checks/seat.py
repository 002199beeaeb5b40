"""hosting.md: one seat, and how it changes hands."""
import struct, time

from protocol_checks.helpers import check, equal, true
from protocol_checks.host import STREAM

from room_checks.party import Party

START = {"stream": STREAM, "pacing": "server"}


def open_room(*names, **more):
    """A party whose first owns a public room, all in it."""
    p = Party(*names)
    owner = p.people[names[0]]
    room = owner.data("room.create", {"delivery": "interactive", "lead_ms": 300} | more)["room"]["id"]
    for who in p.people.values():
        who.join(room)
    p.mark()
    return p, room


def standing(p, by, room, word, *who):
    for one in who:
        by.data("room.set_standing", {"room": room, "user": one.uid, "standing": word})
    p.mark()


def changed(state, who=None):
    return lambda d: d["state"] == state and (d["host"] or {}).get("uid") == (who and who.uid)


@check("somebody would like to be the host: the owner and the host are told, once in 10 s")
def _():
    p, room = open_room("ada", "fay", "gil", "hal", "guest1")
    with p:
        standing(p, p.ada, room, "cohost", p.hal)
        for _ in range(3):
            equal(p.fay.data("host.request"), {}, "data")
        p.exactly("host.requested", ["ada"], lambda d: d["user"]["uid"] == p.fay.uid and d["room"] == room)
        p.hal.start()
        p.mark()
        p.gil.data("host.request")
        p.exactly("host.requested", ["ada", "hal"], lambda d: d["user"]["uid"] == p.gil.uid)
        p.guest1.refused("auth.account_required", "host.request")
        p.gil.leave()
        p.gil.refused("room.not_joined", "host.request")


@check("an offer is taken over: the host before loses the seat, everybody sees who has it")
def _():
    p, room = open_room("ada", "fay", "gil", "guest1")
    with p:
        p.ada.start()
        p.exactly("host.changed", p.people, changed("here", p.ada))
        p.mark()
        for kind in ("fay", "gil"):
            reply = p.people[kind].ask("host.start", START)
            true(reply["error"]["code"] in ("host.seat_taken", "room.forbidden"), f"{reply}")
        p.fay.refused(
            "room.forbidden", "host.offer", {"user": p.gil.uid})
        p.ada.data("host.offer", {"user": p.fay.uid})
        p.exactly("host.offered", ["fay"], lambda d: d["room"] == room and d["by"]["uid"] == p.ada.uid)
        p.fay.start()
        p.exactly("host.lost_seat", ["ada"], lambda d: d == {"room": room, "reason": "handed_over"})
        p.exactly("host.changed", p.people, changed("here", p.fay))
        p.ada.play(1)
        p.ada.error("host.not_host")
        p.ada.refused("host.not_host", "host.pause")
        p.ada.refused("host.not_host", "host.stop")
        p.mark()
        p.fay.data("host.stop")
        p.exactly("host.changed", p.people, changed("none"))
        p.exactly("host.lost_seat", [])
        p.fay.refused("room.forbidden", "host.start", START)


@check("whom one cannot offer the seat: a guest, somebody not there, the host; the later offer counts")
def _():
    p, room = open_room("ada", "fay", "gil", "guest1")
    with p:
        away = p.come("hal")
        p.ada.refused("room.forbidden", "host.offer", {"user": p.guest1.uid})
        p.ada.refused("user.not_found", "host.offer", {"user": away.uid})
        p.ada.data("host.offer", {"user": p.fay.uid})
        p.ada.data("host.offer", {"user": "@" + p.gil.user["username"]})
        p.fay.refused("room.forbidden", "host.start", START)
        p.gil.start()
        p.mark()
        p.ada.data("host.offer", {"user": p.gil.uid})
        p.exactly("host.offered", [])
        p.gil.data("host.offer", {"user": p.fay.uid})
        p.exactly("host.offered", ["fay"], lambda d: d["by"]["uid"] == p.gil.uid)
        p.fay.start()
        p.exactly("host.lost_seat", ["gil"])


@check("an offer of somebody who may not offer any longer is none")
def _():
    p, room = open_room("ada", "fay", "gil")
    with p:
        for end in ("host.take_back", "host.stop"):
            p.ada.data("host.offer", {"user": p.fay.uid})
            p.fay.start()
            p.fay.data("host.offer", {"user": p.gil.uid})
            (p.ada if end == "host.take_back" else p.fay).data(end)
            p.gil.refused("room.forbidden", "host.start", START)
        p.ada.data("host.offer", {"user": p.fay.uid})
        p.ada.leave()
        p.ada.join(room)
        p.fay.refused("room.forbidden", "host.start", START)
        p.ada.data("host.offer", {"user": p.fay.uid})
        p.ada.start()
        p.fay.refused("room.forbidden", "host.start", START)


@check("taking the seat back: from whom one may, told to the host before; a vacant seat is no error")
def _():
    p, room = open_room("ada", "fay", "gil", "hal", "guest1")
    with p:
        standing(p, p.ada, room, "cohost", p.hal, p.gil)
        equal(p.ada.data("host.take_back"), {}, "vacant")
        p.ada.data("host.offer", {"user": p.fay.uid})
        p.fay.start()
        p.mark()
        for who in (p.guest1, p.fay):
            reply = who.ask("host.take_back")
            true(reply["error"]["code"] in ("room.forbidden", "auth.account_required"), f"{reply}")
        equal(p.hal.data("host.take_back"), {}, "data")
        p.exactly("host.lost_seat", ["fay"], lambda d: d == {"room": room, "reason": "taken_back"})
        p.exactly("host.changed", p.people, changed("none"))
        p.exactly("stream.ended", p.people)
        p.fay.play(1)
        p.fay.error("host.not_host")
        for host in (p.gil, p.ada):
            host.start()
            p.hal.forbidden(None, "host.take_back")
            if host is p.gil:
                p.ada.data("host.take_back")
        p.ada.data("host.stop")


@check("a host's connection is lost: away at once for all; back by the same user; the seat is kept from others")
def _():
    p, room = open_room("ada", "fay", "hal", "guest1")
    with p:
        standing(p, p.ada, room, "cohost", p.hal)
        p.ada.start(40)
        p.mark()
        p.ada.cut()
        others = ["fay", "hal", "guest1"]
        p.exactly("host.changed", others, changed("away", p.ada))
        p.hal.refused("host.seat_taken", "host.start", START)
        p.fay.refused("room.forbidden", "host.start", START)
        back = p.people["ada"] = p.ada.again()
        snapshot = back.join(room)
        equal((snapshot["room"]["host_state"], snapshot["room"]["host"]["uid"], snapshot["you"]["standing"]),
              ("away", back.uid, "owner"), "snapshot")
        p.mark()
        back.start()
        p.exactly("host.changed", p.people, changed("here", back))
        p.exactly("stream.started", p.people)
        p.exactly("host.lost_seat", [])


@check("a host who is put out leaves the seat vacant, away or not")
def _():
    for kind in ("room.kick", "room.ban"):
        for away in (False, True):
            p, room = open_room("ada", "fay", "guest1")
            with p:
                p.ada.data("host.offer", {"user": p.fay.uid})
                p.fay.start()
                if away:
                    p.fay.cut()
                    p.ada.wait("host.changed", changed("away", p.fay))
                    if kind == "room.kick":
                        continue  # nobody is there
                p.mark()
                p.ada.data(kind, {"room": room, "user": p.fay.uid})
                p.exactly("host.changed", ["ada", "guest1"], changed("none"))
                if not away:
                    p.exactly("room.removed", ["fay"])
                equal(p.ada.data("room.get", {"room": room})["room"]["host_state"], "none", "host_state")


@check("commands go to the host from whoever may control, and from nobody else")
def _():
    p, room = open_room("ada", "fay", "guest1", "guest2")
    with p:
        code = p.ada.data("invite.create", {"room": room, "role": "control"})["code"]
        p.ada.start()
        you = p.guest1.join(room, invite=code)["you"]
        true("control" in you["may"], f"{you}")
        p.mark()
        for who in (p.fay, p.guest2):
            for kind, data in (("playback.pause", {}), ("playback.play", {}), ("playback.seek", {"position_us": 0})):
                p.guest2.forbidden("control", kind, data)
                who.forbidden("control", kind, {"room": room} | data)
        p.exactly("host.command", [])
        number = p.guest1.send("playback.pause", {"room": room})
        command = p.ada.wait("host.command")
        p.ada.data("host.pause", {"command": command["command"]})
        equal(p.guest1.reply(number)["type"], "ok", "reply")
        p.ada.data("invite.revoke", {"room": room,
                                     "invite": p.ada.data("invite.list", {"room": room})["invites"][0]["id"]})
        p.guest1.forbidden("control", "playback.play", {"room": room})
        frames = {"audio": struct.pack(">BBHIqI", 0x20, 0, 0, 0, 0, 960) + b"\xfc\xff\xfe",
                  "position": struct.pack(">BBHIqqiI", 0x30, 1, 0, 0, 0, 0, 1_000_000, 0),
                  "capture": struct.pack(">BBHqqI", 0x31, 0, 0, 0, 0, 0)}
        heard = p.fay.sounds
        for frame in frames.values():
            p.guest1.binary(frame)
        p.guest1.error("host.not_host")  # of the same code once a second, at most
        time.sleep(0.3)
        p.fay.drain()
        true(p.fay.sounds - heard <= 2, "something moved")  # a POSITION of the room's own comes every second
