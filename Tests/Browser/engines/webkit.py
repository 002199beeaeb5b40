"""WebKitGTK, of Safari's family: its small browser on a screen that nobody sees, by WebDriver."""
import contextlib, json, os, pathlib, shutil, socket, subprocess, tempfile, urllib.error, urllib.request

from support import PATIENCE, Fault, eventually
from .firefox import ended
from .tab import Tab

NAME = "webkit"
PROGRAM = "WebKitWebDriver"
PUBLIC = pathlib.Path(__file__).resolve().parents[3] / "Sources" / "SonaServer" / "Public"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def browser():
    """WebKitGTK's MiniBrowser, which is in no folder for programs."""
    files = subprocess.run(["dpkg", "-L", "libwebkit2gtk-4.1-0"], capture_output=True, text=True).stdout.splitlines()
    return next((name for name in files if name.endswith("/MiniBrowser")), None)


def is_there():
    return bool(browser() and all(shutil.which(program) for program in (PROGRAM, "xvfb-run")))


def version():
    return "WebKitGTK " + subprocess.run(["dpkg-query", "--showformat=${Version}", "--show", "libwebkit2gtk-4.1-0"],
                                         capture_output=True, text=True).stdout.strip()


def site(folder):
    """The site with `watch.js` in it: what the console is told does not leave a browser that keeps nothing."""
    copy = folder / "site"
    shutil.copytree(os.environ.get("SONA_SITE", PUBLIC), copy)
    shutil.copy(pathlib.Path(__file__).with_name("watch.js"), copy)
    page = copy / "index.html"
    page.write_text(page.read_text(encoding="utf-8").replace("<head>", "<head>\n<script src=\"{{assets}}/watch.js\"></script>", 1), encoding="utf-8")
    return copy


class Engine:
    """WebKitGTK, running: one session, in which each tab is a window."""

    name = NAME

    def __init__(self, url):
        self.url, self.current = url, None
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": {
            "binary": browser(), "args": ["--automation"]}}}})
        self.session = f"/session/{answer['sessionId']}"
        self.first = self.command("GET", "/window")
        self.command("POST", "/timeouts", {"script": 2000 * PATIENCE, "pageLoad": 1000 * PATIENCE})

    def call(self, method, path, data=None):
        request = urllib.request.Request(self.url + path, None if method in ("GET", "DELETE") else json.dumps(data or {}).encode(),
                                         {"content-type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=3 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise Fault(f"{path}: {value['error']}: {value['message'][:500]}") from None

    def command(self, method, path, data=None):
        return self.call(method, self.session + path, data)

    def turn_to(self, handle):
        if self.current != handle:
            self.command("POST", "/window", {"handle": handle})
            self.current = handle

    def tab(self, address):
        return WebKitTab(self, address)

    def insecure(self, server):
        """Where a server that listens everywhere is found, but not as this machine itself."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.connect(("192.0.2.1", 9))  # Nothing is sent.
            return f"http://{one.getsockname()[0]}:{server.port}"


class WebKitTab(Tab):
    def __init__(self, engine, address):
        self.engine, self.before = engine, []
        # The first window stays as it is: with the last one the session would end.
        engine.turn_to(engine.first)
        self.handle = engine.command("POST", "/window/new", {"type": "window"})["handle"]
        self.goto(address)

    @property
    def complaints(self):
        """What went wrong in the page, as `watch.js` saw it; and in the pages before it."""
        return self.before + self.evaluate("globalThis.complaints ?? []")

    def command(self, method, path, data=None):
        self.engine.turn_to(self.handle)
        return self.engine.command(method, path, data)

    def goto(self, address):
        self.before = self.complaints
        self.command("POST", "/url", {"url": address})

    def reload(self):
        self.before = self.complaints
        self.command("POST", "/refresh")

    def script(self, text):
        answer = self.command("POST", "/execute/async", {"args": [], "script": f"""const told = arguments[arguments.length - 1];
            (async () => {{ {text} }})().then(value => told({{value}}), error => told({{error: String(error), stack: String(error?.stack)}}));"""})
        if "error" in answer:
            raise Fault(f"{text[:300]}: {answer['error']} {answer['stack'][:300]}")
        return answer.get("value")

    def actions(self, sources):
        self.command("POST", "/actions", {"actions": sources})

    def set_files(self, selector, paths):
        element = self.command("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]
        self.command("POST", f"/element/{element}/value", {"text": "\n".join(str(path) for path in paths)})

    def close(self):
        self.command("DELETE", "/window")
        self.engine.current = None


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


@contextlib.contextmanager
def started():
    """WebKitGTK with nothing kept from before."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-webkit-"))
    log, port = folder / "log", free_port()
    try:
        with log.open("wb") as out:
            process = subprocess.Popen(
                ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1280x1024x24", PROGRAM, f"--port={port}"],
                stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True,
                env=os.environ | {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder), "LANG": "C.UTF-8"})

        def listens():
            with contextlib.suppress(OSError):
                return socket.create_connection(("127.0.0.1", port), 1)
        with ended(process):
            eventually(listens, "WebKitWebDriver listens").close()
            engine = Engine(f"http://127.0.0.1:{port}")
            try:
                yield engine
            finally:
                with contextlib.suppress(Fault, OSError):
                    engine.command("DELETE", "")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
