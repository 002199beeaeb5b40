"""queue.md, rule by rule: who may what, which code says so, and when it lifts."""
import json, random, time

from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite
from room_checks.seat import START, standing

from party_checks.queues import CHANGES, Mirror, add, hall, ids, pages, playing, set_rules, suggest, tune
from party_checks.stage import at_once

CONTROL = ("queue.add", "queue.approve", "queue.reject", "queue.move", "queue.clear", "queue.shuffle",
           "queue.set_repeat", "queue.set_rules", "queue.next", "queue.previous")
FIELDS = {"queue.add": {"tracks": [{"track": {"title": "x"}}]}, "queue.approve": {"id": 1}, "queue.reject": {"id": 1},
          "queue.move": {"id": 1}, "queue.set_repeat": {"repeat": "all"}, "queue.set_rules": {"rules": {"row_max": 1}},
          "queue.remove": {"id": 1}, "queue.started": {"id": 1}, "queue.finished": {"id": 1},
          "queue.suggest": {"track": {"title": "x"}}, "queue.vote": {"id": 1, "vote": "up"},
          "queue.vote_skip": {"id": 1}}


def refused(who, code, kind, data, until=None):
    """Refused by a rule; if it lifts by time, the same passes when that time is over."""
    error = who.refused("queue." + code, kind, data)
    if until is None:
        true("retry_after_ms" not in error, f"{code} lifts by itself? {error}")
        return
    true(0 < error.get("retry_after_ms", 0) <= until * 1000, f"{code}: {error}")
    time.sleep(error["retry_after_ms"] / 1000)
    who.data(kind, data)


@check("the rules are at first what the page says")
def _():
    stage, room = hall("ada")
    with stage:
        room = stage.ada.data("room.create", {})["room"]["id"]
        got = stage.ada.data("queue.get", {"room": room})
        equal(got["rules"], {
            "ordering": "manual", "suggesters": "members", "voters": "everybody", "needs_approval": True,
            "waiting_per_person_max": 3, "entries_max": 200, "share_window": 20, "share_plays_max": 8, "row_max": 2,
            "cooldown_s": 3600, "dwell_s": 30, "skip_percent": 50, "grace_s": 60}, "rules")
        equal({k: got[k] for k in ("repeat", "now", "skip_votes", "waiting", "pending", "entries", "next_offset",
                                   "your_votes")},
              {"repeat": "off", "now": None, "skip_votes": 0, "waiting": 0, "pending": 0, "entries": [],
               "next_offset": None, "your_votes": {"up": [], "down": [], "skip": False}}, "queue")


@check("who may suggest and vote: nobody, those with an account, everybody; an invite's role and control pass")
def _():
    stage, room = hall("ada", "bea", "guest1", "guest2", "guest3", "cal")
    with stage:
        for role, names in (("suggest", ["guest2"]), ("vote", ["guest3", "cal"])):
            code = invite(stage.ada, room, role=role)["code"]
            for name in names:
                stage.people[name].join(room, invite=code)
        entry, plays = add(stage.ada, 2)
        stage.ada.data("queue.next", {})
        playing_now, waiting = playing(stage.ada), plays
        asks = {"suggesters": [("queue.suggest", lambda: tune())],
                "voters": [("queue.vote", lambda: {"id": waiting, "vote": random.choice(("up", "down"))}),
                           ("queue.vote_skip", lambda: {"id": playing_now, "skip": False})]}
        pass_always = {"suggesters": ("ada", "guest2", "guest3", "cal"), "voters": ("ada", "guest3", "cal")}
        for rule, requests in asks.items():
            for word in ("nobody", "members", "everybody"):
                set_rules(stage.ada, **{rule: word})
                for name, who in stage.people.items():
                    for kind, data in requests:
                        if word == "everybody" or name in pass_always[rule] or word == "members" and who.grant:
                            who.data(kind, data())
                        elif word == "members":
                            refused(who, "account_required", kind, data())
                        else:
                            refused(who, "closed", kind, data())
            set_rules(stage.ada, **{rule: "everybody"})
        equal(entry, playing_now, "what plays")
        set_rules(stage.ada, skip_percent=0)
        for name in ("bea", "guest1"):
            refused(stage.people[name], "closed", "queue.vote_skip", {"id": playing_now})


@check("dwell_s: who has just come in neither suggests nor votes, and does when it is over")
def _():
    for name in ("bea", "guest1"):
        for kind in ("queue.suggest", "queue.vote", "queue.vote_skip"):
            stage, room = hall("ada", dwell_s=1)
            with stage:
                now, waits = add(stage.ada, 2)
                stage.ada.data("queue.next", {})
                who = stage.come(name)
                who.join(room)
                refused(who, "too_new", kind, {"queue.suggest": tune(), "queue.vote": {"id": waits, "vote": "up"},
                                               "queue.vote_skip": {"id": now}}[kind], 1)
                stage.come("cal").join(room)
                stage.cal.data("queue.get", {})


@check("dwell_s counts from when a person came in, not each connection of theirs; control is not bound")
def _():
    stage, room = hall("ada", "bea", dwell_s=1)
    with stage:
        time.sleep(1.05)
        set_rules(stage.ada, dwell_s=2)
        stage.bea.refused("queue.too_new", "queue.suggest", tune())
        time.sleep(1)
        again = stage.bea.again()
        again.join(room)
        again.data("queue.suggest", tune())
        stage.bea.join(room)
        stage.bea.data("queue.suggest", tune())
        again.leave(), stage.bea.leave()
        stage.bea.join(room)
        stage.bea.refused("queue.too_new", "queue.suggest", tune())
        set_rules(stage.ada, dwell_s=1000, voters="nobody", suggesters="nobody")
        stage.ada.leave()
        stage.ada.join(room)
        entry = suggest(stage.ada)["id"]
        stage.ada.data("queue.vote", {"id": entry, "vote": "up"})
        again.__exit__()


@check("entries_max binds everybody: all that waits, is pending, or plays; several are added all or none")
def _():
    stage, room = hall("ada", "bea", entries_max=3)
    with stage:
        stage.ada.refused("queue.full", "queue.add", {"tracks": [tune() for _ in range(4)]})
        equal(ids(stage.ada), [], "what waits")
        first = add(stage.ada, 2)[0]
        stage.ada.refused("queue.full", "queue.add", {"tracks": [tune(), tune()]})
        set_rules(stage.ada, needs_approval=True)
        pending = suggest(stage.bea)["id"]
        stage.ada.data("queue.next", {})
        equal(playing(stage.ada), first, "what plays")
        for who in (stage.ada, stage.bea):
            refused(who, "full", "queue.suggest", tune())
        stage.bea.data("queue.remove", {"id": pending})
        stage.bea.data("queue.suggest", tune())
        refused(stage.bea, "full", "queue.suggest", tune())
        stage.ada.data("queue.next", {})
        stage.bea.data("queue.suggest", tune())


@check("waiting_per_person_max: so many of one person, pending or waiting, over all connections; control is not bound")
def _():
    stage, room = hall("ada", "bea", "guest1", waiting_per_person_max=2)
    with stage:
        again = stage.bea.again()
        again.join(room)
        for who in (stage.bea, stage.guest1):
            set_rules(stage.ada, needs_approval=who is stage.bea)
            one, _ = suggest(who), suggest(again if who is stage.bea else who)
            refused(who, "person_limit", "queue.suggest", tune())
            who.data("queue.remove", {"id": one["id"]})
            who.data("queue.suggest", tune())
            refused(who, "person_limit", "queue.suggest", tune())
        refused(again, "person_limit", "queue.suggest", tune())
        for _ in range(4):
            stage.ada.data("queue.suggest", tune())
        again.__exit__()


@check("share_plays_max: of the plays lately and those that wait, only while somebody else's entry waits")
def _():
    stage, room = hall("ada", "bea", "cal", share_window=10, share_plays_max=2)
    with stage:
        for _ in range(3):
            suggest(stage.bea)
        theirs = suggest(stage.cal)["id"]
        refused(stage.bea, "share", "queue.suggest", tune())
        stage.cal.data("queue.remove", {"id": theirs})
        suggest(stage.bea)
        for _ in range(2):
            suggest(stage.cal)
        refused(stage.cal, "share", "queue.suggest", tune())
        set_rules(stage.ada, share_plays_max=10)
        suggest(stage.bea)
        set_rules(stage.ada, share_plays_max=2)
        for number in ids(stage.ada):
            if number != theirs:
                stage.ada.data("queue.remove", {"id": number})
        for _ in range(2):  # two plays of bea's, and nothing of hers waits
            played = suggest(stage.bea)["id"]
            stage.ada.data("queue.next", {})
            equal(playing(stage.ada), played, "what plays")
        suggest(stage.cal)
        refused(stage.bea, "share", "queue.suggest", tune())


@check("the same track: by source, by title and artist without case and punctuation; waiting, pending, playing")
def _():
    stage, room = hall("ada", "bea", "cal")
    with stage:
        def same(first, *others, differs=()):
            for needs in (False, True):
                set_rules(stage.ada, needs_approval=needs)
                entry = stage.bea.data("queue.suggest", first)["entries"][0]
                for other in (first, *others):
                    refused(stage.cal, "duplicate", "queue.suggest", other)
                for other in differs:
                    got = stage.cal.data("queue.suggest", other)["entries"][0]["id"]
                    stage.cal.data("queue.remove", {"id": got})
                if needs:
                    stage.ada.data("queue.approve", {"id": entry["id"]})
                    stage.ada.data("queue.next", {})
                    equal(playing(stage.ada), entry["id"], "what plays")
                    for other in (first, *others):
                        refused(stage.cal, "duplicate", "queue.suggest", other)
                    stage.ada.data("queue.next", {})
                else:
                    stage.bea.data("queue.remove", {"id": entry["id"]})

        track = lambda title=None, artist=None, source=None: {"track": {"title": title, "artist": artist}} | (
            {"source": source} if source else {})
        same(track("Don't Stop", "The Band", "abc-1"), track(source="abc-1"), track("don't, stop!", "(the band)"),
             track("DON'T STOP", "The-Band", "xyz-2"), track("Other", "Else", "abc-1"),
             differs=[track("Don't Stop", "Others"), track("Other", "The Band"), track("Don't Stop", None, "xyz-3"),
                      track(source="abc-2"), track("Dont", "stop The Band")])
        same(track(None, None, "https://Example.org/Song?a=1#t=10"), track(None, None, "HTTPS://example.ORG/Song?a=1"),
             differs=[track(None, None, "https://example.org/Song?a=2"), track(None, None, "https://example.org/song/b"),
                      track(None, None, "https://example.org:8080/Song?a=1")])
        same(track("Étude"), track("étude"), differs=[track("Étude", "Ada"), track("Étude", None, "etude-1")])


@check("without punctuation means without it: Don't Stop is Dont Stop")
def _():
    stage, room = hall("ada", "bea", "cal")
    with stage:
        stage.bea.data("queue.suggest", {"track": {"title": "Don't Stop", "artist": "The Band"}})
        refused(stage.cal, "duplicate", "queue.suggest", {"track": {"title": "Dont stop!", "artist": "The Band"}})


@check("cooldown_s: what was chosen to play cannot be suggested again for so long, and can be then; control may")
def _():
    stage, room = hall("ada", "bea", cooldown_s=1)
    with stage:
        track = tune()
        stage.bea.data("queue.suggest", track)
        stage.ada.data("queue.next", {})
        stage.ada.data("queue.next", {})
        equal(playing(stage.ada), None, "what plays")
        refused(stage.bea, "cooldown", "queue.suggest", track, 1)
        stage.ada.data("queue.next", {})
        stage.ada.data("queue.next", {})
        stage.ada.data("queue.suggest", track)


@check("where several rules stand against a request, the one that stands longest is named")
def _():
    stage, room = hall("ada", "bea", "guest1", dwell_s=5)
    with stage:
        track = tune()
        stage.ada.data("queue.add", {"tracks": [track]})
        stage.ada.data("queue.next", {}), stage.ada.data("queue.next", {})
        who, guest = stage.bea, stage.guest1
        error = who.refused("queue.too_new", "queue.suggest", track)
        true(0 < error["retry_after_ms"] <= 5000, f"{error}")
        set_rules(stage.ada, cooldown_s=100)
        error = who.refused("queue.cooldown", "queue.suggest", track)
        true(90_000 < error["retry_after_ms"] <= 100_000, f"{error}")
        set_rules(stage.ada, dwell_s=1000)
        error = who.refused("queue.too_new", "queue.suggest", track)
        true(900_000 < error["retry_after_ms"] <= 1_000_000, f"{error}")
        set_rules(stage.ada, entries_max=1)
        add(stage.ada)
        refused(who, "full", "queue.suggest", track)
        set_rules(stage.ada, entries_max=500, suggesters="nobody")
        refused(who, "closed", "queue.suggest", track)
        set_rules(stage.ada, suggesters="members")
        refused(guest, "account_required", "queue.suggest", track)


@check("what is no track reference: queue.track_invalid with the field; what is one is kept as it is")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        good = ("a", "A.b_c~d-e", "0", "x" * 512, "http://example.org", "https://example.org:8080/a?b=c#d",
                "https://[::1]/x", "HTTPS://EXAMPLE.ORG/%20")
        for k, source in enumerate(good):
            entry = stage.bea.data("queue.suggest", {"track": {}, "source": source})["entries"][0]
            equal(entry["source"], source, "source")
            stage.bea.data("queue.remove", {"id": entry["id"]})
        bad = (".a", "-a", "a b", "a/b", "é", "ftp://example.org/a", "http://", "https:///a", "http://u@example.org/",
               "http://u:p@example.org/a", "https://example.org/a b", "https://example.org/é", "javascript:alert(1)",
               "file:///etc/passwd", "http:example.org", "https://example.org/\x7f")
        for source in bad:
            for title in (None, "A title"):
                error = stage.bea.refused("queue.track_invalid", "queue.suggest",
                                          {"track": {"title": title}, "source": source})
                true(error.get("field") in ("data", "data.source"), f"{error}")
            error = stage.ada.refused("queue.track_invalid", "queue.add", {"tracks": [
                tune(), {"track": {}, "source": source}]})
            true(str(error.get("field")).startswith("data.tracks"), f"{error}")
        stage.bea.refused("queue.track_invalid", "queue.suggest", {"track": {}})
        stage.bea.refused("queue.track_invalid", "queue.suggest", {"track": {"artist": "Ada", "album": "x"}})
        stage.bea.strict = False
        for source in ("", "x" * 513, 5):
            stage.bea.refused("request.invalid", "queue.suggest", {"track": {"title": "x"}, "source": source},
                              "data.source")
        stage.bea.refused("request.invalid", "queue.suggest", {"track": {"title": "x" * 513}}, "data.track.title")
        stage.bea.refused("request.invalid", "queue.suggest", {}, "data.track")
        equal(ids(stage.ada), [], "what waits")


@check("1 to 20 tracks are added at once; an invite's role spares nobody the other rules")
def _():
    stage, room = hall("ada", "guest1", needs_approval=True, suggesters="nobody", waiting_per_person_max=1)
    with stage:
        stage.ada.strict = False
        for count in (0, 21):
            stage.ada.refused("request.invalid", "queue.add", {"tracks": [tune() for _ in range(count)]}, "data.tracks")
        numbers = add(stage.ada, 20)
        equal(numbers, ids(stage.ada), "entries, in a row")
        stage.guest1.join(room, invite=invite(stage.ada, room, role="suggest")["code"])
        equal(suggest(stage.guest1)["approved"], False, "approved")
        refused(stage.guest1, "person_limit", "queue.suggest", tune())


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
    stage, room = hall("ada", "bea", "cal", grace_s=1)
    with stage:
        _, waits = add(stage.ada, 2)
        stage.ada.data("queue.next", {})
        for who in (stage.bea, stage.cal):
            who.data("queue.vote", {"id": waits, "vote": "up"})
        stage.mark()
        stage.bea.leave()
        stage.cal.cut()
        time.sleep(0.3)
        equal(pages(stage.ada)["entries"][0]["upvotes"], 2, "votes while they count")
        back = stage.back("cal")
        back.join(room)
        stage.ada.wait("queue.changed", lambda q: q["user"] is None and {
            "change": "votes", "id": waits, "upvotes": 1, "downvotes": 0} in q["changes"], 4)
        equal(pages(stage.ada)["entries"][0]["upvotes"], 1, "votes after that")
        equal(back.data("queue.get", {})["your_votes"]["up"], [waits], "your_votes of who came back")
        set_rules(stage.ada, grace_s=0)
        stage.mark()
        back.leave()
        stage.ada.wait("queue.changed", lambda q: q["user"] is None and {
            "change": "votes", "id": waits, "upvotes": 0, "downvotes": 0} in q["changes"], 4)


@check("skipping: the share of the active listeners rounded up, at least two, without the host; each begins anew")
def _():
    names = ("ada", "bea", "cal", "guest1", "guest2", "guest3", "guest4")
    stage, room = hall(*names, skip_percent=50)
    with stage:
        stage.ada.data("host.start", START)
        first, second, third, fourth = add(stage.ada, 4)
        stage.ada.data("queue.started", {"id": first})
        for percent, needed in ((50, 3), (1, 2), (34, 3), (33, 2), (100, 6), (51, 4)):
            set_rules(stage.ada, skip_percent=percent)
            equal(stage.ada.data("queue.get", {})["skip_votes_needed"], needed, f"needed for {percent} % of 6")
        again = stage.bea.again()
        again.join(room)
        equal(stage.ada.data("queue.get", {})["skip_votes_needed"], 4, "needed when one has two connections")
        for who in (stage.bea, again, stage.cal, stage.guest1):
            stage.guest2.refused("queue.entry_not_found", "queue.vote_skip", {"id": second})
            who.data("queue.vote_skip", {"id": first})
        got = stage.bea.data("queue.get", {})
        equal((got["skip_votes"], got["now"]["entry"]["id"], got["your_votes"]["skip"]), (3, first, True), "votes")
        stage.cal.data("queue.vote_skip", {"id": first, "skip": False})
        stage.guest2.data("queue.vote_skip", {"id": first})
        equal(playing(stage.ada), first, "what plays")
        stage.guest3.data("queue.vote_skip", {"id": first})
        got = stage.bea.data("queue.get", {})
        equal((got["now"]["entry"]["id"], got["skip_votes"], got["your_votes"]["skip"], got["now"]["started_ms"]),
              (second, 0, False, None), "what plays")
        # What was voted out does not come again, whatever is repeated.
        for repeat, following in (("all", third), ("one", fourth)):
            stage.ada.data("queue.set_repeat", {"repeat": repeat})
            now = playing(stage.ada)
            for who in (stage.bea, stage.cal, stage.guest1, stage.guest2):
                who.data("queue.vote_skip", {"id": now})
            equal(playing(stage.ada), following, f"what plays with repeat {repeat}")
        equal(ids(stage.ada), [], "what waits")
        again.__exit__()


@check("how many votes skip is told when it changes: by rules, by who comes, by who goes")
def _():
    stage, room = hall("ada", "bea", "cal", "guest1", "guest2", skip_percent=100)
    with stage:
        stage.ada.data("host.start", START)
        add(stage.ada)
        stage.ada.data("queue.next", {})
        stage.ada.drain()
        got, wrong = pages(stage.ada), []
        mirror, read = Mirror(got), len(stage.ada.log)
        for what, done in (("rules", lambda: set_rules(stage.ada, skip_percent=60)),
                           ("somebody leaves", stage.guest1.leave),
                           ("somebody else leaves", stage.guest2.leave),
                           ("somebody comes", lambda: stage.guest1.join(room))):
            done()
            time.sleep(1.2)
            stage.ada.drain()
            for message in stage.ada.log[read:]:
                if message["type"] == "queue.changed":
                    mirror.apply(message["data"])
            read, needed = len(stage.ada.log), stage.ada.data("queue.get", {})["skip_votes_needed"]
            if mirror.skip[1] != needed:
                wrong.append(f"{what}: told of {mirror.skip[1]}, {needed} needed")
        true(not wrong, "; ".join(wrong))


@check("who leaves may be the vote that was missing: what enough want skipped is skipped")
def _():
    stage, room = hall("ada", "bea", "cal", "guest1", "guest2", skip_percent=60, grace_s=60)
    with stage:
        stage.ada.data("host.start", START)
        first, second = add(stage.ada, 2)
        stage.ada.data("queue.next", {})
        stage.bea.data("queue.vote_skip", {"id": first}), stage.cal.data("queue.vote_skip", {"id": first})
        equal(stage.ada.data("queue.get", {})["skip_votes_needed"], 3, "needed")
        stage.guest1.leave()
        end = time.monotonic() + 2.5
        while playing(stage.ada) == first and time.monotonic() < end:
            time.sleep(0.1)
        got = stage.ada.data("queue.get", {})
        true(got["now"]["entry"]["id"] == second,
             f"{got['skip_votes']} of {got['skip_votes_needed']} want it skipped, and it plays")


@check("what enough want skipped when the rule is eased is skipped; votes to skip are taken back")
def _():
    stage, room = hall("ada", "bea", "cal", "dan", "guest1", skip_percent=100)
    with stage:
        first, second = add(stage.ada, 2)
        stage.ada.data("queue.next", {})
        for who in (stage.bea, stage.cal, stage.dan):
            who.data("queue.vote_skip", {"id": first})
        stage.dan.data("queue.vote_skip", {"id": first, "skip": False})
        equal(stage.ada.data("queue.get", {})["skip_votes"], 2, "votes")
        set_rules(stage.ada, skip_percent=41)
        equal(playing(stage.ada), first, "what plays when three are needed")
        set_rules(stage.ada, skip_percent=40)
        end = time.monotonic() + 2.5
        while playing(stage.ada) == first and time.monotonic() < end:
            time.sleep(0.1)
        equal(playing(stage.ada), second, "what plays when two are needed")


@check("going back takes the new entry away that repeating had put at the end")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        first, second, third = add(stage.ada, 3)
        stage.ada.data("queue.set_repeat", {"repeat": "all"})
        stage.ada.data("queue.next", {}), stage.ada.data("queue.next", {})
        got = pages(stage.ada)
        again = got["entries"][-1]["id"]
        equal((playing(stage.ada), [e["id"] for e in got["entries"]]), (second, [third, again]), "going on")
        stage.mark()
        stage.ada.data("queue.previous", {})
        stage.exactly("queue.changed", stage.people, lambda q: {
            "change": "removed", "ids": [again], "reason": "recalled"} in q["changes"])
        equal((playing(stage.ada), ids(stage.ada)), (first, [second, third]), "going back")


@check("repeat: all puts what was played at the end as a new entry; one plays it again until somebody goes on")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        stage.ada.data("host.start", START)
        first, second = add(stage.ada, 2)
        stage.ada.data("queue.next", {})
        stage.ada.data("queue.set_repeat", {"repeat": "all"})
        before = stage.ada.data("queue.get", {})["now"]
        stage.ada.data("queue.finished", {"id": first})
        got = pages(stage.ada)
        equal((got["now"]["entry"]["id"], got["now"]["play"]), (second, before["play"] + 1), "what plays")
        new = got["entries"][-1]
        true(new["id"] > second and (new["track"], new["source"]) == (before["entry"]["track"],
                                                                      before["entry"]["source"]), f"{new}")
        stage.ada.data("queue.set_repeat", {"repeat": "one"})
        for play in (3, 4):
            stage.ada.data("queue.started", {"id": second})
            stage.ada.data("queue.finished", {"id": second})
            now = stage.ada.data("queue.get", {})["now"]
            equal((now["entry"]["id"], now["play"], now["started_ms"]), (second, play, None), "what plays")
        stage.ada.data("queue.next", {"id": second})
        equal(playing(stage.ada), new["id"], "what plays after going on")
        for number in (second, 999):
            stage.ada.refused("queue.entry_not_found", "queue.finished", {"id": number})
        stage.ada.data("queue.set_repeat", {"repeat": "off"})
        stage.ada.data("queue.finished", {"id": new["id"]})
        equal((playing(stage.ada), ids(stage.ada)), (None, []), "in the end")
        stage.ada.refused("queue.entry_not_found", "queue.finished", {"id": new["id"]})


@check("going on and back: two who press at once skip one; what ended last plays again, fifty times at most")
def _():
    stage, room = hall("ada", "bea", "cal")
    with stage:
        standing(stage, stage.ada, room, "cohost", stage.bea)
        for kind in ("queue.next", "queue.previous"):
            stage.ada.refused("queue.empty", kind, {})
        numbers = add(stage.ada, 10)
        stage.ada.data("queue.next", {})
        for k in range(4):
            asked = [(who, who.send("queue.next", {"id": numbers[k]})) for who in (stage.ada, stage.bea)]
            codes = [who.reply(number).get("error", {}).get("code") for who, number in asked]
            equal(sorted(codes, key=str), [None, "queue.entry_not_found"], "codes")
            equal(playing(stage.ada), numbers[k + 1], "what plays")
        for k in range(3, -1, -1):
            stage.bea.data("queue.previous", {})
            equal((playing(stage.ada), ids(stage.ada)), (numbers[k], numbers[k + 1:]), "what plays, what waits")
        stage.ada.refused("queue.empty", "queue.previous", {})
        plays = [stage.ada.data("queue.get", {})["now"]["play"]]
        for _ in range(12):
            stage.ada.ask("queue.next", {})
            now = stage.ada.data("queue.get", {})["now"]
            plays += [now["play"]] if now else []
        equal(sorted(set(plays)), plays, "plays rise")
        equal(playing(stage.ada), None, "what plays")
        stage.ada.refused("queue.empty", "queue.next", {})
        for _ in range(3):
            add(stage.ada, 20)
        for _ in range(60):
            stage.ada.data("queue.next", {})
        back = 0
        while (reply := stage.ada.ask("queue.previous", {}))["type"] == "ok":
            back += 1
            true(back <= 50, "it goes back more than 50 times")
        equal((reply["error"]["code"], back), ("queue.empty", 50), "how often it goes back")


@check("the host says what began: what was chosen, or any that waits, which is then chosen")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        stage.ada.data("host.start", START)
        first, second, third = add(stage.ada, 3)
        stage.ada.data("queue.next", {})
        equal(stage.ada.data("queue.get", {})["now"]["started_ms"], None, "started_ms")
        begin = time.time() * 1000
        stage.ada.data("queue.started", {"id": first})
        now = stage.bea.data("queue.get", {})["now"]
        true(begin - 1000 <= now["started_ms"] <= time.time() * 1000 + 1000, f"{now}")
        stage.mark()
        stage.ada.data("queue.started", {"id": first})
        stage.exactly("queue.changed", [])
        stage.ada.data("queue.started", {"id": third})
        got = pages(stage.bea)
        equal((got["now"]["entry"]["id"], got["now"]["play"], [e["id"] for e in got["entries"]]), (third, 2, [second]),
              "what plays")
        true(got["now"]["started_ms"], "started_ms")
        stage.ada.refused("queue.entry_not_found", "queue.started", {"id": first})
        stage.bea.refused("host.not_host", "queue.started", {"id": second})
        stage.ada.data("host.stop")
        stage.ada.refused("host.not_host", "queue.finished", {"id": third})


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


@check("the changes of one event come in the order in which the page has them")
def _():
    stage, room = hall("ada", "bea", "cal", "dan", ordering="votes")
    with stage:
        stage.ada.data("host.start", START)
        first, second, third = add(stage.ada, 3)
        stage.ada.data("queue.set_repeat", {"repeat": "all"})
        stage.ada.data("queue.next", {}), stage.ada.data("queue.next", {}), stage.ada.data("queue.previous", {})
        stage.ada.data("queue.finished", {"id": first})
        set_rules(stage.ada, ordering="manual"), set_rules(stage.ada, ordering="votes")
        for who in (stage.bea, stage.cal):
            who.data("queue.vote_skip", {"id": second})
        stage.ada.drain()
        for event in stage.ada.got("queue.changed"):
            words = [change["change"] for change in event["changes"]]
            equal(words, sorted(words, key=CHANGES.index), "changes")


@check("what changes nothing is told to nobody and is no revision, also when others change something meanwhile")
def _():
    stage, room = hall("ada", "bea", "cal")
    with stage:
        entry = add(stage.ada, 2)[0]
        stage.mark()
        revision = pages(stage.ada)["revision"]
        for kind, data in (("queue.vote", {"id": entry}), ("queue.shuffle", {"seed": 1}), ("queue.move", {"id": entry, "first": True}),
                           ("queue.set_repeat", {"repeat": "off"}), ("queue.set_rules", {"rules": {"row_max": 2}}),
                           ("queue.approve", {"id": entry})):
            equal(stage.ada.data(kind, data)["revision"], revision, f"revision after {kind}")
        stage.exactly("queue.changed", [])
        for k in range(60):
            asked = [(stage.bea, stage.bea.send("queue.vote", {"id": entry, "vote": ("up", "down", None)[k % 3]})),
                     (stage.ada, stage.ada.send("queue.shuffle", {"seed": 1})),
                     (stage.cal, stage.cal.send("queue.vote", {"id": entry}))]
            for who, number in asked:
                equal(who.reply(number)["type"], "ok", "reply")
            time.sleep(0.02)
        stage.exactly("queue.changed", stage.people, count=60)
        equal(pages(stage.ada)["revision"], stage.ada.got("queue.changed")[-1]["revision"],
              "revision of queue.get, and of the last change that was told")


@check("whoever voted and leaves, and is back while the vote counts, changes nothing: no revision but what is told")
def _():
    stage, room = hall("ada", "bea", "guest1", grace_s=60)
    with stage:
        entry = add(stage.ada)[0]
        for who in (stage.bea, stage.guest1):
            who.data("queue.vote", {"id": entry, "vote": "up"})
        stage.ada.drain()
        revision = pages(stage.ada)["revision"]
        for _ in range(2):
            stage.bea.leave(), stage.guest1.leave()
            time.sleep(0.1)
            stage.bea.join(room), stage.guest1.join(room)
            time.sleep(0.1)
        stage.ada.drain()
        told = [m["data"]["revision"] for m in stage.ada.log if m["type"] == "queue.changed"]
        true(told[-1] == revision, f"told of {told[-1]} after {revision}")
        equal(pages(stage.ada)["revision"], told[-1], "revision of queue.get, and of the last change that was told")


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


@check("`data` may be left out where no field has to be there, and the schemas say so")
def _():
    stage, room = hall("ada", "bea")
    with stage:
        add(stage.ada, 2)
        for kind in ("queue.get", "queue.next", "queue.previous", "queue.shuffle", "queue.clear"):
            reply = stage.ada.ask(kind)
            true(reply["type"] == "ok" or reply["error"]["code"] == "queue.empty", f"{kind}: {reply}")
