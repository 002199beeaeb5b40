"""People walk between rooms while their hosts play: each hears the room it is in, whole, and no other."""
import asyncio

from delivery_checks.peers import PREROLL, Peer, now_us
from delivery_checks.server import STAMP, LiveServer

ROOMS, CLIENTS = 8, 200
AHEAD_US = 60_000  # from where a joiner gets everything
LATE_US = 300_000  # what was sent so long and two times of reply before one asks to leave must have come
SPARED = ("room.resync_limited", "chat.rate_limited", "request.rate_limited")


class Log:
    """What the members of a room were told, by `seq`."""
    def __init__(self):
        self.told, self.first_us = {}, {}

    def hear(self, seq, told, now):
        """Whether this is what the others got under this number."""
        self.first_us.setdefault(seq, now)
        return self.told.setdefault(seq, told) == told


class Stay:
    """What one client gets in one room, from the reply to room.join to the reply that ends it."""
    def __init__(self, walker, room, asked_us, snapshot):
        self.walker, self.room, self.asked_us, self.replied_us = walker, room, asked_us, now_us()
        self.event, self.wanted, self.count, self.sounding = snapshot["seq"], None, 0, False
        self.prerolls = 0

    def hear(self, flags, epoch, seq, play_at, samples, data, start, now):
        number, sent, index = STAMP.unpack_from(data, start)
        fault = self.walker.fault
        if number != self.room.number:
            fault("foreign", f"a packet of room {number} in room {self.room.number}")
            return
        if self.wanted is not None and seq != self.wanted:
            step = seq - self.wanted & 0xFFFFFFFF
            fault("sequence", f"{step} packets lost" if step < 1 << 31 else "a packet doubled or out of order")
        self.wanted, self.count, self.index = seq + 1 & 0xFFFFFFFF, self.count + 1, index
        if flags & PREROLL:
            self.prerolls += 1
            if self.sounding or self.prerolls > 8:
                fault("burst", f"PREROLL {self.prerolls}, {'behind' if self.sounding else 'before'} what sounds")
        elif not self.sounding:
            self.sounding = True
            # A host who was late, as on a machine that has too much to do, has had the server move everything.
            if abs(play_at - self.room.play_at(index)) <= 1000:
                self.begin(play_at - self.walker.offset)
            else:
                self.walker.moved += 1

    def begin(self, play_at):
        """The first packet to be heard is the first from 60 ms after the server took up the request."""
        self.walker.begun += 1
        early, late = play_at - self.asked_us - AHEAD_US, play_at - self.replied_us - AHEAD_US - self.room.packet_us
        if early < -1000 or late > 1000:
            self.walker.fault("burst", f"begins {early / 1000:+.1f} ms from the earliest and {late / 1000:+.1f} ms "
                                       "from the latest time")
        if self.prerolls != 8:
            self.walker.fault("burst", f"{self.prerolls} packets of PREROLL instead of 8")

    def told(self, message, now):
        if message.get("room") != self.room.room:
            if "room" in message:
                self.walker.fault("foreign", f"{message['type']} of another room")
            return
        if "seq" not in message:
            return
        if message["seq"] != self.event + 1:
            self.walker.fault("events", f"seq {message['seq']} after {self.event}")
        self.event = message["seq"]
        if not self.room.log.hear(self.event, f"{message['type']} {message['data']}", now):
            self.walker.fault("events", f"seq {self.event} is not the same for all")

    def over(self, left_us):
        """What was sent well before the client asked to leave has come."""
        due = left_us - LATE_US - 2 * (now_us() - left_us)
        if self.replied_us > due:
            return
        self.walker.ended += 1
        following = self.index + 1 if self.count else 0
        sent = self.room.sent_us
        if not self.count or following < len(sent) and sent[following] < due:
            self.walker.fault("sequence", "packets of the last moments are missing")
        if self.room.log.first_us.get(self.event + 1, left_us) < due:
            self.walker.fault("events", "messages of the last moments are missing")


class Walker:
    """A client that joins, switches, leaves and talks."""
    def __init__(self, number, peer, offset, dice, rooms, faults):
        self.number, self.peer, self.offset, self.dice = number, peer, offset, dice
        self.rooms, self.faults, self.stay, self.said = rooms, faults, None, 0
        self.stays = self.packets = self.messages = self.switches = self.moved = self.begun = self.ended = 0
        self.visited = set()
        peer.on_audio, peer.on_event = self.hear, self.told

    def fault(self, kind, text):
        self.faults.setdefault(kind, []).append(f"client {self.number}: {text}")

    def hear(self, flags, epoch, seq, play_at, samples, data, start, end, now):
        if self.stay is None:
            self.fault("foreign", "a packet outside any room")
        else:
            self.packets += 1
            self.stay.hear(flags, epoch, seq, play_at, samples, data, start, now)

    def told(self, message, now):
        if self.stay is not None:
            self.stay.told(message, now)
        elif "room" in message:
            self.fault("foreign", f"{message['type']} outside any room")

    async def ask(self, kind, data, then=None):
        reply = await self.peer.reply(kind, data, then=then)
        if reply["type"] == "error" and reply["error"]["code"] not in SPARED:
            self.fault("refused", f"{kind}: {reply['error']}")
        return reply["type"] == "ok"

    async def enter(self, room):
        """Joins. Until the reply stands in the stream, the client is where it was."""
        asked, before = now_us(), self.stay
        self.switches += before is not None

        def there(snapshot):
            if before is not None:
                before.over(asked)
            self.stay, self.stays = Stay(self, room, asked, snapshot), self.stays + 1
            self.visited.add(room.number)
        await self.ask("room.join", {"room": room.room}, there)

    async def leave(self):
        asked = now_us()

        def out(_):
            self.stay.over(asked)
            self.stay = None
        await self.ask("room.leave", {}, out)

    async def say(self):
        self.said += 1
        if await self.ask("chat.send", {"text": f"{self.number} says {self.said}"}):
            self.messages += 1

    async def walk(self, until, rest):
        await asyncio.sleep(self.dice.uniform(0, 2 * rest))
        while now_us() < until and self.peer.ended is None:
            what = self.dice.random()
            if self.stay is None or len(self.visited) < 2 or what < 0.5:  # nobody stays in its first room by chance
                others = [room for room in self.rooms if self.stay is None or room is not self.stay.room]
                await self.enter(self.dice.choice(others))
            elif what < 0.65:
                await self.leave()
            else:
                await self.say()
            await asyncio.sleep(self.dice.uniform(0.1, 2.5) * rest)
        await asyncio.sleep(0.5)
        if self.stay is not None and self.peer.ended is None:
            await self.leave()
        if self.peer.ended is not None:
            self.fault("refused", f"{self.peer.fate()} while walking")


async def check(world, report):
    given = any(option.startswith("--loops") for option in LiveServer.options)
    many = ("--loops", "4") if not given and LiveServer.knows("--loops") else ()
    server = LiveServer(world.crowd, *many)
    dice, faults = world.dice("switching"), {}
    packet_ms, rest = (60, 3) if world.gentle else (20, 1)
    try:
        rooms = []
        for k in range(ROOMS):
            rooms.append(await server.play(packet_ms, 100, delivery=("interactive", "party")[k % 2]))
            rooms[-1].log, rooms[-1].packet_us = Log(), packet_ms * 1000
        walkers = []
        for number in range(CLIENTS):
            peer = await Peer.open(server, name=f"client {number}")
            walkers.append(Walker(number, peer, rooms[0].offset, dice, rooms, faults))
        # Where an epoch is younger than eight packets, there is less to prepare a decoder with.
        sounding = max(room.started["start_us"] - room.offset for room in rooms)
        await asyncio.sleep(max(0, sounding - now_us()) / 1e6 + 0.015 * packet_ms)
        until = now_us() + (60 if world.slow else 28 if world.gentle else 14) * 1_000_000
        world.crowd.measure()
        await asyncio.gather(*(walker.walk(until, rest) for walker in walkers))
        late, share = world.crowd.own_lag()
        await asyncio.sleep(0.3)  # something might still come to those who have left
    finally:
        await server.end()
    many_of = {name: sum(getattr(walker, name) for walker in walkers)
               for name in ("stays", "switches", "packets", "messages", "begun", "ended")}
    how = "".join(f" {word}" for word in many)
    report.note(f"switching{how}: " + ", ".join(f"{count} {name}" for name, count in many_of.items()))

    if late > 20_000:
        report.warn(f"this program itself was {late / 1000:.1f} ms late (p99) at {share:.0%} of a core")
    moved = sum(walker.moved for walker in walkers)
    if moved:
        report.warn(f"hosts of this program were so late that {moved} stays began in a moved epoch")

    def judge(kind, text):
        found = faults.get(kind, [])
        report(f"switching: {text}", not found, f"{len(found)} times; {found[0]}" if found else "")
    report("switching: everybody was in several rooms, heard them and talked",
           many_of["stays"] >= 2 * CLIENTS and many_of["packets"] >= 20 * CLIENTS and many_of["messages"] >= CLIENTS // 2,
           str(many_of))
    # What is judged of a stay needs one that lasted: without these floors no stay could be bad.
    visits = sum(len(walker.visited) for walker in walkers)
    report("switching: most stays are long enough to judge how they begin and end",
           min(many_of["begun"], many_of["ended"]) >= many_of["stays"] / 2 and moved <= many_of["stays"] / 4,
           f"{many_of['begun']} begun, {many_of['ended']} ended, {moved} in a moved epoch, of {many_of['stays']}")
    report("switching: everybody was in two rooms at least, and every room had people",
           min(len(walker.visited) for walker in walkers) >= 2 and all(room.log.told for room in rooms), f"{visits} visits")
    judge("refused", "every request is granted")
    judge("foreign", "nothing comes of a room one is not in")
    judge("sequence", "each stay's packets are whole, in order, each once, from first to last")
    judge("burst", "each stay begins with 8 packets of PREROLL and 60 ms ahead")
    judge("events", "a room's events come without a gap, to all the same")
    heard = sum(told.startswith("chat.message") for room in rooms for told in room.log.told.values())
    report("switching: every message was told", heard == many_of["messages"],
           f"{heard} told, {many_of['messages']} sent")
