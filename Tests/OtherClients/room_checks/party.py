"""People in rooms, and a recorder at each connection that notes whatever is against the protocol."""
import json, struct, time

from protocol_checks import helpers
from protocol_checks.helpers import DISCONTINUITY, HELLO, Client, account, equal, packets_of, true
from protocol_checks.host import STREAM
from protocol_checks.websocket import Closed

from room_checks import schemas

VIOLATIONS = []  # sentences: what no server may do, whatever was asked
SERVER = None  # where they are, set by the program
COUNTS = {"requests": 0, "replies": 0, "events": 0}
EVENTS = {}  # (server, room, seq): (text, who was the first to get it)
OF_ROOMS = (0x10, 0x11, 0x12, 0x30)  # binary messages that belong to a room


def violation(text):
    VIOLATIONS.append(text)


def judge(server, open_titles=()):
    """What `verdicts.run` asks after each check: whether a recorder has noticed something, and whether the server still runs.

    Checks whose titles begin with one of `open_titles` are known to fail.
    """
    def after(title, word, why):
        if VIOLATIONS:
            word, why = "FAILED", "; ".join([why] * bool(why) + VIOLATIONS[:4])
            del VIOLATIONS[:]
        if server.process.poll() is not None:
            word, why = "FAILED", f"{why} THE SERVER HAS ENDED: {server.err.read_text()[-500:]}"
            server.revive()
        elif word == "FAILED" and title.startswith(open_titles):
            word = "KNOWN"
        return word, why
    return after


def expect(schema, message, who):
    if not schemas.exists(schema):
        return violation(f"{who}: there is no schema {schema}")
    for fault in schemas.faults(schema, message)[:3]:
        violation(f"{who}: {fault}")


class Member(Client):
    """A connection of somebody's. Every message in either direction is looked at; `strict=False`: not those sent."""
    def __init__(self, name, grant=None, strict=True):
        super().__init__(hello=False)
        self.ws.heard = lambda _, message: self.heard(message)
        self.name, self.grant, self.strict = name, grant, strict
        self.log, self.marked, self.pending, self.is_open = [], 0, {}, True
        self.room = self.seq = None
        self.personal, self.sounds, self.audio, self.sent = 0, 0, None, 0
        self.packet, self.packets_heard = None, 0
        how = {"token": grant["access_token"]} if grant else {"guest": True}
        self.welcome = self.data("hello", HELLO | {"auth": how})
        self.user = self.welcome["user"]
        self.uid = self.user["uid"]
        self.token = grant["access_token"] if grant else self.welcome["access_token"]

    def again(self):
        """The same person over another connection."""
        return Member(self.name, self.grant or {"access_token": self.token}, self.strict)

    def send(self, kind, data=None):
        number = super().send(kind, data)
        self.pending[number] = kind
        COUNTS["requests"] += 1
        if self.strict:
            message = {"type": kind, "id": number} | ({} if data is None else {"data": data})
            expect(f"requests/{kind}", message, f"what {self.name} asks")
        return number

    # What comes

    def heard(self, message):
        if isinstance(message, bytes):
            if message[:1] and message[0] in OF_ROOMS:
                self.sounds += 1
                if self.room is None:
                    violation(f"{self.name} is in no room and got a binary message of type {message[0]:#x}")
            return self.sounded(packets_of(message))
        text, message = message, json.loads(message)
        self.log.append(message)
        if message["type"] in ("ok", "error") and "id" in message:
            return self.answered(message)
        COUNTS["events"] += 1
        expect(f"events/{message['type']}", message, f"what {self.name} is told")
        if "room" in message and "seq" in message:
            self.room_event(message, text)
        elif "room" in message:
            if message["room"] != self.room:
                violation(f"{self.name} got {message['type']} of a room it is not in")
        else:
            self.personal_event(message)

    def sounded(self, packets):
        for packet in packets:
            before, self.packet = self.packet, packet
            self.packets_heard += 1
            if before and before.epoch == packet.epoch and not packet.flags & DISCONTINUITY \
                    and packet.seq != (before.seq + 1) % 2**32:
                violation(f"{self.name} got packet {packet.seq} after {before.seq}")

    def answered(self, message):
        kind = self.pending.pop(message["id"], None)
        COUNTS["replies"] += 1
        if message["type"] == "error":
            return expect("replies/error", message, f"the answer to {self.name}'s {kind}")
        expect(f"replies/{kind}", message, f"the answer to {self.name}'s {kind}")
        if kind == "room.join":
            self.room, self.seq = message["data"]["room"]["id"], message["data"]["seq"]
            self.packet = None  # a burst comes, which begins before now
        elif kind == "room.leave":
            self.room = None

    def room_event(self, message, text):
        if message["room"] != self.room:
            return violation(f"{self.name} got {message['type']} {message['seq']} of a room it is not in")
        if message["seq"] != self.seq + 1:
            violation(f"{self.name} got {message['type']} {message['seq']} after {self.seq}")
        self.seq = message["seq"]
        is_closed = message["type"] == "room.closed"
        if not (is_closed and message["data"]["reason"] == "went_private"):
            first, who = EVENTS.setdefault((helpers.URL, self.room, self.seq), (text, self.name))
            if first != text:
                violation(f"event {self.seq} is {first[:80]} to {who} and {text[:80]} to {self.name}")
        if is_closed:
            self.room = None

    def personal_event(self, message):
        if message.get("seq") != self.personal + 1:
            violation(f"{self.name} got personal {message['type']} {message.get('seq')} after {self.personal}")
        self.personal = message.get("seq", 0)
        if message["type"] == "room.removed" and message["data"]["room"] == self.room:
            self.room = None

    # What it is asked for

    def drain(self):
        """Everything that the server had sent."""
        if self.is_open:
            try:
                self.probe()
            except Closed:
                self.is_open = False
        self.inbox.clear()

    def mark(self):
        self.drain()
        self.marked = len(self.log)

    def got(self, kind, fits=lambda data: True):
        """Events since the mark."""
        return [m["data"] for m in self.log[self.marked:] if m["type"] == kind and "data" in m and fits(m["data"])]

    def wait(self, kind, fits=lambda data: True, seconds=3):
        """The first such event since the mark, soon."""
        end = time.monotonic() + seconds
        while not (found := self.got(kind, fits)):
            true(time.monotonic() < end, f"{self.name} got no {kind} within {seconds} s")
            self.drain()
            time.sleep(0.02)
        return found[0]

    def none(self, kind, seconds=0.3, fits=lambda data: True):
        time.sleep(seconds)
        self.drain()
        true(not self.got(kind, fits), f"{self.name} got {self.got(kind, fits)[:1]}")

    def join(self, room, **more):
        """Enters, after the wait that is asked of who enters the same room again and again."""
        while True:
            reply = self.ask("room.join", {"room": room} | more)
            if reply.get("error", {}).get("code") != "room.resync_limited":
                break
            time.sleep(reply["error"]["retry_after_ms"] / 1000)
        equal(reply["type"], "ok", f"room.join: {reply.get('error')}")
        return reply["data"]

    def may_not_join(self, code, room, **more):
        return self.refused(code, "room.join", {"room": room} | more)

    def leave(self):
        if self.room:
            self.data("room.leave")

    def forbidden(self, permission, kind, data=None):
        """room.forbidden with this permission, or with none."""
        error = self.refused("room.forbidden", kind, data)
        equal(error.get("permission"), permission, f"permission of {kind}")

    def rpc(self, kind, data=None):
        """The same request over HTTP: the reply."""
        if self.strict:
            expect(f"requests/{kind}", {"type": kind, "id": 0, "data": data or {}}, f"what {self.name} posts")
        COUNTS["requests"] += 1
        _, body, _ = helpers.rpc(kind, data, self.token)
        schema = "replies/error" if body["type"] == "error" else f"replies/{kind}"
        expect(schema, body | {"id": 0}, f"the answer to {self.name}'s {kind} over HTTP")
        return body

    def rpc_data(self, kind, data=None):
        body = self.rpc(kind, data)
        true(body["type"] == "ok", f"{kind} over HTTP: {body.get('error')}")
        return body["data"]

    def rpc_refused(self, code, kind, data=None):
        body = self.rpc(kind, data)
        equal(body.get("error", {}).get("code"), code, f"{kind} over HTTP")
        return body["error"]

    # Hosting

    def start(self, packets=20):
        self.audio = self.data("host.start", {"stream": STREAM, "pacing": "server", "track": {"title": "Tune"}})
        self.sent = 0
        self.play(packets)
        return self.audio

    def play(self, packets=20):
        for _ in range(packets):
            head = struct.pack(">BBHIqI", 0x20, 0, self.audio["epoch"], self.sent, self.sent * 960, 960)
            self.binary(head + b"\xfc\xff\xfe")
            self.sent += 1

    def cut(self):
        """Ends the connection without a word."""
        self.ws.socket.close()
        self.is_open, self.room = False, None

    def __exit__(self, *_):
        if self.is_open:
            self.ws.close()
        self.is_open = False


class Party:
    """People of one check, by name: accounts are those whose name does not begin with `guest`."""
    def __init__(self, *names):
        self.people = {}
        for name in names:
            self.come(name)

    def come(self, name):
        self.people[name] = Member(name, None if name.startswith("guest") else account())
        return self.people[name]

    def __getattr__(self, name):
        try:
            return self.__dict__["people"][name]
        except KeyError:
            raise AttributeError(name) from None

    def mark(self):
        for member in self.people.values():
            member.mark()

    def exactly(self, kind, names, fits=lambda data: True, count=1, seconds=1):
        """Since the mark exactly these people got such an event, each so many."""
        wanted, end = {name: count for name in names}, time.monotonic() + seconds
        while True:
            for member in self.people.values():
                member.drain()
            found = {name: len(events) for name, m in self.people.items() if (events := m.got(kind, fits))}
            if found == wanted or time.monotonic() > end:
                break
            time.sleep(0.05)
        equal(found, wanted, f"who got {kind}")

    def inside(self, room):
        return {name for name, member in self.people.items() if member.room == room and member.is_open}

    def settled(self):
        """All who are in the same room have got the same events."""
        for attempt in range(5):
            for member in self.people.values():
                member.drain()
            rooms = {}
            for member in self.people.values():
                if member.room and member.is_open:
                    rooms.setdefault(member.room, set()).add(member.seq)
            if all(len(seqs) == 1 for seqs in rooms.values()):
                return
            time.sleep(0.1)
        violation(f"those of one room have got to {[sorted(s) for s in rooms.values() if len(s) > 1]}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.settled()
        for member in self.people.values():
            member.__exit__()
