"""Programs of other people host rooms."""
import base64, subprocess, time, urllib.parse

from protocol_checks.helpers import Client, account, check, equal, true

from autoplay_checks.stage import FOLDER, Ear, Owner, until
from radio_checks import tools
from radio_checks.tools import links, near, need, pitches, speak

TONE = 440


class Studio(Owner):
    """A room with a key for its source."""

    def __init__(self):
        super().__init__()
        made = self.data("source.make_key", room=self.room)
        equal((made["source"]["port"], made["source"]["mount"]), (tools.PORT, f"/{self.room}"))
        self.key = made["key"]

    def url(self, ending="opus"):
        return f"icecast://source:{self.key}@127.0.0.1:{tools.PORT}/{self.room}.{ending}"

    def basic(self, key=None):
        return base64.b64encode(f"source:{key or self.key}".encode()).decode()

    def host(self):
        return self.now()["room"]["host_state"]


def tone(name, seconds, *codec):
    file = FOLDER / name
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"sine=f={TONE}:r=48000:d={seconds}", "-ac", "2", *codec,
                    "-metadata", "title=Tone", "-metadata", "artist=Ffm", file], check=True)
    return file


def ffmpeg(file, url, *more):
    return subprocess.Popen(["ffmpeg", "-v", "error", "-re", "-i", file, *more, url], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def right_pitch(ear, least=2.0):
    try:
        samples = ear.samples()
    except EOFError:
        samples = []
    heard = pitches(samples)
    good = sum(near(one, TONE) for one in heard) / 50
    bad = sum(one != 0 and not near(one, TONE) for one in heard) / 50
    true(good >= least and bad <= 0.2, f"{good:.1f} s of the tone, {bad:.1f} s of something else")


def packets_of(file):
    return [packet for link in links(file.read_bytes()) for packet in link.sound]


@check("ffmpeg by PUT and by SOURCE: every packet of Ogg Opus reaches a WebSocket listener as it is", slow=True)
def _():
    file = tone("host.opus", 4, "-c:a", "libopus", "-b:a", "96k", "-frame_duration", "20")
    wanted = packets_of(file)
    for more in ([], ["-legacy_icecast", "1"]):
        studio = Studio()
        ear = Client()
        ear.data("room.join", {"room": studio.room, "audio": True})
        host = ffmpeg(file, studio.url(), "-c", "copy", "-page_duration", "20000", "-content_type", "audio/ogg", "-f", "ogg", *more)
        found = ear.packets(len(wanted), seconds=15)
        equal([packet.data for packet in found], wanted, "packets")
        true(all(b.play_at - a.play_at in (19_999, 20_000, 20_001) for a, b in zip(found, found[1:])), "a gap")
        equal(host.wait(15), 0, host.stderr.read())
        until(lambda: studio.host() == "none", "it has left the seat")


@check("what ffmpeg says it plays is the room's track; metadata changes it")
def _():
    studio = Studio()
    host = ffmpeg(tone("tagged.opus", 20, "-c:a", "libopus"), studio.url(), "-c", "copy", "-page_duration", "20000", "-content_type",
                  "audio/ogg", "-f", "ogg")
    try:
        track = until(lambda: studio.now()["room"]["track"], "a track")
        equal((track["title"], track["artist"]), ("Tone", "Ffm"))
        equal(studio.now()["room"]["host"]["uid"], studio.uid, "in whose name")
        query = urllib.parse.urlencode({"mount": f"/{studio.room}.opus", "mode": "updinfo", "song": "Ada - Näxt"})
        for key, code in (("wrong", "401"), (None, "200")):
            answer = speak(f"GET /admin/metadata?{query} HTTP/1.0\r\nAuthorization: Basic {studio.basic(key)}\r\n\r\n")
            true(answer.startswith(f"HTTP/1.1 {code}"), answer)
        true("<return>1</return>" in answer, answer)
        track = studio.now()["room"]["track"]
        equal((track["title"], track["artist"]), ("Näxt", "Ada"))
    finally:
        host.kill()
    until(lambda: studio.host() == "away", "the seat is kept for it")


@check("MP3, AAC and Ogg Vorbis are made into Opus: the right pitch is heard", slow=True)
def _():
    for name, codec, form, kind in (("host.mp3", ["libmp3lame"], "mp3", "audio/mpeg"), ("host.aac", ["aac"], "adts", "audio/aac"),
                                    ("host.ogg", ["libvorbis"], "ogg", "audio/ogg")):
        studio = Studio()
        ear = Ear(studio.room)
        time.sleep(0.5)
        host = ffmpeg(tone(name, 5, "-c:a", *codec), studio.url(form), "-c", "copy", "-content_type", kind, "-f", form)
        host.wait(20)
        time.sleep(2)
        try:
            right_pitch(ear)
        except Exception as error:
            raise type(error)(f"{name}: {error}") from error


@check("a key that is wrong, a seat that is taken, a key that is revoked", slow=True)
def _():
    studio = Studio()
    head = lambda method, key, more="": f"{method} /{studio.room} HTTP/1.1\r\nAuthorization: Basic {studio.basic(key)}\r\n{more}\r\n"
    for method in ("PUT", "SOURCE"):
        answer = speak(head(method, "wrong"))
        true(answer.startswith("HTTP/1.1 401") and 'Basic realm="Sona"' in answer, answer)
    true(speak("OPTIONS * HTTP/1.1\r\nUpgrade: TLS/1.0\r\n\r\n").startswith("HTTP/1.1 204"), "OPTIONS")
    true(speak("GET /admin/!POKE HTTP/1.1\r\n\r\n").startswith("HTTP/1.1 400"), "POKE")
    file = tone("long.opus", 30, "-c:a", "libopus")
    host = ffmpeg(file, studio.url(), "-c", "copy", "-page_duration", "20000", "-content_type", "audio/ogg", "-f", "ogg")
    until(lambda: studio.host() == "here", "it hosts")
    true(speak(head("SOURCE", None)).startswith("HTTP/1.1 403"), "a second source")
    studio.data("source.revoke_key", room=studio.room)
    until(lambda: studio.host() == "none", "the seat is free")
    true(host.wait(15) != 0, "ffmpeg is told")
    true(speak(head("SOURCE", None)).startswith("HTTP/1.1 401"), "the old key")
    equal(studio.data("source.get", room=studio.room)["source"]["key_made_ms"], None)


@check("curl sends a file in chunks")
def _():
    studio = Studio()
    file = tone("curl.opus", 3, "-c:a", "libopus")
    ear = Client()
    ear.data("room.join", {"room": studio.room, "audio": True})
    with file.open("rb") as source:
        subprocess.run(["curl", "-s", "-m", "10", "-T", "-", "-H", "Content-Type: audio/ogg", f"http://source:{studio.key}@127.0.0.1:{tools.PORT}/{studio.room}"],
                       stdin=source, check=False, timeout=20)
    wanted = packets_of(file)
    equal([packet.data for packet in ear.packets(len(wanted), seconds=10)], wanted, "packets")


@check("ezstream hosts", slow=True)
def _():
    need("ezstream")
    studio = Studio()
    file = tone("ez.ogg", 6, "-c:a", "libvorbis")
    config = FOLDER / "ezstream.xml"
    config.write_text(f"""<?xml version="1.0"?><ezstream><servers><server><name>default</name><protocol>HTTP</protocol><hostname>127.0.0.1</hostname>
        <port>{tools.PORT}</port><user>source</user><password>{studio.key}</password><tls>may</tls></server></servers>
        <streams><stream><name>default</name><server>default</server><intake>default</intake><mountpoint>/{studio.room}.ogg</mountpoint><format>Ogg</format></stream></streams>
        <intakes><intake><name>default</name><type>file</type><filename>{file}</filename><stream_once>yes</stream_once></intake></intakes></ezstream>""")
    config.chmod(0o600)
    ear = Ear(studio.room)
    time.sleep(0.5)
    subprocess.run(["ezstream", "-c", config], timeout=40, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(2)
    right_pitch(ear)


@check("GStreamer hosts", slow=True)
def _():
    need("gst-launch-1.0")
    if subprocess.run(["gst-inspect-1.0", "shout2send"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode:
        raise tools.Skipped("GStreamer has no shout2send here")
    studio = Studio()
    ear = Ear(studio.room)
    time.sleep(0.5)
    subprocess.run(["gst-launch-1.0", "-q", "audiotestsrc", f"freq={TONE}", "num-buffers=250", "samplesperbuffer=960", "is-live=true", "!",
                    "audio/x-raw,rate=48000,channels=2", "!", "opusenc", "!", "oggmux", "max-delay=20000000", "!", "shout2send", "ip=127.0.0.1",
                    f"port={tools.PORT}", f"password={studio.key}", f"mount=/{studio.room}.opus"], timeout=30, check=False)
    time.sleep(2)
    right_pitch(ear)


@check("liquidsoap hosts", slow=True)
def _():
    need("liquidsoap")
    studio = Studio()
    ear = Ear(studio.room)
    time.sleep(0.5)
    script = f"""settings.init.allow_root.set(true)
        output.icecast(%vorbis, host="127.0.0.1", port={tools.PORT}, password="{studio.key}", mount="{studio.room}.ogg",
        fallible=true, once(sine(duration=12., {TONE}.)))"""
    host = subprocess.Popen(["liquidsoap", script], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(16)
    host.terminate()
    host.wait(10)
    right_pitch(ear)
