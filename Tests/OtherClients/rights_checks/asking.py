"""What the requests of the table are asked with, and how the scene is put back after one that was allowed."""
from party_checks.queues import OPEN_TO_ALL, tune

from rights_checks.scene import START

ASK, AFTER, BEFORE, OVER_HTTP = {}, {}, {}, set()


def asks(title, http=True):
    """Registers what gives the data of a request: a function of the scene and of the name of who asks."""
    def register(function):
        ASK[title] = function
        if http:
            OVER_HTTP.add(title)
        return function
    return register


def after(*titles):
    """Registers what puts the scene back: a function of the scene, of who has asked, and of the reply's data."""
    def register(function):
        AFTER.update(dict.fromkeys(titles, function))
        return function
    return register


def before(title):
    """Registers what is done once before a row: a function of the scene."""
    def register(function):
        BEFORE[title] = function
        return function
    return register


def plain(*titles, http=True, **data):
    """Requests that take the room and what is given here."""
    for title in titles:
        asks(title, http)(lambda scene, who, data=data: {"room": scene.room} | data)


def roomless(*titles, **data):
    """Requests that take what is given here, and mean the room that the connection is in."""
    for title in titles:
        asks(title, http=False)(lambda scene, who, data=data: dict(data))


# The room

asks("room.create")(lambda scene, who: {"visibility": "private"})
plain("room.get", "room.remove_picture", "room.close", "room.members", "room.history", "room.recap", "room.audience", "room.meter",
      "playback.get", "chat.history")
plain("room.members absent", absent=True)
plain("room.update", title="Another title")
asks("room.transfer")(lambda scene, who: {"room": scene.room, "user": scene.uid("outsider")})
roomless("room.members here", "room.leave", "playback.get here", "queue.get here", "playback.pause here",
         "host.take_back", "host.take_back vacant", "host.pause", "host.stop", "host.request")
roomless("listening.report", window_ms=10_000)
roomless("reaction.send", emoji="👍")
roomless("room.shift", by_ms=0)
plain("room.join to wait", http=False)


@after("room.create")
def _(scene, who, data):
    scene.do("room.close", by=who, room=data["room"]["id"])


@asks("room.join", http=False)
def _(scene, who):
    return {"room": scene.room} | ({"invite": scene.control} if who == "invited" else {})


@after("room.join")
def _(scene, who, data):
    if who in ("outsider", "visitor"):
        scene.cast[who].leave()


# Keeping order

for kind in ("room.kick", "room.ban", "room.mute", "room.unmute"):
    asks(kind)(lambda scene, who: {"room": scene.room, "user": scene.uid("target")})
for standing in ("moderator", "member", "listener", "cohost"):
    asks(f"room.set_standing {standing}")(
        lambda scene, who, standing=standing: {"room": scene.room, "user": scene.uid("target"), "standing": standing})
asks("room.set_standing a guest")(
    lambda scene, who: {"room": scene.room, "user": scene.uid("guest"), "standing": "member"})
plain("room.bans", "room.waiting", "invite.list")
asks("room.unban")(lambda scene, who: {"room": scene.room, "user": scene.uid("banned")})
after("room.kick")(lambda scene, who, data: scene.back())
after("room.unban")(lambda scene, who, data: scene.do("room.ban", room=scene.room, user=scene.uid("banned")))
after(*(f"room.set_standing {standing}" for standing in ("moderator", "listener", "cohost")))(
    lambda scene, who, data: scene.set_standing("target", "member"))


@after("room.ban")
def _(scene, who, data):
    scene.do("room.unban", room=scene.room, user=scene.uid("target"))
    scene.back()


# The door

for kind in ("room.admit", "room.deny"):
    asks(kind)(lambda scene, who: {"room": scene.room, "user": scene.uid("knocker")})
    before(kind)(lambda scene: scene.knock())
after("room.deny")(lambda scene, who, data: scene.knock())


@after("room.admit")
def _(scene, who, data):
    scene.set_standing("knocker", "listener")  # who was let in is a member
    scene.knock()


# Invites

plain("invite.create")
plain("invite.create cohost", role="cohost")


@asks("invite.revoke")
def _(scene, who):
    return {"room": scene.room, "invite": scene.do("invite.create", room=scene.room)["invite"]["id"]}


@asks("invite.revoke cohost")
def _(scene, who):
    return {"room": scene.room, "invite": scene.do("invite.create", room=scene.room, role="cohost")["invite"]["id"]}


# Talk: five messages and edits of one person in 10 s are all that a room takes.

plain("chat.send", "chat.send to members", "chat.send to moderators", "chat.send off", text="something")
roomless("chat.send here", text="something")
after("chat.send")(lambda scene, who, data: scene.said.update({who: data["message"]["id"]}))


@asks("chat.edit")
def _(scene, who):
    return {"room": scene.room, "id": scene.said.get(who, 1), "text": "something else"}


@before("chat.edit another's")
def _(scene):
    scene.say("target")


@asks("chat.edit another's")
def _(scene, who):
    return {"room": scene.room, "id": scene.said["target"], "text": "something else"}


@asks("chat.delete")
def _(scene, who):
    return {"room": scene.room, "id": scene.said.get(who, 1)}


@asks("chat.delete another's")
def _(scene, who):
    return {"room": scene.room, "id": scene.said["target"]}


after("chat.delete another's")(lambda scene, who, data: scene.say("target"))
for rule in ("members", "moderators", "off"):
    title = "chat.send off" if rule == "off" else f"chat.send to {rule}"
    before(title)(lambda scene, rule=rule: scene.do("room.update", room=scene.room, chat=rule))


# The seat

roomless("host.start taken", "host.start vacant", **START)
roomless("host.track", track={"title": "Another tune"})
roomless("host.record", on=False)
roomless("host.reject", command=0, code="host.refused", message="No.")
for title in ("host.offer", "host.offer vacant"):
    asks(title, http=False)(lambda scene, who: {"user": scene.uid("target")})
asks("host.offer a guest", http=False)(lambda scene, who: {"user": scene.uid("guest")})
after("host.stop", "host.take_back")(lambda scene, who, data: scene.seat())
after("host.pause")(lambda scene, who, data: scene.cast[who].data("host.start", START))
after("host.start vacant")(lambda scene, who, data: scene.cast[who].data("host.stop"))
plain("playback.play", "playback.pause", http=False)
plain("playback.seek", http=False, position_us=0)


# The queue

plain("queue.get", "queue.clear")
asks("queue.add")(lambda scene, who: {"room": scene.room, "tracks": [tune()]})
for title in ("queue.suggest", "queue.suggest members", "queue.suggest nobody"):
    asks(title)(lambda scene, who: {"room": scene.room} | tune())
after("queue.suggest")(lambda scene, who, data: scene.wished.update({who: data["entries"][0]["id"]}))
asks("queue.remove")(lambda scene, who: {"room": scene.room, "id": scene.wished[who]})
for kind in ("queue.approve", "queue.reject"):
    before(kind)(lambda scene: scene.wished.update({"pending": scene.pending()}))
    asks(kind)(lambda scene, who: {"room": scene.room, "id": scene.wished["pending"]})
    after(kind)(lambda scene, who, data: scene.wished.update({"pending": scene.pending()}))


@before("queue.remove another's")
def _(scene):
    scene.wished["another's"] = scene.add()


@asks("queue.remove another's")
def _(scene, who):
    # The owner's own would be no proof of anything.
    if who == "owner":
        scene.wished["another's"] = scene.add(by="cohost")
    return {"room": scene.room, "id": scene.wished["another's"]}


after("queue.remove another's")(lambda scene, who, data: scene.wished.update({"another's": scene.add()}))


def waiting(title):
    """A request about an entry that waits."""
    before(title)(lambda scene: scene.wished.update({"waiting": scene.add()}))


for title in ("queue.move", "queue.vote", "queue.started", "queue.vote members", "queue.vote nobody"):
    waiting(title)
asks("queue.move")(lambda scene, who: {"room": scene.room, "id": scene.wished["waiting"], "first": True})
plain("queue.shuffle", seed=7)
plain("queue.set_repeat", repeat="all")
after("queue.set_repeat")(lambda scene, who, data: scene.do("queue.set_repeat", room=scene.room, repeat="off"))
plain("queue.set_rules", rules={"row_max": 3})
plain("autoplay.get", "song_requests.get", "listen.addresses", "source.get", "source.make_key", "source.revoke_key", "speaker.list")
plain("speaker.assign", speaker="kitchen")
for named, place in (("speaker.update", "cellar"), ("speaker.forget", "attic")):
    before(named)(lambda scene, place=place: scene.do("speaker.assign", room=scene.room, speaker=place))
plain("speaker.update", speaker="cellar", volume=40)
plain("speaker.forget", speaker="attic")
after("speaker.forget")(lambda scene, who, data: scene.do("speaker.assign", room=scene.room, speaker="attic"))
after("speaker.assign")(lambda scene, who, data: scene.do("speaker.forget", room=scene.room, speaker="kitchen"))
plain("autoplay.set", "song_requests.set", on=False)
plain("webhook.list")
plain("webhook.add", url="https://example.org/hook")
after("webhook.add")(lambda scene, who, data: scene.do("webhook.remove", id=data["webhook"]["id"]))
SLOT = {"start": "2099-01-01T20:00", "zone": "UTC", "duration_s": 60}
plain("replay.list")
plain("schedule.get")
plain("schedule.add", **SLOT)
after("schedule.add")(lambda scene, who, data: scene.do("schedule.remove", room=scene.room, slot=data["slot"]["id"]))
asks("schedule.update")(lambda scene, who: {"room": scene.room, "slot": scene.wished["slot"]} | SLOT)
asks("schedule.remove")(lambda scene, who: {"room": scene.room, "slot": scene.wished["slot"]})


@before("schedule.update")
@before("schedule.remove")
def _(scene):
    scene.wished["slot"] = scene.do("schedule.add", room=scene.room, **SLOT)["slot"]["id"]


after("schedule.remove")(lambda scene, who, data: BEFORE["schedule.remove"](scene))
plain("queue.next", "queue.previous")


@before("queue.next")
def _(scene):
    for _ in range(8):
        scene.add()


@before("queue.previous")
def _(scene):
    for _ in range(4):
        scene.do("queue.next", room=scene.room)


for title in ("queue.vote", "queue.vote members", "queue.vote nobody"):
    asks(title)(lambda scene, who: {"room": scene.room, "id": scene.wished["waiting"], "vote": "up"})
for title in ("queue.vote_skip", "queue.vote_skip members", "queue.vote_skip nobody", "queue.vote_skip zero"):
    asks(title)(lambda scene, who: {"room": scene.room, "id": scene.wished["playing"]})


@after("queue.vote_skip", "queue.vote_skip members", "queue.vote_skip nobody")
def _(scene, who, data):
    # So that not enough want it to be skipped.
    scene.do("queue.vote_skip", by=who, room=scene.room, id=scene.wished["playing"], skip=False)


def rule(title, **rules):
    """The rules that a row stands for; what is voted on is there."""
    waits = BEFORE.get(title)

    @before(title)
    def _(scene):
        scene.do("queue.set_rules", room=scene.room, rules=OPEN_TO_ALL | rules)
        scene.wished["playing"] = scene.playing()
        if waits:
            waits(scene)


rule("queue.vote_skip")
for who in ("members", "nobody"):
    rule(f"queue.suggest {who}", suggesters=who)
    rule(f"queue.vote {who}", voters=who)
    rule(f"queue.vote_skip {who}", voters=who)
rule("queue.vote_skip zero", skip_percent=0)
asks("queue.started")(lambda scene, who: {"room": scene.room, "id": scene.wished["waiting"]})
asks("queue.finished")(lambda scene, who: {"room": scene.room, "id": scene.playing()})
