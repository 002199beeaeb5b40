"""What one account and one address try, each for its share of the time."""
import collections, functools, itertools, json, os, random, struct

from account_checks.pictures import bomb, overfull, png
from delivery_checks.peers import BINARY, PING, TEXT, frame
from protocol_checks.helpers import PASSWORD, some_name
from protocol_checks.host import STREAM

from worst_checks import asking
from worst_checks.connections import (
    OUT, Connection, HttpConnection, Siege, SocketConnection, again, get, post, request, upgrade)

CONNECTIONS = 512  # that one address may have: deploy/limits.md
FEW = 24  # with 60 requests a second each they have more than the thousand that an address may ask
ATTACKS = {}  # by title: its share of the time, and what does it

Attack = collections.namedtuple("Attack", "title share judge run")


def attack(title, share=1, judge=None):
    """Registers what is done to a siege for so many seconds; `judge` says what is wrong with how it was answered."""
    def register(function):
        ATTACKS[title] = Attack(title, share, judge, function)
        return function
    return register


def perform(title, place, seconds, pipe):
    """In a process of its own, at the lowest priority: where it takes time from the server, the machine does."""
    os.nice(19)
    siege = Siege(place)
    ATTACKS[title].run(siege, seconds)
    pipe.send(siege.parts)


def phases(siege, seconds, *kinds, count=CONNECTIONS, rounds=2):
    """Holds connections of one kind after the other; each is (what, what makes one) or has a count of its own.

    Twice as a rule, since the second time should fill nothing that the first has not filled.
    """
    for what, make, *own in kinds * rounds:
        siege.hold(what, make, *(own or (count,)), seconds / len(kinds) / rounds)


def signed_in(place, account=None):
    return {"token": (account or place.account)["access_token"]}


GUEST = {"guest": True}


# Every request

def asked(place, kind, count=64):
    return [asking.ROWS[kind](place, k) for k in range(count)]


def over_socket(place, kind, each=None):
    """A WebSocket that asks the same again and again: `each` times in a tick, or as fast as it goes."""
    account = place.spare if kind in asking.ENDING else place.account
    blob = again([request(kind, data, k) for k, data in enumerate(asked(place, kind))], each)
    before = [("room.join", {"room": place.room, "audio": False})]
    return lambda: SocketConnection(blob, signed_in(place, account), before, paced=each is not None)


def over_http(place, kind, each=None):
    """The same over HTTP."""
    account = place.spare if kind in asking.ENDING else place.account
    bodies = (json.dumps(data).encode() for data in asked(place, kind))
    blob = again([post(place, f"/v1/rpc/{kind}", body, account["access_token"]) for body in bodies], each)
    return lambda: HttpConnection(blob, paced=each is not None)


def in_order(place, kinds):
    """Long ones late, since an address that has sent too much is not read from for a while; last what ends an account."""
    length = lambda kind: len(json.dumps(asking.ROWS[kind](place, 0)))
    return sorted(kinds, key=lambda kind: (kind in asking.ENDING, length(kind) // 500, kind))


def each_in_turn(make, kinds, each=None):
    """What floods with one request after the other."""
    def run(siege, seconds):
        chosen = in_order(siege.place, kinds)
        phases(siege, seconds, *((kind, make(siege.place, kind, each)) for kind in chosen), count=FEW, rounds=1)
    return run


SERVED_OVER_HTTP = [kind for kind in asking.ROWS if asking.over_http(kind)]
attack("every request over WebSocket, as often as it is done", 5)(each_in_turn(over_socket, asking.ROWS, 7))
attack("every request over HTTP, as often as it is done", 4)(each_in_turn(over_http, SERVED_OVER_HTTP, 8))
attack("every request over WebSocket, as fast as it goes", 2)(each_in_turn(over_socket, asking.ROWS))
attack("every request over HTTP, as fast as it goes", 2)(each_in_turn(over_http, SERVED_OVER_HTTP))


@attack("any request, over as many connections as there may be")
def _(siege, seconds):
    place = siege.place
    makers = [make(place, kind) for make, kinds in ((over_socket, asking.ROWS), (over_http, SERVED_OVER_HTTP))
              for kind in kinds if kind not in asking.ENDING]
    siege.hold("any", lambda: random.choice(makers)(), CONNECTIONS, seconds)


# Getting in

def posts(place, kind, make, token=None):
    """Requests whose data is another each time."""
    def more():
        return 8, b"".join(post(place, f"/v1/rpc/{kind}", json.dumps(make()).encode(), token) for _ in range(8))
    return lambda: HttpConnection(more)


def stranger():
    return {"email": f"{some_name()}@example.org", "password": PASSWORD}


@attack("signing up")
def _(siege, seconds):
    place = siege.place
    phases(siege, seconds,
           ("new accounts", posts(place, "auth.sign_up", lambda: stranger() | {"username": some_name()})),
           ("addresses that are taken", posts(place, "auth.sign_up", lambda: {
               "email": place.account["email"], "password": PASSWORD, "username": some_name()})),
           ("names asked for", posts(place, "username.check", lambda: {"username": some_name()})))


@attack("codes, recovery and tokens that are none")
def _(siege, seconds):
    place, dice = siege.place, random.Random(2)
    code = lambda: "%032x" % dice.getrandbits(128)
    phases(siege, seconds,
           ("recovery", posts(place, "auth.request_recovery", lambda: {"email": stranger()["email"]})),
           ("recovery of one", posts(place, "auth.request_recovery", lambda: {"email": place.account["email"]})),
           ("codes", posts(place, "auth.recover", lambda: {"code": code(), "new_password": PASSWORD})),
           ("refresh tokens", posts(place, "auth.refresh", lambda: {"refresh_token": code()})),
           ("access tokens", lambda: HttpConnection(
               lambda: (1, post(place, "/v1/rpc/user.me", b"{}", f"a.{code()}.b")))))


@attack("guests without end")
def _(siege, seconds):
    place = siege.place
    phases(siege, seconds,
           ("over HTTP", posts(place, "auth.guest", dict)),
           ("who come and go", lambda: Passing(auth=GUEST), CONNECTIONS))


class Passing(SocketConnection):
    """A connection that ends as soon as all it does first is answered."""
    def ready(self, payload):
        self.siege.sent += 1
        self.end()


# In a room

def talk():
    yield request("chat.send", {"text": "something to read for everybody"}, 1)
    yield request("reaction.send", {"emoji": "👍"}, 2)
    yield request("listening.report", {"window_ms": 10_000, "underruns": 3}, 3)
    yield request("room.members", {}, 4)


@attack("five hundred guests talk in the healthy room")
def _(siege, seconds):
    place = siege.place
    blob, slowly = (again(list(talk()), each) for each in (None, 1))
    join = [("room.join", {"room": place.hall})]
    silent = [("room.join", {"room": place.hall, "audio": False})]
    around = again([request("room.leave", {}, 1), request(*silent[0], 2)], 1)
    phases(siege, seconds,
           ("they listen", lambda: SocketConnection(None, GUEST, join)),
           ("they come and are cut", lambda: Passing(auth=GUEST, before=join)),
           ("they do not read", lambda: Deaf(None, GUEST, join)),
           ("they listen and talk", lambda: SocketConnection(slowly, GUEST, join, paced=True)),
           ("they come and leave", lambda: SocketConnection(around, GUEST, silent, paced=True)),
           ("they talk as fast as it goes", lambda: SocketConnection(blob, GUEST, silent), FEW))


@attack("a room of one's own, with five hundred guests who hear of all that is done")
def _(siege, seconds):
    place, number = siege.place, itertools.count()
    join = [("room.join", {"room": place.room})]

    def maker(blob):
        """One in fifty is the account, who does something; the others hear of it."""
        def make():
            if next(number) % 50 == 0:
                return SocketConnection(blob, signed_in(place), [("room.join", {"room": place.room, "audio": False})])
            return SocketConnection(None, GUEST, join)
        return make
    slowly, track = again(list(talk()), 1), request("host.track", {"track": asking.TUNE}, 2)
    start = request("host.start", asking.ROWS["host.start"](place, 0), 1)
    phases(siege, seconds,
           ("the host starts again and again", maker(again([start]))),
           ("the host names tracks", maker(again([start] + [track] * 60))),
           ("the room changes", maker(again([request("room.update", asking.ROWS["room.update"](place, k), k)
                                             for k in range(8)]))),
           ("all talk", lambda: SocketConnection(slowly, GUEST, join, paced=True)))


# Frames

def flood(place, *frames, auth=GUEST, before=()):
    blob = again([frame(BINARY, data) for data in frames])
    return lambda: SocketConnection(blob, auth, before)


def audio(epoch=0, seq=0, position=0, packet=b"\xfc" + bytes(60)):
    return struct.pack(">BBHIqI", 0x20, 0, epoch, seq, position, 960) + packet


def answers_as_many_as_it_must(parts):
    """time.md: more than fifty probes in a second may go without an answer. Some more at once do no harm."""
    answered = sum(part.answers["TIME_RSP"] for part in parts)
    allowed = sum(60 * part.connections * part.seconds + 100 * part.opened for part in parts)
    return [f"{answered} probes are answered, {allowed:.0f} would do"] if answered > allowed else []


@attack("time probes without end", judge=answers_as_many_as_it_must)
def _(siege, seconds):
    probes = again([frame(BINARY, struct.pack(">BxHq", 1, k, k)) for k in range(512)])
    phases(siege, seconds,
           ("before hello", lambda: Probes(probes), FEW), ("of guests", lambda: SocketConnection(probes, GUEST), FEW),
           ("over all connections", lambda: SocketConnection(probes, GUEST)))


class Probes(SocketConnection):
    """Floods before it has said hello."""
    def shaken(self):
        self.flooding = True
        self.want(self.wanted | OUT)


@attack("frames of those who are not the host, and that nobody knows")
def _(siege, seconds):
    place = siege.place
    join = [("room.join", {"room": place.hall, "audio": False})]
    host = dict(before=join)
    phases(siege, seconds,
           ("AUDIO_UP", flood(place, audio(), **host), FEW),
           ("AUDIO_UP as long as may be", flood(place, audio(packet=b"\xfc" + bytes(1200)), **host), FEW),
           ("POSITION", flood(place, struct.pack(">BBHIqqiI", 0x30, 1, 0, 0, 0, 0, 1_000_000, 0), **host), FEW),
           ("CAPTURE", flood(place, struct.pack(">BxHqqI", 0x31, 0, 0, 0, 0), **host), FEW),
           ("unknown", flood(place, b"\x05" + bytes(16_000)), FEW),
           ("to be ignored", flood(place, b"\x85" + bytes(16_000)), FEW),
           ("to be ignored, short", flood(place, b"\x85"), FEW),
           ("too short", flood(place, b"\x01"), FEW),
           ("empty", flood(place, b""), FEW),
           ("pings", lambda: SocketConnection(again([frame(PING, bytes(100))] * 64), GUEST), FEW),
           ("pieces of nothing", lambda: SocketConnection(pieces(), GUEST), FEW),
           ("no JSON", lambda: SocketConnection(again([frame(TEXT, b"{" * 60_000)]), GUEST), FEW),
           ("JSON of 64 KiB", lambda: SocketConnection(again([request("user.me", {"x": [LONG_TEXT] * 60}, 1)]), GUEST), FEW))


LONG_TEXT = "y" * 1000


def pieces():
    """A message that begins, and goes on without end in frames of nothing."""
    first, next_ = b"\x01\x80" + bytes(4), b"\x00\x80" + bytes(4)
    return itertools.chain([(1, first)], itertools.repeat((64, next_ * 64))).__next__


class OwnHost(SocketConnection):
    """The host of the bad one's room, who sends into it what no host should."""
    def __init__(self, place, make):
        before = [("room.join", {"room": place.room, "audio": False}),
                  ("host.start", asking.ROWS["host.start"](place, 0))]
        super().__init__(None, signed_in(place), before)
        self.make = make

    def ready(self, payload):
        if b'"epoch"' not in payload:
            return self.end()
        epoch = json.loads(payload)["data"]["epoch"]
        self.flood = again([frame(BINARY, data) for data in self.make(epoch)])


def ends_by(code, *whats):
    """In each of these parts a connection at least must have been closed so."""
    def judge(parts):
        return [f"{part.what}: {part.sent} were taken and nobody closed" for part in parts
                if part.what in whats and not part.answers[f"closed {code}"]]
    return judge


@attack("a host of one's own who sends what no host should", judge=ends_by(4429, "wrong epochs", "far too early"))
def _(siege, seconds):
    place = siege.place
    far = 48_000 * 60
    ways = (("wrong epochs", lambda e: [audio(e + 1 & 0xFFFF, k, k * 960) for k in range(64)]),
            ("far too early", lambda e: [audio(e, k, far + k * 960) for k in range(64)]),
            ("the same again", lambda e: [audio(e)] * 64),
            ("malformed", lambda e: [audio(e, k, k * 960, b"\xff\xff") for k in range(64)]),
            ("positions", lambda e: [struct.pack(">BBHIqqiI", 0x30, 1, e, 0, k, k, 1_000_000, 0) for k in range(64)]),
            ("as fast as it goes", lambda e: [audio(e, k, k * 960) for k in range(1 << 14)]))
    phases(siege, seconds, *((what, functools.partial(OwnHost, place, make)) for what, make in ways), count=1, rounds=1)


# Connections

class Silent(Connection):
    """Says nothing."""


class Dripping(Connection):
    """Sends the first part at once, and of the rest a byte now and then."""
    def __init__(self, data, part):
        self.first, self.left = data[:part], iter(data[part:])

    def tick(self):
        piece = next(self.left, None)
        if piece is not None:
            self.siege.sent += 1
            self.write(bytes((piece,)))


@attack("more connections than there may be")
def _(siege, seconds):
    siege.hold("silent", Silent, 2 * CONNECTIONS, seconds)


@attack("halves of requests, bodies and messages")
def _(siege, seconds):
    place = siege.place
    long = post(place, "/v1/rpc/profile.update", b'{"bio":"' + b"b" * 60_000, place.token)
    photo = post(place, "/v1/photo", bytes(5 << 20), place.token, "image/png")
    head = get(place, "/", "".join(f"X-{k}: {'y' * 150}\r\n" for k in range(90)))
    message = upgrade(place) + frame(TEXT, b" " * 65_000)
    part = len(upgrade(place)) + 40_000
    pieces = ((head, 15_000), (long, 60_000), (photo, 1 << 20), (message, part), (head, 1))
    number = itertools.count()
    siege.hold("halves", lambda: Dripping(*pieces[next(number) % len(pieces)]), CONNECTIONS, seconds)


@attack("coming and going")
def _(siege, seconds):
    place = siege.place
    phases(siege, seconds,
           ("connections", lambda: Gone()), ("requests that are not waited for", lambda: Gone(get(place, "/"))),
           ("handshakes", lambda: Gone(upgrade(place))),
           ("sessions", lambda: Passing(auth=signed_in(place))), count=64)


class Gone(Connection):
    """Writes its first words, and is gone."""
    def __init__(self, first=b""):
        self.first = first

    def more(self):
        self.siege.sent += 1
        self.end()
        return b""


class Returning(SocketConnection):
    """Comes with the token of who was cut before, and is cut again."""
    tokens = collections.deque(maxlen=4096)

    def __init__(self, place):
        token = self.tokens.popleft() if self.tokens else None
        resume = {"token": token} if token else None
        super().__init__(None, signed_in(place), [("room.join", {"room": place.room})], resume)

    def answered(self, payload):
        if b'"resume_token"' in payload:
            self.tokens.append(json.loads(payload)["data"]["resume_token"])
            self.siege.sent += 1
            if b'"resumed":true' in payload:
                self.count("resumed")
                return self.end()
        super().answered(payload)

    def ready(self, payload):
        self.end()


@attack("sessions that are lost and come back")
def _(siege, seconds):
    place = siege.place
    none = {"token": "A" * 40}
    phases(siege, seconds,
           ("an account's", lambda: Returning(place)),
           ("with tokens that are none", lambda: Passing(auth=GUEST, resume=none)),
           ("guests' that are left behind", lambda: Passing(auth=GUEST, before=[("room.join", {"room": place.room})])))


# Answers that nobody reads

class Deaf(SocketConnection):
    """Reads until it floods, then nothing."""
    receive_bytes = 4096

    def ready(self, payload):
        self.want(OUT)


@attack("answers that nobody reads")
def _(siege, seconds):
    place = siege.place
    lists = again([request(kind, asking.ROWS[kind](place, k), k) for k, kind in enumerate(
        ("chat.history", "queue.get", "room.search", "room.members", "room.history", "invite.list"))])
    pages = again([get(place, "/")] * 16)
    posts = again([post(place, f"/v1/rpc/{kind}", json.dumps(asking.ROWS[kind](place, 0)).encode(), place.token)
                   for kind in ("chat.history", "queue.get", "room.search", "room.history")])
    deaf = {"reads": False, "receive_bytes": 4096}
    join = [("room.join", {"room": place.room, "audio": False})]
    phases(siege, seconds,
           ("pages", lambda: HttpConnection(pages, **deaf)), ("over HTTP", lambda: HttpConnection(posts, **deaf)),
           ("over WebSocket", lambda: Deaf(lists, signed_in(place), join)),
           ("in a room", lambda: Deaf(again(list(talk())), GUEST, join)))


# Pictures and pages

@attack("photos and pictures")
def _(siege, seconds):
    place = siege.place
    bodies = {"a photo": png(1500, 1000), "6000 pixels square": bomb(6000), "16 384 pixels square": bomb(16384),
              "4.5 GiB unpacked": overfull(4600), "5 MiB": png(filling=(5 << 20) - 4096), "none": bytes(5 << 20)}

    def maker(body):
        blob = post(place, "/v1/photo", body, place.token, "image/png")
        other = post(place, f"/v1/rooms/{place.room}/picture", body, place.token, "image/png")
        turns = itertools.cycle((blob, other))
        return lambda: HttpConnection(lambda: (1, next(turns)))
    phases(siege, seconds, *((what, maker(body)) for what, body in bodies.items()), count=FEW)


@attack("pages with cards, and others")
def _(siege, seconds):
    place = siege.place
    rooms = (place.hall, place.room, place.doomed)
    zipped = "Accept-Encoding: gzip, br\r\n"
    cards = again([get(place, f"/r/{room}?x={k}", head) for k in range(64) for room in rooms for head in ("", zipped)])
    nowhere = again([get(place, f"/r/{k:020}", zipped) for k in range(512)])
    people = again([get(place, f"/u/{place.account['username']}{'' if k % 2 else k}", zipped) for k in range(64)])
    others = again([get(place, path, zipped) for path in
                    ("/", "/main.js", "/readyz", "/healthz", "/.well-known/jwks.json", "/nothing.css")])
    phases(siege, seconds, ("rooms", lambda: HttpConnection(cards)),
           ("rooms that are none", lambda: HttpConnection(nowhere)),
           ("people", lambda: HttpConnection(people)), ("others", lambda: HttpConnection(others)), count=FEW)


# Last, since nobody from this address may sign in for a quarter of an hour then.

@attack("signing in and guessing")
def _(siege, seconds):
    place = siege.place
    right = {"email": place.account["email"], "password": PASSWORD}
    phases(siege, seconds,
           ("right", posts(place, "auth.sign_in", lambda: right)),
           ("wrong", posts(place, "auth.sign_in", lambda: right | {"password": some_name()})),
           ("of somebody else", posts(place, "auth.sign_in", lambda: stranger())),
           ("guessing one's own", posts(place, "auth.reauthenticate", lambda: {"password": some_name()}, place.token)))
