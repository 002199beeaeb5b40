"""What each request of the protocol is flooded with: valid values, long ones where there is a choice."""
import collections, time

from protocol_checks.helpers import PASSWORD, Failure, some_name
from protocol_checks.host import STREAM
from room_checks.schemas import faults, messages

LONG, TUNE = "x" * 500, {"title": "t" * 500, "artist": "a" * 500, "album": "b" * 500}
FLAGS = "🇩🇪" * 500  # as long as a message may be: 500 grapheme clusters of 8 bytes
NOBODY = "no-such-code-or-token-0123456789"
LIVE = ("hello", "room.join", "room.leave", "host.", "playback.pause", "playback.play", "playback.seek",
        "reaction.send", "listening.report", "room.watch", "room.unwatch")  # which HTTP does not serve
ENDING = ("account.remove", "auth.sign_out", "auth.sign_out_everywhere", "auth.change_password")  # for a spare account


class Place:
    """Where the bad one is: the server, the account, and what it has there. Values only: it is sent to processes."""
    def __init__(self, address, source, hall, bystander):
        self.address, self.host, self.source = address, f"{address[0]}:{address[1]}", source
        self.hall, self.bystander = hall, bystander  # the healthy room, and somebody who is no part of it
        # Set by `settle`: accounts, rooms, and things in them.
        self.account = self.spare = self.room = self.doomed = self.invite = None

    def settle(self, ask):
        """Signs up and opens rooms. `ask` gives the data of a reply: it takes kind, data, token."""
        def sign_up():
            name = some_name()
            given = {"email": f"{name}@example.org", "password": PASSWORD, "username": name}
            return given | ask("auth.sign_up", given, None)
        self.account, self.spare = sign_up(), sign_up()
        self.room, self.doomed = (ask("room.create", {"title": title}, self.token)["room"]["id"]
                                  for title in ("Of the bad one", "To be closed"))
        self.invite = ask("invite.create", {"room": self.room}, self.token)["invite"]["id"]
        tracks = [{"track": {"title": f"Tune {k}"}} for k in range(20)]
        ask("queue.add", {"room": self.room, "tracks": tracks}, self.token)
        ask("chat.send", {"room": self.room, "text": "first"}, self.token)
        return self

    def renew(self, ask):
        """Gets new tokens, since they are good for a quarter of an hour; of the spare account if it is still signed in."""
        self.account |= ask("auth.refresh", {"refresh_token": self.account["refresh_token"]}, None)
        try:
            self.spare |= ask("auth.refresh", {"refresh_token": self.spare["refresh_token"]}, None)
        except Failure:
            pass

    @property
    def token(self):
        return self.account["access_token"]


ROWS = {}  # by type: what gives the data, of the place and of a number


def row(*kinds, **data):
    """Requests with data that is always the same."""
    for kind in kinds:
        ROWS[kind] = lambda p, k, data=data: dict(data)


def of_room(*kinds, **more):
    """Requests about the bad one's room."""
    for kind in kinds:
        ROWS[kind] = lambda p, k, more=more: {"room": p.room} | more


def of_somebody(*kinds, **more):
    """Requests about somebody in the bad one's room."""
    for kind in kinds:
        ROWS[kind] = lambda p, k, more=more: {"room": p.room, "user": p.bystander} | more


def of_entry(*kinds, **more):
    """Requests about an entry of the bad one's queue."""
    for kind in kinds:
        ROWS[kind] = lambda p, k, more=more: {"room": p.room, "id": 1 + k % 60} | more


def numbered(kind):
    """Registers what makes the data: a function of the place and of a number."""
    def register(function):
        ROWS[kind] = function
        return function
    return register


# Accounts

row("account.export", "auth.guest", "auth.request_confirmation", "auth.sign_out", "auth.sign_out_everywhere", "user.me",
    "photo.remove", "journal.verify", "users.list")
row("account.remove", "auth.confirm_email", code=NOBODY)
row("auth.recover", code=NOBODY, new_password=PASSWORD)
row("auth.refresh", refresh_token=NOBODY)
row("auth.exchange", provider="firebase", token=NOBODY)
row("auth.reauthenticate", password=PASSWORD)
row("auth.change_password", new_password=PASSWORD)
row("journal.list", limit=200)
numbered("hello")(lambda p, k: {"client": {"name": "worst_checks", "version": "1.0"}, "auth": {"token": p.token}})
numbered("auth.change_email")(lambda p, k: {"email": f"{some_name()}@example.org"})
numbered("auth.request_recovery")(lambda p, k: {"email": p.account["email"] if k % 2 else f"{some_name()}@example.org"})
numbered("auth.sign_in")(lambda p, k: {"email": p.account["email"], "password": PASSWORD})
numbered("auth.sign_up")(
    lambda p, k: {"email": f"{(name := some_name())}@example.org", "password": PASSWORD, "username": name})
numbered("username.check")(lambda p, k: {"username": some_name()})
numbered("username.claim")(lambda p, k: {"username": some_name()})
numbered("username.change")(lambda p, k: {"old_username": p.account["username"], "username": some_name()})
numbered("profile.update")(lambda p, k: {"display_name": f"Name {k}", "bio": "b" * 1990 + str(k), "public": bool(k % 2)})
numbered("settings.update")(lambda p, k: {"theme": ("system", "light", "dark")[k % 3]})

# People

row("people.blocked", "people.followers", "people.following", "people.friends", limit=100)
row("people.presence")
row("user.search", query="py", limit=100)
for kind in ("people.block", "people.follow", "people.unblock", "people.unfollow", "user.get", "users.unban"):
    numbered(kind)(lambda p, k: {"user": p.bystander})
numbered("users.ban")(lambda p, k: {"user": p.bystander, "reason": "r" * 200})
numbered("users.set_role")(lambda p, k: {"user": p.bystander, "role": "admin"})

# Rooms

row("room.leave", "room.unwatch")
row("room.watch", query="", limit=100)
row("room.search", query="o", limit=100)
row("room.list", limit=200)
of_room("room.bans", "room.get", "room.join", "room.members", "room.meter", "room.remove_picture", "room.waiting",
        "invite.list", "playback.get")
of_room("room.history", limit=100)
of_room("room.recap", format="m3u")
of_somebody("room.admit", "room.deny", "room.mute", "room.unmute", "room.unban")
of_somebody("room.ban", "room.kick", reason="r" * 200)
numbered("room.set_standing")(
    lambda p, k: {"room": p.room, "user": p.bystander, "standing": ("member", "moderator")[k % 2]})
numbered("room.create")(lambda p, k: {"title": f"Room {k}", "description": "d" * 1000, "tags": [f"tag {k}"]})
numbered("room.update")(lambda p, k: {"room": p.room, "title": f"Of the bad one {k}", "description": "d" * 990 + str(k)})
numbered("room.close")(lambda p, k: {"room": p.doomed})
of_room("invite.create", role="listen")
numbered("invite.revoke")(lambda p, k: {"room": p.room, "invite": p.invite})
of_room("chat.history", limit=100)
of_room("chat.send", text=FLAGS)
numbered("chat.edit")(lambda p, k: {"room": p.room, "id": 1 + k % 60, "text": f"{k}{FLAGS[:900]}"})
numbered("chat.delete")(lambda p, k: {"room": p.room, "id": 2 + k})
row("reaction.send", emoji="👍")
row("listening.report", window_ms=10_000, underruns=3, buffer_ms=600)

# The seat

row("host.start", stream=STREAM, pacing="server", track={"title": "Tune"})
row("host.pause", "host.stop", "host.request", "host.take_back")
row("host.track", track=TUNE)
row("host.reject", command=1, code="host.refused", message=LONG)
numbered("host.offer")(lambda p, k: {"user": p.bystander})
of_room("playback.play", "playback.pause")
of_room("playback.seek", position_us=1_000_000)

# The queue

of_room("queue.clear", "queue.next", "queue.previous")
of_room("queue.get", limit=100)
of_room("queue.shuffle", seed=7)
numbered("queue.set_repeat")(lambda p, k: {"room": p.room, "repeat": ("off", "one", "all")[k % 3]})
numbered("queue.set_rules")(lambda p, k: {"room": p.room, "rules": {"row_max": 1 + k % 5, "waiting_per_person_max": 100,
                                                                    "entries_max": 500}})
numbered("queue.add")(lambda p, k: {"room": p.room, "tracks": [{"track": TUNE | {"title": f"{k} {n}" + LONG}}
                                                               for n in range(20)]})
numbered("queue.suggest")(lambda p, k: {"room": p.room, "track": TUNE | {"title": f"{k} {time.time()}"}})
of_entry("queue.approve", "queue.reject", "queue.remove", "queue.started", "queue.finished")
of_entry("queue.move", first=True)
numbered("queue.vote")(lambda p, k: {"room": p.room, "id": 1 + k % 60, "vote": ("up", "down")[k % 2]})
numbered("queue.vote_skip")(lambda p, k: {"room": p.room, "id": 1 + k % 60, "skip": bool(k % 2)})


# Replays: of one that is not there, which is looked for all the same

row("replay.get", "replay.passages", "replay.moments", "replay.remove", "replay.recordings", replay="01JDQ6Z3M8R5V2K7X4N9T1B0CF")


# Requests that need no fields

row(*(kind for kind in sorted(messages("requests") - set(ROWS))
      if not faults(f"requests/{kind}", {"type": kind, "id": 1, "data": {}})))


def over_http(kind):
    return not kind.startswith(LIVE)


def wrong_rows():
    """What is wrong with the table: requests without a row, rows of no request, values that are not valid."""
    known = messages("requests")
    found = [f"{kind} has no row" for kind in sorted(known - set(ROWS))]
    found += [f"{kind} is no request" for kind in sorted(set(ROWS) - known)]
    place = Place(("127.0.0.1", 1), "127.0.0.1", "A" * 20, "B" * 28)
    user = collections.defaultdict(lambda: "someone")
    place.account = place.spare = user
    place.room, place.doomed, place.invite = "A" * 20, "C" * 20, "D" * 20
    for kind in sorted(known & set(ROWS)):
        message = {"type": kind, "id": 1, "data": ROWS[kind](place, 3)}
        found += faults(f"requests/{kind}", message)
    return found if len(known) > 100 else found + [f"{len(known)} requests: are the schemas read?"]
