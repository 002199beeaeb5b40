"""Whoever means ill: codes, identifiers, races."""
import random, string, time

from protocol_checks.helpers import check, equal, rpc, true

from room_checks.doors import invite, listed, private
from room_checks.party import Member, Party
from room_checks.seat import open_room

LETTERS = string.ascii_letters + string.digits + "_-."


def altered(code):
    """The code with one character changed, at each place; and other forms of it."""
    for k, old in enumerate(code):
        new = random.choice([c for c in LETTERS if c != old])
        yield code[:k] + new + code[k + 1:]
    yield from (code + "A", code[:-1], code + "=", code.upper(), " " + code, code + ".", code[::-1], "x", "é" * 99)


@check("a guessed, altered or borrowed code: invite.invalid, as for a room that does not exist; nothing is used up")
def _():
    with Party("bob", "fay", "guest1") as p:
        room, other = private(p.bob), private(p.bob)
        made = invite(p.bob, room, uses=1)
        foreign = invite(p.bob, other)["code"]
        wrong = []
        for k, code in enumerate(altered(made["code"])):
            who = Member(f"guesser{k}") if k % 40 == 0 else who
            if k % 40 == 0:
                p.people[who.name] = who
            error = who.ask("room.join", {"room": room, "invite": code}).get("error", {})
            if error.get("code") != "invite.invalid":
                wrong.append(f"{code}: {error or 'ok'}")
        true(not wrong, f"{len(wrong)}: {wrong[:5]}")
        for who in (p.fay, p.guest1):
            for code in (foreign, made["invite"]["id"], "i1.Zm9v-YmFy_x"):
                who.may_not_join("invite.invalid", room, invite=code)
            nowhere = "".join(random.choices(string.ascii_letters, k=20))
            who.may_not_join("invite.invalid", nowhere, invite=made["code"])
            who.may_not_join("invite.invalid", nowhere, invite="i1.Zm9v-YmFy_x")
            who.may_not_join("invite.invalid", "@nobody-at-all", invite=made["code"])
        public = p.bob.data("room.create")["room"]["id"]
        p.fay.may_not_join("invite.invalid", public, invite=made["code"])
        equal(listed(p.bob, room)[made["invite"]["id"]]["uses"], 0, "uses")
        p.fay.join(room, invite=made["code"])
        p.guest1.may_not_join("invite.used_up", room, invite=made["code"])
        p.fay.leave()
        p.fay.join(room, invite=made["code"])
        p.bob.data("room.close", {"room": room})
        p.guest1.may_not_join("invite.invalid", room, invite=made["code"])


@check("an invite that has expired lets nobody new in; whoever came by it comes again", slow=True)
def _():
    with Party("bob", "fay", "gil", "guest1", "guest2") as p:
        room = private(p.bob)
        code = invite(p.bob, room, expires_in_s=60)["code"]
        p.fay.join(room, invite=code), p.guest1.join(room, invite=code)
        for _ in range(12):
            time.sleep(5.1)
            p.mark()
        for who in (p.gil, p.guest2):
            who.may_not_join("invite.expired", room, invite=code)
        for who in (p.fay, p.guest1):
            who.leave()
            who.join(room, invite=code)
        p.exactly("room.removed", [])


@check("two at once for the last use: one enters, the other finds it used up, twenty times")
def _():
    with Party("bob") as p:
        room = private(p.bob)
        for turn in range(20):
            made = invite(p.bob, room, uses=1)
            two = [Member(f"guest{turn}{k}") for k in range(2)]
            for who in two:
                p.people[who.name] = who
            numbers = [who.send("room.join", {"room": room, "invite": made["code"]}) for who in two]
            codes = [who.reply(n).get("error", {}).get("code") for who, n in zip(two, numbers)]
            equal(sorted(codes, key=str), [None, "invite.used_up"], "codes")
            equal(listed(p.bob, room)[made["invite"]["id"]]["uses"], 1, "uses")


@check("200 at once for ten uses: ten enter")
def _():
    with Party("bob", *(f"guest{k}" for k in range(200))) as p:
        room = private(p.bob)
        made = invite(p.bob, room, uses=10)
        guests = [m for m in p.people.values() if m is not p.bob]
        numbers = [(who, who.send("room.join", {"room": room, "invite": made["code"]})) for who in guests]
        codes = [who.reply(n, 20).get("error", {}).get("code") for who, n in numbers]
        equal((codes.count(None), codes.count("invite.used_up")), (10, 190), "who entered and who did not")
        equal(listed(p.bob, room)[made["invite"]["id"]]["uses"], 10, "uses")


@check("one person over ten connections at once uses an invite once")
def _():
    with Party("bob", "fay") as p:
        room = private(p.bob)
        made = invite(p.bob, room, uses=2)
        several = [p.fay.again() for _ in range(10)]
        numbers = [who.send("room.join", {"room": room, "invite": made["code"]}) for who in several]
        for who, number in zip(several, numbers):
            equal(who.reply(number)["type"], "ok", "join")
            who.__exit__()
        equal(listed(p.bob, room)[made["invite"]["id"]]["uses"], 1, "uses")


@check("revoking and coming in at once: whoever is inside afterwards is put out, thirty times")
def _():
    with Party("bob") as p:
        room = private(p.bob)
        for turn in range(30):
            made = invite(p.bob, room)
            guest = p.come(f"guest{turn}")
            joining = guest.send("room.join", {"room": room, "invite": made["code"]})
            p.bob.data("invite.revoke", {"room": room, "invite": made["invite"]["id"]})
            guest.reply(joining)
            end = time.monotonic() + 1
            while guest.room and time.monotonic() < end:
                guest.drain()
                time.sleep(0.02)
            equal(guest.room, None, f"after turn {turn}: where the guest is")


@check("a ban and coming in at once: whoever is banned is not inside afterwards, thirty times")
def _():
    p, room = open_room("bob")
    with p:
        for turn in range(30):
            guest = p.come(f"guest{turn}")
            guest.join(room)
            guest.leave()
            guest.join(room)
            banning = p.bob.send("room.ban", {"room": room, "user": guest.uid})
            for _ in range(3):
                guest.ask("room.join", {"room": room})
            equal(p.bob.reply(banning)["type"], "ok", "ban")
            guest.drain()
            equal(guest.room, None, f"after turn {turn}: where the guest is")


@check("a use is not gone when the room was full or the caller may not come in by it")
def _():
    with Party("bob", "fay", "guest1") as p:
        room = private(p.bob)
        made = invite(p.bob, room, role="cohost", uses=1)
        p.guest1.may_not_join("auth.account_required", room, invite=made["code"])
        p.bob.data("room.ban", {"room": room, "user": p.fay.uid})
        p.fay.may_not_join("room.banned", room, invite=made["code"])
        equal(listed(p.bob, room)[made["invite"]["id"]]["uses"], 0, "uses")
        p.fay.may_not_join("room.banned", room, invite="no such code")


@check("whom the owner has blocked does not get in by an invite or a standing either")
def _():
    with Party("bob", "fay") as p:
        room = private(p.bob)
        code = invite(p.bob, room)["code"]
        p.fay.join(room, invite=code)
        p.fay.leave()
        p.bob.data("people.block", {"user": p.fay.uid})
        p.fay.may_not_join("room.not_found", room)
        error = p.fay.ask("room.join", {"room": room, "invite": code}).get("error", {})
        true(error.get("code") in ("invite.invalid", "room.not_found"), f"with the code: {error or 'ok'}")


@check("requests of other rooms' moderators, without a room, or of nobody are refused, over HTTP too")
def _():
    with Party("bob", "fay", "gil") as p:
        room, hers = private(p.bob), p.fay.data("room.create")["room"]["id"]
        made = invite(p.bob, room)
        p.fay.join(hers)
        p.fay.refused("invite.invalid", "invite.revoke", {"room": hers, "invite": made["invite"]["id"]})
        message = p.bob.rpc_data("chat.send", {"room": room, "text": "private"})["message"]
        for kind, data in (("chat.delete", {"id": message["id"]}), ("chat.edit", {"id": message["id"], "text": "x"})):
            p.fay.refused("chat.not_found", kind, {"room": hers} | data)
            p.fay.refused("room.not_found", kind, {"room": room} | data)
        p.fay.refused("chat.not_found", "chat.send", {"room": hers, "text": "x", "reply_to": message["id"]})
        for kind in ("room.kick", "room.ban", "room.mute", "room.unban", "room.unmute", "room.admit", "room.deny"):
            p.fay.refused("room.not_found", kind, {"room": room, "user": p.bob.uid})
            p.fay.rpc_refused("room.not_found", kind, {"room": room, "user": p.bob.uid})
            status, body, _ = rpc(kind, {"room": room, "user": p.bob.uid})
            equal((status, body["error"]["code"]), (401, "auth.required"), f"{kind} of nobody")
        p.fay.refused("room.not_found", "room.set_standing", {"room": room, "user": p.fay.uid, "standing": "cohost"})


@check("a flood: 20 who chat and react as fast as they may move nobody else, and every refusal says when")
def _():
    p, room = open_room("bob", "fay", *(f"guest{k}" for k in range(20)))
    with p:
        guests = [m for m in p.people.values() if m.name.startswith("guest")]
        slowest = 0
        for _ in range(10):
            sent = [(who, who.send("chat.send", {"text": "spam"})) for who in guests for _ in range(3)]
            begin = time.monotonic()
            p.fay.data("chat.history", {"limit": 1})
            slowest = max(slowest, time.monotonic() - begin)
            for who, number in sent:
                error = who.reply(number).get("error")
                true(error is None or error["code"] == "chat.rate_limited" and error["retry_after_ms"] > 0, f"{error}")
        p.exactly("chat.message", p.people, count=100, seconds=3)
        true(slowest < 2, f"the slowest answer of another took {slowest:.2f} s")
