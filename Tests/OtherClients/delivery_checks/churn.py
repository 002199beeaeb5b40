"""Clients come and go by every way there is: nothing of them may stay behind."""
import asyncio, gc, socket

from delivery_checks.peers import Peer, now_us
from delivery_checks.server import Ear, LiveServer

RATE = 40  # clients in a second
WAYS = ("leave", "close", "reset", "half-close", "silence", "before hello")
KEPT_S = 5  # for which the place of who is lost is kept
SILENCE_S = 50  # a server closes who says nothing for 40 s, with the next ping at the latest
GROWN_MAX, GROWN_SHARE = 2 << 20, 0.05


class Churn:
    def __init__(self, server, dice, hosts):
        self.server, self.dice, self.hosts = server, dice, hosts
        self.came, self.failures, self.silent, self.ways = 0, [], [], dict.fromkeys(WAYS, 0)

    async def keep_coming(self, seconds, rate):
        began, running = now_us(), set()
        while (gone := (now_us() - began) / 1e6) < seconds:
            while self.came < gone * rate:
                self.came += 1
                task = asyncio.create_task(self.one())
                running.add(task)
                task.add_done_callback(running.discard)
            await asyncio.sleep(0.01)
        await asyncio.gather(*running)

    async def one(self):
        way = self.dice.choices(WAYS, (5, 5, 5, 3, 1, 1))[0]
        self.ways[way] += 1
        try:
            if way == "before hello":
                (await Peer.open(self.server, hello=False)).reset()
                return
            peer = await Peer.open(self.server)
            host = self.dice.choice(self.hosts)
            ear = await Ear(peer, host.number).enter(host)
            await asyncio.sleep(self.dice.uniform(0.3, 1.5))
            if (flaws := ear.flaws()):
                self.failures.append(flaws)
            await self.end(peer, way)
        except Exception as error:
            self.failures.append(f"{way}: {type(error).__name__}: {error}")

    async def end(self, peer, way):
        if way == "leave":
            await peer.ask("room.leave")
            await asyncio.sleep(self.dice.uniform(0, 0.3))
        if way in ("leave", "close"):
            peer.close()
        elif way == "reset":
            peer.reset()
        elif way == "half-close":
            peer.socket.shutdown(socket.SHUT_WR)
            for _ in range(50):  # the server takes that for the end
                await asyncio.sleep(0.1)
                if peer.ended is not None:
                    return
            self.failures.append("still open 5 s after a half-close")
            peer.reset()
        elif way == "silence":
            peer.stall()
            self.silent.append(peer)


async def check(world, report):
    seconds = world.seconds or (600 if world.slow else 18)
    # The minute that is usual, where there is time for it.
    server = LiveServer(world.crowd, *(() if world.slow else ("--resume-seconds", str(KEPT_S))))
    try:
        hosts = [await server.play(20, 120, delivery=d, lead_ms=300) for d in ("interactive", "party")]
        await asyncio.sleep(1.5)
        at_first = server.descriptors()
        churn = Churn(server, world.dice("churn"), hosts)
        coming = asyncio.create_task(churn.keep_coming(seconds, RATE))
        try:
            samples = await sample(server, seconds)
            await coming
        finally:
            coming.cancel()
        report("churn: everybody is served", churn.came > 0.9 * seconds * RATE and not churn.failures,
               f"{churn.came} came" + (f", {len(churn.failures)} failed: {churn.failures[0]}" if churn.failures else "")
               + "; " + ", ".join(f"{count} × {way}" for way, count in churn.ways.items()))
        slope, level = line(samples[len(samples) // 3:])
        grown = slope * seconds * 2 / 3
        allowed = min(GROWN_MAX, GROWN_SHARE * level) * (1 if world.slow else 2)  # soon after the start it still grows
        report("churn: the server's memory stays", grown < allowed,
               f"{grown / 1024:+.0f} KiB on {level / 1024:.0f} KiB by the line through the last two thirds")
        if world.slow:
            await asyncio.sleep(SILENCE_S)
            there = sum(not server.has_closed(p.socket.getsockname()[1]) for p in churn.silent)
            report(f"churn: the server gives the silent up within {SILENCE_S} s", not there,
                   f"{there} of {len(churn.silent)} are there")
        for peer in churn.silent + [host.peer for host in hosts]:
            peer.reset()
        for host in hosts:
            host.halt()
        await empty(report, server, at_first - len(hosts), 80 if world.slow else KEPT_S + 10)
    finally:
        await server.end()


async def empty(report, server, wanted, seconds):
    """Everybody has gone, and is expected no more: nothing is left of them."""
    names = "sona_sockets", "sona_sessions", "sona_sessions_away", "sona_listeners"
    for _ in range(5 * seconds):
        # The connection that asks is one itself.
        found, files = await server.gauges(*names), server.descriptors()
        if found["sona_sockets"] <= 1 and not any(found[name] for name in names[1:]) and files <= wanted:
            break
        await asyncio.sleep(0.2)
    report("churn: nobody is counted in the end", found["sona_sockets"] in (0, 1)
           and not any(found[name] for name in names[1:]),
           ", ".join(f"{name} {count}" for name, count in found.items()))
    report("churn: the descriptors are free again", files <= wanted, f"{files}, at first {wanted}")


async def sample(server, seconds):
    found, began = [], now_us()
    while (gone := (now_us() - began) / 1e6) < seconds:
        found.append((gone, server.rss()))
        if seconds >= 60 and len(found) % 10 == 0:
            gc.collect()  # this program's own; what it may not do beside checks that measure time
        await asyncio.sleep(0.5 if seconds < 60 else 1)
    return found


def line(samples):
    """The slope of the line of least squares, and the mean."""
    count = len(samples)
    x, y = sum(s[0] for s in samples) / count, sum(s[1] for s in samples) / count
    return sum((a - x) * (b - y) for a, b in samples) / sum((a - x) ** 2 for a, _ in samples), y
