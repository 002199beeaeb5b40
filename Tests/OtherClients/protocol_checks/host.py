"""A host, for checks that need one."""
import os, struct

from protocol_checks.helpers import Client, account, equal, true

STREAM = {"codec": "opus", "channels": 2, "pre_skip": 312}


class Host:
    """A room with an owner, who hosts it on one connection and commands it from another, and a listener."""
    def __init__(self, **room):
        self.grant = account()
        self.client, self.owner = (Client(self.grant["access_token"]) for _ in range(2))
        self.listener = Client()
        self.room = self.client.data("room.create", {"title": "Test", "lead_ms": 600} | room)["room"]["id"]
        self.client.data("room.join", {"room": self.room})
        self.snapshot = self.listener.data("room.join", {"room": self.room})
        self.seq = self.sample = 0
        self.started, self.sent = None, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in (self.client, self.owner, self.listener):
            client.ws.close()

    def start(self, **more):
        data = {"stream": STREAM, "pacing": "server", "track": {"title": "Tune", "duration_us": 60_000_000}} | more
        self.started = self.client.data("host.start", data)
        self.seq = self.sample = 0
        self.sent = []
        return self.started

    def packet(self, data=None, samples=960, flags=0, seq=None, pos=None, epoch=None):
        """Sends one packet of 20 ms, with random content."""
        data = data if data is not None else b"\xfc" + os.urandom(40)
        self.client.binary(struct.pack(">BBHIqI", 0x20, flags, self.started["epoch"] if epoch is None else epoch,
                                       self.seq if seq is None else seq, self.sample if pos is None else pos,
                                       samples) + data)
        if seq is None:
            self.sent.append((self.sample, samples, data))
            self.seq, self.sample = self.seq + 1, self.sample + samples
        return data

    def fill(self, count):
        for _ in range(count):
            self.packet()

    def play_at(self, pos):
        return self.started["start_us"] + (pos - 312) * 10**6 // 48000

    def heard(self, seconds=5):
        """The packets of what was sent in this epoch, as the listener gets them, must be the same, in time."""
        packets = self.listener.packets(len(self.sent), seconds, lambda p: p.epoch == self.started["epoch"])
        equal([p.data for p in packets], [s[2] for s in self.sent], "bytes")
        equal([p.samples for p in packets], [s[1] for s in self.sent], "samples")
        off = max(abs(p.play_at - self.play_at(s[0])) for p, s in zip(packets, self.sent))
        true(off <= 100, f"play_at is off by {off} us")
        equal([(p.seq - packets[0].seq) % 2**32 for p in packets], list(range(len(packets))), "seq")
        return packets


def answer(h, kind, data, action, reaction):
    """The owner asks, the host reacts to the command, the owner gets the reply."""
    number = h.owner.send(kind, {"room": h.room} | data)
    command = h.client.event("host.command")
    equal((command["data"]["action"], "seq" in command, "room" in command), (action, True, False), "host.command")
    if "position_us" in data:
        equal(command["data"]["position_us"], data["position_us"], "position_us")
    reaction(command["data"]["command"])
    return h.owner.reply(number)


def newest(data):
    return (data["upcoming"] or [data["playback"]])[-1]
