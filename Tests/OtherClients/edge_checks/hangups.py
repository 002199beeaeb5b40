"""Connections that end where no client would end them, while a room plays over TLS."""
import json, os, socket, ssl, struct, subprocess, time

from account_checks.server import Server
from protocol_checks.helpers import check, equal, true
from edge_checks import stage
from edge_checks.stage import EdgeServer, certificate

PER_SECOND = 500
HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPGRADE = (b"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
           b"Sec-WebSocket-Protocol: sona.v1\r\n\r\n")
FRAME = b"\x81\x85\0\0\0\0hello"


class Handshake:
    """A client's half of TLS, by hand: what it would send next is there to be cut."""
    def __init__(self):
        context = ssl.create_default_context(cafile=certificate()[0])
        self.arriving, self.leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.session = context.wrap_bio(self.arriving, self.leaving, server_hostname="localhost")

    def flight(self):
        try:
            self.session.do_handshake()
        except ssl.SSLWantReadError:
            pass
        return self.leaving.read()

    def request(self, text):
        self.session.write(text)
        return self.leaving.read()


def hang_up(port, number, tls):
    """One connection, cut at a place that goes by its number, politely or with a reset."""
    link = socket.socket()
    link.settimeout(10)
    try:
        link.connect(("127.0.0.1", port))
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if number % 2:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        way, at = number // 2 % 7, number // 14
        if way == 0:
            return  # nothing said
        if not tls:
            text = (HEAD, UPGRADE, UPGRADE + FRAME)[way % 3]
            part = 1 + at % len(text)
            link.sendall(text[:part])
            if part == len(text):
                link.recv(1)
            return
        hands = Handshake()
        hello = hands.flight()
        if way == 1:
            return link.sendall(hello[:1 + at % len(hello)])
        link.sendall(hello)
        if way == 2:
            return  # while the server answers
        while not hands.session.version() or hands.session.cipher() is None:
            answer = link.recv(16384)
            if not answer:
                return
            hands.arriving.write(answer)
            last = hands.flight()
            if last:
                break
        if way == 3:
            return link.sendall(last[:at % (len(last) + 1)])
        link.sendall(last)
        text = {4: HEAD, 5: UPGRADE, 6: UPGRADE + FRAME}[way]
        record = hands.request(text)
        link.sendall(record[:at % (len(record) + 1)])
        if at % 3 == 0 and at % (len(record) + 1) == len(record):
            link.recv(1)
    except (ConnectionError, socket.timeout, ssl.SSLError):
        pass
    finally:
        link.close()


def storm(server, count, tls):
    begin = time.monotonic()
    for number in range(count):
        wait = begin + number / PER_SECOND - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        hang_up(server.port, number, tls)
    return count / (time.monotonic() - begin)


def hangs_up(tls, loops):
    count = 10_000 if stage.slow else 1_500
    with EdgeServer("--loops", loops, "--exempt", "127.0.0.1", tls=tls) as server:
        before = storm(server, 300, tls)
        true(server.process.poll() is None, "the server has ended")
        time.sleep(0.5)
        resident, descriptors = server.resident(), server.descriptors()
        load = subprocess.Popen(
            [Server.programs / "sonaload", "run", "--server", server.url, "--rooms", "1", "--listeners", "20", "--seconds",
             str(count // PER_SECOND + 4), "--json", "-"] + (["--ca-cert", certificate()[0]] if tls else []),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2.5)
        pace = storm(server, count, tls)
        output, errors = load.communicate(timeout=120)
        true(server.process.poll() is None, "the server has ended")
        equal(load.returncode, 0, errors.decode()[-300:])
        heard = json.loads(output)
        lost = find(heard, "lost")
        true(find(heard, "received") > 20 * 50, "listeners heard something")
        equal(lost, 0, "packets lost")
        end = time.monotonic() + 15
        while (left := server.figure("sona_sockets")) > 1 and time.monotonic() < end:
            time.sleep(0.25)
        equal(left, 1, "sockets in the end: that of the operator")
        grown = server.resident() - resident
        # The address sanitizer keeps what was freed.
        true(grown < 12_000 or "ASAN_OPTIONS" in os.environ, f"memory grew by {grown} KiB")
        true(server.descriptors() <= descriptors + 2, f"{server.descriptors()} descriptors, {descriptors} before")
        print(f"      {count} at {pace:.0f}/s ({before:.0f}/s alone), {grown:+} KiB", flush=True)


def find(tree, name):
    """The first number of this name in a tree of dictionaries."""
    if isinstance(tree, dict):
        if isinstance(tree.get(name), (int, float)):
            return tree[name]
        for branch in tree.values():
            found = find(branch, name)
            if found is not None:
                return found
    return None


for tls in (True, False):
    for loops in ("1", "2"):
        @check(f"hang-ups at every byte of {'a TLS handshake and after it' if tls else 'a request and an upgrade'}, "
               f"{loops} loop{'s' if loops > '1' else ''}: nothing is lost and nothing kept")
        def _(tls=tls, loops=loops):
            hangs_up(tls, loops)
