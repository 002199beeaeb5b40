"""A new certificate is taken at SIGHUP: those who are connected notice nothing, those who come get the new one."""
import os, pathlib, signal, socket, ssl, subprocess, tempfile, time

from account_checks.server import Server
from protocol_checks.helpers import check, equal, true


def make(folder, serial):
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-set_serial", str(serial), "-keyout", folder / "new.key",
                    "-out", folder / "new.pem"], check=True, capture_output=True)
    # As the deploy hooks of ACME clients do it: renamed, whole.
    for kind in ("key", "pem"):
        os.replace(folder / f"new.{kind}", folder / f"tls.{kind}")


def connect(port):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(socket.create_connection(("127.0.0.1", port), 10), server_hostname="localhost")


def serial(port):
    with connect(port) as link:
        pem = ssl.DER_cert_to_PEM_cert(link.getpeercert(binary_form=True))
    text = subprocess.run(["openssl", "x509", "-noout", "-serial"], input=pem, check=True, capture_output=True, text=True).stdout
    return int(text.strip().split("=")[1], 16)


class Listener:
    """Takes a room's sound over HTTP and TLS, and keeps when it came."""
    def __init__(self, port, path):
        self.link = connect(port)
        self.link.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
        self.total = 0

    def hears(self, seconds):
        """How many bytes came meanwhile, and the longest time without one."""
        end, last, longest, count = time.monotonic() + seconds, time.monotonic(), 0, 0
        self.link.settimeout(seconds)
        while time.monotonic() < end:
            data = self.link.recv(65536)
            true(data, "the connection was closed")
            count, longest, last = count + len(data), max(longest, time.monotonic() - last), time.monotonic()
        return count, longest


@check("a listener over TLS hears on while SIGHUP reads a new certificate, which those who come then get")
def _():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-certificates-"))
    make(folder, 1001)
    with Server("--demo", "--hsts-days", "1", "--tls-cert", folder / "tls.pem", "--tls-key", folder / "tls.key") as server:
        try:
            port = int(server.url.rsplit(":", 1)[1])
            equal(serial(port), 1001, "the first certificate")
            listener = Listener(port, "/listen/@demo.opus")
            true(listener.hears(3)[0] > 10_000, "sound")
            make(folder, 1002)
            server.process.send_signal(signal.SIGHUP)
            end = time.monotonic() + 10
            while serial(port) != 1002:
                true(time.monotonic() < end, "the new certificate is given")
                time.sleep(0.1)
            count, longest = listener.hears(4)
            true(count > 20_000 and longest < 1.5, f"{count} bytes in 4 s, none for {longest:.2f} s")
            # A fault keeps the certificate as it is.
            (folder / "tls.key").write_text("no key")
            server.process.send_signal(signal.SIGHUP)
            time.sleep(1)
            equal(serial(port), 1002, "after a key that is none")
            true(listener.hears(2)[0] > 5_000, "sound, still")
            listener.link.close()
        finally:
            server.stop()
