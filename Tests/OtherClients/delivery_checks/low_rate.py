"""At a low bit rate the kernel's buffers hold many seconds: who reads again must not get them."""
import asyncio, socket

from delivery_checks.dead_readers import LEAD_S, remains
from delivery_checks.peers import Peer, now_us
from delivery_checks.server import Ear, LiveServer

FRAME_MS, BYTES = 20, 60  # 50 packets and some 4200 bytes on the wire in a second
RECEIVE_BYTES = 2048  # the least that the kernel grants: what lies on this side the server cannot see
READING_BYTES = 1 << 18  # once it reads again
PAUSES = (3, 4.5, 7, 10, 14)
STALE_S, BEHIND_S, SLACK_S = 5, 5, 3
NOTICING_S = 1


class Pausing:
    """Who reads nothing for some seconds."""
    def __init__(self, server, ear, seconds):
        self.server, self.ear, self.seconds = server, ear, seconds
        self.closed_s = self.stale_s = self.held = None
        self.amount_s = 0.0  # of audio that came when its time was past

    async def run(self):
        peer, began = self.ear.peer, now_us()
        peer.stall()
        port = peer.socket.getsockname()[1]
        while now_us() < began + self.seconds * 1_000_000:
            await asyncio.sleep(0.1)
            if self.closed_s is None and self.server.has_closed(port):
                self.closed_s = (now_us() - began) / 1e6
        resumed, self.held, at = now_us(), peer.queued(), len(self.ear.trace)
        if self.closed_s is None:
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, READING_BYTES)  # else TCP sends by crumbs
            peer.resume()
            await asyncio.sleep(1.5)
        # What had arrived before it read again is its own affair.
        arrived, self.stale_s = 0, 0.0
        for _, sent, _, _, _, size in self.ear.trace[at:]:
            arrived += size
            if arrived > self.held:
                self.stale_s = max(self.stale_s, (resumed - sent) / 1e6)
                self.amount_s += (resumed - sent > LEAD_S * 1e6) * FRAME_MS / 1000
        return self


async def check(world, report):
    server = LiveServer(world.crowd)
    try:
        halls = []
        for delivery in ("interactive", "party"):
            host = await server.play(FRAME_MS, BYTES, delivery=delivery)
            reading = await Ear(await Peer.open(server), host.number).enter(host)
            pausing = [Pausing(server, await Ear(await Peer.open(server, RECEIVE_BYTES), host.number,
                                                 trace=True).enter(host), seconds) for seconds in PAUSES]
            halls.append((delivery, reading, pausing))
        await asyncio.sleep(1.5)
        await asyncio.gather(*(one.run() for _, _, pausing in halls for one in pausing))
        for delivery, reading, pausing in halls:
            words = f"low bit rate, {delivery}"
            report(f"{words}: who reads loses nothing", not reading.flaws(), reading.flaws())
            for one in pausing:
                judge(report, f"{words}: who pauses for {one.seconds} s", one)
    finally:
        await server.end()


def judge(report, words, one):
    detail = (f"{len(one.ear.gaps)} gaps, {one.amount_s:.1f} s of stale sound, up to {one.stale_s:.1f} s old, besides "
              f"the {one.held} bytes that had arrived")
    if one.closed_s is not None:
        ends = remains(one.ear)
        report(f"{words} is given up, not before {BEHIND_S} s and not long after",
               BEHIND_S - 0.5 < one.closed_s < BEHIND_S + BEHIND_S + SLACK_S and ends in ("4408", "cut"),
               f"after {one.closed_s:.1f} s, {ends}")
    elif one.seconds > BEHIND_S + STALE_S + SLACK_S:
        report(f"{words} is given up", False, f"{one.ear.peer.fate()}; {detail}")
    else:
        # The kernel may take some more in between.
        flaws = one.ear.flaws(gaps_allowed=2)
        if one.seconds > BEHIND_S and flaws == "closed with 4408":
            flaws = ""
            words += " and is told so"
        report(f"{words} gets {STALE_S} s of stale sound from the server at most",
               not flaws and one.amount_s < STALE_S + NOTICING_S, f"{flaws}{'; ' if flaws else ''}{detail}")
