"""A player of our own that reads every byte, snapclient into a pipe, and what of a track is heard when."""
import base64, json, os, select, shutil, socket, struct, subprocess, threading, time, urllib.request

from protocol_checks import helpers
from protocol_checks.helpers import account, equal, true
from verdicts import Skipped

from autoplay_checks import stage

PORT = METRICS = PROGRAMS = None  # set by __main__
#: Whose room speakers hear that no room has.
HOUSE = "speakerhouse"
NOISE_SECONDS = 60
STARTED = []


def make_noise():
    """A track in which every moment differs from every other."""
    subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"anoisesrc=c=pink:r=48000:d={NOISE_SECONDS}:a=0.5:seed=7", "-ac", "2", "-c:a",
                    "libopus", "-b:a", "128k", "-metadata", "title=Noise", "-metadata", "artist=Eve", stage.MUSIC / "Noise.opus"], check=True)
    stage.TRACKS["Noise"] = (0, NOISE_SECONDS, "Eve")


def wait_for_music():
    stage.wait_for_music()


def noise():
    """The noise as it is decoded, left channel."""
    import numpy
    made = subprocess.run(["ffmpeg", "-v", "error", "-i", stage.MUSIC / "Noise.opus", "-f", "s16le", "-ac", "2", "-ar", "48000", "-"],
                          stdout=subprocess.PIPE, check=True).stdout
    return numpy.frombuffer(made, "<i2")[::2].astype(float)


def metric(name):
    with urllib.request.urlopen(f"http://127.0.0.1:{METRICS}/metrics") as answer:
        return next(float(line.split()[1]) for line in answer.read().decode().splitlines() if line.startswith(name + " "))


def clock():
    """The server's clock, which is this machine's."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) // 1000


class Player:
    """A speaker that plays nothing and keeps what it is sent."""

    HEAD = struct.Struct("<HHHiiiiI")

    def __init__(self, name=None, auth=None, hello=True, buffer=None, source="127.0.0.1"):
        self.link = socket.socket()
        if buffer:
            self.link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.link.settimeout(10)
        self.link.bind((source, 0))
        self.link.connect(("127.0.0.1", PORT))
        self.data, self.number, self.isClosed = b"", 0, False
        if hello:
            said = {"Arch": "x86_64", "ClientName": "Check", "HostName": "host of " + name, "ID": name, "Instance": 1, "MAC": "00:00:00:00:00:01",
                    "OS": "none", "SnapStreamProtocolVersion": 2, "Version": "0.26.0"}
            if auth:
                said["Auth"] = {"scheme": "Basic", "param": base64.b64encode(":".join(auth).encode()).decode()}
            self.hello = self.say(5, text(said))

    def say(self, kind, body):
        self.number += 1
        now = clock()
        self.link.sendall(self.HEAD.pack(kind, self.number, 0, now // 10**6, now % 10**6, 0, 0, len(body)) + body)
        return self.number

    def next(self, seconds=5):
        """The next message, (kind, refersTo, head, body); None when nothing comes or the connection has ended."""
        end = time.monotonic() + seconds
        while True:
            if len(self.data) >= 26:
                head = self.HEAD.unpack_from(self.data)
                if len(self.data) >= 26 + head[7]:
                    body, self.data = self.data[26:26 + head[7]], self.data[26 + head[7]:]
                    return head[0], head[2], head, body
            if not select.select([self.link], [], [], max(0, end - time.monotonic()))[0]:
                return None
            try:
                more = self.link.recv(65536)
            except ConnectionError:
                more = b""
            if not more:
                self.isClosed = True
                return None
            self.data += more

    def get(self, kind, seconds=5):
        """The next message of a kind, what comes before it is dropped."""
        end = time.monotonic() + seconds
        while (message := self.next(max(0.01, end - time.monotonic()))) is not None:
            if message[0] == kind:
                return message
        raise helpers.Failure(f"no message {kind} within {seconds} s, closed: {self.isClosed}")

    def settings(self, seconds=5):
        return json.loads(self.get(3, seconds)[3][4:])

    def chunks(self, count, seconds=10):
        """The next packets: (time of the chunk, when it came, packet)."""
        found, end = [], time.monotonic() + seconds
        while len(found) < count:
            body = self.get(2, max(0.01, end - time.monotonic()))[3]
            sec, usec, size = struct.unpack_from("<iiI", body)
            equal(size, len(body) - 12, "bytes of a packet")
            found.append((sec * 10**6 + usec, clock(), body[12:]))
        return found

    def ends(self, seconds=5):
        end = time.monotonic() + seconds
        while not self.isClosed and time.monotonic() < end:
            self.next(max(0.01, end - time.monotonic()))
        return self.isClosed

    def close(self):
        self.link.close()


def text(value):
    made = json.dumps(value).encode()
    return struct.pack("<I", len(made)) + made


class Speaker:
    """snapclient, with its file player into a pipe. Each part that comes is kept with the time at which it came."""

    def __init__(self, name):
        if shutil.which("snapclient") is None:
            raise Skipped("snapclient is not installed")
        self.name, self.parts, self.isEnding = name, [], False
        self.pipe = stage.FOLDER / f"{name}.pipe"
        self.log = stage.FOLDER / f"{name}.log"
        os.mkfifo(self.pipe)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                ["snapclient", "-h", "127.0.0.1", "-p", str(PORT), "--hostID", name, "--player", f"file:filename={self.pipe}",
                 "--logfilter", "*:debug", "--logsink", "stdout"], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        STARTED.append(self.process)

    def read(self):
        # Opened for both, it has no end when snapclient opens its file anew.
        pipe = os.open(self.pipe, os.O_RDWR)
        while not self.isEnding:
            if select.select([pipe], [], [], 0.2)[0]:
                more = os.read(pipe, 65536)
                self.parts.append((clock(), more))
        os.close(pipe)

    def samples(self, since=0):
        """Those of the left channel that came from a moment on."""
        import numpy
        data = b"".join(part for at, part in list(self.parts) if at >= since)
        return numpy.frombuffer(data[:len(data) // 4 * 4], "<i2")[::2].astype(float)

    def is_loud(self, seconds=0.5):
        import numpy
        found = self.samples(clock() - int(seconds * 10**6))
        return len(found) > 0 and float(numpy.abs(found).max()) > 60

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.isEnding = True
        self.reader.join(5)
        return self.log.read_text(errors="replace")


def end_all():
    for process in STARTED:
        if process.poll() is None:
            process.kill()
            process.wait()


def places(parts, reference, near=None):
    """For each part that came, (when it came, which sample of the reference it begins with), where it is in it at all.

    `near` says about which sample that is: only a second around it is looked at.
    """
    import numpy
    found = []
    for at, part in parts:
        piece = numpy.frombuffer(part[:len(part) // 4 * 4], "<i2")[::2].astype(float)[:2400]
        if len(piece) < 960 or numpy.abs(piece).max() < 100:
            continue
        first = 0 if near is None else max(0, int(near(at)) - 24_000)
        there = reference[first:] if near is None else reference[first:first + 48_000]
        if len(there) < 2 * len(piece):
            continue
        length = 1 << (len(there) + len(piece)).bit_length()
        match = numpy.fft.irfft(numpy.fft.rfft(there, length) * numpy.conj(numpy.fft.rfft(piece, length)), length)[:len(there) - len(piece)]
        best = int(match.argmax())
        if match[best] > 0.8 * numpy.linalg.norm(there[best:best + len(piece)]) * numpy.linalg.norm(piece):
            found.append((at, first + best))
    return found
