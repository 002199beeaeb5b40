"""Who is told of what happens in a room, and that nobody else is."""
import functools, time

from protocol_checks.helpers import check, equal, true
from party_checks.queues import tune
from room_checks.schemas import messages

from rights_checks.scene import START, Scene
from rights_checks.table import COLUMNS, OUTSIDE

GROUPS = {
    "nobody": (), "moderators": ("owner", "cohost", "moderator"),
    "inside": (*(name for name in COLUMNS if name not in OUTSIDE), "target"),
}

# What happens, the event, and to whom it goes. `a/b`: in a public room, in a private one. `a-b`: a without b.
# `host` has the seat. `knocker` waits before the door. `target` came by an invite.
TELLING = """
a message is written             chat.message          inside
a message is edited              chat.changed          inside
a message is deleted             chat.changed          inside
a message is deleted             room.moderated        nobody
another's message is deleted     chat.changed          inside
another's message is deleted     room.moderated        moderators
a reaction is sent               reactions             inside
somebody is muted                room.moderated        moderators+target
somebody is unmuted              room.moderated        moderators+target
somebody is kicked               room.removed          target
somebody is kicked               room.moderated        moderators
somebody is banned               room.removed          target
somebody is banned               room.moderated        moderators
a ban is lifted                  room.moderated        moderators
somebody knocks                  room.knocked          moderators
somebody who knocks is denied    room.denied           knocker
somebody who knocks is denied    room.admitted         nobody
somebody who knocks is denied    room.moderated        moderators
somebody who knocks is admitted  room.admitted         knocker
somebody who knocks is admitted  room.denied           nobody
somebody who knocks is admitted  room.moderated        moderators
somebody who knocks is admitted  room.standing_changed inside
a standing is given              room.standing_changed inside
somebody leaves                  room.members_changed  inside-target
somebody leaves                  room.listeners        inside-target
an invite is revoked             room.standing_changed inside/nobody
an invite is revoked             room.removed          nobody/target
the seat is asked for            host.requested        owner+host
the seat is offered              host.offered          target
the seat is handed over          host.lost_seat        host
the seat is handed over          host.changed          inside
the seat is handed over          stream.started        inside
the seat is taken back           host.lost_seat        target
the seat is taken back           host.changed          inside
the seat is taken back           stream.ended          inside
the host names a track           track.changed         inside
the host is commanded            host.command          host
the queue changes                queue.changed         inside
the schedule changes             schedule.changed      inside
the room changes                 room.updated          inside
the room is closed               room.closed           inside
"""
NOT_OF_ROOMS = {"rooms.changed": "for those who look for rooms", "server.draining": "for every connection",
                "server.changed": "for every connection",
                "like.changed": "for the account that likes something, wherever it is",
                "player.changed": "for the account that plays alone, wherever it is",
                "player.devices": "for the devices of the account, wherever they are",
                "playlist.changed": "for owner, collaborators and those who pinned the playlist, wherever they are",
                "submission.changed": "for the owner of a submission and those who may decide, wherever they are",
                "notification.added": "for the account that is told, wherever it is",
                "notifications.changed": "for the account that read them, wherever it is",
                "job.changed": "for the account that asked for the job, wherever it is",
                "room.transfer_changed": "for the two accounts that an offer names, wherever they are"}


def by_moderator(scene, kind, name):
    scene.do(kind, by="moderator", room=scene.room, user=scene.uid(name))


# Each gives what tells the events of it apart from others; nothing where any such event is one of it.

def a_message_is_written(scene):
    number = scene.say("listener")
    return {"chat.message": lambda data: data["message"]["id"] == number}


def a_message_is_edited(scene):
    scene.do("chat.edit", by="listener", room=scene.room, id=scene.said["listener"], text="better")


def a_message_is_deleted(scene):
    scene.do("chat.delete", by="listener", room=scene.room, id=scene.said["listener"])


def anothers_message_is_deleted(scene):
    number = scene.say("guest")
    scene.do("chat.delete", by="moderator", room=scene.room, id=number)
    return {"chat.changed": lambda data: data["message"]["id"] == number and data["message"]["deleted"],
            "room.moderated": about(scene, "delete", "guest")}


def about(scene, action, name, by="moderator"):
    """An event about this act: with who did it to those who moderate, without to the person themself."""
    return lambda data: (data["action"] == action and data["user"]["uid"] == scene.uid(name)
                         and (data["by"] is None or data["by"]["uid"] == scene.uid(by)))


def a_reaction_is_sent(scene):
    scene.cast["listener"].data("reaction.send", {"emoji": "👍"})


def somebody_is_muted(scene):
    by_moderator(scene, "room.mute", "target")
    for name in (*GROUPS["moderators"], "target"):
        found = scene.cast[name].wait("room.moderated")
        equal(found["by"] and found["by"]["uid"], None if name == "target" else scene.uid("moderator"), f"by, to {name}")
    return {"room.moderated": about(scene, "mute", "target")}


def somebody_is_unmuted(scene):
    by_moderator(scene, "room.unmute", "target")
    return {"room.moderated": about(scene, "unmute", "target")}


def somebody_is_kicked(scene):
    by_moderator(scene, "room.kick", "target")
    return {"room.removed": lambda data: data["reason"] == "kicked", "room.moderated": about(scene, "kick", "target")}


def somebody_is_banned(scene):
    scene.back()
    scene.mark()
    by_moderator(scene, "room.ban", "target")
    return {"room.removed": lambda data: data["reason"] == "banned", "room.moderated": about(scene, "ban", "target")}


def a_ban_is_lifted(scene):
    by_moderator(scene, "room.unban", "target")
    return {"room.moderated": about(scene, "unban", "target")}


def somebody_knocks(scene):
    scene.back()
    scene.mark()
    scene.knock()
    return {"room.knocked": lambda data: data["user"]["uid"] == scene.uid("knocker")}


def somebody_who_knocks_is_denied(scene):
    by_moderator(scene, "room.deny", "knocker")
    return {"room.moderated": about(scene, "deny", "knocker")}


def somebody_who_knocks_is_admitted(scene):
    scene.knock()
    by_moderator(scene, "room.admit", "knocker")
    return {"room.moderated": about(scene, "admit", "knocker")}


def a_standing_is_given(scene):
    scene.set_standing("target", "moderator")
    scene.set_standing("target", "member")
    return {"room.standing_changed": lambda data: data["standing"] == "moderator"}


def somebody_leaves(scene):
    time.sleep(1.1)  # what happens within a second is told together
    scene.mark()
    scene.cast["target"].leave()
    there = len(GROUPS["inside"]) - 2  # without the host and who left
    return {"room.members_changed": lambda data: scene.uid("target") in data["left"],
            "room.listeners": lambda data: data["count"] == there}


def an_invite_is_revoked(scene):
    scene.do("room.update", room=scene.room, waiting_room=False)
    scene.set_standing("target", "listener")  # what was given is theirs for good
    scene.back()
    scene.mark()
    oldest = scene.do("invite.list", room=scene.room)["invites"][-1]["id"]
    scene.do("invite.revoke", room=scene.room, invite=oldest)
    return {"room.removed": lambda data: data["reason"] == "invite_revoked"}


def asker(scene):
    """Somebody who has not asked for a seat: of the same person others are told once in 10 s, whatever the room."""
    return scene.cast["cohost two" if scene.visibility == "public" else "moderator two"]


def the_seat_is_asked_for(scene):
    scene.code = scene.do("invite.create", room=scene.room)["code"]
    asker(scene).join(scene.room, invite=scene.code)
    scene.mark()
    asker(scene).data("host.request")
    return {"host.requested": lambda data: data["user"]["uid"] == asker(scene).uid}


def the_seat_is_offered(scene):
    asker(scene).leave()
    scene.back()  # from a private room they were put out
    scene.mark()
    scene.cast["owner"].data("host.offer", {"user": scene.uid("target")})
    return {"host.offered": lambda data: data["by"]["uid"] == scene.uid("owner")}


def the_seat_is_handed_over(scene):
    scene.cast["target"].data("host.start", START)
    return {"host.lost_seat": lambda data: data["reason"] == "handed_over",
            "host.changed": lambda data: data["host"] and data["host"]["uid"] == scene.uid("target")}


def the_seat_is_taken_back(scene):
    scene.cast["owner"].data("host.take_back")
    return {"host.lost_seat": lambda data: data["reason"] == "taken_back",
            "host.changed": lambda data: data["state"] == "none"}


def the_host_names_a_track(scene):
    scene.seat()
    scene.mark()
    scene.cast["host"].data("host.track", {"track": {"title": "Another tune"}})


def the_host_is_commanded(scene):
    number = scene.cast["cohost"].send("playback.pause", {"room": scene.room})
    command = scene.cast["host"].wait("host.command")
    scene.cast["host"].data("host.pause", {"command": command["command"]})
    true(scene.cast["cohost"].reply(number)["type"] == "ok", "the command was not carried out")


def the_queue_changes(scene):
    scene.do("queue.add", room=scene.room, tracks=[tune()])


def the_schedule_changes(scene):
    scene.do("schedule.add", room=scene.room, start="2099-01-01T20:00", zone="UTC", duration_s=60)


def the_room_changes(scene):
    scene.do("room.update", room=scene.room, title="Another title")


def the_room_is_closed(scene):
    scene.do("room.close", room=scene.room)
    return {"room.closed": lambda data: data["reason"] == "closed_by_owner"}


def lines():
    """(what happens, {event: to whom}) in the order of the table."""
    found = {}
    for line in TELLING.splitlines():
        if line.strip():
            *words, event, whom = line.split()
            found.setdefault(" ".join(words), {})[event] = whom
    return found


def people(words, visibility):
    """The names that the third column means."""
    public, _, private = words.partition("/")
    words = private or public if visibility == "private" else public
    with_these, _, without = words.partition("-")
    names = {name for word in with_these.split("+") for name in GROUPS.get(word, (word,))}
    return names - {without}


@check("the table of events covers every event that the protocol has, and names none that it has not")
def _():
    known = messages("events")
    told = {event for events in lines().values() for event in events}
    true(len(known) > 20, f"{len(known)} events: are the schemas read?")
    equal(sorted(known - told - set(NOT_OF_ROOMS)), [], "events that are in no line")
    equal(sorted(told - known), [], "lines of no event")


def tell(visibility):
    scene = Scene(visibility, seated=True, waiting_room=True)
    for what, events in lines().items():
        scene.mark()
        fits = globals()[what.replace(" ", "_").replace("'", "")](scene) or {}
        for event, words in events.items():
            names = people(words, visibility)
            # A second time, for what comes to others a moment later.
            for _ in range(2):
                try:
                    scene.cast.stage.exactly(event, names, fits.get(event, lambda data: True), seconds=3)
                except Exception as failure:
                    raise type(failure)(f"{what}: {failure}") from None
    scene.close()


for visibility in ("public", "private"):
    check(f"who is told of what happens in a {visibility} room, and nobody else is")(functools.partial(tell, visibility))
