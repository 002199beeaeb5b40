"""A queue that seven people change as they like, and clients that know it from queue.changed alone."""
import time

from protocol_checks.helpers import Failure, check, true

from room_checks.seat import START

from party_checks import stage as settings
from party_checks.queues import OPEN_TO_ALL, Mirror, pages, tune
from party_checks.stage import Stage, chance

REFUSALS = {"queue." + word for word in (
    "closed", "account_required", "too_new", "full", "person_limit", "share", "duplicate", "cooldown",
    "entry_not_found", "not_approved", "empty", "track_invalid")} | {
    "room.forbidden", "host.not_host", "request.rate_limited", "request.invalid"}
NAMES = ("ada", "bea", "cal", "dan", "guest1", "guest2", "guest3")


class Walker:
    """What is asked at random, by whom; and everybody's mirror of the queue."""
    def __init__(self, stage, room, luck):
        self.stage, self.room, self.luck = stage, room, luck
        self.mirrors, self.read, self.codes = {}, {}, {}
        self.known = tune()

    def look(self, name):
        """Somebody asks for the whole queue, once."""
        who = self.stage.people[name]
        # What is told while the answer is on its way may be newer than the answer.
        self.read[name] = len(who.log)
        self.mirrors[name] = Mirror(pages(who))

    def follow(self, name):
        """And applies every change told since."""
        who, mirror = self.stage.people[name], self.mirrors[name]
        for message in who.log[self.read[name]:]:
            if message["type"] == "queue.changed" and message["data"]["revision"] > mirror.revision:
                mirror.apply(message["data"])
        self.read[name] = len(who.log)

    def some_id(self, among=None):
        mirror = self.mirrors["ada"]
        there = [e["id"] for e in (mirror.waiting + mirror.pending if among is None else among)]
        return self.luck.choice(there) if there and self.luck.random() < 0.95 else self.luck.randint(1, 400)

    def place(self):
        word = self.luck.choice((None, None, "first", "before", "after"))
        return {} if word is None else {word: True if word == "first" else self.some_id(self.mirrors["ada"].waiting)}

    def rules(self):
        pick = self.luck.choice
        every = {"ordering": pick(("manual", "votes")), "suggesters": pick(("members", "everybody", "everybody")),
                 "voters": pick(("members", "everybody", "everybody")), "needs_approval": pick((True, False, False)),
                 "waiting_per_person_max": pick((2, 5, 100)), "entries_max": pick((15, 500)),
                 "share_window": pick((1, 5, 20)), "share_plays_max": pick((1, 3, 100)), "row_max": pick((1, 2, 100)),
                 "cooldown_s": pick((0, 0, 1)), "skip_percent": pick((0, 30, 50, 100)), "grace_s": pick((0, 1, 60))}
        return {word: every[word] for word in self.luck.sample(list(every), self.luck.randint(1, 3))}

    def anything(self):
        """A request and what it says, and who asks."""
        luck, mirror = self.luck, self.mirrors["ada"]
        now = mirror.now["entry"]["id"] if mirror.now else self.some_id()
        anybody = luck.choice(NAMES)
        kind, who, data = luck.choice((
            *[("queue.suggest", anybody, luck.choice((tune(), tune(), tune(False), self.known)))] * 5,
            *[("queue.vote", anybody, {"id": self.some_id(mirror.waiting)} | luck.choice(
                ({}, {"vote": "up"}, {"vote": "up"}, {"vote": "down"})))] * 6,
            *[("queue.vote_skip", anybody, {"id": now} | luck.choice(({}, {}, {"skip": False})))] * 3,
            ("queue.remove", anybody, {"id": self.some_id()}),
            ("queue.add", "ada", {"tracks": [tune() for _ in range(luck.randint(1, 3))]} | self.place()),
            *[("queue.approve", "ada", {"id": self.some_id(mirror.pending)})] * 2,
            ("queue.reject", "ada", {"id": self.some_id(mirror.pending)}),
            ("queue.move", "ada", {"id": self.some_id(mirror.waiting)} | self.place()),
            ("queue.shuffle", "ada", luck.choice(({}, {"seed": luck.randrange(2**53)}))),
            ("queue.set_repeat", "ada", {"repeat": luck.choice(("off", "off", "all", "one"))}),
            ("queue.set_rules", "ada", {"rules": self.rules()}),
            ("queue.next", "ada", luck.choice(({}, {"id": now}))), ("queue.previous", "ada", {}),
            ("queue.started", "ada", {"id": luck.choice((now, self.some_id(mirror.waiting)))}),
            *[("queue.finished", "ada", {"id": now})] * 2,
            (luck.choice(("queue.clear", "queue.next", "queue.shuffle")), luck.choice(NAMES[1:]), {})))
        return kind, who, data

    def come_or_go(self):
        away = [name for name in NAMES if not self.stage.people[name].room]
        name = self.luck.choice(away or NAMES[1:])
        who = self.stage.people[name]
        if who.room:
            who.leave()
        else:
            who.__exit__()
            self.stage.back(name).join(self.room)
            self.look(name)

    def ask(self, count):
        """So many at once, or one over HTTP; the answers."""
        for kind, name, data in (asked := [self.anything() for _ in range(count)]):
            true(name in self.stage.people, kind)
        if count == 1 and self.luck.random() < 0.3 and not asked[0][0].startswith(("queue.suggest", "queue.vote")):
            kind, name, data = asked[0]
            return [(kind, name, data, self.stage.people[name].rpc(kind, data | {"room": self.room}))]
        reference = self.luck.choice((self.room, "@" + self.stage.ada.user["username"]))
        sent = [(kind, name, data, self.stage.people[name].send(kind, data | {"room": reference}))
                for kind, name, data in asked]
        return [(kind, name, data, self.stage.people[name].reply(number)) for kind, name, data, number in sent]

    def take(self, kind, name, reply):
        """An answer: refused by a rule that has a name, or done."""
        if reply["type"] == "ok":
            self.codes["ok"] = self.codes.get("ok", 0) + 1
            return true(isinstance(reply["data"].get("revision"), int), f"{kind}: no revision")
        code = reply["error"]["code"]
        self.codes[code] = self.codes.get(code, 0) + 1
        inside = self.stage.people[name].room
        true(code in REFUSALS or code == "room.not_joined" and not inside, f"{kind}: {reply['error']}")
        if code == "request.rate_limited":
            time.sleep(reply["error"]["retry_after_ms"] / 1000)

    def compare(self, what):
        """All who are inside have by their mirrors what the server tells."""
        end = time.monotonic() + 1
        while True:
            asker = self.luck.choice([who for who in self.stage.people.values() if who.room])
            got = pages(asker, self.room, limit=self.luck.choice((7, 100)), over_http=self.luck.random() < 0.5)
            inside = [name for name, who in self.stage.people.items() if who.room]
            for name in inside:
                self.stage.people[name].drain()
                self.follow(name)
            try:
                for name in inside:
                    self.mirrors[name].same_as(got, f"of {name}'s mirror {what}")
                return got
            except Failure:
                if time.monotonic() > end:
                    raise


    def votes(self, got):
        """What each is told of their own votes makes the numbers that all are told."""
        people = [who for who in self.stage.people.values() if who.room]
        theirs = [who.data("queue.get", {}) for who in people]
        if len({t["revision"] for t in theirs} | {got["revision"]}) > 1:
            return
        for entry in got["entries"]:
            for word in ("up", "down"):
                mine = sum(entry["id"] in t["your_votes"][word] for t in theirs)
                told = entry[f"{word}votes"]
                true(mine == told or mine < told and len(people) < len(NAMES), f"{told} {word}votes for {entry['id']}, "
                     f"of which {mine} are of {len(people)} who are there")
        true(sum(t["your_votes"]["skip"] for t in theirs) <= got["skip_votes"], "votes to skip")


def setting(luck):
    stage = Stage(*NAMES)
    room = stage.ada.data("room.create", {"delivery": "interactive", "lead_ms": 300})["room"]["id"]
    for who in stage.people.values():
        who.join(room)
    stage.ada.data("queue.set_rules", {"rules": OPEN_TO_ALL})
    stage.ada.data("host.start", START)
    walker = Walker(stage, room, luck)
    for name in NAMES:
        walker.look(name)
    return walker


@check("a client that applies every queue.changed has what queue.get tells: a random walk by seven")
def _():
    luck = chance("walk")
    walker = setting(luck)
    with walker.stage:
        for turn in range(2000 if settings.SLOW else 320):
            before = walker.mirrors["ada"].revision if turn % 5 == 0 else None
            count = 1 if before is not None else luck.randint(1, 4)
            if luck.random() < 0.04:
                walker.come_or_go()
            if before is not None:
                before = walker.compare(f"before step {turn}")["revision"]
            answers = walker.ask(count)
            for kind, name, _, reply in answers:
                walker.take(kind, name, reply)
            what = f"after step {turn}, {[(k, n, r.get('error', {}).get('code', 'ok')) for k, n, _, r in answers]}"
            if before is None and luck.random() < 0.5:
                continue
            got = walker.compare(what)
            if turn % 8 == 0:
                walker.votes(got)
            if before is not None and answers[0][3]["type"] == "error" and got["revision"] != before:
                changes = [m["data"]["user"] for m in walker.stage.ada.log if m["type"] == "queue.changed"
                           and m["data"]["revision"] > before]
                true(not any(changes), f"{what}: revision {got['revision']} after {before}")
        true(walker.codes.get("ok", 0) > 100, f"{walker.codes}")
