"""Connections of somebody who means ill: very many in one thread, each sending as fast as the server takes it."""
import base64, collections, errno, itertools, json, os, re, select, socket, struct, time

from delivery_checks.peers import BINARY, CLOSE, PING, PONG, TEXT, frame, frames_in, now_us

IP_BIND_ADDRESS_NO_PORT = 24  # ip(7): else the ports of one address run out where connections come and go
READ_BYTES = 1 << 16
TICK_S = 0.2
CLIENT = {"client": {"name": "worst_checks", "version": "1.0"}}
CODE = re.compile(rb'"code":"([^"]+)"')
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.I)
IN, OUT, GONE = select.EPOLLIN, select.EPOLLOUT, select.EPOLLHUP | select.EPOLLERR


Part = collections.namedtuple("Part", "what from_us to_us connections opened sent answers")
Part.seconds = property(lambda part: (part.to_us - part.from_us) / 1e6)


class Siege:
    """All that one address does at a time, and what it is answered."""
    def __init__(self, place):
        self.place, self.epoll, self.connections = place, select.epoll(), {}
        self.sent, self.opened, self.answers, self.parts = 0, 0, collections.Counter(), []

    def hold(self, what, make, count, seconds):
        """Keeps `count` connections for so long, each what `make` gives; one that ends is replaced by another."""
        self.sent, self.opened, self.answers = 0, 0, collections.Counter()
        began, at = time.monotonic(), now_us()
        tick = began
        while (now := time.monotonic()) - began < seconds:
            # A few at a time, so that those that are open get their turn.
            for _ in range(min(64, count - len(self.connections))):
                self.opened += 1
                make().connect(self)
            for number, events in self.epoll.poll(0.02, 1024):
                if (connection := self.connections.get(number)) is not None:
                    connection.work(events)
            if now > tick:
                tick = now + TICK_S
                for connection in list(self.connections.values()):
                    connection.tick()
        self.parts.append(Part(what, at, now_us(), count, self.opened, self.sent, self.answers))
        for connection in list(self.connections.values()):
            connection.end()


class Connection:
    """One connection. It writes `first`, then what `more` gives whenever all before is written.

    One that is `paced` asks `more` once in a tick instead: so that what it asks for is done, and not refused.
    """
    first = b""
    paced = may = False
    receive_bytes = None  # what the kernel takes for a connection that does not read
    reads = True

    def connect(self, siege):
        self.siege, self.rest, self.out, self.wanted = siege, b"", memoryview(self.first), 0
        self.socket = socket.socket()
        self.socket.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, READ_BYTES)
        # As if the network had gone when it ends: nothing of it stays in the kernel.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if self.receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receive_bytes)
        self.socket.setblocking(False)
        self.socket.bind((siege.place.source, 0))
        found = self.socket.connect_ex(siege.place.address)
        if found not in (0, errno.EINPROGRESS):
            self.socket.close()
            return self.count(errno.errorcode[found])
        self.number = self.socket.fileno()
        siege.connections[self.number] = self
        siege.epoll.register(self.number, 0)
        self.want(OUT | (IN if self.reads else 0))

    def want(self, events):
        if events != self.wanted and self.siege.connections.get(self.number) is self:  # it has not ended
            self.wanted = events
            self.siege.epoll.modify(self.number, events)

    def count(self, answer, times=1):
        self.siege.answers[answer] += times

    def work(self, events):
        if events & (IN | GONE):
            self.pull()
        if events & OUT and self.siege.connections.get(self.number) is self:
            self.push()

    def pull(self):
        try:
            data = self.socket.recv(READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.gone()
        self.rest = self.heard(self.rest + data if self.rest else data)

    def push(self):
        """Writes once, so that all connections get their turn."""
        if not self.out:
            may, self.may = self.may or not self.paced, False
            self.out = memoryview(may and self.more() or b"")
            if not self.out:
                return self.want(self.wanted & ~OUT)
        try:
            self.out = self.out[self.socket.send(self.out):]
        except BlockingIOError:
            pass
        except OSError:
            self.gone()

    def write(self, data):
        """Sends this behind what is on its way."""
        self.out = memoryview(bytes(self.out) + data)
        self.want(self.wanted | OUT)

    def more(self):
        """The next bytes; none: until something is heard, or `write` is called."""

    def heard(self, data):
        """Takes what came; returns the bytes that are nothing whole yet."""
        return b""

    def tick(self):
        """Called a few times a second."""
        if self.paced:
            self.may = True
            self.want(self.wanted | OUT)

    def gone(self):
        """The server has ended it."""
        self.count("cut")
        self.end()

    def end(self):
        if self.siege.connections.pop(self.number, None) is self:
            self.siege.epoll.unregister(self.number)
            self.socket.close()


class HttpConnection(Connection):
    """Requests over HTTP, in a row and without waiting for answers; `more` gives them, and how many they are."""
    def __init__(self, more, reads=True, receive_bytes=None, paced=False):
        self.more_requests, self.reads, self.receive_bytes, self.paced = more, reads, receive_bytes, paced

    def more(self):
        count, data = self.more_requests()
        self.siege.sent += count
        return data

    def heard(self, data):
        at = 0
        while (end := data.find(b"\r\n\r\n", at)) >= 0:
            if data[at + 9:at + 12] == b"100":  # a body is wanted; the answer follows
                at = end + 4
                continue
            size = LENGTH.search(data, at, end)
            whole = end + 4 + (int(size[1]) if size else 0)
            if whole > len(data):
                break
            code = CODE.search(data, end, min(whole, end + 300)) if data[at + 9:at + 10] in (b"4", b"5") else None
            self.count((code[1] if code else data[at + 9:at + 12]).decode())
            at = whole
        return data[at:]


class SocketConnection(Connection):
    """A WebSocket. It says hello, then asks what `before` names, each when the last was answered, then floods."""
    handshake = True

    def __init__(self, flood=None, auth=None, before=(), resume=None, paced=False):
        self.flood, self.auth, self.resume, self.paced = flood, auth, resume, paced
        self.before, self.flooding = collections.deque(before), False

    def connect(self, siege):
        self.first = upgrade(siege.place)
        super().connect(siege)

    def heard(self, data):
        if self.handshake:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                return head
            if head[9:12] != b"101":
                self.count(head[9:12].decode())
                self.end()
                return b""
            self.handshake = False
            self.shaken()
        frames, left = frames_in(data)
        for first, payload in frames:
            opcode = first & 15
            if opcode == PING:
                self.write(frame(PONG, payload))
            elif opcode == PONG:
                self.count("PONG")
            elif opcode == CLOSE:
                self.count(f"closed {int.from_bytes(payload[:2], 'big') if len(payload) > 1 else 1005}")
                self.end()
                return b""
            elif opcode == BINARY:
                self.binary(payload)
            elif opcode == TEXT:
                self.text(payload)
        return data[len(data) - left:]

    def shaken(self):
        """The handshake is done."""
        data = CLIENT | ({"auth": self.auth} if self.auth else {}) | ({"resume": self.resume} if self.resume else {})
        self.write(request("hello", data, 0))

    def text(self, payload):
        head = payload[:200]
        if b'"type":"ok"' in head:
            self.count("ok")
        elif b'"type":"error"' in head:
            code = CODE.search(payload)
            self.count(code[1].decode() if code else "error")
        else:
            return
        if not self.flooding:
            self.answered(payload)

    def answered(self, payload):
        """One more step before the flood was answered."""
        if self.before:
            kind, data = self.before.popleft()
            return self.write(request(kind, data, 0))
        self.flooding = True
        self.ready(payload)
        self.want(self.wanted | OUT)

    def ready(self, payload):
        """The last step was answered by this."""

    def binary(self, payload):
        if payload[:1] == b"\x02":
            self.count("TIME_RSP")

    def more(self):
        if not self.flooding or self.flood is None:
            return b""
        count, data = self.flood()
        self.siege.sent += count
        return data


def request(kind, data, number):
    return frame(TEXT, json.dumps({"type": kind, "id": number, "data": data}).encode())


def upgrade(place):
    key = base64.b64encode(os.urandom(16)).decode()
    return (f"GET /v1/ws HTTP/1.1\r\nHost: {place.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: sona.v1\r\n\r\n").encode()


def post(place, path, body=b"", token=None, kind="application/json"):
    """A request over HTTP, as bytes."""
    bearer = f"Authorization: Bearer {token}\r\n" if token else ""
    return (f"POST {path} HTTP/1.1\r\nHost: {place.host}\r\n{bearer}Content-Type: {kind}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


def get(place, path, headers=""):
    return f"GET {path} HTTP/1.1\r\nHost: {place.host}\r\n{headers}\r\n".encode()


def again(pieces, size=None):
    """Gives these requests without end, so many in one write; as many as fit into some 16 KiB if nothing is said."""
    size = size or max(1, min(64, (16 << 10) // max(1, max(map(len, pieces)))))
    blobs = [(len(part), b"".join(part)) for at in range(0, len(pieces), size) if (part := pieces[at:at + size])]
    return itertools.cycle(blobs).__next__
