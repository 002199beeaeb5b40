"""A server of a check's own, what can be seen of its process, and hosts who play in its rooms."""
import array, asyncio, os, re, shutil, socket, struct, subprocess
from urllib.parse import urlsplit

from account_checks.server import Server
from protocol_checks import helpers
from protocol_checks.helpers import Failure

from delivery_checks.peers import AUDIO_BYTES, BINARY, DISCONTINUITY, PREROLL, Peer, frame, now_us

STAMP = struct.Struct(">xHqI")  # in each packet behind its TOC: the room's number, when it was sent, how many before it
# TOC: stereo, one frame of so many milliseconds; CELT, full band, and where that has none, SILK, wide band.
CODES = {2.5: 0xE4, 20: 0xFC, 60: 0x5C}
PRE_SKIP = 312


class LiveServer(Server):
    """`sona serve` with the options given to the program, to whom this machine's address has no limits."""
    options = ()  # set by __main__

    def __init__(self, crowd, *arguments):
        try:
            super().__init__("--exempt", "127.0.0.1", *self.options, *arguments)
        except OSError:
            self.process.kill()
            self.process.wait()
            shutil.rmtree(self.folder)
            raise
        at = urlsplit(self.url)
        self.crowd, self.address, self.pid = crowd, (at.hostname, at.port), self.process.pid
        with self:
            self.token = helpers.account()["access_token"]
        self.rooms, self.hosts = 0, []
        self.kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 4)  # NETLINK_SOCK_DIAG

    @classmethod
    def knows(cls, option):
        done = subprocess.run([cls.programs / "sona", "serve", "--help"], text=True, capture_output=True, timeout=30)
        return option in done.stdout

    def rss(self):
        """Resident bytes."""
        if self.process.poll() is not None:
            raise Failure(f"the server has ended with {self.process.returncode}: {self.err.read_text()[-400:]}")
        with open(f"/proc/{self.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+) kB", status.read())[1]) * 1024

    def waited_us(self):
        """How long this program and the server have waited for a processor that others had, proc(5)."""
        total = 0
        for pid in (self.pid, "self"):
            for task in os.listdir(f"/proc/{pid}/task"):
                try:
                    with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                        total += int(file.read().split()[1])
                except FileNotFoundError:  # a thread that has just ended
                    pass
        return total // 1000

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def has_closed(self, port):
        """Whether the server's end of the connection to this port of ours is closed, as the kernel sees it: that of
        one who does not read cannot tell. Asks with SOCK_DIAG_BY_FAMILY, sock_diag(7)."""
        at = socket.inet_aton(self.address[0])
        wanted = (struct.pack("=BBBxI", socket.AF_INET, socket.IPPROTO_TCP, 0, 0xFFFFFFFF)
                  + struct.pack(">HH4s12x4s12xI", self.address[1], port, at, at, 0) + b"\xff" * 8)
        self.kernel.send(struct.pack("=IHHII", 16 + len(wanted), 20, 1, 1, 0) + wanted)
        answer = self.kernel.recv(4096)
        found = struct.unpack_from("=H", answer, 4)[0] == 20
        return not found or answer[17] not in (1, 8)  # neither ESTABLISHED nor CLOSE_WAIT

    async def gauges(self, *names):
        found = dict(re.findall(r"^(sona_\w+) (\d+)$", await asyncio.to_thread(self.metrics), re.M))
        return {name: int(found.get(name, -1)) for name in names}

    async def play(self, frame_ms=20, size=100, **room):
        """A new room in which a host plays from now on."""
        host = await Host.come(self, frame_ms, size, room)
        self.hosts.append(host)
        await host.start()
        return host

    async def end(self):
        for host in self.hosts:
            host.halt()
        self.kernel.close()
        ended, said = self.process.poll(), self.err.read_text()[-400:]
        self.process.kill()  # how politely it ends is another program's matter
        await asyncio.to_thread(self.stop)
        if ended is not None:
            raise Failure(f"the server has ended with {ended}: {said}")


class Host:
    """Plays stamped noise into a room of its own, each packet when the server wants it."""
    def __init__(self, server, peer, room, number, frame_ms, size):
        self.server, self.peer, self.room, self.number = server, peer, room, number
        self.samples, self.toc = int(frame_ms * 48), CODES[frame_ms]
        self.noise = os.urandom(size - STAMP.size)  # which counts the TOC as its first byte
        self.index, self.task, self.started, self.sent_us = 0, None, None, array.array("q")

    @classmethod
    async def come(cls, server, frame_ms, size, room):
        peer = await Peer.open(server, auth=server.token, name="host")
        server.rooms += 1
        made = await peer.ask("room.create", {"title": f"Room {server.rooms}", "lead_ms": 600} | room)
        await peer.ask("room.join", {"room": made["room"]["id"], "audio": False})
        return cls(server, peer, made["room"]["id"], server.rooms, frame_ms, size)

    async def start(self):
        """Begins an epoch; the first packet goes out a lead before its time."""
        self.started = await self.peer.ask("host.start", {
            "stream": {"codec": "opus", "channels": 2, "pre_skip": PRE_SKIP}, "pacing": "server"})
        self.seq = 0
        self.offset = await self.peer.offset()
        self.task = asyncio.create_task(self.run())
        return self

    def play_at(self, index):
        """The server time of a packet, as long as the server did not have to wait for this host."""
        place = (index - self.index + self.seq) * self.samples - PRE_SKIP
        return self.started["start_us"] + place * 1_000_000 // 48000

    async def run(self):
        """Sends what is due. The server's clock decides, so that a late wake-up is made good with the next."""
        first = self.started["start_us"] - PRE_SKIP * 1_000_000 // 48000 - self.started["lead_us"] - self.offset
        first -= 20_000  # a little early, to be with the server in time
        step = self.samples * 1_000_000 / 48000
        while self.peer.ended is None:
            due = first + self.seq * step
            if (wait := due - now_us()) > 0:
                await asyncio.sleep(wait / 1e6)
            while first + self.seq * step <= now_us():
                self.packet()

    def packet(self, flags=0):
        now = now_us()
        self.peer.write(frame(BINARY, struct.pack(">BBHIqI", 0x20, flags, self.started["epoch"], self.seq,
                                                  self.seq * self.samples, self.samples) + self.content(now)))
        self.sent_us.append(now)
        self.seq, self.index = self.seq + 1, self.index + 1

    def content(self, now):
        """The packet itself, with its stamp."""
        return bytes((self.toc,)) + STAMP.pack(self.number, now, self.index)[1:] + self.noise

    def halt(self):
        """Sends nothing more, and says nothing."""
        if self.task is not None:
            self.task.cancel()
            self.task = None


class Ear:
    """Follows the packets of one stay in a room, from the reply to room.join on."""
    __slots__ = ("peer", "number", "wanted", "first", "count", "preroll", "gaps", "unmarked", "backward", "foreign",
                 "delays", "trace", "last_sent", "begun", "margins", "server_offset")

    def __init__(self, peer, number, trace=False, server_offset=None):
        self.peer, self.number, self.server_offset = peer, number, server_offset
        self.wanted = self.first = self.begun = None
        self.count = self.preroll = self.unmarked = self.backward = self.foreign = self.last_sent = 0
        self.gaps, self.delays, self.margins = [], None, None
        self.trace = [] if trace else None  # (arrived, sent, seq, flags, play_at, bytes)
        peer.on_audio = self.hear

    async def enter(self, host, **more):
        """Joins; whatever came before the reply would have been a fault."""
        await self.peer.ask("room.join", {"room": host.room} | more, then=lambda data: setattr(self, "begun", now_us()))
        return self

    def hear(self, flags, epoch, seq, play_at, samples, data, start, end, now):
        number, sent, index = STAMP.unpack_from(data, start)
        if seq != self.wanted:
            self.jump(flags, seq, now)
        if number != self.number:
            self.foreign += 1
        self.wanted = seq + 1 & 0xFFFFFFFF
        self.count += 1
        self.last_sent = sent
        if flags & PREROLL:
            self.preroll += 1
        elif self.delays is not None:
            self.delays.append(now - sent)
        if self.margins is not None and not flags & PREROLL:
            self.margins.append(play_at - self.server_offset - now)
        if self.trace is not None:
            self.trace.append((now, sent, seq, flags, play_at, end - start + AUDIO_BYTES + 4))

    def jump(self, flags, seq, now):
        """Another `seq` than the next: the first, a gap, or one that was there before."""
        if self.wanted is None:
            self.first = seq
        elif seq - self.wanted & 0xFFFFFFFF < 1 << 31:
            self.gaps.append((self.wanted, seq, now))
            self.unmarked += not flags & DISCONTINUITY
        else:
            self.backward += 1

    def measure(self):
        """Notes delays from here on; returns those until here."""
        before, self.delays = self.delays, array.array("q")
        return before

    def flaws(self, gaps_allowed=0):
        """What was wrong with the packets, in a few words; "" if nothing."""
        lost = sum(after - before & 0xFFFFFFFF for before, after, _ in self.gaps)
        found = [(len(self.gaps) > gaps_allowed, f"{len(self.gaps)} gaps of {lost} packets"),
                 (self.unmarked, f"{self.unmarked} gaps without DISCONTINUITY"),
                 (self.backward, f"{self.backward} doubled or out of order"),
                 (self.foreign, f"{self.foreign} of another room"), (not self.count, "nothing came"),
                 (self.peer.ended is not None, self.peer.fate())]
        return ", ".join(text for bad, text in found if bad)
