"""A host in a tab: signed in, with a room and files, on air; and what is needed to hear them."""
import json, pathlib, subprocess

from sound_checks import tones
from support import PATIENCE, Fault, Page, check, kept

CAPTURE = (pathlib.Path(__file__).parent.parent / "sound_checks" / "capture.js").read_text()


def wav(path, pitch, seconds, amplitude=0.25, rate=44100, channels=2):
    """A WAV file of a tone."""
    import numpy
    sound = amplitude * numpy.sin(2 * numpy.pi * pitch * numpy.arange(round(seconds * rate)) / rate)
    return tones.write(path, sound, rate, channels)


def microphone(pitch=440, amplitude=0.3, seconds=30):
    """What makes chromium hear a tone, again and again, where it would hear a microphone."""
    path = kept() / f"voice-{pitch}-{amplitude}.wav"
    if not path.exists():
        wav(path, pitch, seconds, amplitude, rate=48000, channels=1)
    return ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-audio-capture={path}"]


class Desk(Page):
    """The page one plays from, of somebody who has an account. `host` is known to what is evaluated."""

    def __init__(self, browser, server, url=None, person=None, **options):
        context = browser.new_context(**options)
        self.url_of_server = url or server.url
        context.grant_permissions(["microphone"], origin=self.url_of_server)
        self.person = person or server.person()
        super().__init__(context, self.url_of_server)
        self.until("localStorage.getItem('sona.credentials')", "somebody is known")
        self.evaluate("""grant => localStorage.setItem('sona.credentials', JSON.stringify({
            user: grant.user, access_token: grant.access_token,
            expires_ms: Date.now() + 1000 * grant.expires_in_s}))""", self.person)

    def room(self, server, **settings):
        """A room of theirs with a lead that a busy machine can keep."""
        return server.call("room.create", {"title": "Records", "lead_ms": 4000} | settings, self.person["access_token"])["room"]["id"]

    def open(self, room=None):
        self.goto(f"{self.url_of_server}/host{f'?room={room}' if room else ''}")
        return self.here()

    def here(self):
        """The page one plays from is open already."""
        self.store()
        self.evaluate("""async () => {
            const root = document.querySelector('script[type=module]').src;
            window.host = (await import(new URL('store/host.js', root))).host;
            window.trouble = [];
            host.addEventListener('trouble', ({detail}) => trouble.push(String(detail)));
        }""")
        self.until("document.querySelector('host-setup select[name=room]') || document.querySelector('host-setup input[name=title]')?.offsetParent",
                   "the rooms are known")
        return self

    def until(self, expression, what, seconds=PATIENCE):
        try:
            super().until(expression, what, seconds)
        except Fault as fault:
            state = self.evaluate("""() => globalThis.host && [host.state, host.song?.title, host.heard?.title, host.position, host.session?.status,
                String(host.failure), host.reason, trouble, document.querySelector('dialog')?.innerText]""")
            raise Fault(f"{fault}; the host: {state}") from None

    def add(self, *files):
        before = self.evaluate("host.playlist.songs.length")
        self.set_input_files("host-list input[type=file]", [str(file) for file in files])
        self.until(f"host.playlist.songs.length === {before + len(files)}", "the files are in the list")

    def choose(self, value):
        """Chooses among a few: 'files', 'microphone' or 'tab' is to be heard, a lead of so many milliseconds."""
        # The radio buttons themselves are not to be seen. A click on what stands in their place waits until it stands still.
        button = f"input[type=radio][value='{value}']"
        self.click(f"label:has({button})")
        self.until(f"document.querySelector(`{button}`).checked", f"{value} is chosen")

    def go(self):
        self.click(".host-go")
        self.until("host.state === 'live' || document.querySelector('[role=alert] .notice')", "on air")
        state = self.evaluate("[host.state, host.room?.id, String(host.failure), String(host.reason), document.querySelector('main').innerText]")
        check(state[0] == "live", f"it does not begin: {state}; {self.complaints}")
        return state[1]


def listener(browser, server, room, url=None):
    """A tab that hears a room, all of it."""
    tab = Page(browser.new_context(), f"{url or server.url}/r/{room}").store()
    tab.evaluate("player.volume = 1")
    # Every packet that comes, by which gaps are seen that are not this machine's.
    tab.evaluate("""() => {
        window.packets = [];
        session.addEventListener('frame', ({detail}) => {
            for (const {epoch, play_at_us: at, samples} of detail.packets ?? (detail.packet ? [detail] : [])) packets.push([epoch, at, samples, at - session.serverNow]);
        });
    }""")
    tab.click(".big-play")
    tab.until("player.state === 'live'", "the room is heard")
    return tab


def hear(tab, seconds):
    """What a tab hears from now on, samples at 48 kHz."""
    tab.evaluate(CAPTURE)
    tab.evaluate(f"heard.start({seconds})")
    recording = tab.evaluate("heard.taken()")
    check(recording["missing"] == 0, "blocks are missing in what was tapped")
    return tones.samples(recording["samples"])


class Listen:
    """`sonactl listen` into a file, until the broadcast ends."""

    def __init__(self, server, room, path, *arguments):
        self.process = subprocess.Popen(
            [server.programs / "sonactl", "--server", server.url, "listen", room, "--output", str(path), "--stats", *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def ended(self):
        """Its figures."""
        try:
            out, errors = self.process.communicate(timeout=2 * PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Fault(f"sonactl listen does not end: {self.process.communicate()}") from None
        check(self.process.returncode == 0, f"sonactl listen: {self.process.returncode} {errors[-500:]}")
        return json.loads(out.strip().splitlines()[-1])
