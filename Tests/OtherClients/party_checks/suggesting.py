"""queue.md: who may suggest what, and which code says so; when it lifts."""
import random, time

from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite

from party_checks.queues import add, hall, ids, playing, refused, set_rules, suggest, tune


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
             differs=[track(None, None, "https://example.org/Song?a=2"),
                      track(None, None, "https://example.org/song/b"),
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
