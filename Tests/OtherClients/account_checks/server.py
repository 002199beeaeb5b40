"""A server of our own, and the operator beside it."""
import http.client, json, pathlib, re, shutil, socket, subprocess, tempfile, time, urllib.request

from protocol_checks import helpers
from protocol_checks.helpers import equal


class OperatorConnection(http.client.HTTPConnection):
    """HTTP over the Unix socket in the data folder."""
    def __init__(self, path):
        super().__init__("localhost", timeout=10)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self.path))


class Server:
    """`sona serve` on a free port with a data folder of its own. Everything it says is kept."""
    programs = None  # the folder of the programs, set by __main__

    def __init__(self, *arguments, data=None):
        self.arguments = arguments
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-accounts-"))
        self.data, self.out, self.err = (self.folder / name for name in ("data", "out", "err"))
        self.data = data or self.data
        with self.out.open("wb") as out, self.err.open("wb") as err:
            self.process = subprocess.Popen(
                [self.programs / "sona", "serve", "--data", self.data, "--listen", "127.0.0.1:0", *arguments],
                stdout=out, stderr=err)
        end = time.monotonic() + 20
        while not (line := re.search(r"^listening on (https?://\S+)$", self.out.read_text(), re.M)):
            if self.process.poll() is not None or time.monotonic() > end:
                raise OSError(f"no server: {self.err.read_text()}")
            time.sleep(0.02)
        self.url = line[1]

    def __enter__(self):
        """Everything that asks a server asks this one from now on."""
        self.before, helpers.URL = helpers.URL, self.url
        return self

    def __exit__(self, *_):
        helpers.URL = self.before

    def stop(self):
        """Ends it politely; what it said in all. The second time, nothing."""
        if not self.folder.exists():
            return ""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        said = self.out.read_text(errors="replace") + self.err.read_text(errors="replace")
        shutil.rmtree(self.folder, ignore_errors=True)
        return said

    def operator(self, *arguments, status=0, typed=None):
        """Runs `sona` on its data folder; what it prints."""
        done = subprocess.run([self.programs / "sona", *arguments, "--data", self.data], input=typed, text=True,
                              capture_output=True, timeout=30)
        equal(done.returncode, status, f"sona {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def metrics(self):
        """By the operator's socket."""
        link = OperatorConnection(self.data / "admin.sock")
        link.request("GET", "/metrics")
        answer = link.getresponse()
        equal(answer.status, 200, "metrics")
        text = answer.read().decode()
        link.close()
        return text

    def refusals(self):
        """How often each code was the answer."""
        found = re.findall(r'^sona_auth_refusals_total\{code="([^"]+)"\} (\d+)$', self.metrics(), re.M)
        return {code: int(count) for code, count in found}

    def keys(self):
        with urllib.request.urlopen(f"{self.url}/.well-known/jwks.json", timeout=10) as answer:
            return json.load(answer)["keys"]
