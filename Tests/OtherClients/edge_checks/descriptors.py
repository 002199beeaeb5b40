"""deploy/limits.md: whatever connects, 64 descriptors stay free for files, mail and the operator."""
import http.client, json, pathlib, socket, tempfile, time

from protocol_checks.helpers import PASSWORD, check, equal, some_name, true
from edge_checks.stage import EdgeServer, rpc

LIMIT = 256


class LowServer(EdgeServer):
    """A server that may have few descriptors open."""
    def __init__(self):
        real = self.programs / "sona"
        with tempfile.TemporaryDirectory() as folder:
            self.programs = pathlib.Path(folder)
            script = self.programs / "sona"
            script.write_text(f'#!/bin/sh\nexec prlimit --nofile={LIMIT}:{LIMIT} {real} "$@"\n')
            script.chmod(0o755)
            super().__init__()
        self.programs = real.parent


def is_open(link):
    """Whether the server keeps a connection: it says nothing unasked."""
    link.setblocking(False)
    try:
        return link.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


@check("64 descriptors stay free for files, mail and the operator, whatever connects")
def _():
    with LowServer() as server:
        kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        kept.request("GET", "/healthz")
        equal(kept.getresponse().read(), b"ok\n", "before")
        links = []
        try:
            for number in range(2 * LIMIT):
                link = socket.socket()
                link.bind((f"127.0.1.{1 + number % 8}", 0))
                link.settimeout(5)
                try:
                    link.connect(("127.0.0.1", server.port))
                except OSError:
                    pass
                links.append(link)
            time.sleep(0.5)
            held = server.descriptors()
            true(LIMIT - 64 - 16 <= held <= LIMIT - 64, f"{held} descriptors are in use, of {LIMIT}")
            refused = sum(not is_open(link) for link in links)
            true(refused >= LIMIT, f"only {refused} were closed")
            # Who is there already is served, and so is the operator.
            name = some_name()
            kept.request("POST", "/v1/rpc/auth.sign_up", json.dumps(
                {"email": f"{name}@example.org", "username": name, "password": PASSWORD}), {"Content-Type": "application/json"})
            answer = kept.getresponse()
            equal((answer.status, json.loads(answer.read())["type"]), (200, "ok"), "a sign-up")
            true(name in server.operator("user", "list"), "the operator")
        finally:
            for link in links:
                link.close()
        time.sleep(0.5)
        equal(rpc(server.port, "auth.guest")[0], 200, "afterwards")
