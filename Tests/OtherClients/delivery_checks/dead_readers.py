"""Some of a room's listeners do not read, at ten times the usual rate: nobody else may notice."""
import array, asyncio, socket

from delivery_checks.peers import DISCONTINUITY, PONG, Peer, frame, frames_in, now_us, quantile
from delivery_checks.server import Ear, LiveServer

FRAME_MS, BYTES = 2.5, 1000  # 400 packets and 400 000 bytes in a second
RECEIVE_BYTES = 32 * 1024  # of those who stop reading: the kernel grants twice that
SEND_BYTES = 104 * 1024  # more than the server's end may hold unsent
GROWN_MAX = 2 << 20
LEAD_S = 0.6
BEHIND_S, SLACK_S = 5, 3.5
WINDOW_S, UNDISTURBED_US, DISTURBED_SHARE = 0.5, 10_000, 0.4
RING_S = 11  # until a server that keeps 10 s of audio and a lead has done so


class Hall:
    """A room with those who read, those who will stop, and those who will pause."""
    def __init__(self, server, host, delivery):
        self.server, self.host, self.delivery = server, host, delivery
        self.live, self.dead, self.pausing = [], [], []
        self.closed_us = {}

    async def fill(self, live, dead, pauses):
        for _ in range(live):
            self.live.append(await self.listener())
        for _ in range(dead):
            self.dead.append(await self.listener(RECEIVE_BYTES, trace=True))
        for seconds in pauses:
            self.pausing.append((seconds, await self.listener(RECEIVE_BYTES, trace=True)))

    async def listener(self, receive_bytes=None, trace=False):
        peer = await Peer.open(self.server, receive_bytes)
        return await Ear(peer, self.host.number, trace, self.host.offset).enter(self.host)

    def measure_margins(self):
        """How long before its time the latest packet of those who read came since the last time, us."""
        found = [min(ear.margins) for ear in self.live if ear.margins]
        for ear in self.live:
            ear.margins = array.array("q")
        return min(found, default=0)

    def measure(self):
        """The delays since the last time."""
        return [delay for ear in self.live for delay in ear.measure() or ()]

    async def pause(self, seconds, ear):
        """Reads nothing for so long; what there was when it read again."""
        ear.peer.stall()
        await asyncio.sleep(seconds)
        resumed, held, at = now_us(), ear.peer.queued() if ear.peer.ended is None else 0, len(ear.trace)
        ear.peer.resume()
        return resumed, held, at

    async def watch(self, until):
        """Notes when the server gives each of the dead up."""
        ports = [ear.peer.socket.getsockname()[1] for ear in self.dead]
        while now_us() < until:
            for port in ports:
                if port not in self.closed_us and self.server.has_closed(port):
                    self.closed_us[port] = now_us()
            await asyncio.sleep(0.1)


async def check(world, report):
    if world.slow:
        for delivery in ("interactive", "party"):
            await look(world, report, (delivery,), 38, 20, 15, 20)
    else:
        await look(world, report, ("interactive", "party"), 19, 9, 3, 9)


async def look(world, report, deliveries, live, dead, calm_s, dead_s):
    """Both rooms at once, or one after the other: all that listen should not be too much for this program."""
    server = LiveServer(world.crowd)
    try:
        halls = [Hall(server, await server.play(FRAME_MS, BYTES, delivery=d), d) for d in deliveries]
        full = now_us() + RING_S * 1_000_000
        await asyncio.sleep(RING_S - 3)
        async with world.alone:
            for hall in halls:
                await hall.fill(live, dead, (2, 4))
            await asyncio.sleep(max(0.7, (full - now_us()) / 1e6))
            await phases(world, report, server, halls, calm_s, dead_s)
    finally:
        await server.end()


class Phase:
    """What was measured in half seconds: how long all waited for a processor, memory, and each hall's delays."""
    def __init__(self, world, server, halls):
        self.world, self.server, self.halls, self.windows, self.lag = world, server, halls, [], None
        self.margins, self.own_worst = [], 0

    async def run(self, seconds):
        for hall in self.halls:
            hall.measure()
            hall.measure_margins()
        self.world.crowd.measure()
        end = now_us() + seconds * 1_000_000
        while now_us() < end:
            waited = self.server.waited_us()
            await asyncio.sleep(WINDOW_S)
            self.windows.append((self.server.waited_us() - waited, self.server.rss(),
                                 [hall.measure() for hall in self.halls]))
        self.lag, self.own_worst = self.world.crowd.own_lag(), max(self.world.crowd.late_us, default=0)
        self.margins = [hall.measure_margins() for hall in self.halls]
        return self

    def waited(self):
        """The share of the time for which other programs had the processors."""
        return sum(window[0] for window in self.windows) / 1e6 / (len(self.windows) * WINDOW_S)

    def delays(self, hall):
        """Those of the half of the time in which other programs left us the processors the most, and of all the time
        in which they hardly disturbed."""
        calmest = sorted(self.windows, key=lambda window: window[0])
        half = len(calmest) // 2
        return [delay for k, (waited, _, halls) in enumerate(calmest) if k < half or waited < UNDISTURBED_US
                for delay in halls[hall]]


async def phases(world, report, server, halls, calm_s, dead_s):
    calm = await Phase(world, server, halls).run(calm_s)
    stopped = now_us()
    for hall in halls:
        for ear in hall.dead:
            ear.peer.stall()
    watching = [asyncio.create_task(hall.watch(stopped + dead_s * 1_000_000)) for hall in halls]
    pauses = [[asyncio.create_task(hall.pause(*pausing)) for pausing in hall.pausing] for hall in halls]
    dead = await Phase(world, server, halls).run(dead_s)
    await asyncio.gather(*watching)
    for k, hall in enumerate(halls):
        words = f"dead readers, {hall.delivery}"
        flaws = [f for ear in hall.live if (f := ear.flaws())]
        report(f"{words}: the {len(hall.live)} others lose nothing", not flaws,
               flaws[0] if flaws else f"{sum(ear.count for ear in hall.live)} packets")
        before, during = ([quantile(phase.delays(k), share) / 1000 for share in (0.5, 0.99)] for phase in (calm, dead))
        # Where the machine has got busier, this program comes later than before, and the server may too.
        own = 2 * max(0, dead.lag[0] - calm.lag[0]) / 1000
        stays, found = during[1] <= 2 * before[1] + 2 + own, (
            f"p99 {before[1]:.2f} ms before, {during[1]:.2f} ms with them, ratio "
            f"{during[1] / max(0.001, before[1]):.2f}; p50 {before[0]:.2f} and {during[0]:.2f} ms")
        if stays or max(calm.waited(), dead.waited()) < DISTURBED_SHARE:
            report(f"{words}: the others' delay stays", stays, found)
        else:
            report.skipped(f"{words}: the others' delay stays", f"the machine is too busy to measure it: {found}")
        # However busy the machine is: what this program itself reads too late is no fault of the server.
        margin = dead.margins[k]
        report(f"{words}: the others get each packet before its time", margin + dead.own_worst > 0,
               f"the latest {margin / 1000:.0f} ms before; this program was up to {dead.own_worst / 1000:.0f} ms late")
        given_up(report, words, hall, stopped)
        for (seconds, ear), task in zip(hall.pausing, pauses[k]):
            came_back(report, f"{words}: who pauses for {seconds} s", ear, seconds, *await task)
    words = ", ".join(hall.delivery for hall in halls)
    from_, to = calm.windows[-1][1], max(rss for _, rss, _ in dead.windows)
    report(f"dead readers, {words}: the server's memory stays", to - from_ < GROWN_MAX,
           f"{(to - from_) / 1024:+.0f} KiB on {from_ / 1024:.0f} KiB")
    for name, phase in (("before", calm), ("with them", dead)):
        if phase.lag[0] > 5000 or phase.lag[1] > 0.9:
            report.warn(f"this program itself was {phase.lag[0] / 1000:.1f} ms late (p99) at {phase.lag[1]:.0%} of a "
                        f"core {name}; it and the server waited for a processor for {phase.waited():.0%} of the time")


def given_up(report, words, hall, stopped):
    """The dead were closed in time, and what they find when they look is whole."""
    fill_s = (RECEIVE_BYTES * 2 + SEND_BYTES) / (BYTES * 1000 / FRAME_MS)
    took = sorted((at - stopped) / 1e6 for at in hall.closed_us.values())
    report(f"{words}: the {len(hall.dead)} are given up after {BEHIND_S} s",
           len(took) == len(hall.dead) and took[0] > BEHIND_S - 0.5 and took[-1] < BEHIND_S + fill_s + LEAD_S + SLACK_S,
           f"{len(took)} of {len(hall.dead)} within {took[0] if took else 0:.1f} to {took[-1] if took else 0:.1f} s")
    wrong, codes = [], {}
    for ear in hall.dead:
        ends = remains(ear)
        codes[ends] = codes.get(ends, 0) + 1
        if ends not in ("4408", "cut") or ear.backward or ear.foreign or ear.unmarked:
            wrong.append(f"{ends} {ear.flaws(9)}")
    report(f"{words}: what their sockets hold is whole, and ends with 4408 or cut", not wrong,
           wrong[0] if wrong else ", ".join(f"{count} × {word}" for word, count in codes.items()))


def remains(ear):
    """Reads to the end what a dead reader has; how that ends."""
    peer = ear.peer
    if peer.ended is not None:
        return str(peer.code or "cut")
    data = peer.rest
    peer.socket.settimeout(1.5)
    for _ in range(2):
        try:
            while more := peer.socket.recv(1 << 16):
                data += more
            break
        except socket.timeout:
            # A RST beyond a window that was closed has been ignored; whoever sends something gets another.
            peer.socket.send(frame(PONG, b""))
        except OSError:
            break
    else:
        peer.lost()
        return "still open"
    frames, left = frames_in(data)
    peer.rest, code = b"", None
    for at, (first, payload) in enumerate(frames):
        if first not in (0x81, 0x82, 0x88, 0x89, 0x8A):
            return f"no frame: {first:#x} behind {at} good ones"
        if first == 0x88:
            code = int.from_bytes(payload[:2], "big")
            if at + 1 < len(frames) or left:
                return "something behind the close"
        elif first == 0x82:
            peer.messages(b"\x82\x7f" + len(payload).to_bytes(8, "big") + payload)
    peer.lost()
    return str(code or "cut")


def came_back(report, words, ear, seconds, resumed, held, at):
    """What was in the kernel's buffers, then one gap, then what can be heard in time."""
    edge = next((k for k in range(at, len(ear.trace)) if ear.trace[k][3] & DISCONTINUITY), len(ear.trace))
    stale = sum(packet[5] for packet in ear.trace[at:edge])
    oldest = max((resumed - packet[1] for packet in ear.trace[at:edge]), default=0) / 1e6
    flaws = ear.flaws(gaps_allowed=1)
    report(f"{words} goes on after one gap", not flaws and len(ear.gaps) == 1 and edge < len(ear.trace),
           flaws or f"{len(ear.gaps)} gap, then {len(ear.trace) - edge} packets")
    report(f"{words} gets old sound from the kernel's buffers at most", stale <= held + SEND_BYTES
           and oldest < BEHIND_S, f"{edge - at} packets, {stale / 1024:.0f} KiB of which {held / 1024:.0f} had "
           f"arrived, up to {oldest:.1f} s old")
    if edge < len(ear.trace):
        left = (ear.trace[edge][4] - ear.server_offset - resumed) / 1000
        report(f"{words} then gets what can still be heard", left > 0,
               f"the first {left:.0f} ms before its time, {(resumed - ear.trace[edge][1]) / 1000:.0f} ms after it was "
               "sent")
