"""What a server holds while it is attacked, and what it may hold: each number is that of deploy/limits.md, or follows."""
import array, bisect, collections, os, pathlib, re, sqlite3, time

from delivery_checks.peers import now_us, quantile

MIB = 1 << 20
CONNECTIONS = 512  # of one address
# Descriptors of the database's readers, of files, and of children that look at photos.
FILES = 24
# What one address can have the server hold at once, beside what it holds anyway.
MEMORY = sum((
    16 * MIB,  # answers that wait for peers
    32 * MIB,  # bodies of photos: half of what all may have on their way
    32 * MIB * max(1, os.cpu_count() - 1),  # passwords that are hashed, at scrypt's standard cost
    CONNECTIONS * (64 + 32) * 1024,  # of each a body or a message, and requests behind it
    8 * MIB,  # pages with cards
    24 * MIB,  # rooms, sessions, and what the allocator keeps of all this
))
# Beyond half of what the first half of an attack has filled: then there should be nothing left to fill.
STILL_GROWING = 12 * MIB
# After all of it, when nobody is there any more but the healthy room.
LEFT = MEMORY // 2
# What may be kept of an account and of those it signs up: eight rooms with queues of 4 MiB; a journal; some thousand
# messages of 4 KiB; 300 accounts of 8 KiB; two pictures. And the log of the database, before it is copied.
DISK = 64 * MIB
JOURNAL = 1_600_000  # of one account, in a day
THREADS = 8  # more than when nothing happens

# The delay of the healthy room, in microseconds. The machine is shared: an attacker and those who measure it use the
# same two cores, so that twice as much and a few milliseconds are tolerated, and what this program itself is late by.
# A packet that comes that much later is still heard in time: a room's lead is at least 150 ms. What was measured while
# other programs used more than a part of a core does not count; and where too little is left, nothing is said.
FACTOR, SLACK_US = 2, 8_000
STRANGERS, AROUND_US, ENOUGH = 0.3, 600_000, 0.25

Sample = collections.namedtuple("Sample", "at resident descriptors threads disk cpu strangers")
HERTZ = os.sysconf("SC_CLK_TCK")


class Processors:
    """Who has used the processors, in seconds, by proc(5): the server, and programs that are none of ours."""
    def __init__(self):
        self.ours = {}  # by process: what it has used. Those that have ended still count

    def look(self, server):
        parents, used = {}, {}
        for path in pathlib.Path("/proc").iterdir():
            if path.name.isdigit():
                try:
                    fields = (path / "stat").read_text().rpartition(")")[2].split()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                pid = int(path.name)
                parents[pid], used[pid] = int(fields[1]), (int(fields[11]) + int(fields[12])) / HERTZ
        for pid in used:
            above = pid
            while above > 1 and above != os.getpid():
                above = parents.get(above, 0)
            if above == os.getpid():
                self.ours[pid] = used[pid]
        user, nice, system, _, _, _, _, steal, *_ = map(int, pathlib.Path("/proc/stat").read_text().split()[1:11])
        return used.get(server, 0), (user + nice + system + steal) / HERTZ - sum(self.ours.values())


def bytes_in(folder):
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:
            pass
    return total


class Watch:
    """Looks at the server a few times a second, and takes what the healthy room tells."""
    def __init__(self, server, pipe):
        self.server, self.pipe, self.samples, self.processors = server, pipe, [], Processors()
        self.heard, self.flaws, self.packets = array.array("q"), [], 0

    def look(self):
        status = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        field = lambda name: int(re.search(rf"^{name}:\s+(\d+)", status, re.M)[1])
        self.samples.append(Sample(now_us(), field("VmRSS") * 1024, self.server.descriptors(), field("Threads"),
                                   bytes_in(self.server.data), *self.processors.look(self.server.process.pid)))
        while self.pipe.poll():
            told, self.packets, flaws = self.pipe.recv()
            self.heard.frombytes(told)
            self.flaws += [flaw for flaw in flaws if flaw not in self.flaws]
        return self.samples[-1]

    def for_seconds(self, seconds):
        self.until(lambda _: False, seconds)

    def until(self, done, seconds):
        """Looks until a sample is what is wanted; whether that came."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if done(self.look()):
                return True
            time.sleep(0.2)
        return False

    def between(self, from_us, to_us):
        return [sample for sample in self.samples if from_us <= sample.at <= to_us]

    def calm(self, from_us, to_us):
        """The times between looks in which other programs left us the processors."""
        found, seen = [], self.between(from_us - AROUND_US, to_us + AROUND_US)
        for before, after in zip(seen, seen[1:]):
            around = [s for s in seen if before.at - AROUND_US <= s.at <= after.at + AROUND_US]
            share = (around[-1].strangers - around[0].strangers) * 1e6 / (around[-1].at - around[0].at)
            if share <= STRANGERS and before.at < to_us and after.at > from_us:
                found.append((max(from_us, before.at), min(to_us, after.at)))
        return found

    def delays(self, from_us, to_us):
        """Those of the calm."""
        return Delays(self.heard, self.calm(from_us, to_us), to_us - from_us)

    def wait_for_calm(self, seconds, patience):
        """Looks until nobody else has disturbed for so long, or patience is over; from when on that was."""
        begin = now_us()
        self.until(lambda s: sum(to - at for at, to in self.calm(begin, s.at)) >= seconds * 1e6, patience)
        return begin

    def journal(self):
        """(lines, bytes of the most of one account)."""
        link = sqlite3.connect(f"file:{self.server.data / 'sona.sqlite'}?mode=ro", uri=True, timeout=5)
        try:
            size = "sum(length(CAST(kind || detail || coalesce(actor, '') || coalesce(subject, '') AS BLOB)) + 48)"
            most = link.execute(f"SELECT {size} AS size FROM journal GROUP BY actor ORDER BY size DESC").fetchone()
            return link.execute("SELECT count(*) FROM journal").fetchone()[0], (most or (0,))[0]
        finally:
            link.close()


class Delays:
    """How long packets took in some times, and how late this program itself was, in microseconds."""
    def __init__(self, heard, times, whole_us):
        at, value, margin, kind = (heard[k::4] for k in range(4))
        inside = [k for from_us, to_us in times for k in range(bisect.bisect_left(at, from_us), bisect.bisect(at, to_us))]
        took = sorted(value[k] for k in inside if not kind[k])
        self.calm = sum(to_us - from_us for from_us, to_us in times) / max(1, whole_us)
        self.median, self.p99, self.longest = quantile(took, 0.5), quantile(took, 0.99), took[-1] if took else 0
        self.margin = min((margin[k] for k in inside if not kind[k]), default=1)
        self.own = quantile([value[k] for k in inside if kind[k]], 0.99)

    def is_like(self, quiet):
        """Whether a room's delay is what it was, as far as this program can tell."""
        return self.p99 <= FACTOR * quiet.p99 + SLACK_US + 2 * max(0, self.own - quiet.own)
