"""What the checks share: servers with and without TLS, and requests as bytes."""
import http.client, json, pathlib, shutil, socket, subprocess, tempfile

from account_checks.server import Server
from protocol_checks.helpers import equal

slow = False  # set by __main__

_certificate = None


def certificate():
    """A certificate for this machine and its key, each a path; both in one file besides, as HAProxy takes them."""
    global _certificate
    if _certificate is None:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-edge-"))
        chain, key, both = folder / "chain.pem", folder / "key.pem", folder / "both.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                        "-keyout", key, "-out", chain], check=True, capture_output=True)
        both.write_bytes(chain.read_bytes() + key.read_bytes())
        _certificate = (chain, key, both)
    return _certificate


class EdgeServer(Server):
    """`sona serve`, over TLS where that is asked for."""
    def __init__(self, *arguments, tls=False):
        self.tls = tls
        more = ("--tls-cert", certificate()[0], "--tls-key", certificate()[1]) if tls else ()
        super().__init__(*arguments, *more)
        self.port = int(self.url.rsplit(":", 1)[1])

    def __exit__(self, *_):
        super().__exit__()
        self.stop()

    def figure(self, name):
        for line in self.metrics().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        raise KeyError(name)

    def resident(self):
        """KiB."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        raise OSError("the server has ended")

    def descriptors(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(port, method, path, headers=None, body=None, source=None, context=None):
    """(status, body, headers in lower case) of one request. `source` is the address it comes from."""
    kind = http.client.HTTPSConnection if context else http.client.HTTPConnection
    more = {"context": context} if context else {}
    link = kind("127.0.0.1", port, timeout=20, source_address=(source, 0) if source else None, **more)
    try:
        link.request(method, path, body, headers or {})
        answer = link.getresponse()
        return answer.status, answer.read(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        link.close()


def code(body):
    return json.loads(body)["error"]["code"]


def rpc(port, kind, data=None, headers=None, source=None, context=None):
    status, body, _ = ask(port, "POST", f"/v1/rpc/{kind}", {"Content-Type": "application/json"} | (headers or {}),
                          json.dumps(data or {}), source, context)
    return status, json.loads(body)
