"""Packets that leave together: still a message each, and never too late for it."""
import array, asyncio

from delivery_checks.peers import Peer, quantile
from delivery_checks.server import Ear, LiveServer

LISTENERS = 12
GATHERED_MS = 60
SLACK_MS = 40  # for this program and the machine
SHORT_LEAD_MS = 150
LAST = 8


async def check(world, report):
    seconds = 20 if world.slow else 3
    server = LiveServer(world.crowd)
    try:
        async with world.alone:
            halls = {}
            for name, room in (("party", {"delivery": "party"}), ("interactive", {"delivery": "interactive"}),
                               ("a lead of 150 ms", {"delivery": "party", "lead_ms": SHORT_LEAD_MS})):
                halls[name] = (await server.play(20, 160, **room), [])
            for name, (host, ears) in halls.items():
                for _ in range(LISTENERS):
                    peer = await Peer.open(server)
                    ears.append(await Ear(peer, host.number, True, await peer.offset()).enter(host))
            await asyncio.sleep(1)
            for _, ears in halls.values():
                for ear in ears:
                    ear.measure()
                    ear.margins, ear.peer.reads, ear.peer.audio_reads, ear.count = array.array("q"), 0, 0, 0
            world.crowd.measure()
            await asyncio.sleep(seconds)
            steady(report, world, halls)
            await endings(report, halls["party"])
    finally:
        await server.end()


def steady(report, world, halls):
    late, share = world.crowd.own_lag()  # which delays hosts and listeners alike
    if late > 5000:
        report.warn(f"this program itself was {late / 1000:.1f} ms late (p99) at {share:.0%} of a core")
    for name, (host, ears) in halls.items():
        lead_ms = host.started["lead_us"] / 1000
        flaws = [f for ear in ears if (f := ear.flaws())]
        report(f"gathering, {name}: nothing is lost", not flaws, flaws[0] if flaws else "")
        per_read = sum(ear.count for ear in ears) / max(1, sum(ear.peer.audio_reads for ear in ears))
        if name == "party":
            report("gathering, party: several come in one read, each as its own message", per_read >= 1.8,
                   f"{per_read:.2f} in a read")
        elif name == "interactive" and (per_read < 1.5 or late < 5000):
            report("gathering, interactive: each packet comes at once", per_read < 1.5, f"{per_read:.2f} in a read")
        else:
            report.note(f"gathering, {name}: {per_read:.2f} packets in a read")
        delays = [delay for ear in ears for delay in ear.delays]
        margins = [margin / 1000 for ear in ears for margin in ear.margins]
        allowed = GATHERED_MS if name != "interactive" else 0
        report(f"gathering, {name}: packets come within {allowed + SLACK_MS} ms",
               quantile(delays, 0.99) / 1000 < allowed + SLACK_MS + late / 1000,
               f"p50 {quantile(delays, 0.5) / 1e3:.1f} ms, p99 {quantile(delays, 0.99) / 1e3:.1f} ms, at most "
               f"{max(delays) / 1e3:.1f} ms")
        report(f"gathering, {name}: no packet comes late for its time", min(margins) > 0,
               f"of a lead of {lead_ms:.0f} ms at least {min(margins):.0f} ms are left, of 99 % "
               f"{quantile(margins, 0.01):.0f} ms")
        if name == "party":
            phases = sorted(quantile(ear.delays, 0.5) / 1000 for ear in ears)
            report.note(f"gathering, party: medians of listeners from {phases[0]:.1f} to {phases[-1]:.1f} ms")


async def endings(report, hall):
    """However a host falls silent, what it sent does not wait for more."""
    host, ears = hall

    async def quiet(how):
        last = host.sent_us[-1]
        await asyncio.sleep(0.5)
        slowest = max(arrived - sent for ear in ears for arrived, sent, *_ in ear.trace[-6:]) / 1000
        missing = sum(last > ear.last_sent for ear in ears)
        report(f"gathering: when the host {how}, all it sent comes within {GATHERED_MS + SLACK_MS} ms",
               not missing and slowest <= GATHERED_MS + SLACK_MS,
               f"{slowest:.1f} ms at most" + (f", {missing} of {len(ears)} miss the last" if missing else ""))

    host.halt()
    await quiet("falls silent")
    await host.start()
    await asyncio.sleep(1.2)
    host.halt()
    asyncio.ensure_future(host.peer.ask("host.pause"))
    await quiet("pauses")
    await host.start()
    await asyncio.sleep(1.2)
    host.halt()
    host.packet(LAST)
    asyncio.ensure_future(host.peer.ask("host.stop"))
    await quiet("stops")
