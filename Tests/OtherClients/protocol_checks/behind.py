"""Listeners who do not keep up, and what they are owed."""
import os, select, time

from protocol_checks.helpers import Client, check, equal
from protocol_checks.websocket import Closed
from protocol_checks.host import Host

NARROW = 4096  # bytes that the system keeps for somebody who does not read


def read_some(client, most):
    """Takes up to so many bytes from the socket, if there are any, for later."""
    if select.select([client.ws.socket], [], [], 0)[0]:
        some = client.ws.socket.recv(most)
        if not some:
            raise Closed(1006)
        client.ws.buffer += some


def play(h, count, each=lambda: None, size=231):
    """Sends so many packets at their pace: 12.7 KB a second, with what stands around them, unless `size` is another."""
    begin = time.monotonic()
    for k in range(count):
        h.packet(b"\xfc" + os.urandom(size - 1))
        read_some(h.client, 65536)
        read_some(h.listener, 65536)
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
    with Host() as h, Client() as late:
        h.owner.data("room.update", {"room": h.room, "lead_ms": 10_000})
        h.start()
        # The first sounds after 11 s, and no host may be further ahead than a second more.
        h.fill(40)
        play(h, 500)
        late.data("room.join", {"room": h.room})
        gets_all(late, h, 5)


@check("who joins a room with a long lead over a line of 1.7 times its rate is let be, and gets all", slow=True)
def _():
    with Host(lead_ms=10_000) as h, Client(receive_bytes=NARROW) as slow:
        h.start()
        play(h, 500)
        slow.data("room.join", {"room": h.room})
        play(h, 400, lambda: read_some(slow, 440))
        gets_all(slow, h, 5)


def too_slow(share, size):
    """A line of so much of a room's rate: 4408, within 40 s."""
    with Host() as h, Client(receive_bytes=NARROW) as slow:
        h.start()
        slow.data("room.join", {"room": h.room})
        try:
            play(h, 2000, lambda: read_some(slow, int((size + 24) * share)), size)
        except (Closed, ConnectionError):
            pass
        slow.closes(4408)


for share, size, rate in [
        (0.5, 231, "half of a room's rate"), (0.8, 231, "0.8 of a room's rate"),
        (0.5, 600, "half of the rate of a room of 240 kbit/s"), (0.75, 600, "0.75 of the rate of a room of 240 kbit/s")]:
    check(f"a line of {rate} is told so: 4408", slow=True)(lambda share=share, size=size: too_slow(share, size))
