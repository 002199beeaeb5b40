"""What room.meter says of somebody who does not read is what the server sees, not what they say."""
import asyncio

from delivery_checks.peers import Peer
from delivery_checks.server import Ear, LiveServer

FRAME_MS, BYTES = 2.5, 1000  # 400 packets and 400 000 bytes in a second
RECEIVE_BYTES = 32 * 1024
PAUSE_S = 2.5


async def served(peer, uid):
    """The report of a listener, and what the server sees of it."""
    page = await peer.ask("room.meter", {"limit": 100})
    for listener in page["listeners"]:
        if listener["user"]["user"]["uid"] == uid:
            return listener["report"], listener["served"]
    raise KeyError(uid)


async def check(world, report):
    server = LiveServer(world.crowd)
    try:
        host = await server.play(FRAME_MS, BYTES, delivery="interactive")
        reading = await Ear(await Peer.open(server), host.number).enter(host)
        stalled = await Ear(await Peer.open(server, RECEIVE_BYTES), host.number).enter(host)
        rose = {"window_ms": 10_000, "underruns": 0, "lost": 0, "buffer_ms": 600}
        await stalled.peer.ask("listening.report", rose)
        uid = {ear: ear.peer.welcome["user"]["uid"] for ear in (reading, stalled)}
        await asyncio.sleep(1.5)
        _, before = await served(reading.peer, uid[stalled])
        report("meter: who reads is not behind, and has missed nothing",
               not before["behind"] and before["skipped"] == 0, before)
        stalled.peer.stall()
        await asyncio.sleep(PAUSE_S)
        told, while_stalled = await served(reading.peer, uid[stalled])
        report("meter: who does not read is behind, with much on its way",
               while_stalled["behind"] and while_stalled["unsent_bytes"] > 4096, while_stalled)
        report("meter: what it said itself is told unchanged beside that", told == rose, told)
        stalled.peer.resume()
        await asyncio.sleep(1)
        _, after = await served(reading.peer, uid[stalled])
        lost = sum(right - left & 0xFFFFFFFF for left, right, _ in stalled.gaps)
        report("meter: once it reads again it has skipped just what it is missing",
               not after["behind"] and after["skipped"] == lost > 0, f"{after}, missing {lost}")
        _, other = await served(reading.peer, uid[reading])
        report("meter: beside it nobody missed anything", not other["behind"] and other["skipped"] == 0
               and not reading.flaws(), f"{other} {reading.flaws()}")
    finally:
        await server.end()
