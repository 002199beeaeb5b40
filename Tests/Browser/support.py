"""What checks in a real browser need: servers and hosts of their own, Debian's chromium, and patience."""
import contextlib, json, os, pathlib, re, shutil, subprocess, tempfile, time, urllib.error, urllib.request

# A machine whose cores are busy takes its time; nothing waits longer than it has to.
PATIENCE = 30


class Fault(Exception):
    """Something is not as it should be."""


def check(holds, what):
    if not holds:
        raise Fault(what)


def eventually(find, what, seconds=PATIENCE):
    """Waits until `find()` is something, and returns it."""
    end = time.monotonic() + seconds
    while not (found := find()):
        if time.monotonic() > end:
            raise Fault(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return found


class Server:
    """`sona serve` on a free port with a data folder of its own."""

    def __init__(self, programs, *arguments, host="127.0.0.1"):
        self.programs = pathlib.Path(programs).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-browser-"))
        self.host, self.arguments = host, arguments
        self.people = 0
        self.start(0)

    def start(self, port):
        out, err = self.folder / "out", self.folder / "err"
        with out.open("wb") as to, err.open("ab") as errors:
            self.process = subprocess.Popen(
                [self.programs / "sona", "serve", "--data", self.folder / "data", "--listen", f"{self.host}:{port}",
                 "--exempt", "127.0.0.1", *self.arguments], stdout=to, stderr=errors)

        def line():
            check(self.process.poll() is None, f"the server has ended: {err.read_text()[-500:]}")
            return re.search(r"^listening on (http://\S+)$", out.read_text(), re.M)
        self.url = eventually(line, "the server listens")[1]

    @property
    def port(self):
        return int(self.url.rsplit(":", 1)[1])

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, data=None, token=None):
        """The answer's data; a Fault with the code where it is refused."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(f"{self.url}/v1/rpc/{method}", json.dumps(data or {}).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise Fault(f"{method}: {json.load(error)['error']['code']}") from None

    def send(self, path, body, token):
        """The data of the answer to bytes that are sent by POST."""
        request = urllib.request.Request(self.url + path, body, {"authorization": f"Bearer {token}", "content-type": "application/octet-stream"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["data"]

    def person(self, username=None):
        """Somebody new: what `auth.sign_up` answers."""
        self.people += 1
        username = username or f"person{self.people}"
        return self.call("auth.sign_up", {"email": f"{username}@example.org", "password": "a long password", "username": username})


class Host:
    """`sonactl broadcast`: a room that sounds until it is ended."""

    def __init__(self, server, *arguments, token=None):
        self.server = server
        self.token = token or server.person()["access_token"]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [server.programs / "sonactl", "--server", server.url, "--token", self.token, "broadcast", *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=self.errors, stdin=subprocess.DEVNULL, text=True,
            env=os.environ | {"XDG_CONFIG_HOME": str(server.folder / "config")})
        self.room = self.process.stdout.readline().strip()
        if len(self.room) != 20:
            self.errors.seek(0)
            raise Fault(f"no room: {self.errors.read()!r}")

    def call(self, method, data=None):
        return self.server.call(method, {"room": self.room} | (data or {}), self.token)

    def sonactl(self, *arguments):
        """The owner's `sonactl`, for what is not asked for over HTTP."""
        done = subprocess.run(
            [self.server.programs / "sonactl", "--server", self.server.url, "--token", self.token, *map(str, arguments)],
            capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        check(done.returncode == 0, f"sonactl {arguments}: {done.stderr[-300:]!r}")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


@contextlib.contextmanager
def chromium(playwright, *arguments, clicks_needed=False, is_muted=True):
    """Debian's chromium without a window. With `--mute-audio` it has a device that keeps time, and nobody hears; not even
    who shares the sound of a tab, so that `is_muted` may be False."""
    policy = "document-user-activation-required" if clicks_needed else "no-user-gesture-required"
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"),
        ignore_default_args=["--mute-audio"],
        args=["--no-sandbox", *["--mute-audio"] * is_muted, f"--autoplay-policy={policy}", "--disable-background-networking", *arguments])
    try:
        yield browser
    finally:
        browser.close()


class Page:
    """A page of Sona, and what it complained of."""

    def __init__(self, browser_or_context, address, **options):
        self.page = browser_or_context.new_page(**options)
        self.page.set_default_timeout(PATIENCE * 1000)
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        self.page.goto(address)

    def store(self):
        """Makes `player` and `session` known to what is evaluated: the very objects that the page uses."""
        self.page.evaluate("""async () => {
            const root = document.querySelector('script[type=module]').src;
            window.player = (await import(new URL('store/player.js', root))).player;
            window.session = (await import(new URL('store/session.js', root))).session;
        }""")
        return self

    def __getattr__(self, name):
        return getattr(self.page, name)

    def until(self, expression, what, seconds=PATIENCE):
        """Waits until an expression is true in the page."""
        # By asking again and again: `wait_for_function` would evaluate text in the page, which its policy forbids.
        end = time.monotonic() + seconds
        while not self.page.evaluate(expression):
            if time.monotonic() > end:
                raise Fault(f"{what}: not within {seconds} s; complaints: {self.complaints[-3:]}")
            self.page.wait_for_timeout(50)
