"""What is refused is counted, and moves nothing."""
import random, re, string, struct, time

from protocol_checks.helpers import check, equal, true
from protocol_checks.websocket import Closed

from room_checks import party
from room_checks.doors import invite, private

from party_checks.queues import OPEN_TO_ALL, add, hall, pages, suggest, tune
from party_checks.stage import Stage

AUDIO = struct.pack(">BBHIqI", 0x20, 0, 1, 0, 0, 960) + b"\xfc\xff\xfe"
POSITION = struct.pack(">BBHIqqiI", 0x30, 1, 1, 0, 0, 0, 1_000_000, 0)
CAPTURE = struct.pack(">BBHqqI", 0x31, 0, 1, 0, 0, 0)


def counted(name="sona_request_errors_total"):
    return int(re.search(rf"^{name} (\d+)$", party.SERVER.metrics(), re.M)[1])


def still(owner, room):
    """What must not move."""
    playback = owner.data("playback.get", {"room": room})
    del playback["server_us"]
    return owner.data("room.get", {"room": room}), pages(owner, room), playback


@check("audio and positions of who is not the host: refused, counted, heard by nobody; the room stays as it is")
def _():
    stage, room = hall("ada", "bea", "cal", "guest1")
    with stage:
        stage.ada.data("room.set_standing", {"room": room, "user": stage.bea.uid, "standing": "cohost"})
        out = stage.come("dan")
        stage.ada.start(5)
        add(stage.ada, 2)
        time.sleep(2)  # what was sent has sounded
        for who in stage.people.values():
            who.drain()
        before, errors = still(stage.ada, room), counted()
        heard, epoch = stage.cal.packets_heard, stage.ada.audio["epoch"]
        for turn in range(3):
            for who in (stage.bea, stage.guest1, out):
                for frame in (AUDIO, POSITION, CAPTURE):
                    who.binary(frame[:2] + struct.pack(">H", epoch) + frame[4:])
                who.error("host.not_host")
            time.sleep(1.05)  # each code comes once a second at least
        stage.cal.drain()
        equal(stage.cal.packets_heard, heard, "packets that others heard")
        equal(still(stage.ada, room), before, "the room")
        rise = counted() - errors
        true(rise >= 9, f"9 errors, and the counter rose by {rise}")


@check("guessed invites, and the identifier of a private room: refused, counted one by one, and nothing moves")
def _():
    with Stage("ada", "bea", "guest1") as stage:
        room, letters = private(stage.ada), string.ascii_letters + string.digits
        stage.ada.data("queue.set_rules", {"room": room, "rules": OPEN_TO_ALL})
        made, revoked = invite(stage.ada, room, uses=5), invite(stage.ada, room)
        stage.ada.data("invite.revoke", {"room": room, "invite": revoked["invite"]["id"]})
        entry = stage.ada.data("queue.add", {"room": room, "tracks": [tune(), tune()]})["entries"][0]["id"]
        stage.ada.data("queue.next", {"room": room})
        invites = stage.ada.data("invite.list", {"room": room})
        before, errors, refusals = still(stage.ada, room), counted(), 0
        for who in (stage.bea, stage.guest1):
            for _ in range(20):
                at = random.randrange(len(made["code"]))
                code = made["code"][:at] + random.choice(letters.replace(made["code"][at], "")) + made["code"][at + 1:]
                who.may_not_join("invite.invalid", room, invite=code)
                who.may_not_join("invite.invalid", "".join(random.choices(letters, k=20)), invite=made["code"])
            who.may_not_join("invite.revoked", room, invite=revoked["code"])
            refusals += 41
            for kind, data in (("room.join", {}), ("room.get", {}), ("room.members", {}), ("chat.history", {}),
                               ("chat.send", {"text": "x"}), ("playback.get", {}), ("queue.get", {}),
                               ("queue.suggest", tune()), ("queue.vote", {"id": entry, "vote": "up"}),
                               ("queue.vote_skip", {"id": entry}), ("queue.next", {}), ("queue.clear", {}),
                               ("queue.started", {"id": entry}), ("queue.add", {"tracks": [tune()]})):
                who.refused("room.not_found", kind, {"room": room} | data)
                refusals += 1
                if kind != "room.join":
                    who.rpc_refused("room.not_found", kind, {"room": room} | data)
                    refusals += 1
        equal(counted() - errors, refusals, "errors that were counted")
        equal(still(stage.ada, room), before, "the room")
        equal(stage.ada.data("invite.list", {"room": room}), invites, "invites")


@check("an invite whose time is over: refused, counted, and nothing moves", slow=True)
def _():
    with Stage("ada", "bea", "guest1") as stage:
        room = private(stage.ada)
        code = invite(stage.ada, room, expires_in_s=60)["code"]
        for _ in range(10):
            time.sleep(6.05)
            stage.mark()  # and answers pings
        before, errors = still(stage.ada, room), counted()
        for who in (stage.bea, stage.guest1):
            who.may_not_join("invite.expired", room, invite=code)
        equal(counted() - errors, 2, "errors that were counted")
        equal(still(stage.ada, room), before, "the room")
        equal(stage.ada.data("invite.list", {"room": room})["invites"][0]["uses"], 0, "uses")


@check("a queue flooded by one: each refusal names its rule, it holds no more of theirs than it may; others go on")
def _():
    rules = {"waiting_per_person_max": 4, "share_window": 20, "share_plays_max": 8}
    stage, room = hall("ada", "bea", "cal", "guest1", **rules)
    with stage:
        entry = suggest(stage.cal)["id"]
        errors, limited = counted(), counted("sona_requests_rate_limited_total")
        flooder, sent, codes, slowest = stage.guest1, 0, {}, 0
        try:
            for turn in range(12):
                numbers = []
                for k in range(30):
                    numbers.append(flooder.send("queue.suggest", tune()))
                    numbers.append(flooder.send("queue.vote", {"id": entry, "vote": ("up", "down")[k % 2]}))
                begin = time.monotonic()
                mine = stage.cal.data("queue.suggest", tune())["entries"][0]["id"]
                stage.bea.data("queue.vote", {"id": mine, "vote": "up"})
                slowest = max(slowest, time.monotonic() - begin)
                stage.cal.data("queue.remove", {"id": mine})
                for number in numbers:
                    reply = flooder.reply(number)
                    code = reply.get("error", {}).get("code", "ok")
                    codes[code] = codes.get(code, 0) + 1
                    sent += 1
                    true(code != "request.rate_limited" or reply["error"]["retry_after_ms"] > 0, f"{reply}")
                time.sleep(0.1 * (turn % 3))
        except Closed as closed:
            equal(closed.code, 4429, "close code")
            flooder.is_open = False
        true(set(codes) <= {"ok", "queue.person_limit", "queue.share", "request.rate_limited"}, f"{codes}")
        true(slowest < 2, f"the slowest answer of another took {slowest:.2f} s")
        got = pages(stage.ada)
        theirs = [e for e in got["entries"] if e["user"]["uid"] == flooder.uid]
        true(0 < len(theirs) <= 4, f"{len(theirs)} entries of one person")
        refused = sum(count for code, count in codes.items() if code != "ok")
        true(refused > 100 and counted() - errors >= refused, f"{refused} refused, counted {counted() - errors}")
        true(counted("sona_requests_rate_limited_total") - limited >= codes.get("request.rate_limited", 0),
             f"{codes}, of which too few were counted")
        votes = next(e for e in got["entries"] if e["id"] == entry)
        true(votes["upvotes"] + votes["downvotes"] <= 1, f"{votes}")
        stage.ada.data("queue.next", {})


@check("what is refused to a listener by the hundred leaves the room as it was")
def _():
    stage, room = hall("ada", "bea", "guest1", needs_approval=True, voters="members")
    with stage:
        stage.ada.start(5)
        entries = add(stage.ada, 3)
        stage.ada.data("queue.next", {})
        pending = suggest(stage.bea)["id"]
        time.sleep(2)
        before, errors, refused = still(stage.ada, room), counted(), 0
        for _ in range(8):
            for kind, data in (("queue.next", {}), ("queue.previous", {}), ("queue.clear", {}), ("queue.shuffle", {}),
                               ("queue.add", {"tracks": [tune()]}), ("queue.approve", {"id": pending}),
                               ("queue.reject", {"id": pending}), ("queue.remove", {"id": pending}),
                               ("queue.move", {"id": entries[2], "first": True}),
                               ("queue.set_rules", {"rules": {"row_max": 1}}), ("queue.set_repeat", {"repeat": "one"}),
                               ("queue.started", {"id": entries[1]}), ("queue.finished", {"id": entries[0]}),
                               ("queue.vote", {"id": entries[1], "vote": "up"}),
                               ("queue.vote_skip", {"id": entries[0]}),
                               ("host.start", {"pacing": "server"}), ("host.pause", {}), ("host.stop", {}),
                               ("playback.pause", {}), ("playback.seek", {"position_us": 1})):
                reply = stage.guest1.ask(kind, data)
                true(reply["type"] == "error", f"{kind} of a guest: {reply}")
                refused += 1
        equal(still(stage.ada, room), before, "the room")
        true(counted() - errors >= refused, f"{refused} refused, counted {counted() - errors}")
