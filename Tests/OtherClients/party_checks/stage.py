"""Who has to be told what, and whether exactly that came."""
import collections, concurrent.futures, random, time

from protocol_checks import helpers
from protocol_checks.helpers import account, true

from room_checks.party import Member, Party

SEED, SLOW = 0, False  # of everything that happens at random; whether there is time. Set by the program
Told = collections.namedtuple("Told", "kind names fits room must")


def chance(what):
    """Luck of its own for each check, the same again for the same seed."""
    return random.Random(f"{SEED} {what}")


def told(kind, names, fits=lambda data: True, room=None):
    """These people, and nobody else, get one such event: of this room, or a personal one."""
    return Told(kind, frozenset(names), fits, room, True)


def maybe(kind, names, room=None):
    """These people may get such events besides: what a check of its own finds fault with."""
    return Told(kind, frozenset(names), None, room, False)


ACCOUNTS = {}  # by name: when it was made, and its grant. Passwords take the server long
MADE = []  # rooms, and the token of who made them


def grant_of(name):
    """An account of this name's, which checks use one after the other."""
    made, grant = ACCOUNTS.get(name, (0, None))
    if time.monotonic() - made > 300:
        ACCOUNTS[name] = time.monotonic(), (grant := account())
    return grant


class Guest(Member):
    """Whoever asks too often waits, and asks again; `send` and `reply` do not."""
    def ask(self, kind, data=None, seconds=8):
        reply = patiently(lambda: super(Guest, self).ask(kind, data, seconds))
        if kind == "room.create" and reply["type"] == "ok":
            MADE.append((self.token, reply["data"]["room"]["id"]))
        return reply

    def rpc(self, kind, data=None):
        return patiently(lambda: super(Guest, self).rpc(kind, data))

    def again(self):
        return Guest(self.name, self.grant or {"access_token": self.token}, self.strict)


def patiently(ask):
    while (reply := ask()).get("error", {}).get("code") in ("request.rate_limited", "room.resync_limited"):
        time.sleep(reply["error"]["retry_after_ms"] / 1000)
    return reply


class Stage(Party):
    """A party whose every numbered event is expected, by name, before it is looked for."""
    def __init__(self, *names):
        self.seen = {}  # how much of whose log has been looked at
        super().__init__(*names)

    def come(self, name):
        self.people[name] = Guest(name, None if name.startswith("guest") else grant_of(name))
        return self.people[name]

    def __exit__(self, *why):
        super().__exit__(*why)
        while MADE:  # a user has eight at most
            token, room = MADE.pop()
            helpers.rpc("room.close", {"room": room}, token)

    def back(self, name):
        """The same person over a new connection."""
        self.people[name] = self.people[name].again()
        return self.people[name]

    def new(self, member):
        """The numbered events that were not looked at yet."""
        return [m for m in member.log[self.seen.get(member, 0):] if "seq" in m]

    def missing_and_surplus(self, expected):
        wanted, found = collections.Counter(), collections.Counter()
        for one in (e for e in expected if e.must):
            for name in one.names:
                wanted[name, one.kind, one.room] += 1
        for name, member in self.people.items():
            for message in self.new(member):
                found[name, message["type"], message.get("room")] += 1
        surplus = found - wanted
        for one in (e for e in expected if not e.must):
            for name in one.names:
                del surplus[name, one.kind, one.room]
        return wanted - found, surplus

    def exactly_these(self, expected, what, seconds=4):
        """Everybody has been told what is expected, and nothing besides."""
        end = time.monotonic() + seconds
        while True:
            for member in self.people.values():
                member.drain()
            missing, surplus = self.missing_and_surplus(expected)
            if not missing or time.monotonic() > end:
                break
            time.sleep(0.01)
        show = lambda counted: ", ".join(f"{name} {kind}" for name, kind, _ in counted) or "none"
        true(not missing and not surplus, f"after {what}: missing {show(missing)}; surplus {show(surplus)}")
        for name, member in self.people.items():
            left = self.new(member)
            for one in (e for e in expected if e.must and name in e.names):
                fit = next((m for m in left if (m["type"], m.get("room")) == (one.kind, one.room)
                            and one.fits(m["data"])), None)
                true(fit, f"after {what}: no {one.kind} that {name} got is the one it should be: {str(left)[:300]}")
                left.remove(fit)
        for member in self.people.values():
            self.seen[member] = len(member.log)
        self.settled()

    def quiet(self, seconds=0.6):
        """Nothing comes late either."""
        time.sleep(seconds)
        self.exactly_these([], "all that happened")


def at_once(functions):
    """Runs them all at once; what they returned."""
    with concurrent.futures.ThreadPoolExecutor(len(functions) or 1) as pool:
        return [running.result() for running in [pool.submit(function) for function in functions]]
