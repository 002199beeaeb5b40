"""joining.md: the way in, and invites."""
import time

from protocol_checks.helpers import check, equal, true

from room_checks.party import Party

MAY = {"listen": {"listen", "chat"}, "suggest": {"listen", "chat", "suggest"},
       "vote": {"listen", "chat", "suggest", "vote"}, "control": {"listen", "chat", "suggest", "vote", "control"}}


def private(owner, **more):
    return owner.data("room.create", {"visibility": "private"} | more)["room"]["id"]


def invite(by, room, **more):
    return by.data("invite.create", {"room": room} | more)


def listed(by, room):
    return {i["id"]: i for i in by.data("invite.list", {"room": room})["invites"]}


@check("a private room is not there for others, by its identifier, its owner's name, over HTTP too")
def _():
    with Party("bob", "fay", "guest") as p:
        room = private(p.bob)
        for who in (p.fay, p.guest):
            for name in (room, "@" + p.bob.user["username"]):
                who.may_not_join("room.not_found", name)
                who.refused("room.not_found", "room.get", {"room": name})
                for kind in ("room.get", "room.members", "chat.history"):
                    who.rpc_refused("room.not_found", kind, {"room": name})
            who.rpc_refused("room.not_found", "chat.send", {"room": room, "text": "hello"})
        for kind in ("invite.list", "room.waiting", "room.bans"):
            p.fay.rpc_refused("room.not_found", kind, {"room": room})
        p.bob.join(room)


@check("an invite: its link, its role, counted once for each person, an account comes again without it")
def _():
    with Party("bob", "fay", "gil", "guest1") as p:
        room = private(p.bob)
        made = invite(p.bob, room, role="vote", uses=3, label="Friday", expires_in_s=3600)
        code, one = made["code"], made["invite"]
        equal(made["path"], f"/r/{room}#{code}", "path")
        equal((one["role"], one["label"], one["uses"], one["uses_max"], one["revoked"], one["created_by"]["uid"],
               one["expires_ms"] - one["created_ms"]),
              ("vote", "Friday", 0, 3, False, p.bob.uid, 3_600_000), "invite")
        p.bob.join(room)
        p.mark()
        for who, standing in ((p.fay, "member"), (p.guest1, "listener")):
            for _ in range(2):
                you = who.join(room, invite=code)["you"]
                equal((you["standing"], set(you["may"]), you["role"]), (standing, MAY["vote"], "listener"), "you")
                who.leave()
        equal(listed(p.bob, room)[one["id"]]["uses"], 2, "uses")
        equal(p.fay.join(room)["you"]["standing"], "member", "without the invite")
        p.exactly("room.standing_changed", [])
        better = p.people["again"] = p.fay.again()
        better.join(room, invite=invite(p.bob, room, role="control")["code"])
        p.exactly("room.standing_changed", ["bob", "fay"],
                  lambda d: d["user"]["uid"] == p.fay.uid and set(d["may"]) == MAY["control"])
        true("code" not in str(p.bob.data("invite.list", {"room": room})), "the code is told again")


@check("the roles of invites, and of several all count; cohosts are accounts, made by the owner alone")
def _():
    with Party("bob", "fay", "gil", "guest1", "guest2") as p:
        room = private(p.bob)
        for role, may in MAY.items():
            code = invite(p.bob, room, role=role)["code"]
            guest = p.come("guest" + role)
            equal(set(guest.join(room, invite=code)["you"]["may"]), may, role)
        codes = [invite(p.bob, room, role=role)["code"] for role in ("suggest", "vote")]
        for who in (p.fay, p.guest1):
            for code in codes:
                you = who.join(room, invite=code)["you"]
            equal(set(you["may"]), MAY["vote"], "both")
        cohost = invite(p.bob, room, role="cohost")
        p.guest2.may_not_join("auth.account_required", room, invite=cohost["code"])
        you = p.gil.join(room, invite=cohost["code"])["you"]
        equal((you["standing"], "host" in you["may"], "manage" in you["may"]), ("cohost", True, False), "a cohost")
        p.gil.forbidden("manage", "invite.create", {"room": room, "role": "cohost"})
        p.gil.forbidden("manage", "invite.revoke", {"room": room, "invite": cohost["invite"]["id"]})
        mine = invite(p.gil, room)
        equal(mine["invite"]["created_by"]["uid"], p.gil.uid, "created_by")
        p.fay.forbidden("host", "invite.create", {"room": room})
        p.fay.forbidden("host", "invite.list", {"room": room})
        p.fay.forbidden("host", "invite.revoke", {"room": room, "invite": mine["invite"]["id"]})
        p.guest1.refused("auth.account_required", "invite.create", {"room": room})


@check("revoking puts out within a second whoever came by it alone; others stay and are told what they may")
def _():
    with Party("bob", "fay", "gil", "hal", "ida", "guest1", "guest2") as p:
        room = private(p.bob)
        first, second = invite(p.bob, room, role="vote"), invite(p.bob, room, role="suggest")
        p.bob.join(room)
        for who in (p.fay, p.gil, p.hal, p.guest1, p.guest2):
            who.join(room, invite=first["code"])
        for who in (p.gil, p.guest2):
            who.join(room, invite=second["code"])
        p.bob.data("room.set_standing", {"room": room, "user": p.hal.uid, "standing": "moderator"})
        elsewhere = p.fay.again()
        p.people["elsewhere"] = elsewhere
        elsewhere.join(room)
        p.mark()
        start = time.monotonic()
        equal(p.bob.data("invite.revoke", {"room": room, "invite": first["invite"]["id"]}), {}, "data")
        for who in (p.fay, elsewhere, p.guest1):
            equal(who.wait("room.removed", seconds=1)["reason"], "invite_revoked", "reason")
        true(time.monotonic() - start < 1, "it took more than a second")
        p.exactly("room.removed", ["fay", "elsewhere", "guest1"], lambda d: d["reason"] == "invite_revoked")
        p.exactly("room.standing_changed", p.inside(room),
                  lambda d: d["user"]["uid"] == p.gil.uid and set(d["may"]) == MAY["suggest"]
                  and d["standing"] == "member")
        p.exactly("room.standing_changed", p.inside(room),
                  lambda d: d["user"]["uid"] == p.guest2.uid and set(d["may"]) == MAY["suggest"])
        for who in (p.fay, p.guest1, p.ida):
            who.may_not_join("invite.revoked", room, invite=first["code"])
        for who in (p.fay, p.guest1):
            who.may_not_join("room.not_found", room)
            who.rpc_refused("room.not_found", "chat.history", {"room": room})
        equal(p.hal.join(room)["you"]["standing"], "moderator", "who was given a standing")
        p.bob.data("invite.revoke", {"room": room, "invite": first["invite"]["id"]})
        p.bob.refused("invite.invalid", "invite.revoke", {"room": room, "invite": "i4Kp9xW2bQ7mZs0T"})
        true(listed(p.bob, room)[first["invite"]["id"]]["revoked"], "not revoked in the list")


@check("revoking in a public room puts nobody out")
def _():
    with Party("bob", "fay", "guest1") as p:
        room = p.bob.data("room.create")["room"]["id"]
        made = invite(p.bob, room, role="control")
        for who in (p.fay, p.guest1):
            who.join(room, invite=made["code"])
        p.mark()
        p.bob.data("invite.revoke", {"room": room, "invite": made["invite"]["id"]})
        p.exactly("room.standing_changed", ["fay", "guest1"],
                  lambda d: d["user"]["uid"] == p.fay.uid and d["standing"] == "listener")
        p.exactly("room.standing_changed", ["fay", "guest1"], lambda d: d["user"]["uid"] == p.guest1.uid)
        p.exactly("room.removed", [])


@check("guests stay out where guests is false, with an invite too, and it is not used up")
def _():
    with Party("bob", "guest1") as p:
        room = p.bob.data("room.create", {"guests": False})["room"]["id"]
        made = invite(p.bob, room, uses=1)
        p.guest1.may_not_join("room.guests_not_allowed", room)
        p.guest1.may_not_join("room.guests_not_allowed", room, invite=made["code"])
        p.guest1.rpc_refused("room.guests_not_allowed", "chat.history", {"room": room})
        p.guest1.rpc_refused("room.guests_not_allowed", "chat.send", {"room": room, "text": "hello"})
        equal(listed(p.bob, room)[made["invite"]["id"]]["uses"], 0, "uses")
        other = p.bob.data("room.create")["room"]["id"]
        p.guest1.join(other)
        p.bob.data("room.ban", {"room": other, "user": p.guest1.uid})
        p.bob.data("room.update", {"room": other, "guests": False})
        p.guest1.may_not_join("room.banned", other)
        p.guest1.may_not_join("room.banned", other, invite=invite(p.bob, other)["code"])


@check("at most 200 invites by which somebody may come")
def _():
    with Party("bob") as p:
        room = p.bob.data("room.create")["room"]["id"]
        first = [invite(p.bob, room, role="listen")["invite"]["id"] for _ in range(50) if not time.sleep(0.02)][0]
        for _ in range(150):
            time.sleep(0.02)
            last = invite(p.bob, room)["invite"]["id"]
        p.bob.refused("room.limit_reached", "invite.create", {"room": room})
        p.bob.data("invite.revoke", {"room": room, "invite": first})
        invite(p.bob, room)
        shown = p.bob.data("invite.list", {"room": room})["invites"]
        equal(len(shown), 200, "invites in the list")
        times = [i["created_ms"] for i in shown]
        true(times == sorted(times, reverse=True) and first not in [i["id"] for i in shown] and last, "the order")


@check("turning private: stay keeps those inside, leave puts out who may not enter; members may come again")
def _():
    for policy in ("stay", "leave"):
        with Party("bob", "fay", "gil", "guest1") as p:
            room = p.bob.data("room.create", {"on_private": policy})["room"]["id"]
            code = invite(p.bob, room)["code"]
            p.bob.join(room), p.gil.join(room), p.guest1.join(room), p.fay.join(room, invite=code)
            p.mark()
            p.bob.data("room.update", {"room": room, "visibility": "private"})
            if policy == "stay":
                p.exactly("room.updated", p.people)
                p.gil.data("chat.send", {"text": "still here"})
                p.exactly("chat.message", p.people)
                p.gil.may_not_join("room.not_found", room)
                p.gil.data("chat.history", {})
                p.gil.leave()
            else:
                p.exactly("room.closed", ["fay", "gil", "guest1"], lambda d: d["reason"] == "went_private")
                p.exactly("room.updated", ["bob"])
            p.gil.may_not_join("room.not_found", room)
            equal(p.fay.join(room)["you"]["standing"], "member", "a member comes again")
