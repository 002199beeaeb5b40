"""A server that is killed in mid-party, and what is there when it comes back."""
import time

from protocol_checks.helpers import check, equal, true

from room_checks import party
from room_checks.doors import invite, listed, private
from room_checks.party import Party
from room_checks.seat import START, standing


def killed(p):
    """Kills the server and starts it anew; everybody has another connection afterwards."""
    for member in p.people.values():
        member.drain()
    party.SERVER.kill()
    for member in p.people.values():
        member.cut()
    party.SERVER.revive()
    party.EVENTS.clear()  # rooms count anew
    for name, member in p.people.items():
        p.people[name] = member.again()
    p.mark()


@check("SIGKILL in mid-party: room, standings, bans, mutes, invites, rules and chat are there; the host goes on")
def _():
    with Party("bob", "fay", "gil", "hal", "kim", "ida", "lee", "guest1", "guest2", "guest3") as p:
        room = private(p.bob, title="The party", tags=["a", "b"], description="Two\nlines")
        code, revoked, once = invite(p.bob, room, role="vote"), invite(p.bob, room), invite(p.bob, room, uses=1)
        p.bob.data("room.update", {"room": room, "slow_mode_s": 1, "chat": "everyone", "waiting_room": True})
        p.bob.join(room)
        for who in (p.fay, p.gil, p.hal, p.kim, p.guest1, p.guest2):
            who.join(room, invite=code["code"])
        p.lee.join(room, invite=once["code"])
        p.guest3.join(room, invite=revoked["code"])
        standing(p, p.bob, room, "moderator", p.kim)
        standing(p, p.bob, room, "cohost", p.hal)
        p.kim.data("room.ban", {"room": room, "user": p.gil.uid, "reason": "Too loud."})
        p.kim.data("room.ban", {"room": room, "user": p.guest2.uid, "seconds": 1000})
        p.kim.data("room.mute", {"room": room, "user": p.fay.uid, "seconds": 1000})
        p.kim.data("room.mute", {"room": room, "user": p.guest1.uid})
        p.bob.data("invite.revoke", {"room": room, "invite": revoked["invite"]["id"]})
        said = [who.data("chat.send", {"text": f"from {who.name} @{p.fay.user['username']}"})["message"]
                for who in (p.bob, p.hal, p.lee)]
        said[1] = p.hal.data("chat.edit", {"id": said[1]["id"], "text": "edited"})["message"]
        p.bob.data("host.start", START | {"track": {"title": "Tune"}})
        p.ida.may_not_join("room.approval_pending", room)
        before = p.bob.data("room.get", {"room": room})["room"]
        bans = p.kim.data("room.bans", {"room": room})["bans"]
        number = p.lee.send("chat.send", {"text": "on the way when it was killed"})
        killed(p)

        after = p.bob.data("room.get", {"room": room})["room"]
        kept = ("id", "title", "tags", "description", "visibility", "owner", "delivery", "lead_ms", "created_ms",
                "guests", "on_private", "waiting_room", "chat", "slow_mode_s")
        equal({k: after[k] for k in kept}, {k: before[k] for k in kept}, "room")
        snapshot = p.bob.join(room)
        equal(snapshot["chat"][:3], said, "chat")
        true(len(snapshot["chat"]) <= 4, f"{len(snapshot['chat'])} messages of 3, and {number}")
        for who, word in ((p.fay, "member"), (p.hal, "cohost"), (p.kim, "moderator"), (p.lee, "member")):
            equal(who.join(room)["you"]["standing"], word, f"standing of {who.name}")
        you = p.fay.join(room)["you"]
        true("vote" in you["may"], f"what the invite gave: {you['may']}")
        true(0 < you["muted_until_ms"] / 1000 - time.time() < 1000, "muted_until_ms")
        p.fay.refused("chat.muted", "chat.send", {"text": "x"})
        equal(p.guest1.join(room, invite=code["code"])["you"]["muted_until_ms"], 2**53 - 1, "muted_until_ms of a guest")
        p.guest1.refused("chat.muted", "chat.send", {"text": "x"})
        p.gil.may_not_join("room.banned", room)
        p.guest2.may_not_join("room.banned", room, invite=code["code"])
        p.come("guest4").may_not_join("room.banned", room, invite=code["code"])
        equal(p.kim.data("room.bans", {"room": room})["bans"], bans, "bans")
        invites = listed(p.bob, room)
        equal([invites[i["invite"]["id"]]["uses"] for i in (code, revoked, once)], [6, 1, 1], "uses")
        p.guest3.may_not_join("invite.revoked", room, invite=revoked["code"])
        p.ida.may_not_join("invite.used_up", room, invite=once["code"])
        p.ida.may_not_join("room.approval_pending", room)
        p.kim.data("room.admit", {"room": room, "user": p.ida.uid})
        p.ida.join(room)
        p.mark()
        p.bob.start()
        p.exactly("host.changed", p.inside(room), lambda d: d["state"] == "here")
        p.lee.wait("stream.started")
        heard = p.lee.sounds
        p.bob.play(40)
        end = time.monotonic() + 3
        while p.lee.sounds <= heard and time.monotonic() < end:
            p.lee.drain()
        true(p.lee.sounds > heard, "nothing is heard")
        new = p.kim.data("chat.send", {"text": "we are back", "reply_to": said[0]["id"]})["message"]
        true(new["id"] > max(m["id"] for m in snapshot["chat"]), "the identifier of a new message")
        p.kim.data("room.unban", {"room": room, "user": p.gil.uid})
        p.gil.join(room, invite=code["code"])


@check("what was answered with ok is kept, whenever the server is killed: ten times")
def _():
    with Party("bob", "fay", "guest1") as p:
        room = p.bob.data("room.create")["room"]["id"]
        said = []
        for turn in range(10):
            made = invite(p.bob, room, label=f"turn {turn}")
            said.append(p.fay.rpc_data("chat.send", {"room": room, "text": f"turn {turn}"})["message"])
            word = ("member", "moderator", "listener")[turn % 3]
            p.bob.data("room.set_standing", {"room": room, "user": p.fay.uid, "standing": word})
            p.bob.rpc_data("room.mute" if turn % 2 else "room.unmute", {"room": room, "user": p.fay.uid})
            killed(p)
            you = p.fay.join(room)["you"]
            equal((you["standing"], you.get("muted_until_ms")), (word, 2**53 - 1 if turn % 2 else None), "you")
            equal(p.fay.data("chat.history")["messages"], said, "chat")
            true(made["invite"]["id"] in listed(p.bob, room), "the invite")
            p.guest1.join(room, invite=made["code"])
            p.bob.data("room.unmute", {"room": room, "user": p.fay.uid})


@check("what was changed at once is in force as it is stored: standings, mutes, bans, edits")
def _():
    wrong = []
    with Party("bob", *(f"p{k}" for k in range(8))) as p:
        room = p.bob.data("room.create")["room"]["id"]
        p.bob.join(room)
        people = [m for m in p.people.values() if m is not p.bob]
        for who in people:
            about, owners = {"room": room, "user": who.uid}, [p.bob, p.bob.again(), p.bob.again()]
            mine = who.data("chat.send", {"room": room, "text": "first"})["message"]["id"]
            asked = [(by, by.send(kind, about | data)) for kind, data in
                     [("room.set_standing", {"standing": word})
                      for word in ("member", "cohost", "listener", "moderator")]
                     + [("room.mute", {}), ("room.unmute", {}), ("room.mute", {"seconds": 1000}),
                        ("room.ban", {}), ("room.unban", {})]
                     for by in owners]
            edits = [(who, who.send("chat.edit", {"room": room, "id": mine, "text": f"{k}"})) for k in range(3)]
            for by, number in asked + edits:
                by.reply(number)
            for other in owners[1:]:
                other.__exit__()
            time.sleep(0.05)
        before = [in_force(who, room) for who in people]
        shown = p.bob.join(room)["chat"]
        killed(p)
        people = [m for m in p.people.values() if m is not p.bob]
        for who, there in zip(people, before):
            if (stored := in_force(who, room)) != there:
                wrong.append(f"{there} was in force, {stored} is stored")
        if (stored := p.bob.join(room)["chat"]) != shown:
            wrong.append(f"chat: {[m['text'] for m in shown]} was shown, {[m['text'] for m in stored]} is stored")
    true(not wrong, f"{len(wrong)}: " + "; ".join(wrong))


def in_force(who, room):
    """What somebody is in a room: banned, or (standing, whether muted)."""
    reply = who.ask("room.join", {"room": room})
    if reply["type"] == "error":
        return reply["error"]["code"]
    who.leave()
    return reply["data"]["you"]["standing"], reply["data"]["you"].get("muted_until_ms")
