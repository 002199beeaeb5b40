"""Many clients in one thread. Their sockets hang in an epoll of their own, which asyncio watches as one file, so that a
message costs a few microseconds and a check is still written as a coroutine."""
import array, asyncio, base64, collections, fcntl, hashlib, json, os, resource, select, socket, struct, termios, time

from protocol_checks.helpers import Failure, packets_of

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
FIN = 0x80
AUDIO = struct.Struct(">xBHIqI")  # AUDIO_DN without its packet: flags, epoch, seq, play_at, samples
AUDIO_BYTES = 20
DISCONTINUITY, PREROLL = 1, 2
READ_BYTES = 1 << 18
SEGMENT_BYTES = 1448  # as on an Ethernet
HELLO = {"client": {"name": "delivery_checks", "version": "1.0"}}
IN, GONE = select.EPOLLIN, select.EPOLLHUP | select.EPOLLERR


def now_us():
    """A clock that is never set, in the server's unit. What it shows at the server's zero, probes tell."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) // 1000


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0


def masked(payload, mask):
    """As RFC 6455, section 5.3 wants everything from a client."""
    size = len(payload)
    key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


def frame(opcode, payload):
    size, mask = len(payload), os.urandom(4)
    head = (bytes((FIN | opcode, 0x80 | size)) if size < 126
            else struct.pack(">BBH", FIN | opcode, 0x80 | 126, size) if size < 65536
            else struct.pack(">BBQ", FIN | opcode, 0x80 | 127, size))
    return head + mask + masked(payload, mask)


def frames_in(data):
    """The whole frames at the beginning of `data`, as (first byte, payload), and how many bytes are left over."""
    found, at = [], 0
    while len(data) - at >= 2:
        short = data[at + 1]
        start = at + (2 if short < 126 else 4 if short == 126 else 10)
        end = start + (short if short < 126 else int.from_bytes(data[at + 2:start], "big"))
        if short > 127 or end > len(data) or start > len(data):
            break
        found.append((data[at], data[start:end]))
        at = end
    return found, len(data) - at


class Crowd:
    """All sockets of this program, and how well it keeps up with them."""
    def __init__(self):
        self.epoll, self.peers, self.busy_us = select.epoll(), {}, array.array("q")
        self.late_us, self.ticker, self.began = array.array("q"), None, None
        self.faults = []  # what no server may send, whichever check runs

    def begin(self):
        asyncio.get_running_loop().add_reader(self.epoll.fileno(), self.work)
        self.ticker = asyncio.create_task(self.tick())
        self.measure()

    def measure(self):
        """Measures its own haste and delay from here on."""
        del self.busy_us[:], self.late_us[:]
        self.began = (time.monotonic(), time.process_time())

    def own_lag(self):
        """What of the delays may be this program's: the 99th percentile in microseconds, and its share of a core."""
        wall, cpu = self.began
        share = (time.process_time() - cpu) / max(1e-3, time.monotonic() - wall)
        return quantile(self.late_us, 0.99), share

    async def tick(self):
        """Wakes every 5 ms and notes how much too late; asyncio rounds up to the next millisecond."""
        while True:
            wanted = now_us() + 5000
            await asyncio.sleep(0.005)
            self.late_us.append(max(0, now_us() - wanted - 1000))

    def work(self):
        began = now_us()
        for number, events in self.epoll.poll(0, 1024):
            if (peer := self.peers.get(number)) is not None:
                if events & select.EPOLLOUT:
                    peer.flush()
                if events & (IN | GONE):
                    peer.read()
        self.busy_us.append(now_us() - began)

    def close(self):
        """Cuts every connection that is left."""
        for peer in list(self.peers.values()):
            peer.reset()


class Peer:
    """A client's end of a connection. What arrives is told to `on_audio`, `on_event` and each `then`, in order."""
    __slots__ = ("crowd", "name", "socket", "number", "key", "head", "rest", "parts", "out", "blocked", "reading",
                 "waiting", "next_id", "probes", "welcome", "on_audio", "on_event", "on_end", "reads", "audio_reads",
                 "code", "ended")

    def __init__(self, crowd, name="listener"):
        self.crowd, self.name, self.socket, self.number = crowd, name, None, -1
        self.rest, self.out, self.head, self.parts = b"", bytearray(), None, None
        self.waiting, self.next_id, self.probes = {}, 0, collections.deque()
        self.reading, self.code, self.ended, self.welcome = False, None, None, None
        self.on_audio = self.on_event = self.on_end = None
        self.reads = self.audio_reads = 0
        self.blocked = False

    @classmethod
    async def open(cls, server, receive_bytes=None, auth="guest", name="listener", hello=True):
        """Connects and says hello. `receive_bytes` bounds what the kernel takes for a client that does not read."""
        peer = cls(server.crowd, name)
        peer.socket = socket.socket()
        if receive_bytes:
            # With loopback's segments of 64 KiB such a window would open only when it is quite empty, or by a timer.
            peer.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SEGMENT_BYTES)
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        peer.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer.socket.setblocking(False)
        await asyncio.get_running_loop().sock_connect(peer.socket, server.address)
        peer.number, key = peer.socket.fileno(), base64.b64encode(os.urandom(16))
        peer.key = hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()
        peer.head = asyncio.get_running_loop().create_future()
        peer.crowd.peers[peer.number] = peer
        peer.crowd.epoll.register(peer.number, IN)
        peer.reading = True
        peer.write((f"GET /v1/ws HTTP/1.1\r\nHost: {server.address[0]}:{server.address[1]}\r\nUpgrade: websocket\r\n"
                    f"Connection: Upgrade\r\nSec-WebSocket-Key: {key.decode()}\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Protocol: sona.v1\r\n\r\n").encode())
        await asyncio.wait_for(peer.head, 10)
        if hello:
            how = {"guest": True} if auth == "guest" else {"token": auth}
            peer.welcome = await peer.ask("hello", HELLO | {"auth": how})
        return peer

    # Sending

    def write(self, data):
        self.out += data
        self.flush()

    def flush(self):
        if self.ended is not None:
            return
        try:
            while self.out:
                del self.out[:self.socket.send(self.out)]
        except BlockingIOError:
            pass
        except OSError:
            self.lost()
            return
        if self.reading and self.blocked != bool(self.out):
            self.blocked = not self.blocked
            self.crowd.epoll.modify(self.number, IN | (select.EPOLLOUT if self.blocked else 0))

    def send(self, opcode, payload):
        if self.ended is None:
            self.write(frame(opcode, payload))

    def request(self, kind, data=None, then=None):
        """Sends a request. `then` is called with the reply where it stands in the stream of messages."""
        self.next_id += 1
        self.waiting[self.next_id] = then
        self.send(TEXT, json.dumps({"type": kind, "id": self.next_id, "data": data or {}}).encode())

    async def reply(self, kind, data=None, seconds=10, then=None):
        """The whole reply. `then` has seen it before anything that came after it."""
        future = asyncio.get_running_loop().create_future()

        def arrived(reply):
            if then and reply["type"] == "ok":
                then(reply["data"])
            if not future.done():
                future.set_result(reply)
        self.request(kind, data, arrived)
        try:
            return await asyncio.wait_for(future, seconds)
        except asyncio.TimeoutError:
            raise Failure(f"{self.name}: no reply to {kind} within {seconds} s, {self.fate()}") from None

    async def ask(self, kind, data=None, seconds=10, then=None):
        """The data of the reply, which must be ok."""
        reply = await self.reply(kind, data, seconds, then)
        if reply["type"] != "ok":
            raise Failure(f"{self.name}: {kind}: {reply['error']}")
        return reply["data"]

    def probe(self, then):
        """`then` is called with t1, t2, t3 and t4 when the answer stands in the stream."""
        self.probes.append(then)
        self.send(BINARY, struct.pack(">BxHq", 1, len(self.probes), now_us()))

    async def offset(self):
        """What to add to `now_us` for the server's time: the probe with the shortest round trip of nine."""
        best = []
        for _ in range(9):
            future = asyncio.get_running_loop().create_future()
            self.probe(lambda *times, future=future: future.set_result(times))
            t1, t2, t3, t4 = await asyncio.wait_for(future, 5)
            best.append(((t4 - t1) - (t3 - t2), ((t2 - t1) + (t3 - t4)) // 2))
        return min(best)[1]

    # Receiving

    def stall(self):
        """Reads no more."""
        if self.reading and self.ended is None:
            self.crowd.epoll.unregister(self.number)
            self.reading = False

    def resume(self):
        if not self.reading and self.ended is None:
            self.crowd.epoll.register(self.number, IN)
            self.reading, self.blocked = True, False

    def read(self, limit=READ_BYTES):
        """Takes what is there. What is older than this moment has waited in the kernel."""
        try:
            data = self.socket.recv(limit)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.lost()
            return
        self.reads += 1
        if self.rest:
            data = self.rest + data
        if self.head is not None:
            data = self.handshake(data)
        self.rest = self.messages(data)

    def handshake(self, data):
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return data
        future, self.head = self.head, None
        if head.split()[1] != b"101" or base64.b64encode(self.key) not in head or b"sona.v1" not in head:
            future.set_exception(Failure(f"no handshake: {head[:200]}"))
        elif not future.done():
            future.set_result(None)
        return rest

    def messages(self, data):
        """Takes whole frames; returns the bytes that are none yet."""
        if self.head is not None:
            return data
        at, size, audio, now, heard = 0, len(data), self.on_audio, now_us(), False
        while size - at >= 2:
            first, length, start = data[at], data[at + 1], at + 2
            if length == 126:
                start = at + 4
                if start > size:
                    break
                length = data[at + 2] << 8 | data[at + 3]
            elif length == 127:
                start = at + 10
                if start > size:
                    break
                length = int.from_bytes(data[at + 2:start], "big")
            elif length > 127:
                return self.nonsense("a masked frame")
            end = start + length
            if end > size:
                break
            at = end
            if first == 0x82 and data[start] == 0x10:
                heard = True
                if audio is not None:
                    audio(*AUDIO.unpack_from(data, start), data, start + AUDIO_BYTES, end, now)
            else:
                self.other(first, data[start:end], now)
                audio = self.on_audio
                if self.ended is not None:
                    return b""
        self.audio_reads += heard
        return data[at:] if at else data

    def other(self, first, payload, now):
        """A frame that is not audio whole in itself."""
        opcode = first & 15
        if opcode == PING:
            self.send(PONG, payload)
        elif opcode == CLOSE:
            self.code = int.from_bytes(payload[:2], "big") if len(payload) > 1 else 1005
            self.send(CLOSE, payload[:2])
            self.lost()
        elif opcode in (CONTINUATION, TEXT, BINARY):
            if opcode != CONTINUATION:
                self.parts = (opcode, [])
            self.parts[1].append(payload)
            if first & FIN:
                (opcode, pieces), self.parts = self.parts, None
                self.message(opcode, b"".join(pieces), now)
        elif opcode != PONG:
            self.nonsense(f"a frame with the opcode {opcode}")

    def message(self, opcode, payload, now):
        if opcode == BINARY:
            if payload[:1] == b"\x02":
                if self.probes:
                    self.probes.popleft()(*struct.unpack(">4xqqq", payload), now)
            elif self.on_audio is not None:
                for packet in packets_of(payload):
                    self.on_audio(*packet[:5], packet.data, 0, len(packet.data), now)
            return
        told = json.loads(payload)
        if told["type"] in ("ok", "error"):
            then = self.waiting.pop(told["id"], None)
            if then is not None:
                then(told)
        elif self.on_event is not None:
            self.on_event(told, now)

    # Ending

    def nonsense(self, what):
        """The server sent what is no WebSocket."""
        self.crowd.faults.append(f"{self.name}: {what}")
        self.reset()
        return b""

    def lost(self):
        """The connection is over, by whatever way."""
        if self.ended is not None:
            return
        self.ended = now_us()
        if self.reading:
            self.crowd.epoll.unregister(self.number)
        self.reading = False
        self.crowd.peers.pop(self.number, None)
        self.socket.close()
        if self.head is not None and not self.head.done():
            self.head.set_exception(Failure(f"{self.name}: cut in its handshake"))
        for then in self.waiting.values():
            if then is not None:
                then({"type": "error", "error": {"code": "lost", "message": self.fate()}})
        self.waiting.clear()
        if self.on_end is not None:
            self.on_end()

    def fate(self):
        return "still there" if self.ended is None else f"closed with {self.code}" if self.code else "cut"

    def close(self):
        """Politely: the server closes after that."""
        self.send(CLOSE, struct.pack(">H", 1000))
        self.lost()

    def reset(self):
        """As if the network had gone: the server gets RST."""
        if self.ended is None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.lost()

    def queued(self):
        """Bytes that have arrived and were not read."""
        return struct.unpack("i", fcntl.ioctl(self.number, termios.FIONREAD, bytes(4)))[0]


def raise_descriptor_limit():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
