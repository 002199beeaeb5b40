"""joining.md: the waiting room."""
import time

from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite
from room_checks.party import Party


def room_of(cyd, **more):
    room = cyd.data("room.create", more)["room"]["id"]
    cyd.data("room.update", {"room": room, "waiting_room": True})
    return room


def waiting(by, room):
    return [card["user"]["uid"] for card in by.data("room.waiting", {"room": room})["users"]]


def moderator(cyd, room, who):
    cyd.data("room.set_standing", {"room": room, "user": who.uid, "standing": "moderator"})
    who.join(room)


@check("whoever comes without a standing waits; those who moderate are told once, and let in or deny")
def _():
    with Party("cyd", "kim", "ida", "fay", "guest1") as p:
        room = room_of(p.cyd)
        p.cyd.join(room)
        moderator(p.cyd, room, p.kim)
        p.mark()
        p.ida.may_not_join("room.approval_pending", room)
        p.exactly("room.knocked", ["cyd", "kim"], lambda d: d["user"]["uid"] == p.ida.uid and d["room"] == room)
        p.guest1.may_not_join("room.approval_pending", room)
        p.fay.may_not_join("room.approval_pending", room)
        p.ida.may_not_join("room.approval_pending", room)
        p.exactly("room.knocked", ["cyd", "kim"], lambda d: d["user"]["uid"] == p.ida.uid)
        equal(waiting(p.kim, room), [p.ida.uid, p.guest1.uid, p.fay.uid], "who waits, in order")
        p.mark()
        equal(p.kim.data("room.admit", {"room": room, "user": p.ida.uid}), {}, "data")
        p.exactly("room.admitted", ["ida"], lambda d: d == {"room": room})
        p.exactly("room.moderated", ["cyd", "kim"], lambda d: (d["action"], d["user"]["uid"], d["by"]["uid"])
                  == ("admit", p.ida.uid, p.kim.uid))
        equal(p.ida.join(room)["you"]["standing"], "member", "standing")
        p.kim.rpc_data("room.admit", {"room": room, "user": p.guest1.uid})
        p.exactly("room.admitted", ["ida", "guest1"])
        equal(p.guest1.join(room)["you"]["standing"], "listener", "standing of a guest")
        p.guest1.leave()
        p.guest1.join(room)
        p.mark()
        p.cyd.data("room.deny", {"room": room, "user": p.fay.uid})
        p.exactly("room.denied", ["fay"], lambda d: d == {"room": room})
        p.exactly("room.moderated", ["cyd", "kim"], lambda d: d["action"] == "deny")
        equal(waiting(p.cyd, room), [], "who waits")
        for kind in ("room.admit", "room.deny"):
            p.cyd.refused("user.not_found", kind, {"room": room, "user": p.fay.uid})
            p.ida.forbidden("moderate", kind, {"room": room, "user": p.fay.uid})
        p.ida.forbidden("moderate", "room.waiting", {"room": room})
        p.ida.leave()
        p.ida.join(room)


@check("every connection that waits is told; waiting leaves a connection where it was")
def _():
    with Party("cyd", "ida", "guest1") as p:
        room, other = room_of(p.cyd), p.cyd.data("room.create")["room"]["id"]
        p.people["idas"] = p.ida.again()
        p.cyd.join(room)
        p.ida.join(other)
        p.mark()
        for who in (p.ida, p.idas):
            who.may_not_join("room.approval_pending", room)
        p.exactly("room.knocked", ["cyd"])
        p.ida.data("chat.send", {"text": "still in the other"})
        p.exactly("chat.message", ["ida"])
        p.idas.ws.close()
        p.idas.is_open = False
        equal(waiting(p.cyd, room), [p.ida.uid], "who waits, with one connection closed")
        p.cyd.data("room.admit", {"room": room, "user": "@" + p.ida.user["username"]})
        p.exactly("room.admitted", ["ida"])


@check("waiting ends by going away, by joining a room, by knocking elsewhere; nobody is left in the list")
def _():
    with Party("cyd", "ida", "fay", "guest1", "guest2", "guest3") as p:
        room, other = room_of(p.cyd), room_of(p.cyd)
        public = p.cyd.data("room.create")["room"]["id"]
        p.cyd.join(room)
        for who in (p.ida, p.fay, p.guest1, p.guest2, p.guest3):
            who.may_not_join("room.approval_pending", room)
        p.mark()
        p.ida.join(public)
        p.guest1.may_not_join("room.approval_pending", other)
        p.guest2.ws.close()
        p.guest3.cut()
        p.guest2.is_open = False
        end = time.monotonic() + 1
        while waiting(p.cyd, room) != [p.fay.uid] and time.monotonic() < end:
            time.sleep(0.05)
        names = {m.uid: name for name, m in p.people.items()}
        equal([names[uid] for uid in waiting(p.cyd, room)], ["fay"], "who waits")
        for who in (p.ida, p.guest1, p.guest2):
            p.cyd.refused("user.not_found", "room.admit", {"room": room, "user": who.uid})
        p.exactly("room.admitted", [])
        equal(waiting(p.cyd, other), [p.guest1.uid], "who waits elsewhere")


@check("invites and standings pass the waiting room; asking over HTTP does not knock")
def _():
    with Party("cyd", "ida", "fay", "guest1") as p:
        room = room_of(p.cyd)
        p.cyd.join(room)
        code = invite(p.cyd, room)["code"]
        p.ida.join(room, invite=code)
        p.guest1.join(room, invite=code)
        p.mark()
        for kind, more in (("chat.history", {}), ("chat.send", {"text": "hello"}), ("room.members", {}),
                           ("chat.edit", {"id": 1, "text": "x"}), ("chat.delete", {"id": 1})):
            p.fay.rpc_refused("room.approval_pending", kind, {"room": room} | more)
            p.fay.refused("room.approval_pending", kind, {"room": room} | more)
        p.exactly("room.knocked", [])
        equal(waiting(p.cyd, room), [], "who waits")


@check("a private room with a waiting room: by its identifier one waits, by @ and a username it is not there")
def _():
    with Party("cyd", "ida", "guest1") as p:
        room = room_of(p.cyd, visibility="private")
        p.ida.may_not_join("room.not_found", "@" + p.cyd.user["username"])
        p.ida.may_not_join("room.approval_pending", room)
        p.ida.refused("room.not_found", "room.get", {"room": room})
        p.ida.refused("room.not_found", "room.waiting", {"room": room})
        p.cyd.data("room.admit", {"room": room, "user": p.ida.uid})
        p.ida.join("@" + p.cyd.user["username"])


@check("turning the waiting room off lets all in if the room is public; if it is private all are denied")
def _():
    for visibility, event in (("public", "room.admitted"), ("private", "room.denied")):
        with Party("cyd", "ida", "guest1") as p:
            room = room_of(p.cyd, visibility=visibility)
            p.ida.may_not_join("room.approval_pending", room)
            p.guest1.may_not_join("room.approval_pending", room)
            p.mark()
            p.cyd.data("room.update", {"room": room, "waiting_room": False})
            p.exactly(event, ["ida", "guest1"], lambda d: d == {"room": room})
            equal(waiting(p.cyd, room), [], "who waits")
            if visibility == "public":
                p.ida.join(room), p.guest1.join(room)


@check("whoever waits and is given a standing, or is banned, or sees the room closed, waits no longer")
def _():
    with Party("cyd", "ida", "fay", "gil") as p:
        room = room_of(p.cyd)
        for who in (p.ida, p.fay, p.gil):
            who.may_not_join("room.approval_pending", room)
        p.mark()
        p.cyd.data("room.set_standing", {"room": room, "user": p.ida.uid, "standing": "member"})
        p.cyd.data("room.ban", {"room": room, "user": p.fay.uid})
        p.cyd.data("room.close", {"room": room})
        told = {name: [m["type"] for m in who.log[who.marked:]] for name, who in p.people.items() if not who.drain()}
        true("room.admitted" in told["ida"], f"who was given a standing: {told['ida']}")
        true(set(told["fay"]) & {"room.denied", "room.removed"}, f"who was banned: {told['fay']}")
        true(set(told["gil"]) & {"room.denied", "room.removed"}, f"whose room was closed: {told['gil']}")


@check("200 wait, the next finds it full; those who go make place", slow=True)
def _():
    with Party("cyd", "ida") as p:
        room = room_of(p.cyd)
        for k in range(200):
            p.come(f"guest{k}").may_not_join("room.approval_pending", room)
        p.ida.may_not_join("room.full", room)
        p.guest7.ws.close()
        p.guest7.is_open = False
        time.sleep(0.2)
        p.ida.may_not_join("room.approval_pending", room)
        equal(len(waiting(p.cyd, room)), 200, "who waits")
