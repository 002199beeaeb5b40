"""roles.md: each capability against each standing, over WebSocket and HTTP."""
import pathlib, re, time

from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite
from room_checks.seat import START, open_room, standing

WORDS = ("owner", "cohost", "moderator", "member", "listener")
ROLES = pathlib.Path(__file__).resolve().parents[3] / "Protocol" / "spec" / "roles.md"
ALL = {"listen", "suggest", "vote", "chat", "control", "moderate", "host", "manage"}


def table():
    """{standing: capabilities} as the page says it."""
    found = {}
    for word, may in re.findall(r"^\| `(\w+)` \| [^|]* \| ([^|]*) \|$", ROLES.read_text(), re.M):
        if word in WORDS:
            named = set(re.findall(r"`(\w+)`", may))
            found[word] = ALL - named if may.startswith(("everything", "all but")) else named
    equal(tuple(found), WORDS, "the table of standings")
    return found


def cast(**more):
    """One of each standing in a room, and others to act upon."""
    p, room = open_room("owner", "cohost", "moderator", "member", "listener", "guest", "target", **more)
    for word in WORDS[1:4]:
        standing(p, p.owner, room, word, p.people[word])
    return p, room


def requests(p, room, made):
    """(capability, kind, data, whether it goes over HTTP too) of what a capability allows; nobody exists named so."""
    nobody = {"room": room, "user": "@nobody-at-all"}
    yield from (("moderate", kind, nobody, True) for kind in
                ("room.admit", "room.deny", "room.kick", "room.ban", "room.unban", "room.mute", "room.unmute"))
    yield "moderate", "room.waiting", {"room": room}, True
    yield "moderate", "room.bans", {"room": room}, True
    yield "moderate", "room.members", {"room": room, "absent": True}, True
    yield "host", "invite.list", {"room": room}, True
    yield "host", "invite.create", {"room": room}, True
    yield "host", "invite.revoke", {"room": room, "invite": made}, True
    yield "host", "room.set_standing", nobody | {"standing": "member"}, True
    yield "host", "host.take_back", {}, False
    yield "manage", "room.set_standing", nobody | {"standing": "cohost"}, True
    yield "manage", "invite.create", {"room": room, "role": "cohost"}, True
    yield from (("control", kind, data, False) for kind, data in
                (("playback.play", {}), ("playback.pause", {}), ("playback.seek", {"position_us": 0})))
    yield "chat", "chat.send", {"room": room, "text": "x"}, True
    yield "chat", "reaction.send", {"emoji": "👍"}, False


@check("the whole table: every capability against every standing, each refused by its name or allowed")
def _():
    may = table() | {"guest": {"listen", "chat"}}
    p, room = cast()
    wrong = []
    with p:
        made = invite(p.owner, room)["invite"]["id"]
        for name, allowed in may.items():
            who = p.people[name]
            equal(set(who.join(room)["you"]["may"]), allowed, f"you.may of {name}")
            for capability, kind, data, over_http in requests(p, room, made):
                time.sleep(0.02)
                replies = [who.ask(kind, data)] + ([who.rpc(kind, data)] if over_http else [])
                for reply in replies:
                    error = reply.get("error", {})
                    is_refused = error.get("code") == "room.forbidden"
                    account = name == "guest" and error.get("code") == "auth.account_required"
                    if capability in allowed and (is_refused or account):
                        wrong.append(f"{name} may not {kind}: {error}")
                    if capability not in allowed and not account and (not is_refused
                                                                      or error.get("permission") != capability):
                        wrong.append(f"{kind} of a {name}: {error or 'ok'} instead of {capability}")
        true(not wrong, f"{len(wrong)}: " + "; ".join(wrong[:12]))


@check("what belongs to the owner alone: changing the room, its picture, closing it")
def _():
    p, room = cast()
    with p:
        for name in ("cohost", "moderator", "member", "listener", "guest"):
            who = p.people[name]
            for kind, data in (("room.update", {"title": "x"}), ("room.close", {}), ("room.remove_picture", {})):
                error = who.ask(kind, {"room": room} | data)["error"]
                true(error["code"] in ("room.forbidden", "auth.account_required"), f"{kind} of {name}: {error}")
                true(who.rpc(kind, {"room": room} | data)["type"] == "error", f"{kind} of {name} over HTTP")


@check("a vacant seat: taken by owner and cohost, by nobody else")
def _():
    p, room = cast()
    with p:
        for name in ("moderator", "member", "listener", "guest"):
            reply = p.people[name].ask("host.start", START)
            true(reply["type"] == "error" and reply["error"]["code"] in ("room.forbidden", "auth.account_required"),
                 f"host.start of {name}: {reply}")
        for name in ("cohost", "owner"):
            p.people[name].start()
            p.people[name].data("host.stop")


@check("nobody acts against their equal or better, or themself: every pair of standings")
def _():
    p, room = cast()
    rank, wrong = {word: k for k, word in enumerate(WORDS)}, []
    with p:
        equals = {}
        for word in WORDS[1:]:
            equals[word] = p.come(word + "2")
            if word != "listener":
                standing(p, p.owner, room, word, equals[word])
            equals[word].join(room)
        for by in WORDS[:3]:
            for to in WORDS:
                for who in {p.people[to], equals.get(to, p.people[to])}:
                    if rank[to] > rank[by]:
                        continue
                    for kind, data in (("room.kick", {}), ("room.ban", {"seconds": 1}), ("room.mute", {"seconds": 1}),
                                       ("room.set_standing", {"standing": "listener"})):
                        error = p.people[by].ask(kind, {"room": room, "user": who.uid} | data).get("error", {})
                        needs = {"room.set_standing": {"cohost": {"manage"}, "moderator": {"host"}}}.get(kind, {})
                        allowed = {None} | needs.get(by, set())
                        if error.get("code") != "room.forbidden" or error.get("permission") not in allowed:
                            wrong.append(f"{kind} of {by} against {'oneself' if who is p.people[by] else to}: {error}")
        true(not wrong, f"{len(wrong)}: " + "; ".join(wrong[:8]))


@check("standings: told to all with what they may, kept, taken away; guests stay listeners")
def _():
    p, room = cast()
    with p:
        may = table()
        for word in ("member", "moderator", "cohost", "moderator", "listener"):
            p.mark()
            member = p.owner.data("room.set_standing", {"room": room, "user": p.target.uid, "standing": word})["member"]
            equal((member["user"]["user"]["uid"], member["standing"], member["host"]), (p.target.uid, word, False),
                  "member")
            p.exactly("room.standing_changed", p.people, lambda d: d["user"]["uid"] == p.target.uid
                      and d["standing"] == word and set(d["may"]) == may[word])
            equal(p.target.join(room)["you"]["standing"], word, "you.standing")
        p.mark()
        p.owner.data("room.set_standing", {"room": room, "user": p.target.uid, "standing": "listener"})
        p.exactly("room.standing_changed", [])
        for word in ("member", "moderator", "cohost"):
            p.owner.refused("room.forbidden", "room.set_standing",
                            {"room": room, "user": p.guest.uid, "standing": word})
        away = p.come("away")
        p.cohost.data("room.set_standing", {"room": room, "user": away.uid, "standing": "moderator"})
        equal(away.join(room)["you"]["standing"], "moderator", "who was away")
        p.cohost.forbidden("manage", "room.set_standing", {"room": room, "user": away.uid, "standing": "cohost"})
        p.owner.refused("user.not_found", "room.set_standing",
                        {"room": room, "user": "@nobody-at-all", "standing": "member"})


@check("standings lost while they count: a cohost who hosts, a moderator who acts")
def _():
    p, room = cast()
    with p:
        p.owner.data("room.set_standing", {"room": room, "user": p.moderator.uid, "standing": "listener"})
        p.moderator.forbidden("moderate", "room.mute", {"room": room, "user": p.listener.uid})
        p.moderator.rpc_refused("room.forbidden", "room.mute", {"room": room, "user": p.listener.uid})
        p.owner.data("room.set_standing", {"room": room, "user": p.cohost.uid, "standing": "member"})
        p.cohost.refused("room.forbidden", "host.start", START)
        p.cohost.forbidden("host", "invite.create", {"room": room})
