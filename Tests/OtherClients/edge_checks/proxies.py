"""Sona after other people's proxies: two clients have limits of their own, and what a client says of itself changes nothing."""
import contextlib, pathlib, shutil, socket, ssl, subprocess, tempfile, time

from protocol_checks import helpers
from protocol_checks.helpers import check, equal, true
from edge_checks.stage import EdgeServer, ask, certificate, free_port, rpc

SAMPLES = pathlib.Path(__file__).resolve().parents[3] / "deploy" / "proxies"
TRUST = ("--trusted-proxy", "127.0.0.1", "--public-url", "https://sona.example")
ADA, BOB = "127.0.0.2", "127.0.0.3"
# Questions for a name in a minute and address.
QUESTIONS = 60


def sample(name, *changes):
    """One of deploy/proxies with other addresses and files."""
    text = (SAMPLES / name).read_text()
    for old, new in changes:
        true(old in text, f"{name} has no {old}")
        text = text.replace(old, str(new))
    return text


@contextlib.contextmanager
def proxy(name, configuration, command, port):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"sona-{name}-"))
    try:
        (folder / "configuration").write_text(configuration.replace("FOLDER", str(folder)))
        with (folder / "said").open("wb") as said:
            process = subprocess.Popen([word.replace("FOLDER", str(folder)) for word in command], stdout=said, stderr=said,
                                       env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
        try:
            end = time.monotonic() + 20
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    true(process.poll() is None and time.monotonic() < end, (folder / "said").read_text()[-500:])
                    time.sleep(0.05)
            yield folder, process
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def nginx(server, port):
    site = sample("nginx.conf", ("127.0.0.1:8337", f"127.0.0.1:{server.port}"), ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
                  ("/etc/ssl/sona.example.pem", certificate()[0]), ("/etc/ssl/sona.example.key", certificate()[1]))
    places = "".join(f"{kind}_temp_path FOLDER/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return proxy("nginx", f"daemon off; pid FOLDER/pid; error_log FOLDER/errors; events {{}} http {{ access_log off; {places}\n{site} }}",
                 ["nginx", "-p", "FOLDER", "-e", "FOLDER/errors", "-c", "FOLDER/configuration"], port)


def caddy(server, port):
    site = sample("Caddyfile", ("sona.example {", f"https://localhost:{port}, https://127.0.0.1:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate()[0]} {certificate()[1]}"),
                  ("reverse_proxy 127.0.0.1:8337", f"reverse_proxy 127.0.0.1:{server.port}"))
    return proxy("caddy", "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + site,
                 ["caddy", "run", "--adapter", "caddyfile", "--config", "FOLDER/configuration"], port)


def haproxy(server, port, through=None):
    """`through` is a server with TLS of its own, and the port at which it is passed on."""
    site = sample("haproxy.cfg", ("server sona 127.0.0.1:8337", f"server sona 127.0.0.1:{server.port}"),
                  ("bind :443 ssl crt /etc/ssl/sona.example.pem", f"bind 127.0.0.1:{port} ssl crt {certificate()[2]}"),
                  ("bind :8443", f"bind 127.0.0.1:{through[1] if through else free_port()}"),
                  ("127.0.0.1:8338 send", f"127.0.0.1:{through[0].port if through else 1} send"))
    return proxy("haproxy", site, ["haproxy", "-db", "-f", "FOLDER/configuration"], port)


def trusting():
    context = ssl.create_default_context(cafile=certificate()[0])
    context.check_hostname = False
    return context


def questions(port, source, headers=None, limit=QUESTIONS + 10):
    """How many questions for a name are answered before one is refused for the rate."""
    for count in range(limit):
        status, body = rpc(port, "username.check", {"username": f"name{count}"}, headers, source, trusting())
        if status == 429:
            equal(body["error"]["code"], "request.rate_limited", "code")
            return count
        equal(status, 200, f"question {count}: {body}")
    return limit


FORGED = ({}, {"X-Forwarded-For": "203.0.113.7"}, {"X-Forwarded-For": BOB}, {"Forwarded": "for=203.0.113.8"},
          {"X-Real-IP": "203.0.113.9"}, {"X-Forwarded-For": "127.0.0.1"}, {"X-Forwarded-For": "203.0.113.7, 127.0.0.1"},
          {"X-Forwarded-For": "nonsense"}, {"Forwarded": f"for={BOB};proto=https"})


def limits_are_apart(port):
    equal(questions(port, ADA), QUESTIONS, "Ada's questions")
    for headers in FORGED:
        equal(questions(port, ADA, headers, limit=1), 0, f"Ada again, saying {headers}")
    equal(questions(port, BOB, {"X-Forwarded-For": ADA}, limit=5), 5, "Bob's, who says that he is Ada")
    equal(questions(port, BOB), QUESTIONS - 5, "Bob's that are left")


def speaks(port, source):
    """A WebSocket through a proxy: says hello as a guest and lists rooms."""
    link = socket.create_connection(("127.0.0.1", port), 10, (source, 0))
    with trusting().wrap_socket(link, server_hostname="localhost") as secure:
        secure.sendall(f"GET /v1/ws HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: https://localhost:{port}\r\nUpgrade: websocket\r\n"
                       "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                       "Sec-WebSocket-Protocol: sona.v1\r\n\r\n".encode())
        heard = b""
        while b"\r\n\r\n" not in heard:
            heard += secure.recv(4096)
        equal(heard.split()[1], b"101", "handshake")
        text = b'{"type":"hello","id":1,"data":{"client":{"name":"x","version":"1"},"auth":{"guest":true}}}'
        secure.sendall(bytes([0x81, 0x80 | len(text)]) + bytes(4) + text)
        heard = heard.split(b"\r\n\r\n", 1)[1]
        while b'"ok"' not in heard:
            more = secure.recv(4096)
            true(more, f"closed: {heard[-200:]}")
            heard += more


for name, start in (("nginx", nginx), ("Caddy", caddy), ("HAProxy", haproxy)):
    @check(f"after {name} two clients have limits of their own, and a forged header changes nothing")
    def _(start=start):
        with EdgeServer(*TRUST) as server:
            port = free_port()
            with start(server, port):
                context = trusting()
                equal(ask(port, "GET", "/healthz", source=ADA, context=context)[0], 200, "health")
                equal(ask(port, "GET", "/metrics", source=ADA, context=context)[0], 404, "metrics")
                speaks(port, ADA)
                limits_are_apart(port)


@check("HAProxy passes TLS on and names the client by the PROXY protocol: limits apart, 40 at once, and none of it from others")
def _():
    with EdgeServer(*TRUST, tls=True) as server:
        with EdgeServer(*TRUST) as plain:
            port = free_port()
            with haproxy(plain, free_port(), through=(server, port)):
                speaks(port, ADA)
                limits_are_apart(port)
        header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + socket.inet_aton("203.0.113.7") + socket.inet_aton("127.0.0.1") + bytes(4)
        # In pieces, from who is trusted: it is waited for.
        for pieces in ((header,), (header[:5], header[5:]), tuple(header[k:k + 1] for k in range(len(header)))):
            with socket.create_connection(("127.0.0.1", server.port), 10) as link:
                for piece in pieces:
                    link.sendall(piece)
                    time.sleep(0.02)
                with trusting().wrap_socket(link, server_hostname="localhost") as secure:
                    secure.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    true(secure.recv(4096).startswith(b"HTTP/1.1 200"), "after the PROXY header")
    with EdgeServer("--trusted-proxy", "127.0.0.9") as stranger:
        with socket.create_connection(("127.0.0.1", stranger.port), 10) as link:
            link.sendall(header + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            true(not link.recv(4096).startswith(b"HTTP/1.1 200"), "a PROXY header from who is not trusted is no request")


@check("without a trusted proxy such headers change nothing, and the log says who sent one")
def _():
    with EdgeServer() as server:
        for count in range(QUESTIONS):
            headers = {"X-Forwarded-For": f"203.0.113.{count}", "Forwarded": f"for=203.0.113.{count}"}
            equal(rpc(server.port, "username.check", {"username": f"name{count}"}, headers)[0], 200, f"question {count}")
        equal(rpc(server.port, "username.check", {"username": "name"}, {"X-Forwarded-For": "203.0.113.200"})[0], 429, "one more")
        said = server.err.read_text()
        equal(said.count("X-Forwarded-For"), 1, f"lines of the log: {said}")
        true("127.0.0.1" in said and "set trusted-proxy to" in said, said)
