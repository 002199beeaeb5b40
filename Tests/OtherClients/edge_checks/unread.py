"""Peers that ask and do not read: what waits for them is bounded in time and in bytes."""
import json, socket, time

from protocol_checks.helpers import check, true
from edge_checks.gate import UPGRADE
from edge_checks.stage import EdgeServer


def deaf(port, head):
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.settimeout(10)
    link.connect(("127.0.0.1", port))
    link.sendall(head)
    return link


def closes_by(server, links, seconds):
    """Waits until the server has closed all of them; how long that took."""
    begin = time.monotonic()
    while (left := server.figure("sona_sockets") - 1) > 0:
        true(time.monotonic() - begin < seconds, f"{left:.0f} of {len(links)} open after {seconds} s")
        time.sleep(0.25)
    return time.monotonic() - begin


@check("forty answers over HTTP that nobody reads are gone soon after 10 s without progress, and their memory with them")
def _():
    with EdgeServer("--exempt", "127.0.0.1") as server:
        before = server.resident()
        # Three hundred of them in one connection, to be answered one after the other: the first is never read.
        links = [deaf(server.port, f"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 300) for _ in range(40)]
        time.sleep(1)
        true(server.resident() - before < 40 * 400, f"{server.resident() - before} KiB for forty")
        closes_by(server, links, 25)
        counted = server.figure("sona_unread_connections_closed_total")
        true(counted >= 40, f"{counted} counted, {server.figure('sona_connections_timed_out_total')} as late")


@check("WebSockets that ask without end, answer pings and read nothing are closed within 25 s, with little memory")
def _():
    with EdgeServer("--echo") as server:
        head = "GET /v1/echo HTTP/1.1\r\nHost: localhost\r\n" + "".join(
            f"{name}: {value}\r\n" for name, value in UPGRADE.items() if "Protocol" not in name) + "\r\n"
        frame = b"\x82\xfe" + (60_000).to_bytes(2, "big") + bytes(4) + bytes(60_000)
        pong = b"\x8a\x84" + bytes(4) + b"sona"
        links = [deaf(server.port, head.encode()) for _ in range(10)]
        before = server.resident()
        begin, closed = time.monotonic(), set()
        for link in links:
            link.setblocking(False)
        while len(closed) < len(links):
            true(time.monotonic() - begin < 25, f"{len(links) - len(closed)} of {len(links)} alive after 25 s")
            for number, link in enumerate(links):
                try:
                    link.send(frame if time.monotonic() - begin < 2 else pong)
                except BlockingIOError:
                    pass
                except OSError:
                    closed.add(number)
            time.sleep(0.2)
        true(server.resident() - before < 60_000, f"{server.resident() - before} KiB")
        closes_by(server, links, 10)
