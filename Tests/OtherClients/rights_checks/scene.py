"""A room with one person of each standing in it, and those who are not inside."""
import functools

from protocol_checks.helpers import true
from protocol_checks.host import STREAM

from party_checks.queues import OPEN_TO_ALL, tune
from party_checks.stage import Stage, grant_of

from rights_checks.table import COLUMNS, OUTSIDE

# An account that came by an invite, for others to act upon; one that waits before the door; and equals.
EXTRAS = ("target", "knocker", "cohost two", "moderator two")
GUESTS = {"invited": "guest invited", "guest": "guest inside", "visitor": "guest outside"}
START = {"stream": STREAM, "pacing": "server"}


class Cast:
    """The people of the table, each over one connection, who go from scene to scene."""
    def __init__(self):
        self.stage = Stage()
        # All accounts first: a connection that waits while passwords are hashed on a busy machine answers no ping.
        for name in (*COLUMNS, *EXTRAS):
            if name not in GUESTS:
                grant_of(name)
        for name in (*COLUMNS, *EXTRAS):
            known_as = GUESTS.get(name, name)
            self.stage.come(known_as)
            self.stage.people[name] = self.stage.people.pop(known_as)
        self.lobby = self["owner"].data("room.create", {"title": "Lobby"})["room"]["id"]

    def __getitem__(self, name):
        return self.stage.people[name]

    def close(self):
        for member in self.stage.people.values():
            member.__exit__()


@functools.cache
def cast():
    return Cast()


class Scene:
    """A room of the owner's. Whatever prepares a request is asked over HTTP, which has no limit here.

    People enter while the room is public. `private` then turns it private, and those inside stay.
    """
    def __init__(self, visibility="public", seated=False, waiting_room=False, rules=None):
        self.cast, self.visibility = cast(), visibility
        self.said, self.wished = {}, {}  # by person: the message they wrote last; their entry in the queue
        self.room = self.do("room.create", lead_ms=300, delivery="interactive", on_private="stay")["room"]["id"]
        for name in ("cohost", "moderator", "member"):
            self.set_standing(name, name)
        self.code = self.do("invite.create", room=self.room)["code"]
        self.control = self.do("invite.create", room=self.room, role="control")["code"]
        for name in COLUMNS:
            if name not in OUTSIDE and name != "invited":
                self.cast[name].join(self.room)
        self.cast["invited"].join(self.room, invite=self.control)
        self.cast["target"].join(self.room, invite=self.code)
        for name in (*OUTSIDE, *EXTRAS[1:]):
            self.cast[name].leave()
        self.do("room.ban", room=self.room, user=self.uid("banned"))
        if rules is not None:
            self.do("queue.set_rules", room=self.room, rules=OPEN_TO_ALL | rules)
        if seated:
            self.seat()
        changes = ({"visibility": visibility} if visibility == "private" else {}) | (
            {"waiting_room": True} if waiting_room else {})
        if changes:
            self.do("room.update", room=self.room, **changes)
        self.mark()

    def uid(self, name):
        return self.cast[name].uid

    def mark(self):
        self.cast.stage.mark()

    def do(self, kind, by="owner", **data):
        """Has somebody do what they may do, over HTTP."""
        return self.cast[by].rpc_data(kind, data)

    def set_standing(self, name, standing):
        self.do("room.set_standing", room=self.room, user=self.uid(name), standing=standing)

    def seat(self, name="host"):
        """Has the owner offer the seat to somebody, who takes it."""
        self.cast["owner"].data("host.offer", {"user": self.uid(name)})
        self.cast[name].data("host.start", START)

    def back(self, name="target", standing="member"):
        """Somebody who was put out comes again by the invite, and is what they were.

        They were elsewhere meanwhile: who enters the same room again and again has to wait.
        """
        who = self.cast[name]
        who.drain()
        if who.room != self.room:
            who.join(self.cast.lobby)
            who.join(self.room, **({} if name == "guest" else {"invite": self.code}))
            if standing != "member" and name != "guest":
                self.set_standing(name, standing)

    def knock(self):
        """Somebody begins to wait before the door, unless they wait there already."""
        reply = self.cast["knocker"].ask("room.join", {"room": self.room})
        true(reply.get("error", {}).get("code") == "room.approval_pending", f"knocking: {reply}")

    def say(self, name):
        """The number of a message that somebody wrote."""
        sent = self.do("chat.send", by=name, room=self.room, text="something")
        self.said[name] = sent["message"]["id"]
        return self.said[name]

    def add(self, by="owner"):
        """The number of an entry that waits in the queue."""
        return self.do("queue.add", by=by, room=self.room, tracks=[tune()])["entries"][0]["id"]

    def pending(self):
        """The number of an entry that somebody has to approve."""
        self.do("queue.set_rules", room=self.room, rules={"needs_approval": True})
        entry = self.cast["target"].data("queue.suggest", tune())["entries"][0]["id"]
        self.do("queue.set_rules", room=self.room, rules={"needs_approval": False})
        return entry

    def playing(self):
        """The number of the entry that plays. One is chosen if none does."""
        now = self.do("queue.get", room=self.room)["now"]
        if now:
            return now["entry"]["id"]
        self.add()
        self.do("queue.next", room=self.room)
        return self.do("queue.get", room=self.room)["now"]["entry"]["id"]

    def close(self):
        """Ends the room, unless that has been done, and lets everybody hear of it."""
        self.cast["owner"].rpc("room.close", {"room": self.room})
        self.mark()
