#!/usr/bin/env python3
"""A listener of the protocol sona.v1, written from Protocol/ alone: Python 3.11, nothing beside the standard library.

    listen.py http://HOST:PORT ROOM OUT.opus [--seconds S] [--json]

Enters ROOM (an identifier, or @username) as a guest, keeps the server's time, and saves what sounds as Ogg Opus,
until the broadcast ends or S seconds after entering. Afterwards prints what was noticed, with --json as one JSON
object. What is saved is what sounded: no pre-roll, no pre-skip, nothing that was still to come. Each epoch that
resets the decoder is a stream of its own in a chained file; what was lost is filled with packets of concealment.
"""
import argparse, collections, json, struct, sys

from oggopus import OggOpus, duration, frame_samples
from timing import Time, clock
from websocket import Closed, WebSocket

DISCONTINUITY, PREROLL, LAST = 1, 2, 8
Packet = collections.namedtuple("Packet", "flags epoch seq play_at samples data")
Playback = collections.namedtuple("Playback", "state anchor_us position_us rate_ppm revision epoch")


def packets_of(message):
    """The packets in AUDIO_DN and BUNDLE_DN; none if it is neither, or does not fit."""
    if len(message) > 20 and message[0] == 0x10:
        flags, epoch, seq, play_at, samples = struct.unpack_from(">xBHIqI", message)
        return [Packet(flags, epoch, seq, play_at, samples, message[20:])]
    if len(message) < 17 or message[0] != 0x11:
        return []
    flags, epoch, seq, play_at, count = struct.unpack_from(">xBHIqB", message)
    found, at, before = [], 17, 0
    for k in range(count):
        if len(message) < at + 6:
            return []
        samples, length = struct.unpack_from(">IH", message, at)
        own = flags & ~(DISCONTINUITY if k else 0) & ~(LAST if k < count - 1 else 0)
        found.append(Packet(own, epoch, (seq + k) % 2**32, play_at + before * 10**6 // 48000, samples,
                            message[at + 6:at + 6 + length]))
        at, before = at + 6 + length, before + samples
    return found if at == len(message) else []


class Position:
    """Where the room is in its track."""
    def __init__(self, snapshot):
        read = lambda object: Playback(*(object[name] for name in Playback._fields))
        self.current, self.upcoming = read(snapshot["playback"]), [read(o) for o in snapshot["upcoming"]]
        self.newest = (self.upcoming or [self.current])[-1].revision

    def take(self, frame):
        """Takes a POSITION; one that is no newer than what is known, or out of range, is ignored."""
        state, epoch, revision, anchor, position, rate = struct.unpack_from(">xBHIqqi", frame)
        if 0 < (revision - self.newest) % 2**32 < 2**31 and state < 4 and 0 <= position < 2**53 and 0 <= rate <= 4_000_000:
            self.newest = revision
            self.upcoming = [known for known in self.upcoming if known.anchor_us < anchor]
            self.upcoming.append(Playback(state, anchor, position, rate, revision, epoch))

    def at(self, now):
        while self.upcoming and self.upcoming[0].anchor_us <= now:
            self.current = self.upcoming.pop(0)
        p = self.current
        gone = max(0, now - p.anchor_us) * p.rate_ppm // 10**6 if p.state == 1 else 0
        return {"server_us": now, "position_us": min(p.position_us + gone, 2**53 - 1), "state": p.state}


class Recorder:
    """Turns packets, in the order in which they sound, into a file."""
    def __init__(self, file):
        self.file, self.ogg, self.tags = file, None, []
        self.recent = collections.deque(maxlen=9)  # the last packets, with which a stream begins as its pre-roll
        self.first_us = None  # the server time of the first sample rendered

    def take(self, packet, stream):
        last = self.recent[-1] if self.recent else None
        fresh = last is not None and packet.epoch != last.epoch
        if fresh and (packet.flags & DISCONTINUITY or not stream["continues"]):
            self.end()
            self.recent.clear()
        elif fresh and last.samples < duration(last.data):
            self.end()  # a trimmed packet can only be the last of a stream; the next one begins with pre-roll
        if self.ogg is not None:
            hole = 0 if fresh else (packet.play_at - last.play_at) * 48 // 1000 - last.samples
            for _ in range((hole + 48) // frame_samples(packet.data)):  # have it concealed, so that nothing moves
                self.ogg.add(bytes([packet.data[0] & 0xFC]), frame_samples(packet.data))
            self.ogg.add(packet.data, packet.samples)
        self.recent.append(packet)
        skip = max(0, round((stream["start_us"] - packet.play_at) * 48 / 1000))
        if self.ogg is not None or packet.flags & PREROLL or skip >= packet.samples:
            return  # in the file, or decoded and not rendered
        if self.first_us is None:
            self.first_us = max(packet.play_at, stream["start_us"])
        before = [(p.data, duration(p.data)) for p in self.recent][:-1]
        self.ogg = OggOpus(self.file, stream["channels"], skip + sum(samples for _, samples in before), self.tags)
        for data, samples in before + [(packet.data, packet.samples)]:
            self.ogg.add(data, samples)

    def end(self):
        if self.ogg is not None:
            self.ogg.end()
        self.ogg = None


class Listener:
    """One connection, from the handshake to the end of the broadcast."""
    def __init__(self, url, room, file):
        self.ws, self.room, self.recorder = WebSocket(url), room, Recorder(file)
        self.time, self.position, self.joined, self.end_us, self.seq = Time(self.ws), None, None, None, None
        self.streams, self.waiting = {}, collections.deque()  # streams by epoch; packets that have not sounded
        self.seen = {"room": room, "packets": 0, "lost": 0, "duplicates": 0, "positions": []}
        self.ws.send_json("hello", 1, {"client": {"name": "listen.py", "version": "1.0"}, "auth": {"guest": True}})

    def on_text(self, message):
        kind, data = message["type"], message.get("data") or {}
        if kind == "error":
            sys.exit(f"{message['error']['code']}: {message['error']['message']}")
        elif kind == "ok" and message["id"] == 1:
            self.ws.send_json("room.join", 2, {"room": self.room})
        elif kind == "ok":
            self.joined, self.position, self.seen["room"] = clock(), Position(data), data["room"]["id"]
            track = data["room"].get("track") or {}
            self.recorder.tags = [f"{tag}={track[tag.lower()]}" for tag in ("TITLE", "ARTIST", "ALBUM") if track.get(tag.lower())]
        if kind in ("ok", "stream.started") and data.get("stream"):
            self.streams[data["stream"]["epoch"]] = data["stream"]
        elif kind == "stream.ended":
            self.end_us = data["at_us"]
        elif kind == "room.closed":
            self.end_us = self.time.now()

    def on_binary(self, message, at):
        if message[:1] == b"\x02" and len(message) == 28:
            self.time.answer(message, at)
        elif message[:1] == b"\x30" and len(message) == 32 and self.position:
            self.position.take(message)
        for packet in packets_of(message):
            step = 1 if self.seq is None else (packet.seq - self.seq) % 2**32
            if 0 < step < 2**31:
                self.seen["packets"] += 1
                self.seen["lost"] += step - 1
                self.seq = packet.seq
                self.waiting.append(packet)
            else:
                self.seen["duplicates"] += 1

    def run(self, seconds):
        """Listens; returns what was noticed."""
        while True:
            self.time.tick()
            message = self.ws.receive(0.005)
            if isinstance(message, str):
                self.on_text(json.loads(message))
            elif message is not None:
                self.on_binary(message, clock())
            if self.position is None or self.time.offset is None:
                continue
            now = self.time.now()
            while self.waiting and self.waiting[0].play_at <= now:
                packet = self.waiting.popleft()
                if packet.epoch in self.streams and duration(packet.data):
                    self.recorder.take(packet, self.streams[packet.epoch])
            if clock() - self.joined >= len(self.seen["positions"]) * 1_000_000:
                self.seen["positions"].append(self.position.at(now))
            if self.end_us is not None and now >= self.end_us or seconds and clock() - self.joined >= seconds * 10**6:
                break
        self.recorder.end()
        self.ws.close()
        return self.seen | {"first_sample_server_us": self.recorder.first_us, "offset_us": self.time.offset,
                            "rtt_us": self.time.rtt}


def main():
    parser = argparse.ArgumentParser(description="Listens to a room of a Sona server.")
    parser.add_argument("url"), parser.add_argument("room"), parser.add_argument("output")
    parser.add_argument("--seconds", type=float, help="how long to listen; to the end of the broadcast if absent")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    try:
        with open(given.output, "wb") as file:
            seen = Listener(given.url, given.room, file).run(given.seconds)
    except (Closed, OSError) as error:
        sys.exit(str(error))
    print(json.dumps(seen) if given.json else "\n".join(f"{name}: {value}" for name, value in seen.items()))


if __name__ == "__main__":
    main()
