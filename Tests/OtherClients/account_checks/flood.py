"""A room that plays while everybody signs in.

The host and its twenty listeners are one process, so that sending and arriving are read off one clock; those who sign
in are another, which asks at fixed times whether or not it has been answered.
"""
import json, os, pathlib, select, socket, struct, subprocess, sys, time
from urllib.parse import urlsplit

if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from protocol_checks.helpers import PASSWORD, Client, check, equal, packets_of, true
from protocol_checks.host import STREAM

LISTENERS, PER_SECOND = 20, 50
DELAY_MORE_MS = 20  # by which half of the packets may come later: less than one hash takes
WAITING_MAX = 98  # who are served before somebody who waits: 72 and 24 wait, 2 are hashed; see deploy/limits.md
MARK = struct.Struct(">8sQ")  # in each packet: what it is, and when it was sent, ns


class Room:
    """
    An interactive room, a host in it who sends 20 ms of sound every 20 ms, and listeners who note when it comes.

    Its lead is long enough for a host that does not get to run for a while beside other tests.
    """
    def __init__(self, token):
        self.host = Client(token)
        room = self.host.data("room.create", {"delivery": "interactive", "lead_ms": 1500})["room"]["id"]
        self.host.data("room.join", {"room": room})
        self.listeners = [Client() for _ in range(LISTENERS)]
        for listener in self.listeners:
            listener.data("room.join", {"room": room})
            listener.seqs, listener.events = [], 0
        self.started = self.host.data("host.start", {"stream": STREAM, "pacing": "live"})
        self.sent, self.next, self.delays = 0, time.monotonic(), []
        # The server's clock less ours, us: a probe's answer comes later than the server's time in it, the quickest the least.
        self.ahead = max(self.host.probe() - time.monotonic_ns() // 1000 for _ in range(10))
        self.margin, self.late = 10**9, 0.0

    def send(self):
        sound = b"\xfc" + MARK.pack(b"delivery", time.monotonic_ns()) + os.urandom(64)
        head = struct.pack(">BBHIqI", 0x20, 0, self.started["epoch"], self.sent, self.sent * 960, 960)
        self.host.binary(head + sound)
        self.sent += 1

    def take(self, listener, now):
        """Everything that has come to a listener."""
        while (message := listener.ws.receive(0)) is not None:
            if isinstance(message, str):
                true('"error"' not in message, message)
                continue
            for packet in packets_of(message):
                word, at = MARK.unpack_from(packet.data, 1)
                equal(word, b"delivery", "packet")
                listener.seqs.append(packet.seq)
                self.delays.append((now - at) / 1e6)
                self.margin = min(self.margin, packet.play_at - self.ahead - now // 1000)

    def play(self, seconds):
        """Plays on; how long each packet took to each listener, in ms, sorted."""
        self.delays, end = [], time.monotonic() + seconds
        by_socket = {listener.ws.socket: listener for listener in self.listeners}
        while (now := time.monotonic()) < end:
            if now >= self.next:
                self.late = max(self.late, now - self.next)
                self.send()
                self.next += 0.02
                continue
            ready, _, _ = select.select([*by_socket, self.host.ws.socket], [], [], min(self.next, end) - now)
            arrived = time.monotonic_ns()
            for link in ready:
                if link in by_socket:
                    self.take(by_socket[link], arrived)
                else:
                    self.host.ws.receive(0)
        return sorted(self.delays)

    def finish(self):
        """Waits for what is under way; every listener must have had every packet, once and in order."""
        end = time.monotonic() + 3
        while time.monotonic() < end and any(len(listener.seqs) < self.sent for listener in self.listeners):
            for listener in self.listeners:
                self.take(listener, time.monotonic_ns())
            time.sleep(0.01)
        for listener in self.listeners:
            first = listener.seqs[0] if listener.seqs else 0
            equal([seq - first for seq in listener.seqs], list(range(self.sent)), "packets of a listener")


class Asker:
    """One connection over HTTP that signs in, again and again."""
    def __init__(self, at):
        self.socket = socket.create_connection((at.hostname, at.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.begun = b"", 0.0

    def ask(self, host, body):
        self.begun = time.monotonic()
        self.socket.sendall(f"POST /v1/rpc/auth.sign_in HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                            .encode() + body)

    def answer(self):
        """The status and the reply, once it is whole."""
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError("closed while it waited")
        self.buffer += data
        head, _, body = self.buffer.partition(b"\r\n\r\n")
        sizes = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        if not sizes or len(body) < sizes[0]:
            return None
        self.buffer = b""
        return int(head.split()[1]), json.loads(body)


def sign_in_without_end(url, people, seconds):
    """Asks PER_SECOND times a second; a line of JSON with how each ended."""
    at, bodies = urlsplit(url), [json.dumps({"email": e, "password": p}).encode() for e, p in people]
    idle, busy, asked, ended = [], {}, 0, {}
    odd, waits, taken, begin = [], [], [], time.monotonic()
    while time.monotonic() - begin < seconds or busy:
        due = begin + asked / PER_SECOND
        now = time.monotonic()
        if now - begin < seconds and now >= due:
            asker = idle.pop() if idle else Asker(at)
            asker.ask(at.netloc, bodies[asked % len(bodies)])
            busy[asker.socket] = asker
            asked += 1
            continue
        if now - begin > seconds + 30:
            odd.append(f"{len(busy)} without an answer")
            break
        wait = due - now if now - begin < seconds else 0.5
        for link in select.select(list(busy), [], [], max(0, wait))[0]:
            try:
                answer = busy[link].answer()
            except ConnectionError:
                busy.pop(link)
                ended["closed"] = ended.get("closed", 0) + 1
                odd.append("closed without an answer")
                continue
            if answer is None:
                continue
            asker = busy.pop(link)
            idle.append(asker)
            status, reply = answer
            code = reply.get("error", {}).get("code", "ok")
            ended[code] = ended.get(code, 0) + 1
            if code == "auth.busy":
                waits.append(reply["error"].get("retry_after_ms", 0))
                if status != 503 or waits[-1] <= 0:
                    odd.append(str(reply))
            elif code in ("ok", "auth.credentials_invalid"):
                taken.append(time.monotonic() - asker.begun)
            else:
                odd.append(str(reply))
    print(json.dumps({"asked": asked, "ended": ended, "odd": odd, "seconds": time.monotonic() - begin,
                      "waits": [min(waits, default=0), max(waits, default=0)], "slowest": max(taken, default=0)}))


def share(values, part):
    return values[min(len(values) - 1, int(len(values) * part))]


def threads(pid):
    return [task.joinpath("comm").read_text().strip() for task in pathlib.Path(f"/proc/{pid}/task").iterdir()]


def flood(seconds):
    from account_checks.stage import EXEMPT, person, record, serve
    server = serve(*EXEMPT)
    with server:
        people = [(made["email"], made["password"]) for made in (person() for _ in range(4))]
        # After ten wrong passwords an address has to wait, so that there are enough of them.
        people += [(f"nobody{k}@example.org", PASSWORD) for k in range(seconds * PER_SECOND // 8)]
        room = Room(person()["access_token"])
        room.play(2)
        calm = room.play(seconds)
        asking = subprocess.Popen([sys.executable, __file__, server.url, json.dumps(people), str(seconds)],
                                  stdout=subprocess.PIPE, text=True)
        time_begun = time.monotonic()
        room.play(1)
        room.margin = 10**9
        stormy = room.play(seconds)
        margin = room.margin / 1000
        while asking.poll() is None and time.monotonic() - time_begun < seconds + 60:
            room.play(0.5)
        hashing = threads(server.process.pid).count("passwords")
        told = json.loads(asking.communicate(timeout=5)[0])
        room.finish()
        true(server.process.poll() is None, "the server has ended")
    record.add("outputs", server.stop())
    equal(hashing, max(1, min(2, os.cpu_count() - 1)), "threads that hash: a core is left to the audio")
    done = sum(told["ended"].get(code, 0) for code in ("ok", "auth.credentials_invalid"))
    print(f"      {told['asked']} sign-ins in {seconds} s: {told['ended']}, {done / told['seconds']:.1f} hashes a "
          f"second over {told['seconds']:.1f} s, retry_after_ms {told['waits']}, slowest {told['slowest']:.1f} s\n"
          f"      delivery p50 {share(calm, .5):.2f} and {share(stormy, .5):.2f} ms "
          f"(× {share(stormy, .5) / share(calm, .5):.2f}), p99 {share(calm, .99):.2f} and {share(stormy, .99):.2f} ms "
          f"(× {share(stormy, .99) / share(calm, .99):.2f}), longest {calm[-1]:.1f} and {stormy[-1]:.1f} ms, "
          f"of {len(calm)} and {len(stormy)}; the latest packet {margin:.0f} ms before its time, the host up to "
          f"{room.late * 1000:.0f} ms late", flush=True)
    # A hash on the loop of the rooms would hold up every packet for as long as it takes, also where the machine is busy.
    true(share(stormy, .5) < 3 * share(calm, .5) + DELAY_MORE_MS, "the room's packets are held up by those who sign in")
    true(margin + room.late * 1000 > 0, f"a packet came {-margin:.0f} ms after its time")
    true(told["ended"].get("auth.busy", 0) > 0, "nobody had to wait: this was no flood")
    before = told["slowest"] * done / told["seconds"]
    true(before <= WAITING_MAX, f"who waited longest had {before:.0f} before them")
    equal(told["odd"], [], "answers that are neither yes, nor no, nor auth.busy with retry_after_ms")
    equal(sum(told["ended"].values()), told["asked"], "answers")
    true(done > 0, "nobody was signed in at all")


@check("a room plays on while fifty a second sign in: no packet is lost; who is not served hears auth.busy")
def _():
    flood(4)


@check("the same for twenty seconds", slow=True)
def _():
    flood(20)


if __name__ == "__main__":
    sign_in_without_end(sys.argv[1], json.loads(sys.argv[2]), float(sys.argv[3]))
