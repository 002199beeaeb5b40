"""What a congested listener gets first: answers to its probes, and replies, before audio that came later."""
import asyncio

from delivery_checks.dead_readers import BEHIND_S, BYTES, FRAME_MS, SEND_BYTES
from delivery_checks.peers import Peer, now_us, quantile
from delivery_checks.server import Ear, LiveServer

RECEIVE_BYTES = 8 * 1024
READ_EVERY_S, READ_BYTES = 0.02, 3000  # 150 000 bytes of 400 000 in a second
SLACK_US = 20_000  # between the stamp in a packet and its arrival at the server


class Slow:
    """A listener that reads too little all the time, and asks."""
    def __init__(self, ear, offset, dice):
        self.ear, self.peer, self.offset, self.dice = ear, ear.peer, offset, dice
        self.answers, self.replies, self.began = [], [], 0

    async def go_on(self, seconds):
        self.peer.stall()
        self.began = now_us()
        reading = asyncio.create_task(self.keep_reading())
        await asyncio.sleep(1)
        end, asked = now_us() + seconds * 1_000_000, 0
        while now_us() < end:
            self.probe() if asked % 2 else self.ask()
            asked += 1
            await asyncio.sleep(self.dice.uniform(0.05, 0.15))
        await asyncio.sleep(0.8)
        closing = now_us() + 6_000_000
        while self.peer.ended is None and now_us() < closing:
            await asyncio.sleep(0.05)
        reading.cancel()
        return asked

    async def keep_reading(self):
        while self.peer.ended is None:
            self.peer.read(READ_BYTES)
            await asyncio.sleep(READ_EVERY_S)

    def heard(self):
        """The bytes of audio so far, counted where the parser stands."""
        return sum(size for *_, size in self.ear.trace)

    def overtaken(self, server_us):
        """How much later than this the newest audio was sent that came before this place in the stream."""
        return self.ear.last_sent - (server_us - self.offset)

    def probe(self):
        held, before = self.peer.queued(), self.heard()
        self.peer.probe(lambda t1, t2, t3, t4: self.answers.append(
            (self.overtaken(t2), self.heard() - before - held, t3 - t2, t4 - t1)))

    def ask(self):
        held, before, sent = self.peer.queued(), self.heard(), now_us()
        self.peer.request("playback.get", None, lambda reply: self.replies.append(
            (self.overtaken(reply["data"]["server_us"]) if reply["type"] == "ok" else 1 << 40,
             self.heard() - before - held, 0, now_us() - sent)))


async def check(world, report):
    server = LiveServer(world.crowd)
    try:
        await asyncio.gather(*(look(world, report, server, delivery) for delivery in ("interactive", "party")))
    finally:
        await server.end()


async def look(world, report, server, delivery):
    host = await server.play(FRAME_MS, BYTES, delivery=delivery)
    peer = await Peer.open(server, RECEIVE_BYTES)
    offset = await peer.offset()
    ear = await Ear(peer, host.number, trace=True).enter(host)
    await asyncio.sleep(1.5)
    slow = Slow(ear, offset, world.dice(f"precedence {delivery}"))
    asked = await slow.go_on(2)
    words = f"precedence, {delivery}"
    report(f"{words}: who reads slowly is congested, and gets what it gets in order", ear.gaps and not ear.backward
           and not ear.unmarked, f"{len(ear.gaps)} gaps")
    lasted = ((peer.ended or now_us()) - slow.began) / 1e6
    report(f"{words}: who stays behind for {BEHIND_S} s is told so", peer.code == 4408
           and BEHIND_S - 0.5 < lasted < BEHIND_S + 3, f"{peer.fate()} after {lasted:.1f} s")
    judge(report, f"{words}: probes are answered", slow.answers, asked // 2)
    judge(report, f"{words}: requests are answered", slow.replies, asked - asked // 2)


def judge(report, words, answers, asked):
    later = max((late for late, *_ in answers), default=0)
    between = max((size for _, size, _, _ in answers), default=0)
    report(f"{words} before audio that came later", len(answers) >= asked - 1 and later <= SLACK_US
           and between <= SEND_BYTES,
           f"{len(answers)} of {asked}; newest audio before an answer {later / 1000:+.1f} ms; at most "
           f"{max(0, between) / 1024:.0f} KiB of audio came between that had not arrived; "
           f"took {quantile([took for *_, took in answers], 0.5) / 1000:.0f} ms")
