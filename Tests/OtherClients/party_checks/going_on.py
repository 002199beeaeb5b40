"""queue.md: what plays, skipping, repeating, going on and back."""
import time

from protocol_checks.helpers import check, equal, true

from room_checks.seat import START, standing

from party_checks.queues import Mirror, add, hall, ids, pages, playing, refused, set_rules


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


@check("while somebody wants to skip, how many votes it takes is told when it changes: by rules, by who comes and goes")
def _():
    stage, room = hall("ada", "bea", "cal", "guest1", "guest2", skip_percent=100)
    with stage:
        stage.ada.data("host.start", START)
        entry, = add(stage.ada)
        stage.ada.data("queue.next", {})
        stage.bea.data("queue.vote_skip", {"id": entry})
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
