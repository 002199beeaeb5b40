"""connection.md, "Silence and haste": frames that carry nothing, and a peer that is gone while it is not read from."""
import socket, struct, time

from protocol_checks.helpers import Client, account, check, equal, true
from protocol_checks.host import Host
from protocol_checks.websocket import Closed
from edge_checks.stage import EdgeServer

CONTINUATION, TEXT, PING = 0, 1, 9


def sent(client, count, send):
    """Sends until the server has had enough, with the code it closes with; None if it has not."""
    try:
        for number in range(count):
            send(number)
            if number % 64 == 0:
                client.ws.receive(0)
        client.silent(0.3)
    except Closed as closed:
        return closed.code
    except OSError:
        # What it said before it closed can be read still.
        try:
            client.silent(1)
        except Closed as closed:
            return closed.code
    return None


@check("pings and empty pieces of a message: 300 at once are taken, many more close with 1008")
def _():
    with EdgeServer():
        for what in ("pings", "pieces"):
            for count, code in ((290, None), (2000, 1008)):
                with Client() as client:
                    if what == "pieces":
                        client.ws.send(TEXT, b"", fin=False)
                    send = {"pings": lambda _: client.ws.send(PING, b"x"),
                            "pieces": lambda _: client.ws.send(CONTINUATION, b"", fin=False)}[what]
                    equal(sent(client, count, send), code, f"{count} {what}")
                    if code is None:
                        client.ws.send(CONTINUATION if what == "pieces" else TEXT, b'{"type":"user.me","id":1000}')
                        equal(client.reply(1000)["type"], "ok", "it is heard still")


@check("types that may be ignored: 1000 at once are skipped, many more close with 4429")
def _():
    with EdgeServer():
        for count, code in ((990, None), (4000, 4429)):
            with Client() as client:
                equal(sent(client, count, lambda _: client.binary(b"\x90" + bytes(20))), code, f"{count} messages")
                if code is None:
                    client.probe()


@check("packets that a host sends again: 2000 at once are skipped, many more close with 4429")
def _():
    with EdgeServer():
        with Host() as host:
            host.start()
            host.fill(20)
            packet = lambda number: host.packet(b"\xfc" + bytes(40), seq=number % 20, pos=number % 20 * 960)
            equal(sent(host.client, 1900, packet), None, "1900 packets")
            host.client.probe()
            equal(sent(host.client, 6000, packet), 4429, "6000 packets more")


@check("a peer that is gone while it is not read from is let go within 20 s, and its seat is not kept by it")
def _():
    with EdgeServer() as server:
        before = server.descriptors()
        clients = []
        for _ in range(8):
            client = Client(account()["access_token"])
            room = client.data("room.create", {"title": "Gone"})["room"]["id"]
            client.data("room.join", {"room": room})
            client.data("host.start", {"stream": {"codec": "opus", "channels": 2, "pre_skip": 312}, "pacing": "server"})
            clients.append((client, room))
        for client, _ in clients:
            # More text than may come: it is not read from for a while, and there is more to read then.
            link = client.ws.socket
            link.settimeout(0.2)
            try:
                for _ in range(400):
                    client.text(b'{"type":"room.list","id":1,"data":{"x":"' + b"y" * 16000 + b'"}}')
            except OSError:
                pass
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            link.close()
        end = time.monotonic() + 20
        while server.descriptors() > before and time.monotonic() < end:
            time.sleep(0.2)
        true(server.descriptors() <= before, f"{server.descriptors() - before} of {len(clients)} are held after 20 s")
        with Client() as other:
            for _, room in clients:
                equal(other.data("room.get", {"room": room})["room"]["host_state"], "away", "the seat")
