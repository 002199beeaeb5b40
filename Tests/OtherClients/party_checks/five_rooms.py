"""Twenty clients in five rooms: each room has a story of its own, told in an order of its own, all at once."""
from protocol_checks.helpers import check, equal, true

from room_checks.doors import invite

from party_checks.queues import OPEN_TO_ALL, suggest, tune
from party_checks.stage import Stage, at_once, chance, maybe, told

CAST = {"ada": ("bea", "cal", "guest1"), "dan": ("eva", "fay", "guest2"), "gil": ("hal", "guest3", "guest4"),
        "ida": ("jon", "kim", "guest5"), "lee": ("mia", "guest6", "guest7")}
PRIVATE = ("dan", "lee")


class Story:
    """A room, its owner, two who are there all the time, and a late guest. Each chapter yields what has to be told."""
    def __init__(self, stage, owner, luck):
        self.stage, self.owner_name, self.luck = stage, owner, luck
        self.names, self.late_name = [owner, *CAST[owner][:2]], CAST[owner][2]
        self.room, self.private, self.plays = None, owner in PRIVATE, 0
        self.steps = self.all_steps()

    def __getattr__(self, name):
        role = {"owner": 0, "friend": 1, "other": 2}.get(name)
        if role is None:
            raise AttributeError(name)
        return self.stage.people[self.names[role]]

    @property
    def late(self):
        return self.stage.people[self.late_name]

    def new_late(self):
        """Somebody new under the name of the late guest: nothing is left of what the one before was allowed."""
        self.late.__exit__()
        self.stage.come(self.late_name)

    def enter(self, **more):
        """The late guest comes, by a link where there is no other way."""
        made = invite(self.owner, self.room, **more)
        equal(made["path"], f"/r/{self.room}#{made['code']}", "the link")
        self.late.join(self.room, invite=made["path"].split("#")[1])
        return made

    def all(self, kind, fits=lambda data: True, late=False, but=()):
        """Everybody inside is told."""
        names = [n for n in self.names + [self.late_name] * late if n not in but]
        return told(kind, names, fits, self.room)

    def all_steps(self):
        yield from self.begins()
        chapters = [self.talks, self.queues, self.votes_to_skip, self.comes_and_goes, self.revokes, self.kicks,
                    self.bans, self.mutes, self.hands_over, self.loses_the_host, self.knocks, self.turns_private]
        self.luck.shuffle(chapters)
        for chapter in chapters:
            yield from chapter()
        yield from self.closes()

    def begins(self):
        made = self.owner.data("room.create", {"visibility": "private" if self.private else "public",
                                               "delivery": "interactive", "lead_ms": 300})["room"]
        self.room = made["id"]
        yield "room.create", []
        code = invite(self.owner, self.room, uses=2)["code"]
        for who in (self.owner, self.friend, self.other):
            who.join(self.room, **({"invite": code} if who is not self.owner else {}))
        self.late.may_not_join("invite.used_up", self.room, invite=code)
        yield "coming in by a link", []
        self.owner.data("queue.set_rules", {"rules": OPEN_TO_ALL | {"needs_approval": True}})
        yield "queue.set_rules", [self.all("queue.changed", lambda d: d["changes"][0]["change"] == "rules")]

    def talks(self):
        said = self.friend.data("chat.send", {"text": "helo"})["message"]
        yield "chat.send", [self.all("chat.message", lambda d: d["message"] == said)]
        edited = self.friend.data("chat.edit", {"id": said["id"], "text": "hello"})["message"]
        yield "chat.edit", [self.all("chat.changed", lambda d: d["message"] == edited)]
        self.other.data("reaction.send", {"emoji": "🎉"})
        self.other.forbidden("moderate", "chat.delete", {"id": said["id"]})
        yield "reaction.send", []
        self.owner.data("chat.delete", {"id": said["id"]})
        yield "chat.delete", [
            self.all("chat.changed", lambda d: d["message"]["deleted"] and d["message"]["text"] == ""),
            told("room.moderated", [self.owner_name], lambda d: (d["action"], d["user"]["uid"]) == (
                "delete", self.friend.uid))]
        self.owner.data("room.update", {"room": self.room, "chat": "moderators", "slow_mode_s": 3})
        yield "room.update", [self.all("room.updated", lambda d: d["room"]["chat"] == "moderators")]
        self.friend.forbidden("chat", "chat.send", {"text": "may I?"})
        mine = self.owner.data("chat.send", {"text": "no"})["message"]
        yield "chat.send", [self.all("chat.message", lambda d: d["message"] == mine)]
        self.owner.data("room.update", {"room": self.room, "chat": "everyone", "slow_mode_s": 0})
        yield "room.update", [self.all("room.updated", lambda d: d["room"]["slow_mode_s"] == 0)]

    def change(self, word, **fields):
        """queue.changed to all, whose first change is this."""
        return [self.all("queue.changed", lambda d: (d["changes"][0]["change"], *(d["changes"][0].get(f)
                         for f in fields)) == (word, *fields.values()))]

    def queues(self):
        first = suggest(self.friend)
        yield "queue.suggest", self.change("added", entries=[first], after=None)
        second = suggest(self.other)
        yield "queue.suggest", self.change("added", entries=[second])
        self.friend.forbidden("control", "queue.approve", {"id": first["id"]})
        self.owner.data("queue.approve", {"id": first["id"]})
        yield "queue.approve", self.change("approved", id=first["id"])
        self.owner.data("queue.approve", {"id": first["id"]})
        yield "queue.approve of what waits", []
        self.owner.data("queue.reject", {"id": second["id"]})
        yield "queue.reject", self.change("removed", ids=[second["id"]], reason="rejected")
        more = self.owner.data("queue.add", {"tracks": [tune(), tune()], "first": True})["entries"]
        yield "queue.add", self.change("added", entries=more, after=None)
        self.other.data("queue.vote", {"id": first["id"], "vote": "up"})
        yield "queue.vote", self.change("votes", id=first["id"], upvotes=1, downvotes=0)
        self.other.data("queue.vote", {"id": first["id"], "vote": "up"})
        yield "the same vote", []
        self.other.data("queue.vote", {"id": first["id"]})
        yield "queue.vote taken back", self.change("votes", id=first["id"], upvotes=0, downvotes=0)
        self.owner.data("queue.move", {"id": first["id"], "first": True})
        yield "queue.move", self.change("moved", id=first["id"], after=None)
        self.owner.data("queue.shuffle", {"seed": 42})
        got = self.owner.data("queue.get", {})
        yield "queue.shuffle", self.change("reordered", ids=[e["id"] for e in got["entries"]])
        self.friend.data("queue.remove", {"id": first["id"]})
        yield "queue.remove", self.change("removed", ids=[first["id"]], reason="withdrawn")
        self.owner.data("queue.clear", {})
        yield "queue.clear", [self.all("queue.changed", lambda d: (
            sorted(d["changes"][0]["ids"]), d["changes"][0]["reason"]) == (sorted(e["id"] for e in more), "cleared"))]
        self.owner.data("queue.clear", {})
        yield "queue.clear of nothing", []

    def votes_to_skip(self):
        entry = self.owner.data("queue.add", {"tracks": [tune()]})["entries"][0]
        yield "queue.add", self.change("added", entries=[entry])
        self.owner.data("queue.next", {})
        self.plays += 1
        has = lambda d, word: next((c for c in d["changes"] if c["change"] == word), {})
        yield "queue.next", [self.all("queue.changed", lambda d: (has(d, "now")["now"]["entry"]["id"],
                                      has(d, "now")["now"]["play"]) == (entry["id"], self.plays))]
        self.friend.data("queue.vote_skip", {"id": entry["id"]})
        yield "queue.vote_skip", [self.all("queue.changed", lambda d: (has(d, "skip")["votes"],
                                                                       has(d, "skip")["needed"]) == (1, 2))]
        self.friend.data("queue.vote_skip", {"id": entry["id"]})
        yield "the same again", []
        self.friend.data("queue.vote_skip", {"id": entry["id"], "skip": False})
        yield "taken back", [self.all("queue.changed", lambda d: has(d, "skip")["votes"] == 0)]
        self.friend.data("queue.vote_skip", {"id": entry["id"]})
        self.other.data("queue.vote_skip", {"id": entry["id"]})
        yield "queue.vote_skip of enough", [
            self.all("queue.changed", lambda d: has(d, "skip")["votes"] == 1 and "now" not in str(d["changes"])),
            self.all("queue.changed", lambda d: has(d, "now") and has(d, "now")["now"] is None)]

    def comes_and_goes(self):
        self.friend.leave()
        before = self.other.data("chat.send", {"text": "while one is away"})["message"]
        yield "chat.send", [self.all("chat.message", but=[self.friend.name])]
        snapshot = self.friend.join(self.room)
        equal(snapshot["chat"][-1], before, "the newest message in the snapshot")
        true(snapshot["seq"] == self.other.seq, f"the snapshot's seq {snapshot['seq']}, not {self.other.seq}")
        self.friend.join(self.room)
        yield "coming back, twice", []

    def revokes(self):
        self.new_late()
        yield "somebody new", []
        made = self.enter(role="vote")
        yield "coming in by a link", []
        self.owner.data("invite.revoke", {"room": self.room, "invite": made["invite"]["id"]})
        if self.private:
            yield "invite.revoke", [told("room.removed", [self.late_name], lambda d: d == {
                "room": self.room, "reason": "invite_revoked"})] + [
                    # "whoever is out as an invite is revoked" finds fault with this.
                    maybe("room.standing_changed", self.names + [self.late_name], self.room)]
        else:
            yield "invite.revoke", [self.all("room.standing_changed", lambda d: set(d["may"]) == {"listen", "chat"},
                                             late=True)]
            self.late.leave()
        self.late.may_not_join("invite.revoked", self.room, invite=made["code"])
        self.late.may_not_join("invite.invalid", self.room, invite=made["code"] + "A")
        yield "a revoked invite, and a guessed one", []

    def kicks(self):
        self.new_late()
        self.enter()
        yield "coming in by a link", []
        self.owner.data("room.set_standing", {"room": self.room, "user": self.friend.uid, "standing": "moderator"})
        yield "room.set_standing", [self.all("room.standing_changed", lambda d: d["standing"] == "moderator",
                                             late=True)]
        self.friend.data("room.kick", {"room": self.room, "user": self.late.uid, "reason": "Shoo"})
        yield "room.kick", [
            told("room.removed", [self.late_name], lambda d: (d["reason"], d["message"]) == ("kicked", "Shoo")),
            told("room.moderated", self.names[:2], lambda d: (d["action"], d["by"]["uid"]) == (
                "kick", self.friend.uid))]
        self.owner.data("room.set_standing", {"room": self.room, "user": self.friend.uid, "standing": "member"})
        yield "room.set_standing", [self.all("room.standing_changed", lambda d: d["standing"] == "member")]

    def bans(self):
        self.new_late()
        made = self.enter()
        yield "coming in by a link", []
        self.owner.data("room.ban", {"room": self.room, "user": self.late.uid, "seconds": 1000})
        yield "room.ban", [told("room.removed", [self.late_name], lambda d: d["reason"] == "banned"),
                           told("room.moderated", [self.owner_name], lambda d: d["action"] == "ban" and d["until_ms"])]
        for more in ({}, {"invite": made["code"]}):
            self.late.may_not_join("room.banned", self.room, **more)
        yield "coming back", []
        self.owner.data("room.unban", {"room": self.room, "user": self.late.uid})
        yield "room.unban", [told("room.moderated", [self.owner_name], lambda d: d["action"] == "unban")]

    def mutes(self):
        for kind, word in (("room.mute", "mute"), ("room.unmute", "unmute")):
            self.owner.data(kind, {"room": self.room, "user": self.other.uid})
            yield kind, [told("room.moderated", [self.owner_name], lambda d: d["action"] == word and d["by"]),
                         told("room.moderated", [self.other.name], lambda d: d["action"] == word and not d["by"])]

    def begun(self, who):
        return [self.all("host.changed", lambda d: (d["state"], d["host"]["uid"]) == ("here", who.uid)),
                self.all("stream.started")]

    def ended(self, reason):
        return [self.all("stream.ended", lambda d: d["reason"] == reason),
                self.all("host.changed", lambda d: d == {"host": None, "state": "none"})]

    def hands_over(self):
        self.owner.start()
        yield "host.start", self.begun(self.owner)
        self.friend.data("host.request")
        yield "host.request", [told("host.requested", [self.owner_name])]
        self.owner.data("host.offer", {"user": self.friend.uid})
        yield "host.offer", [told("host.offered", [self.friend.name])]
        self.friend.start()
        yield "host.start of another", self.ended("finished") + self.begun(self.friend) + [
            told("host.lost_seat", [self.owner_name], lambda d: d["reason"] == "handed_over")]
        self.owner.play(1)
        self.owner.error("host.not_host")
        self.owner.data("host.take_back")
        yield "host.take_back", self.ended("finished") + [
            told("host.lost_seat", [self.friend.name], lambda d: d["reason"] == "taken_back")]

    def loses_the_host(self):
        self.owner.start()
        yield "host.start", self.begun(self.owner)
        self.owner.cut()
        yield "a lost connection", [self.all("host.changed", lambda d: d["state"] == "away", but=[self.owner_name])]
        self.stage.back(self.owner_name)
        snapshot = self.owner.join(self.room)
        equal(snapshot["room"]["host_state"], "away", "host_state")
        yield "the host's coming back", []
        self.owner.start()
        yield "host.start", self.begun(self.owner)
        self.owner.data("host.stop")
        yield "host.stop", self.ended("finished")

    def knocks(self):
        self.new_late()
        self.owner.data("room.update", {"room": self.room, "waiting_room": True})
        yield "room.update", [self.all("room.updated", lambda d: d["room"]["waiting_room"])]
        self.late.may_not_join("room.approval_pending", self.room)
        yield "knocking", [told("room.knocked", [self.owner_name], lambda d: d["user"]["uid"] == self.late.uid)]
        self.owner.data("room.deny", {"room": self.room, "user": self.late.uid})
        yield "room.deny", [told("room.denied", [self.late_name]), told("room.moderated", [self.owner_name])]
        self.new_late()
        self.late.may_not_join("room.approval_pending", self.room)
        yield "knocking", [told("room.knocked", [self.owner_name], lambda d: d["user"]["uid"] == self.late.uid)]
        self.owner.data("room.admit", {"room": self.room, "user": self.late.uid})
        yield "room.admit", [told("room.admitted", [self.late_name]), told("room.moderated", [self.owner_name])]
        self.late.join(self.room)
        self.late.leave()
        self.owner.data("room.update", {"room": self.room, "waiting_room": False})
        yield "room.update", [self.all("room.updated", lambda d: not d["room"]["waiting_room"])]

    def turns_private(self):
        first, then = ("public", "private") if self.private else ("private", "public")
        self.new_late()
        for visibility in (first, then):
            self.owner.data("room.update", {"room": self.room, "visibility": visibility})
            yield "room.update", [self.all("room.updated", lambda d: d["room"]["visibility"] == visibility)]
            for kind in ("room.get", "room.join", "queue.get", "chat.history"):
                if visibility == "private":
                    self.late.refused("room.not_found", kind, {"room": self.room})

    def closes(self):
        self.owner.start()
        yield "host.start", self.begun(self.owner)
        self.owner.data("room.close", {"room": self.room})
        yield "room.close", self.ended("closed") + [
            self.all("room.closed", lambda d: d == {"reason": "closed_by_owner"})]
        for who in (self.owner, self.friend, self.other):
            equal(who.room, None, "where somebody is whose room was closed")
            who.refused("room.closed", "queue.get", {"room": self.room})
        yield "asking a closed room", []


@check("twenty clients in five rooms, at once: each event seen by exactly those who should, in order, without a gap")
def _():
    luck = chance("five rooms")
    with Stage(*CAST, *(name for names in CAST.values() for name in names)) as stage:
        stories = [Story(stage, owner, luck) for owner in CAST]
        while stories:
            now = luck.sample(stories, luck.randint(1, len(stories)))
            steps = at_once([lambda story=story: next(story.steps, None) for story in now])
            stories = [s for s in stories if s not in now or steps[now.index(s)]]
            done = [(story.owner_name, *step) for story, step in zip(now, steps) if step]
            stage.exactly_these([event for _, _, events in done for event in events],
                                ", ".join(f"{what} in {owner}'s" for owner, what, _ in done))
        stage.quiet()


@check("coming in by an invite is no room.standing_changed: nobody is told of it by number")
def _():
    with Stage("ada", "bea", "cal", "guest1") as stage:
        room = stage.ada.data("room.create", {})["room"]["id"]
        stage.ada.join(room)
        for role in ("listen", "vote"):
            code = invite(stage.ada, room, role=role)["code"]
            for who in (stage.bea, stage.cal, stage.guest1):
                who.leave()
                who.join(room, invite=code)
                stage.exactly_these([], f"{who.name}'s coming by an invite of the role {role}")


@check("whoever is out as an invite is revoked is told of by room.removed alone, and others by no number")
def _():
    with Stage("ada", "guest1") as stage:
        room = stage.ada.data("room.create", {"visibility": "private"})["room"]["id"]
        stage.ada.join(room)
        made = invite(stage.ada, room, role="vote")
        stage.guest1.join(room, invite=made["code"])
        stage.exactly_these([], "coming in")
        stage.ada.data("invite.revoke", {"room": room, "invite": made["invite"]["id"]})
        stage.exactly_these([told("room.removed", ["guest1"])], "invite.revoke")


def moved(stage, luck, rooms, inside, last):
    """Some come, go, and go elsewhere, all at once; nobody is told by number. `last` is where they were."""
    asked = []
    for name in luck.sample(list(stage.people), luck.randint(1, 8)):
        who, to = stage.people[name], luck.choice([None, *(room for room in rooms if room != last.get(name))])
        if to or inside[name]:
            asked.append((who, who.send(*(("room.join", {"room": to}) if to else ("room.leave",)))))
            inside[name], last[name] = to, to or last.get(name)
    for who, number in asked:
        equal(who.reply(number)["type"], "ok", "coming and going")


def did(luck, stage, rooms, inside, turn):
    """Somebody does something in each of some rooms, without waiting for the answer: who asked, what has to be told."""
    asked, expected, busy = [], [], set()
    for room in luck.sample(list(rooms), luck.randint(1, len(rooms))):
        there = [name for name, at in inside.items() if at == room]
        free = [name for name in there if name not in busy]
        kind, data, event = luck.choice([
            ("queue.suggest", {"track": tune()["track"]}, "queue.changed"),
            ("queue.add", {"room": room, "tracks": [tune()]}, "queue.changed"),
            ("room.update", {"room": room, "title": f"Turn {turn}"}, "room.updated"),
            ("room.set_standing", {"room": room, "user": "", "standing": ""}, "room.standing_changed"),
            ("reaction.send", {"emoji": "👏"}, None), ("room.members", {}, None)])
        by_owner = "room" in data
        name = rooms[room]["owner"] if by_owner else luck.choice(free) if free else None
        if name is None or name in busy:
            continue
        if kind == "room.set_standing":
            accounts = [n for n in rooms[room]["standings"] if n != name]
            whom = luck.choice(accounts)
            data["user"] = stage.people[whom].uid
            data["standing"] = luck.choice(("member", "moderator", "listener"))
            if rooms[room]["standings"][whom] == data["standing"]:
                event = None
            rooms[room]["standings"][whom] = data["standing"]
        busy.add(name)
        asked.append((stage.people[name], stage.people[name].send(kind, data), kind))
        if event:
            expected.append(told(event, there, room=room))
    return asked, expected


@check("twenty clients wander through five rooms at random: each is told of what happens where it is, and nothing else")
def _():
    from party_checks import stage as settings
    luck = chance("wandering")
    names = [*CAST, *(name for names in CAST.values() for name in names)]
    with Stage(*names) as stage:
        inside, last, rooms = dict.fromkeys(names), {}, {}
        for owner in CAST:
            by = stage.people[owner]
            room = by.data("room.create", {})["room"]["id"]
            by.data("queue.set_rules", {"room": room, "rules": OPEN_TO_ALL})
            rooms[room] = {"owner": owner, "standings": {n: "listener" for n in names if not n.startswith("guest")}}
        for turn in range(300 if settings.SLOW else 80):
            moved(stage, luck, list(rooms), inside, last)
            stage.exactly_these([], f"coming and going in turn {turn}")
            asked, expected = did(luck, stage, rooms, inside, turn)
            for who, number, kind in asked:
                reply = who.reply(number)
                true(reply["type"] == "ok", f"{kind}: {reply}")
            stage.exactly_these(expected, f"turn {turn}: {[(who.name, kind) for who, _, kind in asked]}")
        stage.quiet()
