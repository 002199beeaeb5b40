"""Debian's Firefox without a window, by WebDriver BiDi, with a sound device of its own that nobody hears."""
import contextlib, json, os, pathlib, shutil, signal, subprocess, tempfile, time

from websockets.sync.client import connect

from support import PATIENCE, Fault, eventually
from .tab import Lost, Tab

NAME = "firefox"
PROGRAM = "firefox-esr"
#: A name that leads to this machine and is no secure address.
INSECURE_HOST = "sona.home.arpa"
PREFERENCES = {
    "media.autoplay.default": 1,  # a click is needed, as with people
    "media.navigator.streams.fake": True, "media.navigator.permission.disabled": True,
    "network.dns.localDomains": INSECURE_HOST, "dom.security.https_first": False,
    "remote.active-protocols": 1, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False, "browser.aboutwelcome.enabled": False, "app.update.enabled": False,
    "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,", "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
    "extensions.getAddons.cache.enabled": False, "browser.search.update": False, "dom.push.connection.enabled": False,
}


def is_there():
    return all(shutil.which(program) for program in (PROGRAM, "pulseaudio"))


def version():
    return subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, env=os.environ | {"HOME": "/nonexistent"}).stdout.strip()


def first():
    """Sound goes before what others compute, as on a desktop, where the system sees to it; as far as it is allowed."""
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -10)


@contextlib.contextmanager
def ended(process):
    """Ends a program together with what it has started."""
    try:
        yield process
    finally:
        for way in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, way)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
                break


@contextlib.contextmanager
def sound_device(folder):
    """A device that takes sound in real time. Firefox without any never starts its AudioContext."""
    socket = folder / "sound"
    command = ["pulseaudio", "-n", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
               "-L", "module-null-sink rate=48000", "-L", f"module-native-protocol-unix socket={socket} auth-anonymous=1"]
    with (folder / "pulse.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, preexec_fn=first,
                                   env=os.environ | {"HOME": str(folder), "XDG_RUNTIME_DIR": str(folder)})
    with ended(process):
        eventually(socket.is_socket, "the sound device is there")
        yield {"PULSE_SERVER": f"unix:{socket}"}


def site(folder):
    """The site as it is."""
    return os.environ.get("SONA_SITE")


class Engine:
    """Firefox, running."""

    name = NAME

    def __init__(self, url, folder, device):
        self.socket = connect(f"{url}/session", max_size=None, open_timeout=PATIENCE)
        self.device = device
        self.count, self.complaints = 0, {}
        self.command("session.new", {"capabilities": {}})
        self.command("session.subscribe", {"events": ["log.entryAdded"]})

    def command(self, method, parameters, seconds=PATIENCE):
        self.count += 1
        number, end = self.count, time.monotonic() + seconds
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            try:
                message = json.loads(self.socket.recv(timeout=max(0.01, end - time.monotonic())))
            except TimeoutError:
                raise Lost(f"{method} {str(parameters)[:300]}: no answer") from None
            if message.get("method") == "log.entryAdded":
                self.take(message["params"])
            if message.get("id") != number:
                continue
            if message["type"] == "error":
                raise Fault(f"{method}: {message['error']}: {message['message'][:500]}")
            return message["result"]

    def take(self, entry):
        if entry["level"] == "error":
            self.complaints.setdefault(entry["source"].get("context"), []).append(f"{entry['type']}: {entry['text']}")

    def tab(self, address):
        """A tab in a window of its own: none is in the background."""
        return FirefoxTab(self, address)

    def insecure(self, server):
        return f"http://{INSECURE_HOST}:{server.port}"


class FirefoxTab(Tab):
    def __init__(self, engine, address):
        self.engine = engine
        self.context = engine.command("browsingContext.create", {"type": "window"})["context"]
        self.complaints = engine.complaints.setdefault(self.context, [])
        self.goto(address)

    def goto(self, address):
        self.engine.command("browsingContext.navigate", {"context": self.context, "url": address, "wait": "complete"})

    def reload(self):
        self.engine.command("browsingContext.reload", {"context": self.context, "wait": "complete"})

    def script(self, text):
        answer = self.engine.command("script.evaluate", {
            "expression": f"(async () => {{ {text} }})()", "target": {"context": self.context}, "awaitPromise": True})
        if answer["type"] == "exception":
            raise Fault(f"{text[:300]}: {answer['exceptionDetails']['text']}")
        return answer["result"].get("value")

    def actions(self, sources):
        self.engine.command("input.performActions", {"context": self.context, "actions": sources})

    def set_files(self, selector, paths):
        [node] = self.engine.command("browsingContext.locateNodes", {
            "context": self.context, "locator": {"type": "css", "value": selector}})["nodes"][:1]
        self.engine.command("input.setFiles", {
            "context": self.context, "element": {"sharedId": node["sharedId"]}, "files": [str(path) for path in paths]})

    def close(self):
        self.engine.command("browsingContext.close", {"context": self.context})


@contextlib.contextmanager
def started():
    """Firefox with a profile of its own, which is gone at the end."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sona-firefox-"))
    try:
        profile = folder / "profile"
        profile.mkdir()
        (profile / "user.js").write_text("".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        with sound_device(folder) as device, (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [PROGRAM, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=first,
                env=os.environ | device | {"HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"})
            with ended(process):
                def address():
                    text = (folder / "log").read_text(errors="replace")
                    return text.split("WebDriver BiDi listening on ")[1].split()[0] if "WebDriver BiDi listening on " in text else None
                yield Engine(eventually(address, "Firefox listens", 60), folder, device)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
