"""Nobody acts against their equal or better: every act against every standing, by everybody who may act at all."""
from protocol_checks.helpers import Failure, check, true

from rights_checks import table
from rights_checks.scene import Scene

# Against whom. Of cohosts and moderators there are two.
AGAINST = ("oneself", "owner", "cohost two", "moderator two", "member", "listener", "guest")

# Whose act, and against whom. A guest cannot have the seat. One's own message everybody may delete.
RANKS = """
                                oneself          owner            cohost           moderator        member   listener guest

room.kick by owner              forbidden        forbidden        ok               ok               ok       ok       ok
room.kick by cohost             forbidden        forbidden        forbidden        ok               ok       ok       ok
room.kick by moderator          forbidden        forbidden        forbidden        forbidden        ok       ok       ok
room.ban by owner               forbidden        forbidden        ok               ok               ok       ok       ok
room.ban by cohost              forbidden        forbidden        forbidden        ok               ok       ok       ok
room.ban by moderator           forbidden        forbidden        forbidden        forbidden        ok       ok       ok
room.mute by owner              forbidden        forbidden        ok               ok               ok       ok       ok
room.mute by cohost             forbidden        forbidden        forbidden        ok               ok       ok       ok
room.mute by moderator          forbidden        forbidden        forbidden        forbidden        ok       ok       ok
room.set_standing by owner      forbidden        forbidden        ok               ok               ok       ok       ok
room.set_standing by cohost     forbidden|manage forbidden        forbidden|manage ok               ok       ok       ok
room.set_standing by moderator  forbidden|host   forbidden|host   forbidden|host|manage forbidden|host host  host     host
host.take_back by owner         forbidden        forbidden        ok               ok               ok       ok       -
host.take_back by cohost        forbidden        forbidden        forbidden        ok               ok       ok       -
host.take_back by moderator     forbidden|host   forbidden|host   forbidden|host   forbidden|host   host     host     -
chat.delete by owner            ok               ok               ok               ok               ok       ok       ok
chat.delete by cohost           ok               forbidden        forbidden        ok               ok       ok       ok
chat.delete by moderator        ok               forbidden        forbidden        forbidden        ok       ok       ok
"""
DATA = {"room.ban": {"seconds": 60}, "room.mute": {"seconds": 60}, "room.set_standing": {"standing": "listener"}}


def lines():
    """(act, by, {against: cell})."""
    _, *rows = [line.split() for line in RANKS.splitlines() if line.strip()]
    return [(kind, by, dict(zip(AGAINST, cells))) for kind, _, by, *cells in rows]


def restore(scene, kind, name):
    """Somebody is again what they were. Against the owner nothing is ever done that would have to be put right."""
    if name == "owner":
        return
    standing = name.split()[0]
    if kind == "room.ban":
        scene.do("room.unban", room=scene.room, user=scene.uid(name))
    if kind in ("room.ban", "room.kick"):
        scene.back(name, standing)
    if kind == "room.mute":
        scene.do("room.unmute", room=scene.room, user=scene.uid(name))
    if kind == "room.set_standing" and name != "guest":
        scene.set_standing(name, standing)


def act(scene, kind, by, name, cell):
    """What is wrong with the answer to one act against somebody."""
    data = {"room": scene.room, "user": scene.uid(name)} | DATA.get(kind, {})
    if kind == "chat.delete":
        data = {"room": scene.room, "id": scene.say(name)}
    if kind == "host.take_back":
        data = {}
        scene.seat(name)
    reply = scene.cast[by].ask(kind, data)
    if reply["type"] == "ok":
        restore(scene, kind, name)
    elif kind == "host.take_back":
        scene.cast[name].data("host.stop")
    return [] if any(table.fits(reply, word) for word in cell.split("|")) else [
        f"{kind} by {by} against {name}: {table.named(reply)} instead of {cell}"]


@check("nobody acts against their equal or better: every act of every standing against every other")
def _():
    scene, wrong, asked = Scene(), [], 0
    for name in ("cohost two", "moderator two"):
        scene.set_standing(name, name.split()[0])
        scene.cast[name].join(scene.room)
    try:
        for kind, by, cells in lines():
            for against, cell in cells.items():
                if cell != "-":
                    asked += 1
                    wrong += act(scene, kind, by, by if against == "oneself" else against, cell)
        scene.close()
    except Failure as failure:
        # What was allowed by mistake may make the next step impossible.
        true(wrong, failure)
    true(wrong or asked > 110, f"{asked} acts: is the table read?")
    true(not wrong, f"{len(wrong)} of {asked}: " + "; ".join(wrong[:12]))
