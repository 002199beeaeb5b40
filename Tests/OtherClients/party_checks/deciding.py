"""queue.md: places, approving, voting, shuffling, and who may decide."""
import json, random, time

from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite
from room_checks.seat import START, standing

from party_checks.queues import add, hall, ids, pages, playing, refused, set_rules, suggest, tune
from party_checks.stage import at_once

CONTROL = ("queue.add", "queue.approve", "queue.reject", "queue.move", "queue.clear", "queue.shuffle",
           "queue.set_repeat", "queue.set_rules", "queue.next", "queue.previous")
FIELDS = {"queue.add": {"tracks": [{"track": {"title": "x"}}]}, "queue.approve": {"id": 1}, "queue.reject": {"id": 1},
          "queue.move": {"id": 1}, "queue.set_repeat": {"repeat": "all"}, "queue.set_rules": {"rules": {"row_max": 1}},
          "queue.remove": {"id": 1}, "queue.started": {"id": 1}, "queue.finished": {"id": 1},
          "queue.suggest": {"track": {"title": "x"}}, "queue.vote": {"id": 1, "vote": "up"},
          "queue.vote_skip": {"id": 1}}


@check("a place: the head, before, after, the end; at most one; of what waits alone")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        a, b, c = add(stage.ada, 3)
        d, e = add(stage.ada, 2, before=b)
        f = add(stage.ada, 1, after=b)[0]
        g = add(stage.ada, 1, first=True)[0]
        h = add(stage.ada, 1, first=False)[0]
        equal(ids(stage.ada), [g, a, d, e, b, f, c, h], "entries")
        for data, wanted in (({"id": h, "first": True}, [h, g, a, d, e, b, f, c]),
                             ({"id": g, "after": c}, [h, a, d, e, b, f, c, g]),
                             ({"id": c, "before": a}, [h, c, a, d, e, b, f, g]),
                             ({"id": c}, [h, a, d, e, b, f, g, c])):
            stage.ada.data("queue.move", data)
            equal(ids(stage.ada), wanted, f"after {data}")
        set_rules(stage.ada, needs_approval=True)
        pending = suggest(stage.bea)["id"]
        before = pages(stage.ada)
        for kind, data in (("queue.move", {"id": a}), ("queue.add", {"tracks": [tune()]})):
            for place in ("before", "after"):
                stage.ada.refused("queue.entry_not_found", kind, data | {place: 999})
                stage.ada.refused("queue.not_approved", kind, data | {place: pending})
            for two in ({"first": True, "before": b}, {"before": b, "after": c}, {"first": True, "after": b}):
                stage.ada.refused("request.invalid", kind, data | two)
        stage.ada.refused("queue.entry_not_found", "queue.move", {"id": 999})
        stage.ada.refused("queue.not_approved", "queue.move", {"id": pending, "first": True})
        equal(pages(stage.ada), before, "the queue after refusals")


@check("who may what: control orders, approves and sets rules; the host says what began; the rest is for those inside")
def _():
    stage, room = hall("ada", "bea", "cal", "dan", "guest1", "guest2")
    with stage:
        standing(stage, stage.ada, room, "moderator", stage.bea)
        standing(stage, stage.ada, room, "cohost", stage.cal)
        stage.guest1.join(room, invite=invite(stage.ada, room, role="control")["code"])
        before = pages(stage.ada)
        for kind in CONTROL:
            for who in (stage.bea, stage.dan, stage.guest2):
                who.forbidden("control", kind, FIELDS.get(kind, {}))
                equal(who.rpc_refused("room.forbidden", kind, FIELDS.get(kind, {}) | {"room": room}).get("permission"),
                      "control", f"permission of {kind}")
        for kind in ("queue.started", "queue.finished"):
            for who in stage.people.values():
                who.refused("host.not_host", kind, {"id": 1})
        equal(pages(stage.ada), before, "the queue after refusals")
        for who in (stage.cal, stage.guest1):
            first, second = add(who, 2)
            who.data("queue.move", {"id": second, "first": True})
            equal(ids(stage.ada), [second, first], "entries")
            stage.dan.forbidden("control", "queue.remove", {"id": first})
            who.data("queue.set_repeat", {"repeat": "all"}), who.data("queue.set_repeat", {"repeat": "off"})
            set_rules(who, needs_approval=True)
            pending = suggest(stage.dan)["id"]
            who.data("queue.approve", {"id": pending})
            equal(ids(stage.ada), [second, first, pending], "entries")
            set_rules(who, needs_approval=False)
            who.data("queue.shuffle", {})
            who.data("queue.next", {})
            who.data("queue.clear", {}), who.data("queue.next", {})
        # Those who are not inside.
        entry = add(stage.ada)[0]
        stage.dan.leave(), stage.guest2.leave()
        for who in (stage.dan, stage.guest2):
            for kind in ("queue.suggest", "queue.vote", "queue.vote_skip"):
                who.refused("room.not_joined", kind, FIELDS[kind] | {"room": room})
                who.rpc_refused("room.not_joined", kind, FIELDS[kind] | {"room": room})
            for kind in (*CONTROL, "queue.get", *FIELDS):
                who.refused("room.not_joined", kind, FIELDS.get(kind, {}))
                who.rpc_refused("room.not_joined", kind, FIELDS.get(kind, {}))
            equal(who.data("queue.get", {"room": room})["waiting"], 1, "of who could enter")
            equal(who.rpc_data("queue.get", {"room": room})["waiting"], 1, "of who could enter")
        # Over HTTP, by who is inside with a connection; the owner from anywhere.
        stage.bea.rpc_data("queue.suggest", tune() | {"room": room})
        stage.bea.rpc_data("queue.vote", {"room": room, "id": entry, "vote": "up"})
        equal(stage.bea.rpc_data("queue.get", {"room": room})["your_votes"]["up"], [entry], "your_votes")
        stage.ada.leave()
        stage.ada.rpc_data("queue.next", {"room": room})
        stage.bea.rpc_data("queue.vote_skip", {"room": room, "id": entry})
        stage.ada.data("room.ban", {"room": room, "user": stage.dan.uid})
        for kind in (*CONTROL, "queue.get", *FIELDS):
            stage.dan.refused("room.banned", kind, FIELDS.get(kind, {}) | {"room": room})
            stage.dan.rpc_refused("room.banned", kind, FIELDS.get(kind, {}) | {"room": room})
        stage.ada.data("room.update", {"room": room, "visibility": "private"})
        for kind in (*CONTROL, "queue.get", *FIELDS):
            stage.guest2.refused("room.not_found", kind, FIELDS.get(kind, {}) | {"room": room})
            stage.guest2.rpc_refused("room.not_found", kind, FIELDS.get(kind, {}) | {"room": room})


@check("pending entries: approved, rejected, withdrawn; they take no votes and no place")
def _():
    stage, room = hall("ada", "bea", "cal", needs_approval=True)
    with stage:
        a, b, c, d = (suggest(who)["id"] for who in (stage.bea, stage.cal, stage.bea, stage.bea))
        got = pages(stage.cal)
        equal(([e["id"] for e in got["entries"]], got["pending"], got["waiting"]), ([a, b, c, d], 4, 0), "pending")
        stage.cal.refused("queue.not_approved", "queue.vote", {"id": a, "vote": "up"})
        stage.ada.data("host.start", START)
        stage.ada.refused("queue.not_approved", "queue.started", {"id": a})
        stage.ada.refused("queue.empty", "queue.next", {})
        stage.ada.data("queue.approve", {"id": c}), stage.ada.data("queue.approve", {"id": a})
        stage.ada.refused("queue.entry_not_found", "queue.reject", {"id": a})
        stage.ada.data("queue.reject", {"id": b})
        for kind in ("queue.approve", "queue.reject", "queue.remove", "queue.move"):
            stage.ada.refused("queue.entry_not_found", kind, {"id": b})
        stage.cal.forbidden("control", "queue.remove", {"id": d})
        equal(ids(stage.ada), [c, a, d], "what waits, what is pending")
        stage.mark()
        stage.bea.data("queue.remove", {"id": d}), stage.ada.data("queue.remove", {"id": c})
        stage.exactly("queue.changed", stage.people, lambda q: q["changes"][0] == {
            "change": "removed", "ids": [d], "reason": "withdrawn"})
        stage.exactly("queue.changed", stage.people, lambda q: q["changes"][0] == {
            "change": "removed", "ids": [c], "reason": "removed"})
        entry = add(stage.ada)[0]
        equal(ids(stage.ada), [a, entry], "control's own needs no approval")


@check("a person has one vote for each entry, however many connections; it is changed and taken back")
def _():
    stage, room = hall("ada", "bea", "guest1")
    with stage:
        entry = suggest(stage.bea)["id"]
        again = [stage.guest1.again() for _ in range(3)]
        votes = lambda: tuple(pages(stage.ada)["entries"][0][k] for k in ("upvotes", "downvotes"))
        for who in again:
            who.join(room)
            who.data("queue.vote", {"id": entry, "vote": "up"})
        equal(votes(), (1, 0), "votes")
        stage.bea.data("queue.vote", {"id": entry, "vote": "down"})
        stage.ada.data("queue.vote", {"id": entry, "vote": "up"})
        equal(votes(), (2, 1), "votes")
        equal(stage.bea.data("queue.get", {})["your_votes"], {"up": [], "down": [entry], "skip": False}, "your_votes")
        equal(stage.guest1.data("queue.get", {})["your_votes"]["up"], [entry], "your_votes")
        stage.guest1.data("queue.vote", {"id": entry, "vote": "down"})
        equal(votes(), (1, 2), "votes")
        stage.guest1.data("queue.vote", {"id": entry}), stage.bea.data("queue.vote", {"id": entry, "vote": None})
        equal(votes(), (1, 0), "votes")
        stage.ada.data("queue.next", {})
        for number in (entry, 999):
            stage.bea.refused("queue.entry_not_found", "queue.vote", {"id": number, "vote": "up"})
        stage.bea.strict = False
        stage.bea.refused("request.invalid", "queue.vote", {"id": entry, "vote": "sideways"}, "data.vote")
        for who in again:
            who.__exit__()


@check("grace_s: for so long the votes of who left count; then they do not, which is told; who comes back keeps them")
def _():
    stage, room = hall("ada", "bea", "cal", grace_s=3)
    with stage:
        _, waits = add(stage.ada, 2)
        stage.ada.data("queue.next", {})
        for who in (stage.bea, stage.cal):
            who.data("queue.vote", {"id": waits, "vote": "up"})
        stage.mark()
        stage.bea.leave()
        stage.cal.leave()  # whose connection is lost without that is kept for a minute, and here for as long
        stage.cal.cut()
        time.sleep(0.3)
        equal(pages(stage.ada)["entries"][0]["upvotes"], 2, "votes while they count")
        back = stage.back("cal")
        back.join(room)
        stage.ada.wait("queue.changed", lambda q: q["user"] is None and {
            "change": "votes", "id": waits, "upvotes": 1, "downvotes": 0} in q["changes"], 8)
        equal(pages(stage.ada)["entries"][0]["upvotes"], 1, "votes after that")
        equal(back.data("queue.get", {})["your_votes"]["up"], [waits], "your_votes of who came back")
        set_rules(stage.ada, grace_s=0)
        stage.mark()
        back.leave()
        stage.ada.wait("queue.changed", lambda q: q["user"] is None and {
            "change": "votes", "id": waits, "upvotes": 0, "downvotes": 0} in q["changes"], 4)


def shuffled(items, seed):
    """As queue.md says: SplitMix64, and the upper half of products."""
    state, items = seed, list(items)

    def below(n):
        nonlocal state
        while True:
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            z = state
            z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
            z ^= z >> 31
            if z * n % 2**64 >= 2**64 % n:
                return z * n >> 64

    for i in range(len(items) - 1, 0, -1):
        j = below(i + 1)
        items[i], items[j] = items[j], items[i]
    return items


@check("the same seed puts the same entries in the same order, the one that the page says")
def _():
    equal(shuffled(range(10), 42), [8, 3, 6, 5, 4, 0, 9, 2, 1, 7], "the example of the page, here")
    stage, room = hall("ada")
    with stage:
        before = add(stage.ada, 10)
        for seed in (42, 0, 1, 2**53 - 1, *(random.randrange(2**53) for _ in range(10)), None):
            reply = stage.ada.data("queue.shuffle", {} if seed is None else {"seed": seed})
            equal(ids(stage.ada), before := shuffled(before, reply["seed"]), f"after {seed}")


@check("rules out of their range change nothing, those beside them neither; unknown ones are ignored")
def _():
    stage, room = hall("ada")
    with stage:
        before = pages(stage.ada)
        stage.ada.strict = False
        bad = {"ordering": ("random", 1), "suggesters": ("all", True), "voters": ("",), "needs_approval": (0, "yes"),
               "waiting_per_person_max": (0, 101), "entries_max": (0, 501), "share_window": (0, 101),
               "share_plays_max": (0, 101), "row_max": (0, 101), "cooldown_s": (-1, 86_401), "dwell_s": (-1, 3601),
               "skip_percent": (-1, 101, 1.5), "grace_s": (-1, 3601)}
        for rule, values in bad.items():
            for value in values:
                stage.ada.refused("request.invalid", "queue.set_rules", {"rules": {"row_max": 7, rule: value}
                                  if rule != "row_max" else {"dwell_s": 7, rule: value}}, f"data.rules.{rule}")
        for rules in (None, [], 3):
            stage.ada.refused("request.invalid", "queue.set_rules", {"rules": rules}, "data.rules")
        for more in ({"limit": 0}, {"limit": 101}, {"offset": -1}, {"offset": 1001}):
            stage.ada.refused("request.invalid", "queue.get", more, f"data.{list(more)[0]}")
        stage.ada.data("queue.set_rules", {"rules": {"colour": "red"}})
        equal(pages(stage.ada), before, "the queue")
        edges = ({"waiting_per_person_max": 1, "entries_max": 1, "share_window": 1, "share_plays_max": 1, "row_max": 1,
                  "cooldown_s": 0, "dwell_s": 0, "skip_percent": 0, "grace_s": 0},
                 {"waiting_per_person_max": 100, "entries_max": 500, "share_window": 100, "share_plays_max": 100,
                  "row_max": 100, "cooldown_s": 86_400, "dwell_s": 3600, "skip_percent": 100, "grace_s": 3600})
        for rules in edges:
            set_rules(stage.ada, **rules)
            equal(pages(stage.ada)["rules"], before["rules"] | rules, "rules")


def large(label, title=250, rest=0, source=0):
    """A track of so many letters of two bytes each."""
    return {"track": {"title": f"{label} " + "é" * title, "artist": "ü" * rest or None, "album": "ö" * rest or None},
            "source": f"s{label}-" + "x" * source}


@check("a page takes at most 65 536 bytes and goes on where it stopped; 500 entries wait")
def _():
    stage, room = hall("ada")
    with stage:
        numbers = []
        for k in range(25):
            numbers += [e["id"] for e in stage.ada.data("queue.add", {"tracks": [
                large(f"{k}-{j}") for j in range(20)]})["entries"]]
        equal(numbers, sorted(set(numbers)), "ids rise")
        equal([e["id"] for e in pages(stage.ada)["entries"]], numbers, "entries")
        page = stage.ada.data("queue.get", {"limit": 100})
        size = len(json.dumps(page["entries"], ensure_ascii=False, separators=(",", ":")).encode())
        true(50_000 < size <= 65_536 and page["next_offset"] == len(page["entries"]) < 100, f"{size} bytes in a page")
        got = stage.ada.data("queue.get", {"offset": 1000})
        equal((got["entries"], got["next_offset"], got["waiting"]), ([], None, 500), "beyond the end")
        stage.ada.refused("queue.full", "queue.add", {"tracks": [tune()]})


@check("500 entries have a place however long their titles are, or queue.full says that they have not")
def _():
    stage, room = hall("ada")
    with stage:
        for k in range(50):
            reply = stage.ada.ask("queue.add", {"tracks": [large(f"{k}-{j}", 250, 250, 490) for j in range(10)]})
            code = reply.get("error", {}).get("code", "ok")
            true(code in ("ok", "queue.full"), f"with {10 * k} entries there: {reply}")


def at_the_same_time(asked):
    """Sends all before the first answer is read: how often each code was the answer."""
    numbers = [(who, who.send(kind, data)) for who, kind, data in asked]
    codes = [who.reply(number).get("error", {}).get("code", "ok") for who, number in numbers]
    return {code: codes.count(code) for code in codes}


@check("at the same time: one of many suggests the same track, takes the last place, is the one vote of a person")
def _():
    names = ("bea", "cal", "dan", "guest1", "guest2", "guest3")
    stage, room = hall("ada", *names)
    with stage:
        people = [stage.people[name] for name in names]
        devices = [stage.bea.again() for _ in range(5)]
        for device in devices:
            device.join(room)
        for turn in range(10):
            set_rules(stage.ada, waiting_per_person_max=100, entries_max=500)
            stage.ada.data("queue.clear", {})
            if playing(stage.ada):
                stage.ada.data("queue.next", {})
            track = tune()
            equal(at_the_same_time([(who, "queue.suggest", track) for who in people]),
                  {"ok": 1, "queue.duplicate": 5}, "the same track")
            set_rules(stage.ada, waiting_per_person_max=2)
            stage.ada.data("queue.clear", {})
            equal(at_the_same_time([(device, "queue.suggest", tune()) for device in devices]),
                  {"ok": 2, "queue.person_limit": 3}, "one person's, over five connections")
            set_rules(stage.ada, entries_max=5)
            equal(at_the_same_time([(who, "queue.suggest", tune()) for who in people[1:]]),
                  {"ok": 3, "queue.full": 2}, "the last three places")
            entries = ids(stage.ada)
            at_the_same_time([(device, "queue.vote", {"id": entries[0], "vote": luck})
                              for device in devices for luck in ("up", "down", None, "up")])
            at_the_same_time([(who, "queue.vote", {"id": entries[1], "vote": "up"}) for who in people + devices])
            got = pages(stage.ada)["entries"]
            true(got[0]["upvotes"] + got[0]["downvotes"] <= 1, f"{got[0]}")
            equal(got[1]["upvotes"], 6, "votes of six")
            codes = at_the_same_time([(stage.ada, "queue.next", {}), *[(who, "queue.remove", {"id": entries[0]})
                                                                       for who in devices]])
            true(codes["ok"] == 2 and playing(stage.ada) == entries[1]
                 or codes["ok"] == 1 and playing(stage.ada) == entries[0], f"{codes}, {playing(stage.ada)} plays")
            now = playing(stage.ada)
            codes = at_the_same_time([(who, "queue.vote_skip", {"id": now}) for who in people])
            equal(codes.get("ok"), 4, "votes to skip, of which four of seven are enough")
        for device in devices:
            device.__exit__()


@check("at most 10 000 votes are remembered: the next is queue.votes_full, until an entry goes", slow=True)
def _():
    stage, room = hall("ada", "bea", grace_s=3600)
    with stage:
        entries = [number for _ in range(25) for number in add(stage.ada, 20)]

        def votes(who):
            who.join(room)
            for number in entries:
                who.data("queue.vote", {"id": number, "vote": "up"})
                who.inbox.clear()
            who.leave()
            voted.append(who)

        def others_read():
            end = time.monotonic() + 60
            while len(voted) < k + 5 and time.monotonic() < end:
                stage.ada.drain(), stage.bea.drain()
                time.sleep(0.2)

        voted = []
        for k in range(0, 20, 5):
            guests = [stage.come(f"guest{n}") for n in range(k, k + 5)]
            at_once([lambda who=who: votes(who) for who in guests] + [others_read])
            stage.mark()
        stage.guest0.join(room)
        refused(stage.bea, "votes_full", "queue.vote", {"id": entries[0], "vote": "up"})
        stage.guest0.data("queue.vote", {"id": entries[0], "vote": "down"})
        stage.guest0.data("queue.vote", {"id": entries[0]})
        stage.bea.data("queue.vote", {"id": entries[0], "vote": "up"})
        refused(stage.bea, "votes_full", "queue.vote", {"id": entries[1], "vote": "up"})
        stage.ada.data("queue.remove", {"id": entries[2]})
        stage.bea.data("queue.vote", {"id": entries[1], "vote": "up"})
