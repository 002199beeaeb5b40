"""The room that is to notice nothing: a host, twenty listeners, and how long each packet took, in a process of its own.

Its host plays real Opus at real pace. Each packet carries when it was sent as padding (RFC 6716, section 3.2.5), which
no decoder looks at, so that sending and arriving are read off one clock.
"""
import array, asyncio, gc, itertools, math, pathlib, random, subprocess, tempfile, types

from delivery_checks.peers import PREROLL, Crowd, Peer, now_us
from delivery_checks.server import STAMP, Ear, Host

LISTENERS, LEAD_MS, SECONDS = 20, 600, 5
RECORD = 4  # what is told of a packet: when it came, how long it took, how long before its time; and 0
LATE = 1  # of this program: when it should have woken, how much later it did, 0; and 1


def packets():
    """A few seconds of sound as `opusenc` codes it, in packets of 20 ms."""
    from test_listen import streams_of
    dice = random.Random(1)
    sound = array.array("h", (int(9000 * math.sin(k * (0.02 + 0.01 * math.sin(k / 9000))) + dice.gauss(0, 900))
                              for k in range(48_000 * SECONDS) for _ in range(2)))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sound.opus"
        subprocess.run(["opusenc", "--quiet", "--raw", "--raw-rate", "48000", "--bitrate", "96", "--framesize", "20",
                        "-", path], input=sound.tobytes(), check=True)
        (_, _, found), = streams_of(path.read_bytes())
    return [packet for packet in found if packet[0] & 3 == 0]


def padded(packet, stamp):
    """A packet of one frame as one of the same frame and padding."""
    return bytes((packet[0] | 3, 0x41, len(stamp))) + packet[1:] + stamp


class Player(Host):
    """A host of real sound."""
    sound = None

    def content(self, now):
        return padded(next(self.sound), STAMP.pack(self.number, now, self.index))


class Listener(Ear):
    """Notes of each packet when it came, and how that was."""
    __slots__ = ("told",)

    def hear(self, flags, epoch, seq, play_at, samples, data, start, end, now):
        super().hear(flags, epoch, seq, play_at, samples, data, end - STAMP.size, end, now)
        if not flags & PREROLL:
            self.told.extend((now, now - self.last_sent, play_at - self.server_offset - now, 0))


async def play(address, token, pipe):
    crowd = Crowd()
    crowd.begin()
    Player.sound = itertools.cycle(packets())
    told = array.array("q")
    here = types.SimpleNamespace(crowd=crowd, address=address, token=token, rooms=0)
    host = await Player.come(here, 20, 100, {"delivery": "interactive", "lead_ms": LEAD_MS, "title": "The healthy one"})
    await host.start()
    ears = []
    for _ in range(LISTENERS):
        peer = await Peer.open(here)
        ears.append(Listener(peer, host.number, server_offset=await peer.offset()))
        ears[-1].told = told
        await ears[-1].enter(host)
    while not all(ear.count for ear in ears):
        await asyncio.sleep(0.1)
    pipe.send(host.room)
    gc.disable()  # its pauses would be measured as delays
    going = True
    while going:
        await asyncio.sleep(0.25)
        for late in crowd.late_us:
            told.extend((now_us(), late, 0, LATE))
        del crowd.late_us[:]
        flaws = [f"listener {k}: {found}" for k, ear in enumerate(ears) if (found := ear.flaws())]
        if host.peer.ended is not None:
            flaws.append(f"the host: {host.peer.fate()}")
        going = not pipe.poll()
        pipe.send((told.tobytes(), sum(ear.count for ear in ears), flaws))
        del told[:]
    host.halt()
    crowd.close()


def run(address, token, pipe):
    asyncio.run(play(address, token, pipe))
