"""What checks are made of: failures, connections, requests over HTTP, accounts."""
import collections, http.client, json, random, struct, time
from urllib.parse import urlsplit

from verdicts import Known, Skipped
from protocol_checks.websocket import BINARY, TEXT, Closed, WebSocket

URL = ""  # of the server, set by the program
CHECKS = []  # (title, slow, function)
HEARD = []  # called with (token, body) of every answer over HTTP
HELLO = {"client": {"name": "protocol_checks", "version": "1.0"}}
PASSWORD = "correct horse battery"
DISCONTINUITY, PREROLL, LAST = 1, 2, 8  # flags of packets
Packet = collections.namedtuple("Packet", "flags epoch seq play_at samples data")


class Failure(Exception):
    """The server did something else."""


def check(title, slow=False):
    """Registers a check; `slow` are those of more than 12 s."""
    def register(function):
        CHECKS.append((title, slow, function))
        return function
    return register


def outcome(function):
    """Runs a check: ("ok", ""), or ("KNOWN", "SKIPPED" or "FAILED", why)."""
    try:
        function()
    except Known as known:
        return "KNOWN", str(known)
    except Skipped as skipped:
        return "SKIPPED", str(skipped)
    except (Failure, Closed, OSError, KeyError, TypeError, IndexError, ValueError) as error:
        return "FAILED", f"{type(error).__name__}: {error}"
    return "ok", ""


def equal(found, wanted, what="answer"):
    if found != wanted:
        raise Failure(f"{what}: {str(found)[:200]!r} instead of {str(wanted)[:200]!r}")


def true(condition, what):
    if not condition:
        raise Failure(what)


def packets_of(message):
    """The packets in AUDIO_DN and BUNDLE_DN; none if it is neither. One that does not fit is a failure."""
    if message[:1] == b"\x10":
        true(len(message) > 20, "AUDIO_DN without a packet")
        return [Packet(*struct.unpack_from(">xBHIqI", message), message[20:])]
    if message[:1] != b"\x11":
        return []
    true(len(message) > 17, "BUNDLE_DN without packets")
    flags, epoch, seq, play_at, count = struct.unpack_from(">xBHIqB", message)
    found, at, before = [], 17, 0
    for k in range(count):
        true(len(message) >= at + 6, "BUNDLE_DN with bytes missing")
        samples, length = struct.unpack_from(">IH", message, at)
        own = flags & ~(DISCONTINUITY if k else 0) & ~(LAST if k < count - 1 else 0)
        found.append(Packet(own, epoch, (seq + k) % 2**32, play_at + before * 10**6 // 48000, samples,
                            message[at + 6:at + 6 + length]))
        at, before = at + 6 + length, before + samples
    true(at == len(message) and count > 0, "BUNDLE_DN with bytes missing or left over")
    return found


class Client:
    """A connection. `auth` is "guest", None for anonymous, or a token; hello is said unless `hello` is false."""
    def __init__(self, auth="guest", hello=True, resume=None, receive_bytes=None):
        self.ws, self.inbox, self.number, self.welcome = WebSocket(URL, receive_bytes=receive_bytes), [], 0, None
        self.probed = collections.deque(maxlen=40)
        if hello:
            how = {"guest": {"auth": {"guest": True}}, None: {}}.get(auth, {"auth": {"token": auth}})
            self.welcome = self.data("hello", HELLO | how | ({"resume": resume} if resume else {}))

    def text(self, text):
        self.ws.send(TEXT, text if isinstance(text, bytes) else text.encode())

    def binary(self, data):
        self.ws.send(BINARY, data)

    def send(self, kind, data=None):
        self.number += 1
        self.text(json.dumps({"type": kind, "id": self.number} | ({} if data is None else {"data": data})))
        return self.number

    def next(self, fits, what, seconds=5):
        """The first message that fits, of those that came and those that come; the others are kept."""
        for at, message in enumerate(self.inbox):
            if fits(message):
                return self.inbox.pop(at)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.ws.receive(end - time.monotonic())
            if message is None:
                break
            message = json.loads(message) if isinstance(message, str) else message
            if fits(message):
                return message
            self.inbox.append(message)
        raise Failure(f"no {what} within {seconds} s; there is {str(self.inbox[-3:])[:300]}")

    def reply(self, number, seconds=8):
        return self.next(lambda m: isinstance(m, dict) and m["type"] in ("ok", "error") and m["id"] == number,
                         f"reply to {number}", seconds)

    def ask(self, kind, data=None, seconds=8):
        return self.reply(self.send(kind, data), seconds)

    def data(self, kind, data=None, seconds=8):
        """The data of the reply, which must be ok."""
        reply = self.ask(kind, data, seconds)
        true(reply["type"] == "ok", f"{kind}: {reply.get('error')}")
        return reply["data"]

    def refused(self, code, kind, data=None, field=None, seconds=8):
        """The error of the reply, which must have this code."""
        reply = self.ask(kind, data, seconds)
        equal((reply["type"], reply.get("error", {}).get("code")), ("error", code), kind)
        if field:
            equal(reply["error"].get("field"), field, "field")
        return reply["error"]

    def error(self, code, number=None, seconds=5):
        """The next error with this id must have this code."""
        reply = self.reply(number, seconds)
        equal(reply.get("error", {}).get("code"), code, "error")
        return reply["error"]

    def event(self, kind, seconds=5, fits=lambda data: True):
        return self.next(lambda m: isinstance(m, dict) and m["type"] == kind and fits(m["data"]), kind, seconds)

    def packets(self, count, seconds=5, fits=lambda p: True):
        """The next `count` packets of audio that fit."""
        found, end = [], time.monotonic() + seconds
        while len(found) < count:
            message = self.next(lambda m: isinstance(m, bytes) and m[:1] in (b"\x10", b"\x11"),
                                f"packet {len(found) + 1} of {count}", max(0.01, end - time.monotonic()))
            found += [p for p in packets_of(message) if fits(p)]
        return found

    def position(self, seconds=5, fits=lambda p: True):
        """The next POSITION that fits: (state, epoch, revision, anchor, position, rate, err)."""
        unpack = lambda m: struct.unpack(">xBHIqqiI", m)
        return unpack(self.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x30" and fits(unpack(m)), "POSITION",
                                seconds))

    def probe(self, seconds=5):
        """TIME_REQ and its answer: proof that the connection is alive. Returns server time."""
        if len(self.probed) == 40:  # fewer in a second than may be dropped
            time.sleep(max(0, self.probed[0] + 1 - time.monotonic()))
        self.probed.append(time.monotonic())
        number = random.randrange(65536)
        self.binary(struct.pack(">BxHq", 1, number, 7))
        answer = self.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x02", "TIME_RSP", seconds)
        found = struct.unpack(">BxHqqq", answer)
        equal(found[1:3], (number, 7), "TIME_RSP")
        true(found[3] <= found[4], "t3 is before t2")
        return found[4]

    def silent(self, seconds=0.3):
        """Nothing but audio, positions and events may come."""
        end = time.monotonic() + seconds
        while (message := self.ws.receive(max(0, end - time.monotonic()))) is not None:
            message = json.loads(message) if isinstance(message, str) else message
            self.inbox.append(message)
        bad = [m for m in self.inbox if isinstance(m, dict) and m["type"] in ("ok", "error")]
        true(not bad, f"an answer where none should be: {str(bad)[:200]}")

    def closes(self, code, seconds=5):
        """The server must close with this code."""
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                message = self.ws.receive(end - time.monotonic())
                if message is not None:
                    self.inbox.append(json.loads(message) if isinstance(message, str) else message)
        except Closed as closed:
            equal(closed.code, code, "close code")
            return
        raise Failure(f"not closed within {seconds} s, wanted {code}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ws.close()


def connect():
    """A connection that has said nothing yet."""
    return Client(hello=False)


def rpc(kind, data=None, token=None, body=None, method="POST"):
    """The same over HTTP: (status, body as JSON, headers in lower case)."""
    at = urlsplit(URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=60)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    content = body if body is not None else json.dumps({} if data is None else data)
    link.request(method, f"/v1/rpc/{kind}", None if method == "GET" else content, headers)
    response = link.getresponse()
    raw = response.read()
    link.close()
    for heard in HEARD:
        heard(token, raw)
    try:
        parsed = json.loads(raw) if raw else None
    except ValueError:
        parsed = raw
    return response.status, parsed, {name.lower(): value for name, value in response.getheaders()}


def rpc_refused(status, code, kind, data=None, **more):
    found, body, headers = rpc(kind, data, **more)
    equal((found, isinstance(body, dict) and body.get("error", {}).get("code")), (status, code), kind)
    equal(body["type"], "error", "type")
    true("id" not in body, "the answer has an id")
    return body["error"], headers


def some_name():
    return "py" + "".join(random.choice("abcdefghijkmnpqrstuvwxyz") for _ in range(14))


def account(**more):
    """A new account: its grant, with its name, address and password."""
    name = some_name()
    given = {"email": f"{name}@example.org", "password": PASSWORD, "username": name} | more
    status, body, headers = rpc("auth.sign_up", given)
    if status == 429:  # allowed by the prose; wait and try once more
        time.sleep(body["error"]["retry_after_ms"] / 1000)
        status, body, headers = rpc("auth.sign_up", given)
    equal(status, 200, f"sign-up {body}")
    return body["data"] | given
