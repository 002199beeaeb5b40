"""The table of rights, asked cell by cell, and held against the requests that the protocol has."""
import functools

from protocol_checks.helpers import Failure, check, equal, true

from room_checks.schemas import messages

from rights_checks import asking, table
from rights_checks.scene import Scene

SCENES = {
    "the door": {"waiting_room": True}, "the seat": {"seated": True},
    "the queue": {"seated": True, "rules": {"skip_percent": 100}}, "the queue's rules": {"rules": {"skip_percent": 100}},
}
FOR_NOBODY = ("chat.send here", "chat.send off", "chat.edit another's", "queue.vote_skip zero", "room.join to wait",
              "room.set_standing a guest", "host.offer a guest")
# What nobody's place in a room has anything to do with, and why.
NOT_OF_ROOMS = {
    "auth.": "signing in", "app_password.": "one's own account", "account.": "one's own account", "username.": "one's own account",
    "profile.": "one's own account", "settings.": "one's own account", "photo.": "one's own account",
    "people.": "between two people", "user.": "between two people", "users.": "for admins: permissions.md",
    "journal.": "for admins: permissions.md", "addresses.": "for admins: permissions.md",
    "content.": "for admins: permissions.md", "reports.": "for admins: permissions.md", "registration.": "for admins: permissions.md",
    "words.": "for admins: permissions.md", "jobs.": "of the account that asked for the job",
    "search": "music, by its own table of access", "library.": "music, by its own table of access",
    "track.": "music, by its own table of access", "album.": "music, by its own table of access",
    "artist.": "music, by its own table of access", "genre.": "music, by its own table of access",
    "playlist.": "music, by who sees a playlist: playlists.md",
    "play.": "of the account that heard something", "plays.": "of friends who show it", "stats.": "one's own plays",
    "player.": "what the account plays alone", "scrobble.": "of the account that sends what it hears",
    "radio.": "music, by its own table of access",
    "like.": "of the account that likes something", "rating.": "of the account that rates something",
    "submissions.": "for curators, and one's own uploads: submissions.md", "notifications.": "one's own account",
    "share.": "between two people", "feedback.": "of anybody, to whoever runs the server",
    "plan.": "one's own account", "plans.": "for admins: permissions.md",
    "storage.": "one's own uploads", "setup.": "before there is an administrator",
    "report.": "of anybody who can see what is reported", "hello": "before anybody is anywhere", "server.": "the server",
    "room.list": "many rooms, of which everybody gets those they may see",
    "room.search": "many rooms, of which everybody gets those they may see",
    "room.watch": "many rooms, of which everybody gets those they may see",
    "schedule.answer": "of the account that a slot names", "schedule.duties": "of the account that slots name",
    "schedule.upcoming": "many rooms, of which everybody gets those they may see",
    "replay.get": "names a replay, for whoever sees its room: autoplay_checks/kept.py",
    "replay.passages": "names a replay, for whoever sees its room: autoplay_checks/kept.py",
    "replay.moments": "names a replay, for whoever sees its room: autoplay_checks/kept.py",
    "replay.recordings": "names a replay, for whoever sees its room: autoplay_checks/recorded.py",
    "replay.remove_recording": "names a recording, for its host and the owner: autoplay_checks/recorded.py",
    "webhook.update": "names a webhook, for whoever controls its room: scrobble_checks/webhooks.py",
    "webhook.test": "names a webhook, for whoever controls its room: scrobble_checks/webhooks.py",
    "webhook.remove": "names a webhook, for whoever controls its room: scrobble_checks/webhooks.py",
    "replay.remove": "names a replay, for whoever sees its room: autoplay_checks/kept.py",
    "room.unwatch": "ends room.watch", "rooms.": "for admins: permissions.md",
    "room.transfers": "of two accounts, wherever they are", "room.accept_transfer": "of the account that an offer names",
    "room.refuse_transfer": "of the two accounts that an offer names",
}


@check("the table covers every request that the protocol has, and names none that it has not")
def _():
    known = messages("requests")
    true(len(known) > 100, f"{len(known)} requests: are the schemas read?")
    rows = [row for text in table.AREAS.values() for row in table.rows(text)]
    asked = {row.kind for row in rows}
    excused = {kind for kind in known if kind in NOT_OF_ROOMS or f"{kind.split('.')[0]}." in NOT_OF_ROOMS}
    equal(sorted(known - asked - excused), [], "requests that are in no row")
    equal(sorted(asked & excused), [], "requests that are excused and have a row")
    equal(sorted(asked - known), [], "rows of no request")
    equal(sorted({row.title for row in rows} ^ set(asking.ASK)), [], "rows and what they are asked with")
    equal(len(rows), len({row.title for row in rows}), "rows of different titles")
    for row in rows:
        words = {word for cell in row.cells.values() for word in table.allowed(cell, "public")}
        true(words & {"ok", "absent"} or row.title in FOR_NOBODY, f"{row.title} is allowed to nobody")


def walk(area, visibility):
    """Asks every cell of an area."""
    scene = Scene(visibility, **SCENES.get(area, {}))
    wrong, asked = [], 0
    try:
        for row in table.rows(table.AREAS[area]):
            asking.BEFORE.get(row.title, lambda scene: None)(scene)
            for name in reversed(table.COLUMNS):  # the owner last, who may close the room
                if row.cells[name] != "-":
                    asked += 1
                    wrong += cell(scene, row, name)
        scene.close()
    except Failure as failure:
        # What was allowed by mistake may make the next step impossible.
        true(wrong, failure)
    true(not wrong, f"{len(wrong)} answers of {asked} cells: " + "; ".join(wrong[:12]))


def cell(scene, row, name):
    """What is wrong with the answers to one person. What is refused changes nothing, so it is asked over HTTP as well."""
    words = table.allowed(row.cells[name], scene.visibility)
    who, data = scene.cast[name], asking.ASK[row.title](scene, name)
    replies = [who.ask(row.kind, data)]
    if "ok" not in words and row.title in asking.OVER_HTTP:
        replies.append(who.rpc(row.kind, data))
    if replies[0]["type"] == "ok":
        asking.AFTER.get(row.title, lambda *_: None)(scene, name, replies[0]["data"])
    return [f"{row.title} of {name}: {table.named(reply)} instead of {'|'.join(words)}"
            for reply in replies if not any(table.fits(reply, word) for word in words)]


for area in table.AREAS:
    for visibility in ("public", "private"):
        check(f"the table of rights: {area}, in a {visibility} room")(functools.partial(walk, area, visibility))
