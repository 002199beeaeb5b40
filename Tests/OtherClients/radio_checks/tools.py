"""Requests as players make them, Ogg and ICY taken apart, and how high a sound is."""
import array, http.client, shutil, socket, struct, subprocess, time, urllib.request
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import true
from verdicts import Skipped

PORT = METRICS = PROGRAMS = None  # set by __main__


def metrics():
    with urllib.request.urlopen(f"http://127.0.0.1:{METRICS}/metrics") as answer:
        return answer.read().decode()


def address(path):
    return helpers.URL + path


def ask(path, method="GET", headers=None):
    """(status, headers in lower case, the open answer)."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    link.request(method, path, headers=headers or {})
    answer = link.getresponse()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer


def hear(path, seconds, headers=None):
    """(headers, what came in so many seconds)."""
    status, found, answer = ask(path, headers=headers)
    true(status == 200, f"{path}: {status} {found}")
    sound, end = b"", time.monotonic() + seconds
    while time.monotonic() < end and (more := answer.read1(65536)):
        sound += more
    answer.close()
    return found, sound


def need(program):
    if shutil.which(program) is None:
        raise Skipped(f"{program} is not installed")
    return program


class Link:
    """One logical stream of an Ogg chain."""

    def __init__(self, serial):
        self.serial, self.pages, self.packets, self.granules, self.part = serial, b"", [], [], b""

    @property
    def tags(self):
        data, found = self.packets[1][8:], {}
        skip = 4 + struct.unpack_from("<I", data)[0]
        count, at = struct.unpack_from("<I", data, skip)[0], skip + 4
        for _ in range(count):
            size = struct.unpack_from("<I", data, at)[0]
            name, _, value = data[at + 4:at + 4 + size].decode().partition("=")
            found[name.upper()], at = value, at + 4 + size
        return found

    @property
    def sound(self):
        return self.packets[2:]

    @property
    def pre_skip(self):
        return struct.unpack_from("<H", self.packets[0], 10)[0]


def links(data):
    """The logical streams of an Ogg stream, the last perhaps cut off."""
    found, at = [], 0
    while at + 27 <= len(data):
        true(data[at:at + 4] == b"OggS", f"no page at {at} of {len(data)}")
        flags, granule, serial, segments = data[at + 5], *struct.unpack_from("<qI", data, at + 6), data[at + 26]
        lacing = data[at + 27:at + 27 + segments]
        size = 27 + segments + sum(lacing)
        if at + size > len(data):
            break
        if flags & 2:
            found.append(Link(serial))
        link, place = found[-1], at + 27 + segments
        true(link.serial == serial, "pages of two streams are mixed")
        link.pages += data[at:at + size]
        for length in lacing:
            link.part += data[place:place + length]
            place += length
            if length < 255:
                link.packets.append(link.part)
                link.part = b""
        link.granules.append(granule)
        at += size
    return found


def decoded(data, kind):
    """Left channel at 48 kHz, as ffmpeg decodes it."""
    made = subprocess.run(["ffmpeg", "-v", "error", "-f", kind, "-i", "-", "-f", "s16le", "-ac", "1", "-ar", "48000", "-"],
                          input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False).stdout
    samples = array.array("h")
    samples.frombytes(made[:len(made) // 2 * 2])
    return samples


def pitches(samples, part=960):
    """How high each 20 ms are, Hz: by zero crossings; 0 for silence."""
    found = []
    for at in range(0, len(samples) - part + 1, part):
        piece = samples[at:at + part]
        if max(map(abs, piece)) < 200:
            found.append(0)
            continue
        rises = [i + piece[i] / (piece[i] - piece[i + 1]) for i in range(part - 1) if piece[i] < 0 <= piece[i + 1]]
        found.append(48000 * (len(rises) - 1) / (rises[-1] - rises[0]) if len(rises) > 1 else 0)
    return found


def near(found, wanted):
    return abs(found - wanted) < wanted * 0.04


def without_icy(data, metaint):
    """(the sound, [(bytes of sound before it, title)])."""
    sound, titles, at = b"", [], 0
    while at + metaint < len(data):
        sound += data[at:at + metaint]
        size = data[at + metaint] * 16
        text = data[at + metaint + 1:at + metaint + 1 + size].rstrip(b"\0").decode()
        if text:
            true(text.startswith("StreamTitle='") and text.endswith("';"), text)
            titles.append((len(sound), text[13:-2]))
        at += metaint + 1 + size
    return sound, titles


def speak(text, seconds=3):
    """What the Icecast port answers to raw bytes."""
    with socket.create_connection(("127.0.0.1", PORT), timeout=seconds) as link:
        link.sendall(text.encode() if isinstance(text, str) else text)
        answer = b""
        try:
            while more := link.recv(4096):
                answer += more
        except TimeoutError:
            pass
        return answer.decode()
