"""What takes longer than 12 s."""
import struct, time

from protocol_checks.helpers import Client, check, equal, true
from protocol_checks.host import Host


@check("a host who does not come back: after 60 s host_lost, none, stopped", slow=True)
def _():
    with Host() as h:
        h.start()
        h.fill(10)
        h.client.probe()
        h.client.ws.socket.close()
        begin = time.monotonic()
        reason = None
        while reason is None and time.monotonic() - begin < 70:
            h.listener.probe()
            h.listener.silent(1)
            reason = next((m["data"]["reason"] for m in h.listener.inbox
                           if isinstance(m, dict) and m["type"] == "stream.ended"), None)
        equal(reason, "host_lost", "reason")
        true(58 < time.monotonic() - begin < 66, f"after {time.monotonic() - begin:.1f} s")
        h.listener.event("host.changed", fits=lambda d: d["state"] == "none")
        h.listener.position(fits=lambda p: p[0] == 0)


@check("whoever answers pings and says nothing else stays", slow=True)
def _():
    with Client() as c:
        c.silent(70)
        c.probe()


@check("whoever answers no ping for 40 s is closed with 4408", slow=True)
def _():
    c, begin, head = Client(), time.monotonic(), b""
    c.ws.socket.settimeout(70)
    while more := c.ws.socket.recv(4096):
        head += more
        if b"\x88" in head:
            break
    true(struct.pack(">H", 4408) in head, f"it ended with {head[-20:]!r}")
    true(38 < time.monotonic() - begin < 62, f"after {time.monotonic() - begin:.1f} s")
