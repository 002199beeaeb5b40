"""The figures are what Prometheus reads, while there is something to count."""
import asyncio, shutil, subprocess

from delivery_checks.dead_readers import BYTES, FRAME_MS, RECEIVE_BYTES
from delivery_checks.peers import Peer
from delivery_checks.server import Ear, LiveServer


async def check(world, report):
    promtool = shutil.which("promtool")
    server = LiveServer(world.crowd)
    try:
        host = await server.play(FRAME_MS, BYTES, delivery="interactive")
        ears = [await Ear(await Peer.open(server, RECEIVE_BYTES), host.number).enter(host) for _ in range(6)]
        await asyncio.sleep(1)
        for ear in ears[:3]:
            ear.peer.stall()
        await asyncio.sleep(11 if world.slow else 2)
        text = await asyncio.to_thread(server.metrics)
        found = await server.gauges("sona_listeners", "sona_rooms_live")
        # The slow are closed after five seconds, and are expected back for a minute.
        report("metrics: listeners are counted", found == {"sona_listeners": 6, "sona_rooms_live": 1}, str(found))
        away = await server.gauges("sona_sessions_away")
        report("metrics: so are those who are away", away == {"sona_sessions_away": 3 if world.slow else 0}, str(away))
        if promtool is None:
            report.skipped("metrics: promtool finds nothing wrong with them", "there is no promtool (Debian's package prometheus)")
            return
        done = await asyncio.to_thread(subprocess.run, [promtool, "check", "metrics"], input=text, text=True,
                                       capture_output=True, timeout=30)
        report("metrics: promtool finds nothing wrong with them, slow listeners there", done.returncode == 0,
               (done.stdout + done.stderr).strip()[:300])
    finally:
        await server.end()
