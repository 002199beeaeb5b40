"""connection.md: opening, RFC 6455, the limits of messages, the welcome."""
import json, socket, struct, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import HELLO, Client, Failure, check, connect, equal, true
from protocol_checks.websocket import CLOSE, CONTINUATION, PING, PONG, TEXT


def handshake(*lines, path="/v1/ws"):
    """A handshake by hand: (status line, headers, socket)."""
    at = urlsplit(helpers.URL)
    link = socket.create_connection((at.hostname, at.port), 5)
    link.sendall("\r\n".join((f"GET {path} HTTP/1.1", f"Host: {at.netloc}", "Upgrade: websocket", "Connection: Upgrade",
                              "Sec-WebSocket-Key: c29uYSBleGFtcGxlIDAwMQ==", *lines, "", "")).encode())
    head = b""
    while b"\r\n\r\n" not in head and (more := link.recv(1)):
        head += more
    status, *rest = head.decode("latin-1").split("\r\n")
    return status, {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in rest if line)}, link


@check("the handshake of the README gets its Sec-WebSocket-Accept and sona.v1")
def _():
    status, headers, link = handshake("Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: sona.v1")
    equal(status.split()[1], "101", "status")
    equal(headers.get("sec-websocket-accept"), "W4+olVLtc5wKOovkY+hb3Hmae6s=", "accept")
    equal(headers.get("sec-websocket-protocol"), "sona.v1", "subprotocol")
    link.close()


@check("of several subprotocols sona.v1 is selected, and no extension")
def _():
    status, headers, link = handshake("Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: chat, sona.v1",
                                      "Sec-WebSocket-Extensions: permessage-deflate")
    equal((status.split()[1], headers.get("sec-websocket-protocol")), ("101", "sona.v1"), "handshake")
    true("sec-websocket-extensions" not in headers, "an extension was negotiated")
    link.close()


for offered in ("none", "sona.v9"):
    @check(f"subprotocol {offered}: status 400, or 101 and 4426")
    def _(offered=offered):
        lines = [] if offered == "none" else [f"Sec-WebSocket-Protocol: {offered}"]
        status, headers, link = handshake("Sec-WebSocket-Version: 13", *lines)
        if status.split()[1] == "101":
            true("sec-websocket-protocol" not in headers, "a subprotocol was selected")
            frame = link.recv(100)
            equal((frame[0], frame[2:4]), (0x88, struct.pack(">H", 4426)), "the first frame")
        else:
            equal(status.split()[1], "400", "status")
        link.close()


@check("a message in fragments of one byte, with a ping in between")
def _():
    with connect() as c:
        text = json.dumps({"type": "hello", "id": 1, "data": HELLO | {"auth": {"guest": True}}}).encode()
        for at in range(len(text)):
            c.ws.send(CONTINUATION if at else TEXT, text[at:at + 1], fin=at == len(text) - 1)
            if at == 5:
                c.ws.send(PING, b"now?")
        equal(c.reply(1)["type"], "ok")


@check("a ping is answered with its own data")
def _():
    with connect() as c:
        c.ws.send(PING, b"x" * 125)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            frame = c.ws._frame()
            if frame:
                equal(frame, (True, PONG, b"x" * 125), "frame")
                return
            c.ws._read()
        raise Failure("no pong")


@check("close 1000 is answered with 1000")
def _():
    c = Client()
    c.ws.send(CLOSE, struct.pack(">H", 1000))
    c.closes(1000)


RAW = {  # what breaks RFC 6455, as bytes on the wire
    "a reserved bit": b"\xc1\x80\0\0\0\0", "an unknown opcode": b"\x83\x80\0\0\0\0",
    "an unknown control opcode": b"\x8b\x80\0\0\0\0", "a continuation of nothing": b"\x80\x80\0\0\0\0",
    "a ping in fragments": b"\x09\x80\0\0\0\0", "a ping of 126 bytes": b"\x89\xfe\0\x7e\0\0\0\0" + b"x" * 126,
    "a new message within a fragmented one": b"\x01\x80\0\0\0\0\x81\x80\0\0\0\0",
    "a close frame of one byte": b"\x88\x81\0\0\0\0\x03", "a close code of 1005": b"\x88\x82\0\0\0\0\x03\xed",
    "a length with its top bit set": b"\x82\xff\x80\0\0\0\0\0\0\0\0\0\0\0",
}


@check("an unmasked frame closes with 1002")
def _():
    with Client() as c:
        c.ws.socket.sendall(b"\x81\x02{}")
        c.closes(1002, 2)


for name, raw in RAW.items():
    @check(f"{name} closes with 1002")
    def _(raw=raw):
        c = Client()
        c.ws.socket.sendall(raw)
        c.closes(1002)


for name, frames in {"text that is not UTF-8": [(TEXT, b'{"type":"\xff"}', True)],
                     "not UTF-8 across fragments": [(TEXT, b"\xe2\x82", False), (CONTINUATION, b"\x22", True)],
                     "a surrogate in UTF-8": [(TEXT, b'"\xed\xa0\x80"', True)],
                     "a text that ends within a character": [(TEXT, b'"\xe2\x82', True)],
                     "a reason for closing that is not UTF-8": [(CLOSE, b"\x03\xe8\xff", True)]}.items():
    @check(f"{name} closes with 1007")
    def _(frames=frames):
        c = Client()
        for opcode, payload, fin in frames:
            c.ws.send(opcode, payload, fin)
        c.closes(1007)


def padded(size):
    text = '{"type":"user.me","id":9,"data":{},"pad":""}'
    return text.replace('"pad":"', '"pad":"' + "x" * (size - len(text)))


@check("a text of 65536 bytes is taken, in one frame and in two")
def _():
    with Client() as c:
        c.text(padded(65536))
        equal(c.reply(9)["type"], "ok")
        c.ws.send(TEXT, padded(65536)[:40000].encode(), fin=False)
        c.ws.send(CONTINUATION, padded(65536)[40000:].encode())
        equal(c.reply(9)["type"], "ok")


@check("a text of 65537 bytes closes with 1009")
def _():
    c = Client()
    c.text(padded(65537))
    c.closes(1009)


@check("a text of 65537 bytes in two fragments closes with 1009")
def _():
    c = Client()
    c.ws.send(TEXT, padded(65537)[:40000].encode(), fin=False)
    c.ws.send(CONTINUATION, padded(65537)[40000:].encode())
    c.closes(1009)


@check("a binary message of 16384 bytes is taken")
def _():
    with Client() as c:
        c.binary(b"\x90" + bytes(16383))
        c.silent()
        c.binary(b"\x40" + bytes(16383))
        c.error("frame.unknown")


@check("a binary message of 16385 bytes closes with 1009")
def _():
    c = Client()
    c.binary(b"\x90" + bytes(16384))
    c.closes(1009)


@check("a frame that announces 2^62 bytes closes with 1009, at the latest when the limit is passed")
def _():
    c = Client()
    c.ws.socket.sendall(b"\x82\xff" + struct.pack(">Q", 2**62) + b"\0\0\0\0" + bytes(16385))
    c.closes(1009)


@check("a client that goes away in the middle of a frame")
def _():
    c = Client()
    c.ws.socket.sendall(b"\x81\xfe\x10\x00\0\0\0\0{")
    c.ws.socket.close()


@check("the welcome says what connection.md says")
def _():
    with Client() as c:
        w = c.welcome
        equal((w["protocol"], w["limits"]),
              (1, {"text_bytes": 65536, "binary_bytes": 16384, "requests_per_second": 60}), "limits")
        true(len(w["session"]) == 22 and w["session"].isalnum(), "session")
        true(len(w["clock_id"]) == 16 and set(w["clock_id"]) <= set("0123456789abcdef"), "clock_id")
        equal((w["user"]["guest"], w["user"]["username"]), (True, None), "user")
        true(w["expires_in_s"] > 0 and 1 <= len(w["access_token"]) <= 8192, "token")
        true(isinstance(w["features"], list), "features")
        true(abs(c.probe() - w["server_us"]) < 2_000_000, "server_us is not the time of the probes")
