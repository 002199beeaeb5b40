#!/usr/bin/env python3
"""Asks a Sona server whether it does what Protocol/spec/ says, mostly by misbehaving.

    test_protocol.py http://HOST:PORT [--only WORDS] [--vectors DIR] [--slow]

Prints a line for each check and at the end "N passed, M failed"; exits with 1 if any failed. Every check has
connections of its own. One more connection sits in the room @demo (or, where there is none, in a room made for it)
through all of them and must notice nothing: it goes on getting packets, without a gap, and answers to its probes.
Accounts and rooms it makes have random names; rooms stay behind.
Each run fails to sign in a few times on purpose: a server that has seen several runs within minutes may answer with
auth.rate_limited for a while.
"""
import argparse, http.client, json, math, os, pathlib, random, socket, struct, sys, threading, time
from urllib.parse import urlsplit

from listen import packets_of
from timing import clock
from websocket import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Closed, WebSocket

URL = ""
CHECKS = []
HELLO = {"client": {"name": "test_protocol.py", "version": "1.0"}}
PASSWORD = "correct horse battery"


# --- What checks are made of -----------------------------------------------------------------------------------------

class Failure(Exception):
    """The server did something else."""


def check(title, slow=False):
    """Registers a check."""
    def register(function):
        CHECKS.append((title, slow, function))
        return function
    return register


def equal(found, wanted, what="answer"):
    if found != wanted:
        raise Failure(f"{what}: {str(found)[:200]!r} instead of {str(wanted)[:200]!r}")


def true(condition, what):
    if not condition:
        raise Failure(what)


class Client:
    """A connection. `auth` is "guest", None for anonymous, or an access token; hello is said unless `hello` is false."""
    def __init__(self, auth="guest", hello=True):
        self.ws, self.inbox, self.number, self.welcome = WebSocket(URL), [], 0, None
        if hello:
            how = {"guest": {"auth": {"guest": True}}, None: {}}.get(auth, {"auth": {"token": auth}})
            self.welcome = self.data("hello", HELLO | how)

    def text(self, text):
        self.ws.send(TEXT, text if isinstance(text, bytes) else text.encode())

    def binary(self, data):
        self.ws.send(BINARY, data)

    def send(self, kind, data=None):
        self.number += 1
        self.text(json.dumps({"type": kind, "id": self.number} | ({} if data is None else {"data": data})))
        return self.number

    def next(self, fits, what, seconds=5):
        """The first message that fits, of those that came and those that come; the others are kept."""
        for at, message in enumerate(self.inbox):
            if fits(message):
                return self.inbox.pop(at)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.ws.receive(end - time.monotonic())
            if message is None:
                break
            message = json.loads(message) if isinstance(message, str) else message
            if fits(message):
                return message
            self.inbox.append(message)
        raise Failure(f"no {what} within {seconds} s; there is {str(self.inbox[-3:])[:300]}")

    def reply(self, number, seconds=8):
        return self.next(lambda m: isinstance(m, dict) and m["type"] in ("ok", "error") and m["id"] == number,
                         f"reply to {number}", seconds)

    def ask(self, kind, data=None, seconds=8):
        return self.reply(self.send(kind, data), seconds)

    def data(self, kind, data=None, seconds=8):
        """The data of the reply, which must be ok."""
        reply = self.ask(kind, data, seconds)
        true(reply["type"] == "ok", f"{kind}: {reply.get('error')}")
        return reply["data"]

    def refused(self, code, kind, data=None, field=None, seconds=8):
        """The error of the reply, which must have this code."""
        reply = self.ask(kind, data, seconds)
        equal((reply["type"], reply.get("error", {}).get("code")), ("error", code), kind)
        if field:
            equal(reply["error"].get("field"), field, "field")
        return reply["error"]

    def error(self, code, number=None, seconds=5):
        """The next error with this id must have this code."""
        reply = self.reply(number, seconds)
        equal(reply.get("error", {}).get("code"), code, "error")
        return reply["error"]

    def event(self, kind, seconds=5, fits=lambda data: True):
        return self.next(lambda m: isinstance(m, dict) and m["type"] == kind and fits(m["data"]), kind, seconds)

    def packets(self, count, seconds=5, fits=lambda p: True):
        """The next `count` packets of audio that fit."""
        found, end = [], time.monotonic() + seconds
        while len(found) < count:
            message = self.next(lambda m: isinstance(m, bytes) and m[:1] in (b"\x10", b"\x11"),
                                f"packet {len(found) + 1} of {count}", max(0.01, end - time.monotonic()))
            found += [p for p in packets_of(message) if fits(p)]
        return found

    def position(self, seconds=5, fits=lambda p: True):
        """The next POSITION that fits: (state, epoch, revision, anchor, position, rate, err)."""
        unpack = lambda m: struct.unpack(">xBHIqqiI", m)
        return unpack(self.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x30" and fits(unpack(m)), "POSITION", seconds))

    def probe(self, seconds=5):
        """TIME_REQ and its answer: proof that the connection is alive. Returns server time."""
        number = random.randrange(65536)
        self.binary(struct.pack(">BxHq", 1, number, 7))
        answer = self.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x02", "TIME_RSP", seconds)
        found = struct.unpack(">BxHqqq", answer)
        equal(found[1:3], (number, 7), "TIME_RSP")
        true(found[3] <= found[4], "t3 is before t2")
        return found[4]

    def silent(self, seconds=0.3):
        """Nothing but audio, positions and events may come."""
        end = time.monotonic() + seconds
        while (message := self.ws.receive(max(0, end - time.monotonic()))) is not None:
            message = json.loads(message) if isinstance(message, str) else message
            self.inbox.append(message)
        bad = [m for m in self.inbox if isinstance(m, dict) and m["type"] in ("ok", "error")]
        true(not bad, f"an answer where none should be: {str(bad)[:200]}")

    def closes(self, code, seconds=5):
        """The server must close with this code."""
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                message = self.ws.receive(end - time.monotonic())
                if message is not None:
                    self.inbox.append(json.loads(message) if isinstance(message, str) else message)
        except Closed as closed:
            equal(closed.code, code, "close code")
            return
        raise Failure(f"not closed within {seconds} s, wanted {code}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ws.close()


def connect():
    """A connection that has said nothing yet."""
    return Client(hello=False)


def rpc(kind, data=None, token=None, body=None, method="POST"):
    """The same over HTTP: (status, body as JSON, headers in lower case)."""
    at = urlsplit(URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=10)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    content = body if body is not None else json.dumps({} if data is None else data)
    link.request(method, f"/v1/rpc/{kind}", None if method == "GET" else content, headers)
    response = link.getresponse()
    raw = response.read()
    link.close()
    try:
        parsed = json.loads(raw) if raw else None
    except ValueError:
        parsed = raw
    return response.status, parsed, {name.lower(): value for name, value in response.getheaders()}


def rpc_refused(status, code, kind, data=None, **more):
    found, body, headers = rpc(kind, data, **more)
    equal((found, isinstance(body, dict) and body.get("error", {}).get("code")), (status, code), kind)
    equal(body["type"], "error", "type")
    true("id" not in body, "the answer has an id")
    return body["error"], headers


def some_name():
    return "py" + "".join(random.choice("abcdefghijkmnpqrstuvwxyz") for _ in range(14))


def account(**more):
    """A new account: its grant, with its name, address and password."""
    name = some_name()
    given = {"email": f"{name}@example.org", "password": PASSWORD, "username": name} | more
    status, body, headers = rpc("auth.sign_up", given)
    if status == 429:  # allowed by the prose; wait and try once more
        time.sleep(body["error"]["retry_after_ms"] / 1000)
        status, body, headers = rpc("auth.sign_up", given)
    equal(status, 200, f"sign-up {body}")
    return body["data"] | given


class Witness(threading.Thread):
    """The connection that must notice nothing."""
    def __init__(self):
        super().__init__(daemon=True)
        self.client = Client()
        reply = self.client.ask("room.join", {"room": "@demo"})
        self.sounds = reply["type"] == "ok" and reply["data"]["stream"] is not None
        if reply["type"] != "ok":
            owner = account()
            self.client = Client(owner["access_token"])
            self.client.data("room.join", {"room": self.client.data("room.create")["room"]["id"]})
        self.trouble, self.seq, self.count, self.heard, self.answered = None, None, 0, time.monotonic(), time.monotonic()
        self.stop, self.events = False, None

    def run(self):
        sent, ws = 0.0, self.client.ws
        try:
            while not self.stop:
                if time.monotonic() - sent > 0.25:
                    sent = time.monotonic()
                    self.client.binary(struct.pack(">BxHq", 1, 1, clock()))
                message = ws.receive(0.1)
                if isinstance(message, bytes):
                    if message[0] == 2:
                        self.answered = time.monotonic()
                    for packet in packets_of(message):
                        if self.seq is not None and packet.seq != (self.seq + 1) % 2**32:
                            self.trouble = f"packet {packet.seq} after {self.seq}"
                        self.seq, self.count, self.heard = packet.seq, self.count + 1, time.monotonic()
                elif message is not None:
                    message = json.loads(message)
                    if message["type"] == "error":
                        self.trouble = str(message)
                    elif "room" in message and "seq" in message:
                        if self.events is not None and message["seq"] != self.events + 1:
                            self.trouble = f"event {message['seq']} after {self.events}"
                        self.events = message["seq"]
        except (Closed, OSError) as error:
            self.trouble = str(error)

    def noticed(self):
        """What is wrong with it, or None."""
        now = time.monotonic()
        if self.trouble is None and now - self.answered > 1.5:
            return f"no answer to a probe for {now - self.answered:.1f} s"
        if self.trouble is None and self.sounds and now - self.heard > 1.5:
            return f"no packet for {now - self.heard:.1f} s"
        return self.trouble


# --- connection.md: opening and RFC 6455 -----------------------------------------------------------------------------

def handshake(*lines, path="/v1/ws"):
    """A handshake by hand: (status line, headers, socket)."""
    at = urlsplit(URL)
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
    "an unmasked frame": b"\x81\x02{}", "a reserved bit": b"\xc1\x80\0\0\0\0", "an unknown opcode": b"\x83\x80\0\0\0\0",
    "an unknown control opcode": b"\x8b\x80\0\0\0\0", "a continuation of nothing": b"\x80\x80\0\0\0\0",
    "a ping in fragments": b"\x09\x80\0\0\0\0", "a ping of 126 bytes": b"\x89\xfe\0\x7e\0\0\0\0" + b"x" * 126,
    "a new message within a fragmented one": b"\x01\x80\0\0\0\0\x81\x80\0\0\0\0",
    "a close frame of one byte": b"\x88\x81\0\0\0\0\x03", "a close code of 1005": b"\x88\x82\0\0\0\0\x03\xed",
    "a length with its top bit set": b"\x82\xff\x80\0\0\0\0\0\0\0\0\0\0\0",
}
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
        equal((w["protocol"], w["limits"]), (1, {"text_bytes": 65536, "binary_bytes": 16384, "requests_per_second": 60}), "limits")
        true(len(w["session"]) == 22 and w["session"].isalnum(), "session")
        true(len(w["clock_id"]) == 16 and set(w["clock_id"]) <= set("0123456789abcdef"), "clock_id")
        equal((w["user"]["guest"], w["user"]["username"]), (True, None), "user")
        true(w["expires_in_s"] > 0 and 1 <= len(w["access_token"]) <= 8192, "token")
        true(isinstance(w["features"], list), "features")
        true(abs(c.probe() - w["server_us"]) < 2_000_000, "server_us is not the time of the probes")


# --- connection.md: JSON and the envelope ----------------------------------------------------------------------------

MALFORMED = {
    "not JSON": "hello", "empty text": "", "a bare number": "3", "an array": "[]", "two objects": "{}{}",
    "a byte order mark": '\ufeff{"type":"user.me","id":1}', "a trailing comma": '{"type":"user.me","id":1,}',
    "a comment": '{"type":"user.me","id":1}//', "single quotes": "{'type':'user.me','id':1}",
    "NaN": '{"type":"user.me","id":1,"x":NaN}', "a duplicate key": '{"type":"user.me","id":1,"id":1}',
    "a duplicate key, once escaped": '{"type":"user.me","id":1,"\\u0069d":1}',
    "a duplicate key deep inside": '{"type":"user.me","id":1,"x":[{"a":1,"b":2,"a":3}]}',
    "257 members": json.dumps({"type": "user.me", "id": 1} | {f"k{n}": n for n in range(255)}),
    "a lone surrogate": '{"type":"user.me","id":1,"x":"\\ud83c"}', "2^53": '{"type":"user.me","id":1,"x":9007199254740992}',
    "-2^53": '{"type":"user.me","id":1,"x":-9007199254740992}', "1e400": '{"type":"user.me","id":1,"x":1e400}',
    "2^53 as id": '{"type":"user.me","id":9007199254740992}',
    "no type": '{"id":1}', "no id": '{"type":"user.me"}', "id null": '{"type":"user.me","id":null}',
    "id -1": '{"type":"user.me","id":-1}', "id 1.0": '{"type":"user.me","id":1.0}', "id 1e3": '{"type":"user.me","id":1e3}',
    "id a string": '{"type":"user.me","id":"1"}', "type a number": '{"type":1,"id":1}', "an empty type": '{"type":"","id":1}',
    "a type of 65 bytes": '{"type":"%s","id":1}' % ("x" * 65), "data an array": '{"type":"user.me","id":1,"data":[]}',
    "data a string": '{"type":"user.me","id":1,"data":"x"}',
}
for name, text in MALFORMED.items():
    @check(f"{name}: request.malformed")
    def _(text=text):
        with Client() as c:
            c.text(text)
            found = c.next(lambda m: isinstance(m, dict) and m["type"] == "error", "error")
            equal(found["error"]["code"], "request.malformed", "code")
            true(found["id"] in (None, 1), "the id of the error")
            c.data("user.me")


GOOD = {
    "256 members": json.dumps({"type": "user.me", "id": 77} | {f"k{n}": n for n in range(254)}),
    "space around": ' \t\r\n{ "type" : "user.me" , "id" : 77 } ', "data null": '{"type":"user.me","id":77,"data":null}',
    "no data": '{"type":"user.me","id":77}', "unknown fields": '{"x":[1,{"y":2}],"type":"user.me","id":77,"data":{"z":"?"}}',
    "2^53 - 1": '{"type":"user.me","id":77,"x":[9007199254740991,-9007199254740991]}',
    "keys alike in all but case": '{"type":"user.me","id":77,"ID":1,"Type":"x"}',
    "nesting of 16": '{"type":"user.me","id":77,"x":%s}' % ("[" * 15 + "]" * 15),
    "nesting of 16 within data": '{"type":"user.me","id":77,"data":{"x":%s}}' % ('{"a":' * 13 + "{}" + "}" * 13),
}
for name, text in GOOD.items():
    @check(f"{name}: taken")
    def _(text=text):
        with Client() as c:
            c.text(text)
            equal(c.reply(77)["type"], "ok")


for name, text in {"arrays": '{"type":"user.me","id":77,"x":%s}' % ("[" * 16 + "]" * 16),
                   "objects": '{"type":"user.me","id":77,"data":{"x":%s}}' % ('{"a":' * 14 + "{}" + "}" * 14)}.items():
    @check(f"nesting of 17, {name}: request.too_deep")
    def _(text=text):
        with Client() as c:
            c.text(text)
            found = c.next(lambda m: isinstance(m, dict) and m["type"] == "error", "error")
            equal(found["error"]["code"], "request.too_deep", "code")
            c.data("user.me")


@check("the largest id comes back")
def _():
    with Client() as c:
        c.text('{"type":"user.me","id":9007199254740991}')
        equal(c.reply(9007199254740991)["type"], "ok")


@check("an unknown type: request.unknown, with its id")
def _():
    with Client() as c:
        c.refused("request.unknown", "room.explode", {})
        c.refused("request.unknown", "x" * 64)


for kind, data, field in (
        ("room.join", {}, "data.room"), ("room.join", {"room": None}, "data.room"), ("room.join", {"room": 5}, "data.room"),
        ("room.join", {"room": "short"}, "data.room"), ("room.join", {"room": "@"}, "data.room"),
        ("room.join", {"room": "@demo", "audio": "yes"}, "data.audio"), ("room.join", {"room": "@demo", "audio": 1}, "data.audio"),
        ("room.list", {"limit": 0}, "data.limit"), ("room.list", {"limit": 201}, "data.limit"),
        ("room.list", {"limit": 1.5}, "data.limit"), ("room.list", {"limit": 50.0}, "data.limit"),
        ("room.list", {"limit": "5"}, "data.limit"), ("room.list", {"cursor": ""}, "data.cursor"),
        ("room.list", {"cursor": "nonsense"}, "data.cursor"), ("room.list", {"cursor": "x" * 257}, "data.cursor"),
        ("room.get", {"room": "x" * 21}, "data.room"), ("room.get", {"room": ["@demo"]}, "data.room"),
        ("playback.get", {"room": True}, "data.room"), ("playback.seek", {"room": "@demo"}, "data.position_us"),
        ("playback.seek", {"room": "@demo", "position_us": -1}, "data.position_us"),
        ("auth.sign_in", {"email": "a@b"}, "data.password"), ("auth.refresh", {}, "data.refresh_token")):
    @check(f"{kind} {json.dumps(data)[:60]}: request.invalid at {field}")
    def _(kind=kind, data=data, field=field):
        with Client() as c:
            c.refused("request.invalid", kind, data, field)


for data, field in (({}, "data.client"), ({"client": "x"}, "data.client"), ({"client": {"name": "x"}}, "data.client.version"),
                    ({"client": {"name": "", "version": "1"}}, "data.client.name"),
                    ({"client": {"name": "n" * 65, "version": "1"}}, "data.client.name"),
                    ({"client": {"name": "a\x1b", "version": "1"}}, "data.client.name"),
                    (HELLO | {"auth": {}}, "data.auth"), (HELLO | {"auth": {"token": "t", "guest": True}}, "data.auth"),
                    (HELLO | {"auth": {"token": ""}}, "data.auth.token"), (HELLO | {"auth": {"guest": 1}}, "data.auth.guest")):
    @check(f"hello {json.dumps(data)[:60]}: request.invalid at {field}, and may be tried again")
    def _(data=data, field=field):
        with connect() as c:
            c.refused("request.invalid", "hello", data, field)
            c.refused("hello.required", "user.me")
            c.data("hello", HELLO | {"auth": {"guest": True}})


# --- connection.md: hello --------------------------------------------------------------------------------------------

@check("frames before hello, whatever is in them: hello.required")
def _():
    wrong = []
    for frame in (struct.pack(">BBHIqI", 32, 0, 0, 0, 0, 0) + b"\xfc", b"\x20", b"\x40", b"\x10" + bytes(30), b"", b"\x30\x04" + bytes(30)):
        with connect() as c:
            c.binary(frame)
            try:
                c.error("hello.required", seconds=1)
            except Failure as failure:
                wrong.append(f"{frame[:2].hex()}: {failure}")
    true(not wrong, "; ".join(wrong))


@check("requests and frames before hello: hello.required; probes are answered")
def _():
    with connect() as c:
        c.probe()
        c.refused("hello.required", "room.list", {})
        c.refused("hello.required", "auth.guest")
        c.refused("hello.required", "room.explode")
        c.binary(struct.pack(">BBHIqI", 32, 0, 0, 0, 0, 960) + b"\xfc")
        c.error("hello.required")
        c.text("nonsense")
        c.error("request.malformed")
        c.probe()
        c.data("hello", HELLO)


@check("hello.required does not count towards 4400")
def _():
    with connect() as c:
        for _ in range(25):
            c.refused("hello.required", "room.list")
        c.data("hello", HELLO)


@check("hello twice: hello.repeated, and all goes on")
def _():
    with Client() as c:
        c.refused("hello.repeated", "hello", HELLO)
        c.data("user.me")


@check("hello with a token nobody made: auth.token_invalid, and may be tried again")
def _():
    with connect() as c:
        c.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": "made.up.token"}})
        equal(c.data("hello", HELLO)["user"], None, "user")


@check("an anonymous connection may call auth.* only")
def _():
    with Client(None) as c:
        equal(c.welcome["user"], None, "user")
        for kind, data in (("room.list", {}), ("room.join", {"room": "@demo"}), ("user.me", {}), ("room.create", {}),
                           ("playback.get", {"room": "@demo"}), ("room.get", {"room": "@demo"}), ("room.leave", {})):
            c.refused("auth.required", kind, data)
        true(c.data("auth.guest")["user"]["guest"], "not a guest")
        c.data("user.me")


@check("no hello within 10 s closes with 4408, probes or not; an anonymous connection stays")
def _():
    with Client(None) as anonymous:
        c, begin = connect(), time.monotonic()
        while time.monotonic() - begin < 8:
            c.probe()
            time.sleep(0.5)
        c.closes(4408, 6)
        took = time.monotonic() - begin
        true(9.5 < took < 13, f"it took {took:.1f} s")
        anonymous.probe()


@check("the twentieth malformed message in a minute closes with 4400, unanswered")
def _():
    c = Client()
    for n in range(19):
        if n % 4 == 0:
            c.text("nonsense")
            c.error("request.malformed")
        elif n % 4 == 1:
            c.refused("request.unknown", "no.such")
        elif n % 4 == 2:
            c.binary(b"\x40")
            c.error("frame.unknown")
        else:
            c.binary(b"\x01")
            c.error("frame.malformed")
    c.data("user.me")
    c.text("[" * 17)
    c.closes(4400)
    true(not [m for m in c.inbox if isinstance(m, dict) and m["type"] == "error"], "the twentieth was answered")


@check("what is no malformed message does not count towards 4400")
def _():
    with Client() as c:
        for _ in range(25):
            c.refused("request.invalid", "room.join", {})
        c.data("user.me")


@check("the 61st request within a second: request.rate_limited with retry_after_ms; then it works again")
def _():
    with Client() as c:
        time.sleep(1.2)
        begin, numbers = time.monotonic(), [c.send("user.me") for _ in range(90)]
        true(time.monotonic() - begin < 0.5, "this machine is too slow for the check")
        replies = [c.reply(n) for n in numbers]
        good = [n for n, r in enumerate(replies) if r["type"] == "ok"]
        true(60 <= len(good) <= 75 and good[:60] == list(range(60)), f"{len(good)} were taken")
        waits = []
        for r in replies:
            if r["type"] == "error":
                equal(r["error"]["code"], "request.rate_limited", "code")
                waits.append(r["error"]["retry_after_ms"])
        c.probe()
        time.sleep(waits[-1] / 1000)
        c.data("user.me")


@check("binary messages do not count as requests")
def _():
    with Client() as c:
        for _ in range(40):
            c.probe()
        for n in [c.send("user.me") for _ in range(58)]:
            equal(c.reply(n)["type"], "ok")


# --- Binary messages -------------------------------------------------------------------------------------------------

@check("unknown binary types, and those only servers send: frame.unknown with a null id")
def _():
    with Client() as c:
        for kind in (0x00, 0x02, 0x03, 0x10, 0x11, 0x12, 0x21, 0x32, 0x40, 0x7F):
            c.binary(bytes([kind]) + bytes(40))
            c.error("frame.unknown")


@check("unknown binary types with bit 7 are skipped, sixty of them too")
def _():
    with Client() as c:
        for kind in (0x80, 0x90, 0xA0, 0xFE, 0xFF):
            c.binary(bytes([kind]))
            c.binary(bytes([kind]) + bytes(40))
        for _ in range(50):
            c.binary(b"\x81?")
        c.silent()
        c.data("user.me")


FRAMES = {"an empty message": b"", "TIME_REQ of 1 byte": b"\x01", "TIME_REQ of 11 bytes": b"\x01" + bytes(10),
          "TIME_REQ of 13 bytes": b"\x01" + bytes(12), "AUDIO_UP without a packet": b"\x20" + bytes(19),
          "AUDIO_UP of 5 bytes": b"\x20" + bytes(4), "AUDIO_UP with a packet of 7651 bytes": b"\x20" + bytes(18) + b"\1" + bytes(7651),
          "AUDIO_UP with sample_pos -1": struct.pack(">BBHIqI", 32, 0, 0, 0, -1, 960) + b"\xfc", "POSITION of 31 bytes": b"\x30" + bytes(30),
          "POSITION of 33 bytes": b"\x30" + bytes(32), "POSITION in state 4": b"\x30\x04" + bytes(30),
          "CAPTURE of 23 bytes": b"\x31" + bytes(22), "CAPTURE of 25 bytes": b"\x31" + bytes(24)}
for name, frame in FRAMES.items():
    @check(f"{name}: frame.malformed")
    def _(frame=frame):
        with Client() as c:
            c.binary(frame)
            c.error("frame.malformed")
            c.probe()


@check("TIME_REQ with its reserved byte set and extreme values")
def _():
    with Client() as c:
        for t1 in (-2**63, 2**63 - 1, -1):
            request = struct.pack(">BBHq", 1, 255, 65535, t1)
            c.binary(request)
            answer = c.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x02", "TIME_RSP")
            equal((answer[2:12], len(answer)), (request[2:], 28), "TIME_RSP")


@check("audio, positions and captures from one who is not the host: host.not_host")
def _():
    frames = {"AUDIO_UP": struct.pack(">BBHIqI", 0x20, 0, 0, 0, 0, 960) + b"\xfc\xff\xfe",
              "POSITION": struct.pack(">BBHIqqiI", 0x30, 1, 0, 0, 0, 0, 1_000_000, 0),
              "CAPTURE": struct.pack(">BBHqqI", 0x31, 0, 0, 0, 0, 0)}
    wrong = []
    for joined in (True, False):
        for name, frame in frames.items():
            with Client() as c:
                if joined:
                    c.data("room.join", {"room": "@demo", "audio": False})
                c.binary(frame)
                try:
                    c.error("host.not_host", seconds=1.5)
                except Failure as failure:
                    wrong.append(f"{name} {'as a listener' if joined else 'outside any room'}: {failure}")
    true(not wrong, "; ".join(wrong))


# --- rooms.md and playback.md ----------------------------------------------------------------------------------------

@check("a room that does not exist: room.not_found")
def _():
    with Client() as c:
        for room in ("A" * 20, "@nobody-of-this-name"):
            for kind in ("room.get", "room.join", "playback.get", "playback.play", "playback.pause"):
                c.refused("room.not_found", kind, {"room": room})
        c.refused("room.not_found", "playback.seek", {"room": "A" * 20, "position_us": 0})


@check("a private room of another looks like none; its owner sees it")
def _():
    owner, other = account(), account()
    with Client(owner["access_token"]) as o, Client() as guest, Client(other["access_token"]) as a:
        room = o.data("room.create", {"title": "Private", "visibility": "private"})["room"]
        equal(room["visibility"], "private", "visibility")
        equal(o.data("room.get", {"room": "@" + owner["username"].upper()})["room"]["id"], room["id"], "by reference")
        for c in (guest, a):
            for kind in ("room.get", "room.join", "playback.get", "playback.play", "playback.pause"):
                real, none = (c.refused("room.not_found", kind, {"room": r}) for r in (room["id"], "A" * 20))
                equal(real, none, f"what {kind} says")
            c.refused("room.not_found", "room.get", {"room": "@" + owner["username"]})
            cursor, rooms = None, []
            while True:
                page = c.data("room.list", {"limit": 200, "cursor": cursor})
                rooms, cursor = rooms + page["rooms"], page["next_cursor"]
                if cursor is None:
                    break
            true(room["id"] not in [r["id"] for r in rooms], "it is listed")
        equal([r["id"] for r in o.data("room.list", {"mine": True})["rooms"]], [room["id"]], "mine")
        equal(o.data("room.join", {"room": room["id"]})["you"]["role"], "owner", "role")
    error, _ = rpc_refused(404, "room.not_found", "room.get", {"room": room["id"]}, token=other["access_token"])
    equal(error, rpc_refused(404, "room.not_found", "room.get", {"room": "A" * 20}, token=other["access_token"])[0], "over HTTP")


@check("guests may not create rooms: auth.account_required")
def _():
    with Client() as c:
        c.refused("auth.account_required", "room.create", {"title": "Mine"})


@check("room.create: defaults, limits of fields, and the ninth room")
def _():
    with Client(account()["access_token"]) as c:
        for data, field in (({"title": ""}, "data.title"), ({"title": "x" * 201}, "data.title"), ({"title": "a\nb"}, "data.title"),
                            ({"title": "a\u2028b"}, "data.title"), ({"title": "é" * 101}, "data.title"),
                            ({"visibility": "secret"}, "data.visibility"), ({"delivery": 1}, "data.delivery"),
                            ({"lead_ms": 149}, "data.lead_ms"), ({"lead_ms": 10001}, "data.lead_ms"), ({"lead_ms": 600.0}, "data.lead_ms")):
            c.refused("request.invalid", "room.create", data, field)
        room = c.data("room.create", {})["room"]
        equal([room[k] for k in ("visibility", "delivery", "lead_ms", "host", "host_state", "live", "listeners", "track")],
              ["public", "party", 600, None, "none", False, 0, None], "room")
        true(len(room["id"]) == 20 and room["id"].isalnum() and room["title"], "id and title")
        true(abs(room["created_ms"] / 1000 - time.time()) < 10, "created_ms")
        for _ in range(7):
            c.data("room.create", {"title": "é" * 100, "lead_ms": 10000, "delivery": "interactive", "visibility": "private"})
        c.refused("room.limit_reached", "room.create", {})
        seen, cursor = [], None
        for _ in range(20):
            page = c.data("room.list", {"mine": True, "limit": 3, "cursor": cursor})
            true(len(page["rooms"]) <= 3, "a page is too long")
            seen, cursor = seen + [r["id"] for r in page["rooms"]], page["next_cursor"]
            if cursor is None:
                break
        equal((len(seen), len(set(seen))), (8, 8), "rooms in pages of three")


@check("room.leave and playback.get outside any room: room.not_joined")
def _():
    with Client() as c:
        c.refused("room.not_joined", "room.leave")
        c.refused("room.not_joined", "playback.get")
        c.refused("room.not_joined", "playback.play")
        c.refused("room.not_joined", "host.start", {"pacing": "live"})


@check("the snapshot of @demo, the burst and the live edge; a join that fails leaves everything; leaving ends it")
def _():
    with Client() as c:
        c.probe()
        before = c.probe()
        snapshot = c.data("room.join", {"room": "@demo"})
        true(not [m for m in c.inbox if isinstance(m, bytes) or "room" in m], "something of the room came before the reply")
        equal(snapshot["you"]["role"], "listener", "role")
        packets = c.packets(40)
        preroll = [p for p in packets if p.flags & 2]
        equal(len(preroll), 8, "packets of pre-roll")
        equal([p.seq - packets[0].seq for p in packets], list(range(len(packets))), "seq")
        first = packets[8].play_at
        true(before + 60_000 <= first <= c.probe() + 60_000 + packets[8].samples * 1000 // 48 + 20_000, "where the burst begins")
        for a, b in zip(packets, packets[1:]):
            true(abs(b.play_at - a.play_at - a.samples * 1000 / 48) <= 101, "spacing")
        stream, here = snapshot["stream"], c.data("playback.get")
        equal(here["playback"]["epoch"], stream["epoch"], "epoch")
        c.refused("room.not_found", "room.join", {"room": "A" * 20})
        c.packets(10, seconds=3)
        again = c.data("room.join", {"room": "@demo"})
        equal(again["room"]["id"], snapshot["room"]["id"], "room")
        c.inbox.clear()
        equal(c.data("room.leave"), {}, "data")
        c.inbox.clear()
        c.silent(0.5)
        equal([m for m in c.inbox if isinstance(m, bytes) or "room" in m], [], "what came after leaving")
        c.refused("room.not_joined", "room.leave")


@check("with audio false no audio comes")
def _():
    with Client() as c:
        c.data("room.join", {"room": "@demo", "audio": False})
        c.silent(1)
        equal([m for m in c.inbox if isinstance(m, bytes) and m[0] in (0x10, 0x11)], [], "audio")


@check("remote control of another's room: room.forbidden")
def _():
    with Client() as guest, Client(account()["access_token"]) as other:
        for c in (guest, other):
            for kind, data in (("playback.play", {}), ("playback.pause", {}), ("playback.seek", {"position_us": 0})):
                c.refused("room.forbidden", kind, {"room": "@demo"} | data)
            c.data("room.join", {"room": "@demo"})
            c.refused("room.forbidden", "playback.pause")


# --- accounts.md -----------------------------------------------------------------------------------------------------

@check("sign-up: what it answers, user.me, taken address and name, whatever their case")
def _():
    name = some_name().capitalize()
    given = {"email": f"{name}@Example.org", "password": PASSWORD, "username": name, "display_name": "Dïsplay"}
    with Client(None) as c:
        grant = c.data("auth.sign_up", given)
        equal((grant["user"]["username"], grant["user"]["guest"]), (name, False), "user")
        true(1 <= len(grant["refresh_token"]) <= 512 and 1 <= len(grant["access_token"]) <= 8192 and grant["expires_in_s"] > 0, "grant")
        me = c.data("user.me")
        equal(me["user"], grant["user"], "user")
        equal(me["email"].lower(), given["email"].lower(), "email")
        equal(me["profile"]["display_name"], "Dïsplay", "display_name")
        equal((me["profile"]["bio"], type(me["profile"]["public"])), (None, bool), "profile")
    with Client(None) as c:
        c.refused("auth.email_taken", "auth.sign_up", given | {"email": given["email"].upper(), "username": some_name()})
        c.refused("username.taken", "auth.sign_up", given | {"email": some_name() + "@x.org", "username": name.upper()})
        c.refused("auth.required", "user.me")


@check("sign-up: unusable addresses, passwords and names")
def _():
    with Client(None) as c:
        base = {"email": some_name() + "@example.org", "password": PASSWORD, "username": some_name()}
        for field, values, code in (
                ("email", ("", "a@", "@b", "a.b", "a@b@c", "a b@c", "a@b\n", "x" * 250 + "@b.cd"), "auth.email_invalid"),
                ("password", ("", "1234567", "x" * 129, "ü" * 7, "😀" * 129), "auth.password_unusable"),
                ("username", ("", "ab", "x" * 25, ".abc", "-abc", "_abc", "a b c", "añb", "abc/"), "username.invalid")):
            for value in values:
                c.refused(code, "auth.sign_up", base | {field: value})
        for field in base:
            c.refused("request.invalid", "auth.sign_up", {k: v for k, v in base.items() if k != field}, f"data.{field}")
            c.refused("request.invalid", "auth.sign_up", base | {field: 5}, f"data.{field}")
        c.refused("request.invalid", "auth.sign_up", base | {"display_name": "x" * 101}, "data.display_name")


@check("sign-up: a password with U+0000 in it, for every code point is allowed")
def _():
    account(password="\u0000bcdefgh")


@check("sign-up: passwords of 8 and of 128 code points; every code point is taken as it is")
def _():
    for password in ("😀" * 8, "e\u0301" * 4, "\té\n\x7f \u00a0x ", "😀" * 128):
        made = account(password=password)
        with Client(None) as c:
            c.data("auth.sign_in", {"email": made["email"], "password": password})
    with Client(None) as c:
        c.refused("auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": password[:-1]})


@check("sign-in: unknown address and wrong password look the same")
def _():
    made = account()
    with Client(None) as c:
        times = []
        wrong, unknown = ({}, {})
        for _ in range(2):
            begin = time.monotonic()
            wrong = c.refused("auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": "not this one"})
            middle = time.monotonic()
            unknown = c.refused("auth.credentials_invalid", "auth.sign_in", {"email": "x" + made["email"], "password": "not this one"})
            times.append((middle - begin, time.monotonic() - middle))
        equal(wrong, unknown, "what it says")
        true(min(min(t) for t in times) > 0.3 * max(max(t) for t in times), f"times differ: {times}")
        grant = c.data("auth.sign_in", {"email": made["email"].upper(), "password": PASSWORD})
        equal(grant["user"]["uid"], made["user"]["uid"], "uid")
        equal(c.data("user.me")["user"]["uid"], made["user"]["uid"], "uid")


@check("refresh: a new token each time; the old one, shown again, voids all, and connections close with 4401")
def _():
    made = account()
    with Client(None) as c, Client(None) as d:
        one = made["refresh_token"]
        two = c.data("auth.refresh", {"refresh_token": one})
        true(two["refresh_token"] != one, "the token is the same")
        equal(two["user"]["uid"], made["user"]["uid"], "uid")
        holder = Client(two["access_token"])
        d.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": one})
        d.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": two["refresh_token"]})
        d.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": "nobody made this"})
        holder.closes(4401)
        with connect() as e:
            e.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": two["access_token"]}})
            e.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": made["access_token"]}})
        fresh = d.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        d.data("auth.refresh", {"refresh_token": fresh["refresh_token"]})


@check("refreshing as the same user leaves the connection in its room")
def _():
    made = account()
    with Client(made["access_token"]) as c:
        c.data("room.join", {"room": "@demo"})
        c.data("auth.refresh", {"refresh_token": made["refresh_token"]})
        c.packets(10)
        c.data("playback.get")


@check("becoming somebody else leaves the room")
def _():
    made = account()
    with Client() as c:
        c.data("room.join", {"room": "@demo"})
        c.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        c.refused("room.not_joined", "playback.get")


@check("sign-out revokes: anonymous here, 4401 elsewhere; another sign-in of the same user goes on")
def _():
    made = account()
    with Client(None) as c, Client(None) as second:
        second.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        grant = c.data("auth.sign_in", {"email": made["email"], "password": PASSWORD})
        holder = Client(grant["access_token"])
        c.data("room.join", {"room": "@demo"})
        equal(c.data("auth.sign_out", {"refresh_token": grant["refresh_token"]}), {}, "data")
        holder.closes(4401)
        c.inbox.clear()
        c.refused("auth.required", "user.me")
        c.silent(0.5)
        equal([m for m in c.inbox if isinstance(m, bytes)], [], "what came after signing out")
        c.refused("auth.refresh_invalid", "auth.refresh", {"refresh_token": grant["refresh_token"]})
        with connect() as d:
            d.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": grant["access_token"]}})
        second.data("user.me")
        second.data("auth.sign_out", {"refresh_token": "nobody made this"})
        second.refused("auth.required", "user.me")


@check("a guest who shows the token again is the same guest")
def _():
    with Client() as c:
        with Client(c.welcome["access_token"]) as d:
            equal(d.welcome["user"], c.welcome["user"], "user")
            me = d.data("user.me")
            equal((me["user"], me["email"]), (c.welcome["user"], None), "user.me")


# --- connection.md: the same over HTTP -------------------------------------------------------------------------------

@check("HTTP: accounts, with the statuses of errors.md")
def _():
    made = account()
    base = {k: made[k] for k in ("email", "password", "username")}
    rpc_refused(409, "auth.email_taken", "auth.sign_up", base | {"username": some_name()})
    rpc_refused(409, "username.taken", "auth.sign_up", base | {"email": some_name() + "@x.org"})
    rpc_refused(422, "auth.email_invalid", "auth.sign_up", base | {"email": "nothing"})
    rpc_refused(422, "auth.password_unusable", "auth.sign_up", base | {"password": "short"})
    rpc_refused(422, "username.invalid", "auth.sign_up", base | {"username": "a b"})
    error, _ = rpc_refused(400, "request.invalid", "auth.sign_up", base | {"username": 5})
    equal(error.get("field"), "data.username", "field")
    rpc_refused(401, "auth.credentials_invalid", "auth.sign_in", {"email": made["email"], "password": "wrong one"})
    status, body, headers = rpc("auth.sign_in", {"email": made["email"], "password": PASSWORD})
    equal((status, body["type"], "id" in body), (200, "ok", False), "sign-in")
    true(headers.get("content-type", "").startswith("application/json"), "content-type")
    token, refresh = body["data"]["access_token"], body["data"]["refresh_token"]
    status, body, _ = rpc("user.me", token=token)
    equal((status, body["data"]["user"]["username"]), (200, made["username"]), "user.me")
    status, body, _ = rpc("auth.refresh", {"refresh_token": refresh})
    equal(status, 200, "refresh")
    status, again, _ = rpc("auth.sign_out", {"refresh_token": body["data"]["refresh_token"]}, token=body["data"]["access_token"])
    equal((status, again), (200, {"type": "ok", "data": {}}), "sign-out")
    rpc_refused(401, "auth.refresh_invalid", "auth.refresh", {"refresh_token": body["data"]["refresh_token"]})
    rpc_refused(401, "auth.token_invalid", "user.me", token=token)


@check("HTTP: refresh tokens shown twice void all that descends")
def _():
    made = account()
    status, two, _ = rpc("auth.refresh", {"refresh_token": made["refresh_token"]})
    equal(status, 200, "refresh")
    rpc_refused(401, "auth.refresh_invalid", "auth.refresh", {"refresh_token": made["refresh_token"]})
    rpc_refused(401, "auth.refresh_invalid", "auth.refresh", {"refresh_token": two["data"]["refresh_token"]})
    rpc_refused(401, "auth.token_invalid", "user.me", token=two["data"]["access_token"])


@check("HTTP: guests and rooms, with the statuses of errors.md")
def _():
    status, body, _ = rpc("auth.guest", body="")
    equal((status, body["data"]["user"]["guest"], "refresh_token" in body["data"]), (200, True, False), "auth.guest")
    guest, owner = body["data"]["access_token"], account()["access_token"]
    rpc_refused(401, "auth.required", "user.me")
    rpc_refused(401, "auth.required", "room.list")
    rpc_refused(401, "auth.token_invalid", "user.me", token="made.up.token")
    rpc_refused(403, "auth.account_required", "room.create", {}, token=guest)
    rpc_refused(404, "room.not_found", "room.get", {"room": "A" * 20}, token=guest)
    rpc_refused(400, "request.invalid", "room.get", {"room": "short"}, token=guest)
    rpc_refused(400, "request.invalid", "room.create", {"lead_ms": 1}, token=owner)
    rpc_refused(409, "room.not_joined", "playback.get", {}, token=guest)
    status, body, _ = rpc("room.create", {"title": "Over HTTP"}, token=owner)
    equal((status, body["data"]["room"]["title"]), (200, "Over HTTP"), "room.create")
    status, body, _ = rpc("room.get", {"room": body["data"]["room"]["id"]}, token=guest)
    equal((status, body["data"]["room"]["title"]), (200, "Over HTTP"), "room.get")
    for room in ("@demo", "@DEMO"):
        status, body, _ = rpc("playback.get", {"room": room}, token=guest)
        equal((status, sorted(body["data"])), (200, ["playback", "server_us", "upcoming"]), "playback.get")
    equal(rpc("room.list", body="", token=guest)[0], 200, "room.list")


@check("HTTP: what is not served so, and what is not JSON")
def _():
    _, body, _ = rpc("auth.guest")
    guest = body["data"]["access_token"]
    for kind in ("room.join", "room.leave", "hello", "host.start", "playback.play", "no.such", ""):
        rpc_refused(404, "request.unknown", kind, {}, token=guest)
    for body in ("nonsense", "[]", "3", '{"a":1,"a":2}', '{"x":9007199254740992}', "\ufeff{}".encode(), b'{"x":"\xff"}'):
        rpc_refused(400, "request.malformed", "room.list", token=guest, body=body)
    rpc_refused(400, "request.too_deep", "room.list", token=guest, body='{"x":' + "[" * 17 + "]" * 17 + "}")
    true(rpc("room.list", token=guest, method="GET")[0] in (404, 405), "GET is served")


# --- hosting.md ------------------------------------------------------------------------------------------------------

STREAM = {"codec": "opus", "channels": 2, "pre_skip": 312}


class Host:
    """A room with an owner, who hosts it on one connection and commands it from another, and a listener."""
    def __init__(self, **room):
        self.grant = account()
        self.client, self.owner, self.listener = Client(self.grant["access_token"]), Client(self.grant["access_token"]), Client()
        self.room = self.client.data("room.create", {"title": "Test", "lead_ms": 600} | room)["room"]["id"]
        self.client.data("room.join", {"room": self.room})
        self.snapshot = self.listener.data("room.join", {"room": self.room})
        self.seq = self.sample = 0
        self.started, self.sent = None, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in (self.client, self.owner, self.listener):
            client.ws.close()

    def start(self, **more):
        data = {"stream": STREAM, "pacing": "server", "track": {"title": "Tune", "duration_us": 60_000_000}} | more
        self.started = self.client.data("host.start", data)
        self.seq = self.sample = 0
        self.sent = []
        return self.started

    def packet(self, data=None, samples=960, flags=0, seq=None, pos=None, epoch=None):
        """Sends one packet of 20 ms, with random content."""
        data = data if data is not None else b"\xfc" + os.urandom(40)
        self.client.binary(struct.pack(">BBHIqI", 0x20, flags, self.started["epoch"] if epoch is None else epoch,
                                       self.seq if seq is None else seq, self.sample if pos is None else pos, samples) + data)
        if seq is None:
            self.sent.append((self.sample, samples, data))
            self.seq, self.sample = self.seq + 1, self.sample + samples
        return data

    def fill(self, count):
        for _ in range(count):
            self.packet()

    def play_at(self, pos):
        return self.started["start_us"] + (pos - 312) * 10**6 // 48000

    def heard(self, seconds=5):
        """The packets of what was sent in this epoch, as the listener gets them, must be the same, in time."""
        packets = self.listener.packets(len(self.sent), seconds, lambda p: p.epoch == self.started["epoch"])
        equal([p.data for p in packets], [s[2] for s in self.sent], "bytes")
        equal([p.samples for p in packets], [s[1] for s in self.sent], "samples")
        off = max(abs(p.play_at - self.play_at(s[0])) for p, s in zip(packets, self.sent))
        true(off <= 100, f"play_at is off by {off} us")
        equal([(p.seq - packets[0].seq) % 2**32 for p in packets], list(range(len(packets))), "seq")
        return packets


@check("host flow: start, audio arrives byte for byte and in time, stop")
def _():
    with Host() as h:
        l, before = h.listener, h.client.probe()
        equal((h.snapshot["stream"], h.snapshot["playback"]["state"], h.snapshot["room"]["live"]), (None, 0, False), "snapshot")
        started = h.start(position_us=5_000_000)
        lead = started["start_us"] - before
        true(500_000 <= started["lead_us"] <= 700_000 and 550_000 <= lead <= 700_000, f"lead {started['lead_us']}, {lead}")
        line = (started["upcoming"] or [started["playback"]])[-1]
        equal((line["state"], line["position_us"], line["anchor_us"], line["epoch"]),
              (1, 5_000_000, started["start_us"], started["epoch"]), "the new Playback")
        stream = l.event("stream.started")["data"]
        equal(stream["stream"], STREAM | {"epoch": started["epoch"], "start_us": started["start_us"], "continues": False}, "stream")
        equal(stream["track"]["title"], "Tune", "track")
        changed = l.event("host.changed")["data"]
        equal((changed["state"], changed["host"]["uid"]), ("here", h.grant["user"]["uid"]), "host.changed")
        p = l.position(fits=lambda p: p[0] == 1)
        equal((p[1], p[3], p[4], p[5], p[6]), (started["epoch"], started["start_us"], 5_000_000, 1_000_000, 0), "POSITION")
        h.fill(49)
        h.packet(samples=500, flags=8)  # LAST, trimmed
        packets = h.heard()
        equal([q.flags & 1 for q in packets], [1] + [0] * 49, "DISCONTINUITY")
        equal([bool(q.flags & 8) for q in packets], [False] * 49 + [True], "LAST")
        equal(packets[0].play_at, started["start_us"] - 6500, "play_at of the first")
        room = l.data("room.get", {"room": "@" + h.grant["username"]})["room"]
        equal((room["id"], room["live"], room["host_state"], room["track"]["title"]), (h.room, True, "here", "Tune"), "room")
        equal(h.client.data("host.stop"), {}, "data")
        ended = l.event("stream.ended")["data"]
        equal((ended["epoch"], ended["reason"]), (started["epoch"], "finished"), "stream.ended")
        true(abs(ended["at_us"] - h.play_at(49 * 960 + 500)) <= 100, f"at_us {ended['at_us']} instead of {h.play_at(49 * 960 + 500)}")
        equal(l.event("host.changed", fits=lambda d: d["state"] == "none")["data"]["host"], None, "host")
        equal(l.data("room.get", {"room": h.room})["room"]["live"], False, "live")
        h.packet()
        h.client.error("host.not_host")


@check("room events count without a gap from the snapshot's seq, in host flow and after")
def _():
    with Host() as h:
        h.start()
        h.fill(30)
        h.client.data("host.track", {"track": {"title": "Next", "artist": None}})
        h.client.data("host.pause")
        h.start()
        h.client.data("host.stop")
        h.listener.silent(0.5)
        events = [m for m in h.listener.inbox if isinstance(m, dict) and "room" in m and "seq" in m]
        equal([e["seq"] for e in events], list(range(h.snapshot["seq"] + 1, h.snapshot["seq"] + 1 + len(events))), "seq")
        kinds = [e["type"] for e in events]
        for kind in ("host.changed", "stream.started", "track.changed", "stream.ended"):
            true(kind in kinds, f"no {kind} among {kinds}")
        track = [e for e in events if e["type"] == "track.changed" and e["data"]["track"]["title"] == "Next"]
        equal(track[0]["data"]["track"], {"title": "Next", "artist": None, "album": None, "duration_us": None}, "track")


@check("the seat: not joined, not the owner, taken")
def _():
    with Host() as h:
        request = {"stream": STREAM, "pacing": "server"}
        h.owner.refused("room.not_joined", "host.start", request)
        true(h.listener.ask("host.start", request)["error"]["code"] in ("room.forbidden", "auth.account_required"), "a guest may host")
        with Client(account()["access_token"]) as other:
            other.data("room.join", {"room": h.room})
            other.refused("room.forbidden", "host.start", request)
            for kind, data in (("host.stop", {}), ("host.pause", {}), ("host.track", {"track": {}}),
                               ("host.reject", {"command": 1, "code": "host.refused", "message": "no"})):
                other.refused("host.not_host", kind, data)
        h.start()
        h.owner.data("room.join", {"room": h.room})
        h.owner.refused("host.seat_taken", "host.start", request)
        for data, field in (({"pacing": "slow"}, "data.pacing"), ({}, "data.pacing"),
                            ({"pacing": "server", "stream": STREAM | {"codec": "mp3"}}, "data.stream.codec"),
                            ({"pacing": "server", "stream": STREAM | {"channels": 3}}, "data.stream.channels"),
                            ({"pacing": "server", "stream": STREAM | {"pre_skip": 65536}}, "data.stream.pre_skip"),
                            ({"pacing": "server", "track": {"title": "a\nb"}}, "data.track.title"),
                            ({"pacing": "server", "position_us": -1}, "data.position_us")):
            h.client.refused("request.invalid", "host.start", data, field)
        h.client.data("room.leave")
        equal(h.listener.event("stream.ended")["data"]["reason"], "finished", "reason")


@check("audio that does not fit: wrong epoch, not Opus, wrong samples; twice is silent; none of it is heard")
def _():
    with Host() as h:
        h.start()
        h.fill(60)
        h.packet(epoch=(h.started["epoch"] + 1) % 65536, seq=60, pos=60 * 960)
        h.client.error("audio.wrong_epoch")
        for data, samples in ((b"\xff\x00", 960), (b"\xfd" + bytes(3), 960), (b"\xfc" + bytes(5), 1920)):
            time.sleep(1.05 if samples == 960 else 0.3)  # errors about audio come once a second
            h.packet(data=data, samples=samples, seq=60, pos=60 * 960)
            if samples == 960:
                h.client.error("audio.malformed")
        h.packet()  # what was dropped did not count: this one has its number
        h.packet(seq=5, pos=5 * 960)
        h.client.inbox.clear()
        h.client.silent()
        h.listener.silent(0.3)
        got = [p.data for m in h.listener.inbox if isinstance(m, bytes) for p in packets_of(m)]
        equal(got, [s[2] for s in h.sent], "packets heard")


@check("errors of two codes about audio in one second both come, for each code is held to one a second")
def _():
    with Host() as h:
        h.start()
        h.packet(epoch=(h.started["epoch"] + 1) % 65536)
        h.client.error("audio.wrong_epoch")
        h.packet(data=b"\xff\x00", seq=1, pos=960)
        h.client.error("audio.malformed", seconds=2)


@check("a gap in the host's seq: the next packet has DISCONTINUITY and its own time")
def _():
    with Host() as h:
        h.start()
        h.fill(10)
        h.seq, h.sample = h.seq + 5, h.sample + 5 * 960
        h.fill(10)
        packets = h.listener.packets(20)
        equal([p.flags & 1 for p in packets], [1] + [0] * 9 + [1] + [0] * 9, "DISCONTINUITY")
        true(abs(packets[10].play_at - h.play_at(15 * 960)) <= 100, "play_at after the gap")
        equal([p.data for p in packets], [s[2] for s in h.sent], "bytes")


@check("files follow each other without a gap; who joins between learns of both epochs")
def _():
    with Host(lead_ms=2000) as h:
        h.start()
        h.fill(100)
        end, one = h.play_at(h.sample), h.started["epoch"]
        h.start(track={"title": "Second"})
        h.fill(50)
        true(abs(h.started["start_us"] - end) <= 1 or h.started["start_us"] - end == 6500, f"a gap of {h.started['start_us'] - end} us")
        two = h.started["epoch"]
        equal(two, one + 1, "epoch")
        with Client() as late:
            snapshot = late.data("room.join", {"room": h.room})
            late.silent(0.5)
            known, seen = {snapshot["stream"]["epoch"]}, set()
            for m in late.inbox:
                if isinstance(m, dict) and m["type"] == "stream.started":
                    known.add(m["data"]["stream"]["epoch"])
                for p in packets_of(m) if isinstance(m, bytes) else ():
                    seen.add(p.epoch)
                    true(p.epoch in known, f"packets of epoch {p.epoch} without a stream.started; the snapshot's is "
                                           f"{snapshot['stream']['epoch']}, epoch {one} sounds")
            equal(seen, {one, two}, "epochs heard")
        packets = h.listener.packets(150)
        equal([p.epoch for p in packets], [one] * 100 + [two] * 50, "epochs")
        equal([p.seq - packets[0].seq for p in packets], list(range(150)), "seq through both epochs")
        equal([p.flags & 1 for p in packets], [1] + [0] * 99 + [1] + [0] * 49, "DISCONTINUITY")


@check("an epoch that continues has no DISCONTINUITY")
def _():
    with Host(lead_ms=2000) as h:
        h.start()
        h.fill(100)
        h.client.data("host.start", {"stream": STREAM | {"pre_skip": 0}, "pacing": "server", "continues": True})
        h.started = {"epoch": h.started["epoch"] + 1}
        h.seq = h.sample = 0
        h.fill(20)
        packets = h.listener.packets(120)
        equal([p.flags & 1 for p in packets], [1] + [0] * 119, "DISCONTINUITY")
        gap = packets[100].play_at - packets[99].play_at
        true(abs(gap - 20_000) <= 100, f"{gap} us from one to the next")
        streams = [h.listener.event("stream.started")["data"]["stream"]["continues"] for _ in range(2)]
        equal(streams, [False, True], "continues")


@check("a packet too late begins an epoch of the server's own: state 3, continues, a lead from now; the host keeps its epoch")
def _():
    with Host() as h:
        h.start()
        h.fill(20)
        h.listener.packets(20)
        time.sleep(1.5)
        h.client.inbox.clear()
        h.listener.inbox.clear()
        now = h.client.probe()
        h.fill(10)
        stream = h.listener.event("stream.started")["data"]["stream"]
        equal((stream["continues"], stream["epoch"]), (True, h.started["epoch"] + 1), "stream")
        packets = h.listener.packets(10)
        equal([p.data for p in packets], [s[2] for s in h.sent[20:]], "bytes")
        equal({p.epoch for p in packets}, {stream["epoch"]}, "epoch")
        true(500_000 <= packets[0].play_at - now <= 900_000, f"sounds {packets[0].play_at - now} us from now")
        waiting, going = h.listener.position(fits=lambda p: p[0] == 3), h.listener.position(fits=lambda p: p[0] == 1)
        true(abs(waiting[4] - (20 * 960 - 312) * 1000 // 48) <= 1000, f"it waits at {waiting[4]}")
        true(abs(going[4] - waiting[4]) <= 1000, f"and goes on at {going[4]}")
        mine = h.client.position(fits=lambda p: p[0] == 1)
        equal(mine, going, "what the host gets")
        h.fill(5)
        h.listener.packets(5)
        h.client.silent()


@check("a host far ahead is held back; its probes are answered all the same")
def _():
    with Host() as h:
        h.start()
        h.fill(400)
        for _ in range(5):
            h.client.probe(2)
            time.sleep(0.1)
        packets = h.listener.packets(150, 4)
        equal([p.data for p in packets], [s[2] for s in h.sent[:150]], "bytes")


def answer(h, kind, data, action, reaction):
    """The owner asks, the host reacts to the command, the owner gets the reply."""
    number = h.owner.send(kind, {"room": h.room} | data)
    command = h.client.event("host.command")
    equal((command["data"]["action"], "seq" in command, "room" in command), (action, True, False), "host.command")
    if "position_us" in data:
        equal(command["data"]["position_us"], data["position_us"], "position_us")
    reaction(command["data"]["command"])
    return h.owner.reply(number)


def newest(data):
    return (data["upcoming"] or [data["playback"]])[-1]


@check("pause, play and seek, from the owner to the host and back")
def _():
    with Host() as h:
        h.start()
        h.fill(40)
        end = h.play_at(h.sample)
        reply = answer(h, "playback.pause", {}, "pause", lambda n: h.client.data("host.pause", {"command": n}))
        paused = newest(reply["data"])
        equal(paused["state"], 2, "state")
        true(abs(paused["anchor_us"] - end) <= 100, f"anchor {paused['anchor_us'] - end} us from the end of what was sent")
        true(abs(paused["position_us"] - (h.sample - 312) * 1000 // 48) <= 100, f"position {paused['position_us']}")
        p = h.listener.position(fits=lambda p: p[0] == 2)
        equal((p[3], p[4]), (paused["anchor_us"], paused["position_us"]), "POSITION")
        begin = time.monotonic()
        equal(newest(h.owner.data("playback.pause", {"room": h.room}))["state"], 2, "pausing what is paused")
        true(time.monotonic() - begin < 1, "it did not answer at once")
        reply = answer(h, "playback.seek", {"position_us": 30_000_000}, "seek",
                       lambda n: h.client.data("host.pause", {"command": n, "position_us": 30_000_000}))
        equal((newest(reply["data"])["state"], newest(reply["data"])["position_us"]), (2, 30_000_000), "seek while paused")
        reply = answer(h, "playback.play", {}, "play", lambda n: h.start(command=n, position_us=30_000_000))
        equal((newest(reply["data"])["state"], newest(reply["data"])["position_us"]), (1, 30_000_000), "play")
        h.fill(40)
        begin = time.monotonic()
        equal(newest(h.owner.data("playback.play", {"room": h.room}))["state"], 1, "playing what plays")
        true(time.monotonic() - begin < 1, "it did not answer at once")
        reply = answer(h, "playback.seek", {"position_us": 10_000_000}, "seek", lambda n: h.start(command=n, position_us=10_000_000))
        equal((newest(reply["data"])["state"], newest(reply["data"])["position_us"]), (1, 10_000_000), "seek while playing")
        h.fill(20)
        reply = answer(h, "playback.play", {"position_us": 1_000_000}, "play", lambda n: h.start(command=n, position_us=1_000_000))
        equal(newest(reply["data"])["position_us"], 1_000_000, "play from a position")
        equal(h.listener.data("playback.get")["upcoming"][-1]["position_us"], 1_000_000, "playback.get")


@check("host.reject: the owner gets host.refused in the host's words; nobody waiting is no error")
def _():
    with Host() as h:
        h.start()
        reply = answer(h, "playback.pause", {}, "pause",
                       lambda n: h.client.data("host.reject", {"command": n, "code": "host.refused", "message": "Not nöw."}))
        equal((reply["error"]["code"], reply["error"]["message"]), ("host.refused", "Not nöw."), "error")
        equal(h.client.data("host.reject", {"command": 999_999, "code": "host.refused", "message": "x"}), {}, "data")
        h.client.refused("request.invalid", "host.reject", {"command": 1, "code": "host.refused"}, "data.message")
        h.client.refused("request.invalid", "host.reject", {"command": -1, "code": "host.refused", "message": "x"}, "data.command")


@check("a host who does not answer: host.timeout after 5 s; two commands at once; an answer too late is carried out")
def _():
    with Host() as h:
        h.start()
        begin = time.monotonic()
        one, two = h.owner.send("playback.pause", {"room": h.room}), h.owner.send("playback.seek", {"room": h.room, "position_us": 1})
        commands = [h.client.event("host.command")["data"]["command"] for _ in range(2)]
        true(commands[0] != commands[1], "both commands have one number")
        h.owner.error("host.timeout", one, 8)
        true(4.5 < time.monotonic() - begin < 6.5, f"after {time.monotonic() - begin:.1f} s")
        h.owner.error("host.timeout", two, 8)
        equal(newest(h.client.data("host.pause", {"command": commands[0]}))["state"], 2, "state")


@check("no host: host.absent")
def _():
    with Host() as h:
        h.owner.refused("host.absent", "playback.play", {"room": h.room})
        h.start()
        h.client.data("host.stop")
        h.owner.refused("host.absent", "playback.play", {"room": h.room})


@check("a lost host is away, the room buffers at the live edge; coming back begins a new epoch")
def _():
    with Host() as h:
        h.start()
        h.fill(40)
        end, epoch = h.play_at(h.sample), h.started["epoch"]
        h.client.probe()
        h.client.ws.socket.close()
        equal(h.listener.event("host.changed", fits=lambda d: d["state"] == "away")["data"]["host"]["uid"], h.grant["user"]["uid"], "host")
        p = h.listener.position(fits=lambda p: p[0] == 3)
        true(abs(p[3] - end) <= 100, f"it buffers {p[3] - end} us from the end of what was sent")
        h.owner.refused("host.absent", "playback.play", {"room": h.room})
        h.client = Client(h.grant["access_token"])
        h.client.data("room.join", {"room": h.room})
        h.start()
        h.fill(10)
        true(h.started["epoch"] != epoch, "the epoch is the same")
        h.listener.event("host.changed", fits=lambda d: d["state"] == "here")
        h.listener.packets(10, fits=lambda p: p.epoch == h.started["epoch"])


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
            reason = next((m["data"]["reason"] for m in h.listener.inbox if isinstance(m, dict) and m["type"] == "stream.ended"), None)
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


@check("a room followed by position only: news reach listeners, the server counts revisions")
def _():
    with Host() as h:
        h.client.data("host.start", {"pacing": "live", "track": {"title": "Elsewhere"}, "position_us": 1_000_000})
        epoch, l = newest(h.listener.data("playback.get"))["epoch"], h.listener
        send = lambda state, anchor, position, epoch=epoch, rate=1_000_000: h.client.binary(
            struct.pack(">BBHIqqiI", 0x30, state, epoch, 12345, anchor, position, rate, 1500))
        l.inbox.clear()
        now = h.client.probe()
        send(1, now, 50_000_000)
        one = l.position(fits=lambda p: p[4] == 50_000_000)
        equal((one[0], one[1], one[3], one[5], one[6]), (1, epoch, now, 1_000_000, 1500), "POSITION")
        send(2, h.client.probe(), 51_000_000, rate=0)
        two = l.position(fits=lambda p: p[0] == 2)
        equal((two[2] - one[2]) % 2**32, 1, "revision")
        send(1, now + 11_000_000, 0)
        h.client.error("frame.malformed")
        send(1, now, -1)
        h.client.error("frame.malformed")
        send(1, now, 0, rate=4_000_001)
        h.client.error("frame.malformed")
        send(1, now, 0, epoch=(epoch + 1) % 65536)
        h.client.error("audio.wrong_epoch")
        equal(l.data("playback.get")["playback"]["position_us"], 51_000_000, "playback.get")


# --- Protocol/vectors ------------------------------------------------------------------------------------------------

def vector_checks(folder):
    """One check for each file: every invalid message gets its code and field, every valid one is not malformed."""
    envelope = {"request.malformed", "request.too_deep", "request.unknown", "request.invalid", "frame.malformed", "frame.unknown"}
    for path in sorted(folder.glob("*.json")):
        vectors = json.loads(path.read_text())
        tests = [t for t in vectors["tests"] if t["message"].startswith("requests/") or t["message"] in ("request", "json", "client_frame")]

        def run(tests=tests):
            token, wrong = account()["access_token"], []
            for t in tests:
                valid, kind = t["result"] == "valid", t["message"]
                if t["result"] == "acceptable" or kind.startswith("requests/auth.") and valid or kind == "json" and valid:
                    continue
                raw = bytes.fromhex(t["bytes"]) if "bytes" in t else t["text"].encode()
                with connect() if kind == "requests/hello" else Client(token) as c:
                    try:
                        c.binary(raw) if kind == "client_frame" else c.text(raw)
                        if kind == "client_frame" and valid and t["value"].get("frame") in ("ignorable", "TIME_REQ"):
                            c.probe() if t["value"]["frame"] == "ignorable" else time.sleep(0)
                            continue
                        r = c.next(lambda m: isinstance(m, dict) and m["type"] in ("ok", "error"), "answer", 4)
                        code, field = r.get("error", {}).get("code"), r.get("error", {}).get("field")
                        want = (t.get("value") or {}).get("field") if isinstance(t.get("value"), dict) else None
                        if valid and (kind == "request" and code == "request.unknown" or field == "data.cursor"):
                            continue  # of no known type, or with a cursor that this server did not make
                        if valid and code in envelope or not valid and (code != t["code"] or want and field != want):
                            wrong.append(f"{t['id']} ({t['comment']}): {code or 'ok'} {field or ''} instead of "
                                         f"{'no such error' if valid else t['code']} {want or ''}")
                    except Closed as closed:
                        try:
                            raw.decode()
                            wrong.append(f"{t['id']} ({t['comment']}): closed with {closed.code}")
                        except UnicodeDecodeError:  # as text over WebSocket that is 1007
                            if closed.code != 1007:
                                wrong.append(f"{t['id']} ({t['comment']}): closed with {closed.code}")
                    except Failure as failure:
                        wrong.append(f"{t['id']} ({t['comment']}): {failure}")
            true(not wrong, "; ".join(wrong))
        if tests:
            CHECKS.append((f"vectors/{path.name}: {len(tests)} messages to a server", False, run))


# --- The program -----------------------------------------------------------------------------------------------------

def main():
    global URL
    parser = argparse.ArgumentParser(description="Checks a Sona server against the prose of its protocol.")
    parser.add_argument("url")
    parser.add_argument("--only", default="", help="only checks whose titles contain this")
    parser.add_argument("--slow", action="store_true", help="also those that take a minute")
    parser.add_argument("--vectors", type=pathlib.Path, default=pathlib.Path(__file__).parents[2] / "Protocol" / "vectors")
    given = parser.parse_args()
    URL = given.url
    if given.vectors.is_dir():
        vector_checks(given.vectors)
    witness, passed, failed = Witness(), 0, 0
    witness.start()
    for title, slow, function in CHECKS:
        if given.only not in title or slow and not given.slow:
            continue
        trouble = None
        try:
            function()
        except (Failure, Closed, OSError, KeyError, TypeError, IndexError) as error:
            trouble = f"{type(error).__name__}: {error}"
        noticed = witness.noticed()
        if noticed:
            trouble = f"{trouble or ''} THE ONE BESIDE IT NOTICED: {noticed}"
            witness.stop = True
            witness = Witness()
            witness.start()
        passed, failed = passed + (trouble is None), failed + (trouble is not None)
        print(f"{'ok  ' if trouble is None else 'FAIL'} {title}{'' if trouble is None else ': ' + trouble}", flush=True)
    witness.stop = True
    witness.join()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
