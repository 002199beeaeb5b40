"""A client's end of WebSocket (RFC 6455, version 13) over a plain socket, without extensions."""
import base64, hashlib, os, select, socket, struct, time
from urllib.parse import urlsplit

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Closed(Exception):
    """The connection is over. `code` is 1006 if it ended without one."""
    def __init__(self, code, reason=""):
        super().__init__(f"closed with {code} {reason}")
        self.code, self.reason = code, reason


class WebSocket:
    """One connection to /v1/ws; raises ConnectionError if the server does not take it."""
    heard = staticmethod(lambda connection, message: None)  # whoever wants to know all that comes puts theirs here

    def __init__(self, url, protocol="sona.v1", receive_bytes=None):
        """`receive_bytes` is what the system may keep until it is read; None for what it thinks fit."""
        host, port = urlsplit(url).hostname, urlsplit(url).port or 80
        self.socket = socket.socket()
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(10)
        self.socket.connect((host, port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.parts, self.kind = bytearray(), bytearray(), None
        key = base64.b64encode(os.urandom(16)).decode()
        offer = f"Sec-WebSocket-Protocol: {protocol}\r\n" if protocol else ""
        self.socket.sendall((f"GET /v1/ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             f"Sec-WebSocket-Version: 13\r\n{offer}\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._read()
        head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        self.buffer = bytearray(rest)
        status, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        accept = base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest())
        if status.split()[1] != "101" or headers.get("sec-websocket-accept") != accept.decode():
            raise ConnectionError(status)
        if headers.get("sec-websocket-protocol") != protocol:
            raise ConnectionError("the server selected another subprotocol")

    def _read(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionError:
            data = b""
        if not data:
            raise Closed(1006)
        self.buffer += data

    def send(self, opcode, payload, fin=True):
        """Sends one frame, masked as every client must."""
        mask, size = os.urandom(4), len(payload)
        head = bytes([(0x80 if fin else 0) | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        else:
            head += struct.pack(">BH", 0xFE, size) if size < 65536 else struct.pack(">BQ", 0xFF, size)
        long_mask = (mask * (size // 4 + 1))[:size]
        body = (int.from_bytes(payload) ^ int.from_bytes(long_mask)).to_bytes(size)
        self.socket.sendall(head + mask + body)

    def _frame(self):
        """Takes (fin, opcode, payload) from the buffer, or None if it does not hold a whole frame."""
        b, at = self.buffer, 2
        if len(b) < 2:
            return None
        size = b[1] & 0x7F
        if size > 125:
            at = 4 if size == 126 else 10
            if len(b) < at:
                return None
            size = int.from_bytes(b[2:at])
        if b[0] & 0x70 or b[1] & 0x80 or (b[0] & 8 and (size > 125 or not b[0] & 0x80)):
            raise ConnectionError("a frame against RFC 6455")
        if len(b) < at + size:
            return None
        frame = bool(b[0] & 0x80), b[0] & 15, bytes(b[at:at + size])
        del b[:at + size]
        return frame

    def receive(self, seconds):
        """The next message within so many seconds, str or bytes; None if there was none. Answers pings."""
        end = time.monotonic() + seconds
        while True:
            frame = self._frame()
            if frame is None:
                if not select.select([self.socket], [], [], max(0, end - time.monotonic()))[0]:
                    return None
                self._read()
                continue
            fin, opcode, payload = frame
            if opcode == PING:
                self.send(PONG, payload)
            elif opcode == CLOSE:
                code = int.from_bytes(payload[:2]) if payload else 1005
                try:
                    self.send(CLOSE, payload[:2])
                except OSError:
                    pass
                raise Closed(code, payload[2:].decode("utf-8", "replace"))
            elif opcode in (0, TEXT, BINARY):
                if (opcode == 0) == (self.kind is None):
                    raise ConnectionError("a fragment out of place")
                self.kind = self.kind or opcode
                self.parts += payload
                if fin:
                    kind, message, self.kind, self.parts = self.kind, bytes(self.parts), None, bytearray()
                    message = message.decode() if kind == TEXT else message
                    self.heard(self, message)
                    return message

    def close(self):
        """Says 1000 and waits for the answer, a second at most."""
        try:
            self.send(CLOSE, struct.pack(">H", 1000))
            while self.receive(1) is not None:
                pass
        except (Closed, OSError):
            pass
        self.socket.close()
