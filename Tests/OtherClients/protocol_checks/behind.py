"""Listeners who do not keep up, and what they are owed."""
import os, select, time

from protocol_checks.helpers import Client, check, equal, true
from protocol_checks.host import Host

NARROW = 4096  # bytes that the system keeps for somebody who does not read


def play(h, count, each=lambda: None):
    """Sends so many packets of 12.7 KB a second, at their pace."""
    begin = time.monotonic()
    for k in range(count):
        h.packet(b"\xfc" + os.urandom(230))
        each()
        time.sleep(max(0, begin + (k + 1) * 0.02 - time.monotonic()))


def gets_all(client, h, seconds):
    got = client.packets(len(h.sent), seconds)
    equal([p.data for p in got], [s[2] for s in h.sent], "bytes")
    equal([(p.seq - got[0].seq) % 2**32 for p in got], list(range(len(got))), "seq")


@check("who reads nothing for seconds gets the rest when they do, though the host sends no more")
def _():
    with Host(lead_ms=10_000) as h, Client(receive_bytes=NARROW) as late:
        h.start()
        late.data("room.join", {"room": h.room})
        play(h, 280)
        time.sleep(0.5)
        gets_all(late, h, 4)


@check("a lead made longer while somebody is in the room: who joins gets everything that is to be heard")
def _():
    with Host() as h:
        h.owner.data("room.update", {"room": h.room, "lead_ms": 10_000})
        h.start()
        # The first sounds after 11 s, and no host may be further ahead than a second more.
        h.fill(40)
        play(h, 500)
        with Client() as late:
            late.data("room.join", {"room": h.room})
            gets_all(late, h, 5)


@check("who joins a room with a long lead over a line of twice its rate is let be, and gets everything", slow=True)
def _():
    with Host(lead_ms=10_000) as h, Client(receive_bytes=NARROW) as slow:
        h.start()
        play(h, 500)
        slow.data("room.join", {"room": h.room})

        def read_a_little():
            if select.select([slow.ws.socket], [], [], 0)[0]:
                some = slow.ws.socket.recv(540)
                true(some, "the connection has ended")
                slow.ws.buffer += some
        play(h, 400, read_a_little)
        gets_all(slow, h, 5)
