"""Twenty people in five rooms, an evening long: who is told what."""
import random, time

from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite
from room_checks.party import Member, Party
from room_checks.seat import START, STREAM, changed

ACCOUNTS = ("ada", "bob", "cyd", "dan", "eve", "fay", "gil", "hal", "ida", "jon", "kim", "lee", "mia")
GUESTS = tuple(f"guest{k}" for k in range(7))
CAST = {"ada": ("fay", "gil", "guest0"), "bob": ("hal", "guest1", "guest2"), "cyd": ("ida", "jon", "guest3"),
        "dan": ("kim", "lee", "guest4"), "eve": ("mia", "guest5", "guest6")}


def arrive(p):
    """Five rooms, two of them private, and everybody in theirs: {owner's name: (room, invite)}."""
    rooms = {}
    for owner, others in CAST.items():
        by = p.people[owner]
        visibility = "private" if owner in ("bob", "eve") else "public"
        room = by.data("room.create", {"visibility": visibility, "title": f"{owner}'s", "delivery": "interactive",
                                       "lead_ms": 300})["room"]["id"]
        made = invite(by, room, role="vote", uses=100)
        rooms[owner] = room, made
        by.join(room)
        for other in others:
            p.people[other].join(room, **({"invite": made["code"]} if visibility == "private" else {}))
    p.mark()
    return rooms


def only(p, room, kind, fits=lambda d: True, but=()):
    p.exactly(kind, p.inside(room) - set(but), fits)


@check("twenty clients in five rooms: each event seen by exactly those who should, in order, without a gap")
def _():
    with Party(*ACCOUNTS, *GUESTS) as p:
        rooms = arrive(p)
        (a, _), (b, made), (c, _), (d, _), (e, hers) = (rooms[name] for name in CAST)
        # Ada plays, everybody talks; each hears only their own.
        p.ada.start()
        only(p, a, "host.changed", changed("here", p.ada))
        only(p, a, "stream.started")
        for owner, others in CAST.items():
            for name in (owner, *others):
                p.people[name].data("chat.send", {"text": f"{name} in {owner}'s"})
        for owner, others in CAST.items():
            for name in (owner, *others):
                only(p, rooms[owner][0], "chat.message", lambda m: m["message"]["user"]["uid"] == p.people[name].uid)
        # Bob invites, a link goes round, and is taken back.
        p.mark()
        p.jon.may_not_join("room.not_found", b)
        p.jon.join(b, invite=made["code"])
        p.gil.join(b, invite=made["code"])
        p.bob.data("room.set_standing", {"room": b, "user": p.hal.uid, "standing": "moderator"})
        only(p, b, "room.standing_changed", lambda s: s["user"]["uid"] == p.hal.uid)
        p.mark()
        p.bob.data("invite.revoke", {"room": b, "invite": made["invite"]["id"]})
        out = ("jon", "gil", "guest1", "guest2")
        p.exactly("room.removed", out, lambda r: r == {"room": b, "reason": "invite_revoked"})
        equal(p.inside(b), {"bob", "hal"}, "who is inside")
        # Cyd keeps order.
        p.jon.join(c), p.gil.join(c), p.guest1.join(c)
        p.cyd.data("room.set_standing", {"room": c, "user": p.ida.uid, "standing": "moderator"})
        p.mark()
        p.ida.data("room.kick", {"room": c, "user": p.guest3.uid})
        p.exactly("room.removed", ["guest3"], lambda r: r["reason"] == "kicked")
        p.exactly("room.moderated", ["cyd", "ida"], lambda r: r["action"] == "kick")
        p.ida.data("room.ban", {"room": c, "user": p.jon.uid, "seconds": 600})
        p.exactly("room.removed", ["jon"], lambda r: r["reason"] == "banned")
        p.exactly("room.moderated", ["cyd", "ida"], lambda r: r["action"] == "ban")
        p.jon.may_not_join("room.banned", c)
        p.guest3.join(c)
        # The seat of Ada's room changes hands; Dan's host is lost and comes back.
        p.mark()
        p.fay.data("host.request")
        p.exactly("host.requested", ["ada"])
        p.ada.data("host.offer", {"user": p.fay.uid})
        p.exactly("host.offered", ["fay"])
        p.fay.start()
        p.exactly("host.lost_seat", ["ada"])
        only(p, a, "host.changed", changed("here", p.fay))
        p.mark()
        p.ada.data("host.take_back")
        p.exactly("host.lost_seat", ["fay"], lambda lost: lost["reason"] == "taken_back")
        p.dan.start()
        p.mark()
        p.dan.cut()
        only(p, d, "host.changed", changed("away", p.dan))
        p.people["dan"] = p.dan.again()
        p.dan.join(d)
        p.mark()
        p.dan.start()
        only(p, d, "host.changed", changed("here", p.dan))
        # Chat changes; Eve's room turns away and closes.
        said = p.kim.data("chat.send", {"text": "secnod"})["message"]
        p.kim.data("chat.edit", {"id": said["id"], "text": "second"})
        p.dan.data("chat.delete", {"id": said["id"]})
        p.exactly("chat.changed", p.inside(d), lambda m: m["message"]["id"] == said["id"], count=2)
        p.mark()
        p.lee.data("reaction.send", {"emoji": "🎉"})
        only(p, d, "reactions")
        p.eve.data("room.update", {"room": e, "waiting_room": True})
        only(p, e, "room.updated")
        p.lee.may_not_join("room.approval_pending", e)
        p.exactly("room.knocked", ["eve"])
        p.eve.data("room.admit", {"room": e, "user": p.lee.uid})
        p.exactly("room.admitted", ["lee"])
        p.lee.join(e)
        p.mark()
        inside = p.inside(e)
        p.eve.data("room.close", {"room": e})
        p.exactly("room.closed", inside)
        equal(p.inside(e), set(), "who is inside")


def anything(chance, p, rooms):
    """Somebody, and a request of theirs that may or may not be theirs to ask."""
    owner = chance.choice(list(CAST))
    room, made = rooms[owner]
    other = chance.choice(list(p.people.values())).uid
    kind, data = chance.choice((
        ("room.join", {"room": room}), *[("room.join", {"room": room, "invite": made["code"]})] * 7,
        ("room.join", {"room": room, "ghost": True}), ("room.leave", {}), *[("chat.send", {"text": "inside"})] * 4,
        ("chat.send", {"room": room, "text": "from anywhere"}), ("reaction.send", {"emoji": "👍"}),
        ("host.start", START), ("host.stop", {}), ("host.offer", {"user": other}), ("host.request", {}),
        ("host.take_back", {}), ("room.members", {}), ("chat.history", {"room": room}),
        ("room.kick", {"room": room, "user": other}), ("room.mute", {"room": room, "user": other}),
        ("room.ban", {"room": room, "user": other, "seconds": 1}), ("room.unban", {"room": room, "user": other}),
        ("room.set_standing", {"room": room, "user": other, "standing": chance.choice(
            ("cohost", "moderator", "member", "listener"))}),
        ("room.update", {"room": room, "waiting_room": chance.random() < 0.2}),
        ("room.update", {"room": room, "visibility": chance.choice(("public",) * 3 + ("private",)),
                         "on_private": chance.choice(("stay", "leave"))})))
    is_owners = (kind.startswith("room.") and "user" in data or kind == "room.update") and chance.random() < 0.7
    return p.people[owner] if is_owners else chance.choice(list(p.people.values())), kind, data


@check("twelve hundred things at random, six at a time, by twenty clients in five rooms: no gap, no stray event")
def _():
    chance = random.Random(5)
    with Party(*ACCOUNTS, *GUESTS) as p:
        rooms = arrive(p)
        for turn in range(200):
            asked = []
            for who, kind, data in (anything(chance, p, rooms) for _ in range(6)):
                asked.append((who, who.send(kind, data), kind, data))
            for who, number, kind, data in asked:
                reply = who.reply(number)
                code = reply.get("error", {}).get("code", "")
                true(not code.startswith("server."), f"{kind} {data}: {reply}")
            if turn % 10 == 0:
                p.settled()
        time.sleep(1.2)
        p.settled()


def plays_on(p, seconds, meanwhile):
    """The host sends 20 ms every 20 ms, and in between something else happens, in steps."""
    end, next_at = time.monotonic() + seconds, time.monotonic()
    steps = meanwhile()
    while time.monotonic() < end:
        if time.monotonic() >= next_at:
            p.ada.play(1)
            next_at += 0.02
        elif next(steps, end) is end:
            time.sleep(max(0, next_at - time.monotonic()))
    for _ in steps:
        true(False, "there was more to do than time")


@check("the sound of those inside has no gap while others come, knock, talk, are kicked, banned and revoked")
def _():
    with Party("ada", "fay", "guest") as p:
        room = p.ada.data("room.create", {"delivery": "interactive", "lead_ms": 300})["room"]["id"]
        for who in p.people.values():
            who.join(room)
        p.ada.audio = p.ada.data("host.start", {"stream": STREAM, "pacing": "live"})

        def meanwhile():
            for turn in range(12):
                made = invite(p.ada, room)
                guest = Member(f"guest{turn}")
                yield guest.join(room, invite=made["code"])
                yield guest.data("chat.send", {"text": "hello"})
                if turn % 3 == 0:
                    yield p.ada.data("room.kick", {"room": room, "user": guest.uid})
                elif turn % 3 == 1:
                    yield p.ada.data("room.ban", {"room": room, "user": guest.uid})
                else:
                    yield p.ada.data("invite.revoke", {"room": room, "invite": made["invite"]["id"]})
                yield p.ada.data("room.update", {"room": room, "waiting_room": turn % 2 == 0})
                yield guest.__exit__()

        heard = p.fay.packets_heard
        plays_on(p, 6, meanwhile)
        for who in (p.fay, p.guest):
            who.drain()
        true(p.fay.packets_heard - heard > 250, f"{p.fay.packets_heard - heard} packets in 6 s")
