"""Which requests are answered at all: by Host, Origin and the type of their body."""
import socket

from protocol_checks.helpers import check, equal, true
from edge_checks.stage import EdgeServer, ask, code, rpc

UPGRADE = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "sona.v1"}


def upgrade(port, headers):
    """The status of a handshake."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as link:
        lines = "".join(f"{name}: {value}\r\n" for name, value in (UPGRADE | headers).items())
        link.sendall(f"GET /v1/ws HTTP/1.1\r\n{lines}\r\n".encode())
        return int(link.recv(4096).split()[1])


@check("a page of another origin may not ask: 403 request.origin_forbidden over HTTP and WebSocket; its own and allowed may")
def _():
    with EdgeServer("--allow-origin", "https://friend.example", "--public-url", "https://sona.example") as server:
        host = f"localhost:{server.port}"
        for origin, allowed in ((None, True), (f"http://{host}", True), (f"https://{host}", True), ("null", False),
                                ("http://evil.example", False), ("https://friend.example", True),
                                ("https://FRIEND.example", True), ("http://friend.example", False),
                                ("https://sona.example", True), (f"http://evil.{host}", False),
                                ("http://localhost", False), (f"http://localhost:{server.port}.evil.example", False)):
            headers = {"Host": host} | ({"Origin": origin} if origin else {})
            status, body = rpc(server.port, "user.me", headers=headers)
            equal((status, body["error"]["code"]),
                  (401, "auth.required") if allowed else (403, "request.origin_forbidden"), f"Origin: {origin}")
            equal(upgrade(server.port, headers), 101 if allowed else 403, f"WebSocket of {origin}")
            equal(ask(server.port, "GET", "/", headers)[0], 200, "pages are for everybody")
            equal(ask(server.port, "POST", "/v1/photo", headers, b"x")[0], 401 if allowed else 403, "photos")


@check("a name that somebody else may own is not answered for: 421 request.host_unknown; TLS and --allow-host * take any")
def _():
    with EdgeServer("--allow-host", "music.example", "--public-url", "https://sona.example:8443") as server:
        port = server.port
        for host, known in ((f"127.0.0.1:{port}", True), ("[::1]", True), ("localhost", True), ("nas", True),
                            ("pi.local", True), ("music.example", True), ("MUSIC.example:99", True),
                            ("sona.example", True), ("evil.example", False), ("music.example.evil.example", False),
                            ("127.0.0.1.evil.example", False), ("local", True), ("evillocal", True), ("evil.local.example", False)):
            equal(rpc(port, "user.me", headers={"Host": host})[0], 401 if known else 421, host)
            equal(ask(port, "GET", "/", {"Host": host})[0], 200 if known else 421, f"the page of {host}")
            equal(upgrade(port, {"Host": host}), 101 if known else 421, f"a WebSocket of {host}")
            equal(ask(port, "GET", "/healthz", {"Host": host})[0], 200, "health")
        # A proxy that is not trusted does not vouch for the name.
        status, body = rpc(port, "user.me", headers={"Host": "evil.example", "X-Forwarded-For": "127.0.0.1"})
        equal((status, body["error"]["code"]), (421, "request.host_unknown"), "forwarded")
    with EdgeServer("--allow-host", "*") as server:
        equal(rpc(server.port, "user.me", headers={"Host": "evil.example"})[0], 401, "any")


@check("a body over HTTP is JSON by its type: 415 request.media_type for forms, text and none")
def _():
    with EdgeServer() as server:
        for kind, fine in (("application/json", True), ("Application/JSON; charset=utf-8", True), ("text/plain", False),
                           ("application/x-www-form-urlencoded", False), ("multipart/form-data; boundary=x", False),
                           ("application/jsonp", False), (None, False)):
            status, body, _ = ask(server.port, "POST", "/v1/rpc/user.me", {"Content-Type": kind} if kind else {}, b"{}")
            equal((status, code(body)), (401, "auth.required") if fine else (415, "request.media_type"), str(kind))
        equal(ask(server.port, "POST", "/v1/rpc/user.me")[0], 401, "no body needs no type")


@check("metrics have an address of their own, and are nowhere else")
def _():
    from edge_checks.stage import free_port
    port = free_port()
    with EdgeServer("--metrics", f"127.0.0.1:{port}") as server:
        status, body, headers = ask(port, "GET", "/metrics")
        equal((status, headers["content-type"]), (200, "text/plain; version=0.0.4; charset=utf-8"), "its own address")
        true(b"\nsona_sockets " in body, "figures")
        equal(ask(port, "GET", "/")[0], 404, "nothing else is there")
        equal(ask(server.port, "GET", "/metrics")[0], 404, "the clients' address")
