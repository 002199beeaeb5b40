"""roles.md: who is there, and keeping order."""
import time

from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite, private
from room_checks.party import Party
from room_checks.seat import open_room, standing


@check("the list of members: each once, the highest standing first, then who came first; pages; counts")
def _():
    p, room = open_room("eve", "fay", "gil", "hal", "kim", "guest1", "guest2")
    with p:
        absent = p.come("ida")
        for word, who in (("moderator", p.kim), ("cohost", p.hal), ("member", p.gil), ("moderator", absent)):
            standing(p, p.eve, room, word, who)
        p.people["twice"] = p.fay.again()
        p.people["twice"].join(room)
        p.guest2.leave()
        p.guest2.join(room, ghost=True)
        p.hal.data("host.start", {"pacing": "server"})
        order = [p.eve, p.hal, p.kim, p.gil, p.fay, p.guest1]
        page = p.guest1.data("room.members")
        equal([m["user"]["user"]["uid"] for m in page["members"]], [who.uid for who in order], "who is there")
        equal((page["count"], page["ghosts"], page["next_cursor"]), (6, 1, None), "counts")
        equal([m["standing"] for m in page["members"]],
              ["owner", "cohost", "moderator", "member", "listener", "listener"], "standings")
        equal([m["host"] for m in page["members"]], [False, True] + [False] * 4, "host")
        true(all(m["joined_ms"] and m["muted_until_ms"] is None for m in page["members"]), "joined_ms, muted_until_ms")
        found, cursor = [], None
        while True:
            page = p.eve.rpc_data("room.members", {"room": room, "limit": 2} | ({"cursor": cursor} if cursor else {}))
            found, cursor = found + page["members"], page["next_cursor"]
            if cursor is None:
                break
        equal([m["user"]["user"]["uid"] for m in found], [who.uid for who in order], "on pages of two")
        all_of_them = p.kim.data("room.members", {"absent": True})["members"]
        equal([m["user"]["user"]["uid"] for m in all_of_them], [who.uid for who in order + [absent]], "with the absent")
        equal((all_of_them[-1]["joined_ms"], all_of_them[-1]["standing"]), (None, "moderator"), "who is absent")
        p.fay.forbidden("moderate", "room.members", {"absent": True})
        p.guest2.leave()
        p.guest2.refused("room.not_joined", "room.members")
        p.guest2.refused("request.invalid", "room.members", {"room": room, "cursor": "made up"}, "data.cursor")


@check("a ghost hears everything and is named to nobody, until it joins as somebody or takes the seat")
def _():
    p, room = open_room("eve", "fay")
    with p:
        ghost, guest = p.come("gil"), p.come("guest1")
        time.sleep(1.2)
        p.mark()
        for who in (ghost, guest):
            equal(who.join(room, ghost=True)["you"]["ghost"], True, "you.ghost")
        time.sleep(1.3)
        p.exactly("room.members_changed", [], lambda d: d["joined"] or d["left"])
        page = p.eve.data("room.members", {"absent": True})
        equal(([m["user"]["user"]["uid"] for m in page["members"]], page["count"], page["ghosts"]),
              ([p.eve.uid, p.fay.uid], 2, 2), "members")
        equal(p.eve.data("room.get", {"room": room})["room"]["listeners"], 4, "listeners")
        p.mark()
        p.fay.data("chat.send", {"text": "who is there?"})
        ghost.data("chat.send", {"text": "me"})
        p.exactly("chat.message", p.people, lambda d: d["message"]["user"]["uid"] == ghost.uid)
        p.exactly("chat.message", p.people, count=2)
        seen = p.people["seen"] = ghost.again()
        seen.join(room)
        page = p.eve.data("room.members")
        equal((page["count"], page["ghosts"]), (3, 1), "with another connection that is no ghost")
        seen.leave()
        p.eve.data("host.offer", {"user": ghost.uid})
        ghost.data("host.start", {"pacing": "server"})
        true(ghost.uid in [m["user"]["user"]["uid"] for m in p.eve.data("room.members")["members"]],
             "a host who is a ghost")
        equal(guest.join(room)["you"]["ghost"], False, "you.ghost")
        page = p.eve.data("room.members")
        equal((page["count"], page["ghosts"]), (4, 0), "when none is a ghost any more")


@check("who came and went is told at most once a second, to all, each once")
def _():
    p, room = open_room("eve", "fay")
    with p:
        time.sleep(1.3)
        p.mark()
        there = [p.come(f"guest{k}") for k in range(6)]
        for who in there:
            who.join(room)
        there[5].leave()
        time.sleep(2.2)
        for name in ("eve", "fay"):
            watcher = p.people[name]
            watcher.drain()
            events = watcher.got("room.members_changed")
            true(1 <= len(events) <= 3, f"{len(events)} events")
            came = [u["uid"] for e in events for u in e["joined"]]
            true(set(came) >= {who.uid for who in there[:5]}, "somebody who came is missing")
            equal((events[-1]["count"], events[-1]["ghosts"], events[-1]["more"]), (7, 0, False), "counts")
        p.mark()
        there[0].leave()
        again = p.people["again"] = there[1].again()
        again.join(room)
        there[1].leave()
        time.sleep(1.3)
        p.eve.drain()
        events = p.eve.got("room.members_changed")
        equal([uid for e in events for uid in e["left"]], [there[0].uid], "who left")
        equal([u for e in events for u in e["joined"]], [], "who came")
        # Somebody who leaves and comes back is in both lists: a list that was read in between is made good by them.
        p.mark()
        there[2].leave()
        there[2].join(room)
        time.sleep(1.3)
        p.eve.drain()
        events = p.eve.got("room.members_changed")
        equal([uid for e in events for uid in e["left"]], [there[2].uid], "who left and came back, left")
        equal([u["uid"] for e in events for u in e["joined"]], [there[2].uid], "who left and came back, joined")


@check("a kick: out with all connections, told why, without their standing; whoever is not there is user.not_found")
def _():
    with Party("eve", "fay", "gil", "kim", "guest1") as p:
        room = private(p.eve)
        code = invite(p.eve, room)["code"]
        p.eve.join(room)
        for who in (p.fay, p.gil, p.kim, p.guest1):
            who.join(room, invite=code)
        standing(p, p.eve, room, "moderator", p.kim)
        p.people["twice"] = p.fay.again()
        p.people["twice"].join(room)
        p.mark()
        p.kim.data("room.kick", {"room": room, "user": p.fay.uid, "reason": "Too loud."})
        p.exactly("room.removed", ["fay", "twice"], lambda d: (d["room"], d["reason"], d.get("message")) ==
                  (room, "kicked", "Too loud."))
        p.exactly("room.moderated", ["eve", "kim"], lambda d: (d["action"], d["user"]["uid"]) == ("kick", p.fay.uid))
        p.kim.refused("user.not_found", "room.kick", {"room": room, "user": p.fay.uid})
        p.kim.refused("user.not_found", "room.kick", {"room": room, "user": "@nobody-at-all"})
        equal(p.fay.join(room, invite=code)["you"]["standing"], "member", "standing")
        p.mark()
        p.eve.rpc_data("room.kick", {"room": room, "user": p.guest1.uid})
        p.exactly("room.removed", ["guest1"])
        p.guest1.join(room, invite=code)
        p.kim.forbidden(None, "room.kick", {"room": room, "user": p.eve.uid})
        reply = p.eve.ask("room.kick", {"room": room, "user": p.eve.uid})
        equal(reply.get("error", {}).get("code"), "room.forbidden", "kicking oneself")


@check("a ban: out and kept out, with its reason and its end; it ends by itself; the standing does not come back")
def _():
    p, room = open_room("eve", "fay", "gil", "kim", "guest1")
    with p:
        standing(p, p.eve, room, "moderator", p.kim, p.gil)
        for who, seconds in ((p.gil, 2), (p.guest1, 2)):
            p.mark()
            p.eve.data("room.ban", {"room": room, "user": who.uid, "seconds": seconds, "reason": "Too loud."})
            p.exactly("room.removed", [n for n, m in p.people.items() if m is who], lambda d: d["reason"] == "banned"
                      and d["message"] == "Too loud." and abs(d["until_ms"] / 1000 - time.time() - 2) < 2)
            p.exactly("room.moderated", ["eve", "kim"], lambda d: d["action"] == "ban" and d["user"]["uid"] == who.uid
                      and "until_ms" in d)
            error = who.may_not_join("room.banned", room)
            true(0 < error["retry_after_ms"] <= 2000 and "Too loud." in error["message"], f"{error}")
        bans = p.kim.rpc_data("room.bans", {"room": room})["bans"]
        equal([(b["user"]["uid"], b["reason"], b["by"]["uid"]) for b in bans],
              [(who.uid, "Too loud.", p.eve.uid) for who in (p.guest1, p.gil)], "bans")
        equal([b["user"]["guest"] for b in bans], [True, False], "guest")
        time.sleep(error["retry_after_ms"] / 1000 + 0.05)
        equal(p.kim.data("room.bans", {"room": room})["bans"], [], "bans when they have ended")
        equal(p.gil.join(room)["you"]["standing"], "listener", "standing after the ban")
        p.guest1.join(room)
        p.kim.data("room.ban", {"room": room, "user": "@" + p.fay.user["username"]})
        error = p.fay.may_not_join("room.banned", room)
        true("retry_after_ms" not in error, f"{error}")
        p.mark()
        for _ in range(2):
            equal(p.kim.data("room.unban", {"room": room, "user": "@" + p.fay.user["username"]}), {}, "data")
        p.exactly("room.moderated", ["eve", "kim"], lambda d: d["action"] == "unban"
                  and d["user"] == {"uid": p.fay.uid, "username": p.fay.user["username"], "guest": False})
        p.fay.join(room)
        away = p.come("hal")
        p.kim.data("room.ban", {"room": room, "user": away.uid, "seconds": 100})
        away.may_not_join("room.banned", room)
        p.kim.forbidden(None, "room.ban", {"room": room, "user": p.eve.uid})


@check("a ban replaces the one before; pages of bans, the newest first")
def _():
    p, room = open_room("eve", *(f"guest{k}" for k in range(5)))
    with p:
        guests = [p.people[f"guest{k}"] for k in range(5)]
        for who in guests:
            p.eve.data("room.ban", {"room": room, "user": who.uid})
            time.sleep(0.002)
        p.eve.data("room.ban", {"room": room, "user": guests[0].uid, "seconds": 100, "reason": "newer"})
        found, cursor = [], None
        while True:
            page = p.eve.data("room.bans", {"room": room, "limit": 2} | ({"cursor": cursor} if cursor else {}))
            found, cursor = found + page["bans"], page["next_cursor"]
            if cursor is None:
                break
        equal([b["user"]["uid"] for b in found], [g.uid for g in (guests[0], *guests[:0:-1])], "bans")
        equal((found[0]["reason"], found[1]["until_ms"]), ("newer", None), "the replaced, and one for good")


@check("a ban holds against new guests by the same invite; not against those before, accounts, other invites")
def _():
    with Party("eve", "fay", "guest1", "guest2", "guest3", "guest4", "guest5") as p:
        room = private(p.eve)
        first, second = (invite(p.eve, room)["code"] for _ in range(2))
        p.eve.join(room)
        p.guest1.join(room, invite=first), p.guest2.join(room, invite=first)
        p.eve.data("room.ban", {"room": room, "user": p.guest1.uid, "reason": "Too loud."})
        error = p.guest3.may_not_join("room.banned", room, invite=first)
        true(p.guest1.uid not in str(error), f"{error}")
        p.guest1.may_not_join("room.banned", room, invite=first)
        p.guest1.may_not_join("room.banned", room, invite=second)
        p.guest2.leave()
        p.guest2.join(room, invite=first)
        p.fay.join(room, invite=first)
        p.guest4.join(room, invite=second)
        p.eve.data("room.unban", {"room": room, "user": p.guest1.uid})
        p.guest3.join(room, invite=first)
        p.eve.data("room.ban", {"room": room, "user": p.guest3.uid, "seconds": 1})
        p.guest5.may_not_join("room.banned", room, invite=first)
        time.sleep(1.05)
        p.guest5.join(room, invite=first)


@check("closing: told to all inside and to nobody else; afterwards room.closed for those who saw it")
def _():
    p, room = open_room("eve", "fay", "guest1", title="To be closed")
    with p:
        p.eve.start()
        outside = p.come("gil")
        p.mark()
        p.eve.data("room.close", {"room": room})
        p.exactly("stream.ended", ["eve", "fay", "guest1"], lambda d: d["reason"] == "closed")
        p.exactly("room.closed", ["eve", "fay", "guest1"], lambda d: d["reason"] == "closed_by_owner")
        for who in (p.eve, p.fay, p.guest1, outside):
            who.may_not_join("room.closed", room)
            who.refused("room.not_joined", "room.leave")
            for kind in ("chat.history", "room.members"):
                who.rpc_refused("room.closed", kind, {"room": room})
        for kind, data in (("invite.create", {}), ("room.bans", {}), ("room.ban", {"user": p.fay.uid}),
                           ("room.set_standing", {"user": p.fay.uid, "standing": "member"})):
            p.eve.refused("room.closed", kind, {"room": room} | data)
