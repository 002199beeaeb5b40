"""What checks in a real browser need: servers and hosts of their own, Debian's chromium, and patience."""
import atexit, contextlib, functools, json, os, pathlib, re, shutil, subprocess, sys, tempfile, time, urllib.error, urllib.request

#: The status of a program that was asked for stories it does not have, as `sysexits.h` numbers wrong use.
USAGE = 64
#: How long servers and browsers took to start since it was set to 0, s.
started_s = 0


@contextlib.contextmanager
def starting():
    """Counts what happens in it as starting."""
    global started_s
    begin = time.monotonic()
    try:
        yield
    finally:
        started_s += time.monotonic() - begin


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


def named(program, known, wanted):
    """The `wanted` names, all `known` ones if none is wanted. Ends the program if one of them is unknown."""
    for name in wanted or ():
        if name not in known:
            print(f"{program}: {name!r} does not exist. There are: {', '.join(known)}", file=sys.stderr)
            sys.exit(USAGE)
    return list(wanted or known)


class Server:
    """`sona serve` on a free port with a data folder of its own."""

    def __init__(self, programs, *arguments, host="127.0.0.1"):
        self.programs = pathlib.Path(programs).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-browser-"))
        self.host, self.arguments = host, arguments
        self.people, self.rooms = 0, []
        with starting():
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

    def tidy(self):
        """Closes the rooms that were made by `call`: whoever comes next finds none."""
        check(self.process.poll() is None, f"the server has ended: {(self.folder / 'err').read_text()[-500:]}")
        for room, token in self.rooms:
            with contextlib.suppress(Fault):  # It is closed, or its owner is gone.
                self.call("room.close", {"room": room}, token)
        self.rooms.clear()

    def call(self, method, data=None, token=None):
        """The answer's data; a Fault with the code where it is refused."""
        answer = self._call(method, data, token)
        if method == "room.create":
            self.rooms.append((answer["room"]["id"], token))
        return answer

    def _call(self, method, data, token):
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
    who shares the sound of a tab, so that `is_muted` may be False.

    One that was started alike is taken again: every context of it is closed at the end, so that nothing stays.
    """
    policy = "document-user-activation-required" if clicks_needed else "no-user-gesture-required"
    options = ("--no-sandbox", *["--mute-audio"] * is_muted, f"--autoplay-policy={policy}", "--disable-background-networking", *arguments)
    browser = browsers.get(options)
    if not browser or not browser.is_connected():
        with starting():
            browser = browsers[options] = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), ignore_default_args=["--mute-audio"], args=list(options))
    try:
        yield browser
    finally:
        for context in browser.contexts:
            context.close()


#: By what they were started with.
browsers = {}


def close_browsers():
    for browser in browsers.values():
        browser.close()
    browsers.clear()


@functools.cache
def kept():
    """A folder for what several stories use, as long as this program runs."""
    folder = tempfile.TemporaryDirectory(prefix="sona-browser-kept-")
    atexit.register(folder.cleanup)
    return pathlib.Path(folder.name)


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
