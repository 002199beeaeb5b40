"""The table of rights in a room, written by hand from Protocol/spec/: who may ask for what, and what others are told.

A row is a request; what stands behind its type tells apart requests of the same type. A cell is the answer:
`ok`, or a word of WORDS. `a/b`: `a` in a public room, `b` in a private one. `a|b`: the prose names both, and not which
of the two comes first. `-`: this person is not asked for.
"""
import collections

# Who asks. `host` is a listener who was offered the seat and has it wherever the scene seats a host. `invited` is a guest
# who came by an invite of the role `control`. `outsider` (an account), `visitor` (a guest) and `banned` are not inside.
COLUMNS = ("owner", "cohost", "moderator", "member", "listener", "host", "invited", "guest", "outsider", "visitor",
           "banned")
OUTSIDE = ("outsider", "visitor", "banned")
ANY = object()  # a permission of any name, or none

# word: (code, permission)
WORDS = {
    "account": ("auth.account_required", ANY), "forbidden": ("room.forbidden", None),
    "missing": ("room.not_found", None), "banned": ("room.banned", None),
    "outside": ("room.not_joined", None), "pending": ("room.approval_pending", None),
    "seat": ("host.not_host", None), "taken": ("host.seat_taken", None), "absent": ("host.absent", None),
    "off": ("chat.off", None), "closed": ("queue.closed", None), "guests": ("queue.account_required", None),
} | {word: ("room.forbidden", word) for word in ("suggest", "vote", "chat", "control", "moderate", "host", "manage")}

Row = collections.namedtuple("Row", "title kind cells")

ROOM = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

room.create                 ok     ok        ok        ok       ok       ok       account  account  ok               account          ok
room.get                    ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
room.update                 ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
room.transfer               ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
room.remove_picture         ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
room.join                   ok     ok        ok        ok       ok/missing ok/missing ok   ok/missing ok/missing     ok/missing       banned
room.members                ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
room.members absent         ok     ok        ok        moderate moderate moderate moderate moderate moderate/missing moderate/missing banned
room.members here           ok     ok        ok        ok       ok       ok       ok       ok       outside          outside          outside
room.history                ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
room.recap                  ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
replay.list                 ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
room.audience               ok     ok        host      host     host     host     account  account  host/missing     account          banned
room.meter                  ok     ok        ok        ok       ok       ok       ok       ok       moderate/missing moderate/missing banned
listening.report            ok     ok        ok        ok       ok       ok       ok       ok       outside          outside          outside
room.shift                  ok     ok        ok        ok       ok       ok       ok       ok       outside          outside          outside
reaction.send               ok     ok        ok        ok       ok       ok       ok       ok       outside          outside          outside
room.close                  ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
"""

LEAVING = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

room.leave                  ok     ok        ok        ok       ok       ok       ok       ok       outside          outside          outside
"""

ORDER = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

room.kick                   ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.ban                    ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.unban                  ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.bans                   ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.mute                   ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.unmute                 ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.set_standing moderator ok     ok        host      host     host     host     account  account  host/missing     account          banned
room.set_standing member    ok     ok        host      host     host     host     account  account  host/missing     account          banned
room.set_standing listener  ok     ok        host      host     host     host     account  account  host/missing     account          banned
room.set_standing cohost    ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
room.set_standing a guest   forbidden forbidden host      host     host     host     account  account  host/missing     account          banned
"""

# The room has a waiting room, and somebody waits.
DOOR = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

room.waiting                ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.deny                   ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.admit                  ok     ok        ok        moderate moderate moderate account  account  moderate/missing account          banned
room.join to wait           -      -         -         -        -        -        -        -        pending          pending          banned
"""

INVITES = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

invite.create               ok     ok        host      host     host     host     account  account  host/missing     account          banned
invite.create cohost        ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
invite.list                 ok     ok        host      host     host     host     account  account  host/missing     account          banned
invite.revoke               ok     ok        host      host     host     host     account  account  host/missing     account          banned
invite.revoke cohost        ok     manage    host|manage host|manage host|manage host|manage account account host|manage/missing account banned
"""

TALK = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

chat.send                   ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
chat.send here              -      -         -         -        -        -        -        -        outside          outside          outside
chat.edit                   ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
chat.edit another's         forbidden forbidden forbidden forbidden forbidden forbidden forbidden forbidden forbidden/missing forbidden/missing banned
chat.history                ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
chat.delete                 ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
chat.delete another's       ok     ok        ok        moderate moderate moderate moderate moderate moderate/missing moderate/missing banned
"""

WRITING = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

chat.send to members        ok     ok        ok        ok       chat     chat     chat     chat     chat/missing     chat/missing     banned
chat.send to moderators     ok     ok        ok        chat     chat     chat     chat     chat     chat/missing     chat/missing     banned
chat.send off               off    off       off       off      off      off      off      off      off/missing      off/missing      banned
"""

# `host` has the seat.
SEAT = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

host.start taken            taken  taken     host|taken host|taken host|taken ok  account  account  outside          account|outside  outside
host.pause                  seat   seat      seat      seat     seat     ok       account|seat account|seat seat|outside account|seat|outside seat|outside
host.track                  seat   seat      seat      seat     seat     ok       account|seat account|seat seat|outside account|seat|outside seat|outside
host.record                 seat   seat      seat      seat     seat     ok       account|seat account|seat seat|outside account|seat|outside seat|outside
host.reject                 seat   seat      seat      seat     seat     ok       account|seat account|seat seat|outside account|seat|outside seat|outside
host.stop                   seat   seat      seat      seat     seat     ok       account|seat account|seat seat|outside account|seat|outside seat|outside
host.request                ok     ok        ok        ok       ok       ok       account  account  outside          account|outside  outside
host.offer                  ok     forbidden forbidden forbidden forbidden ok       account  account  outside          account|outside  outside
host.offer a guest          forbidden forbidden forbidden forbidden forbidden forbidden account  account  outside          account|outside  outside
host.take_back              ok     ok        host      host     host     host     account  account  outside          account|outside  outside
"""

# Nobody has the seat.
VACANT = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

host.start vacant           ok     ok        host      host     host     host     account  account  outside          account|outside  outside
host.take_back vacant       ok     ok        host      host     host     host     account  account  outside          account|outside  outside
host.offer vacant           ok     forbidden forbidden forbidden forbidden forbidden account  account  outside          account|outside  outside
playback.get                ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
playback.get here           ok     ok        ok        ok       ok       ok       ok       ok       outside          outside          outside
playback.play               absent absent    control   control  control  control  absent   control  control/missing  control/missing  banned
playback.pause              absent absent    control   control  control  control  absent   control  control/missing  control/missing  banned
playback.seek               absent absent    control   control  control  control  absent   control  control/missing  control/missing  banned
playback.pause here         absent absent    control   control  control  control  absent   control  outside          outside          outside
"""

# `host` has the seat. Everybody is allowed to suggest and to vote, nothing has to be approved.
QUEUE = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

queue.get                   ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
queue.get here              ok     ok        ok        ok       ok       ok       ok       ok       outside          outside          outside
queue.add                   ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.suggest               ok     ok        ok        ok       ok       ok       ok       ok       outside/missing  outside/missing  banned
queue.approve               ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.reject                ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.remove                ok     ok        ok        ok       ok       ok       ok       ok       -                -                -
queue.remove another's      ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.move                  ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.shuffle               ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.set_repeat            ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.set_rules             ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.next                  ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.previous              ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
queue.vote                  ok     ok        ok        ok       ok       ok       ok       ok       outside/missing  outside/missing  banned
queue.vote_skip             ok     ok        ok        ok       ok       ok       ok       ok       outside/missing  outside/missing  banned
queue.started               seat   seat      seat      seat     seat     ok       seat     seat     seat/missing     seat/missing     banned
queue.finished              seat   seat      seat      seat     seat     ok       seat     seat     seat/missing     seat/missing     banned
autoplay.get                ok     ok        control   control  control  control  account  account  control/missing  account          banned
autoplay.set                ok     ok        control   control  control  control  account  account  control/missing  account          banned
song_requests.get           ok     ok        control   control  control  control  account  account  control/missing  account          banned
song_requests.set           ok     ok        control   control  control  control  account  account  control/missing  account          banned
listen.addresses            ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
source.get                  ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
source.make_key             ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
source.revoke_key           ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
speaker.list                ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
speaker.assign              ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
speaker.update              ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
speaker.forget              ok     manage    manage    manage   manage   manage   account  account  manage/missing   account          banned
webhook.list                ok     ok        control   control  control  control  account  account  control/missing  account          banned
webhook.add                 ok     ok        control   control  control  control  account  account  control/missing  account          banned
schedule.get                ok     ok        ok        ok       ok       ok       ok       ok       ok/missing       ok/missing       banned
schedule.add                ok     ok        control   control  control  control  account  account  control/missing  account          banned
schedule.update             ok     ok        control   control  control  control  account  account  control/missing  account          banned
schedule.remove             ok     ok        control   control  control  control  account  account  control/missing  account          banned
queue.clear                 ok     ok        control   control  control  control  ok       control  control/missing  control/missing  banned
"""

# The rule that the title names says who may.
QUEUE_RULES = """
                            owner  cohost    moderator member   listener host     invited  guest    outsider         visitor          banned

queue.suggest members       ok     ok        ok        ok       ok       ok       ok       guests   outside/missing  outside/missing  banned
queue.suggest nobody        ok     ok        ok        closed   closed   closed   ok       closed|guests outside/missing outside/missing banned
queue.vote members          ok     ok        ok        ok       ok       ok       ok       guests   outside/missing  outside/missing  banned
queue.vote nobody           ok     ok        ok        closed   closed   closed   ok       closed|guests outside/missing outside/missing banned
queue.vote_skip members     ok     ok        ok        ok       ok       ok       ok       guests   outside/missing  outside/missing  banned
queue.vote_skip nobody      ok     ok        ok        closed   closed   closed   ok       closed|guests outside/missing outside/missing banned
queue.vote_skip zero        -      -         closed    closed   closed   closed   -        closed|guests outside/missing outside/missing banned
"""

AREAS = {"room": ROOM, "leaving": LEAVING, "keeping order": ORDER, "the door": DOOR, "invites": INVITES, "talk": TALK,
         "writing": WRITING, "the seat": SEAT, "a vacant seat": VACANT, "the queue": QUEUE,
         "the queue's rules": QUEUE_RULES}


def rows(text):
    """The rows of a table: a title of some words, and as many cells as there are columns."""
    heading, *lines = [line for line in text.splitlines() if line.strip()]
    if tuple(heading.split()) != COLUMNS:
        raise ValueError(f"the heading is {heading!r}")
    found = []
    for line in lines:
        words = line.split()
        title, cells = " ".join(words[:-len(COLUMNS)]), words[-len(COLUMNS):]
        for cell in cells:
            if unknown := set(cell.replace("/", "|").split("|")) - {"ok", "-", *WORDS}:
                raise ValueError(f"{title}: nobody knows the words {unknown}")
        found.append(Row(title, title.split()[0], dict(zip(COLUMNS, cells))))
    return found


def allowed(cell, visibility):
    """The answers that a cell allows in a room of this visibility: words."""
    public, _, private = cell.partition("/")
    return (private or public if visibility == "private" else public).split("|")


def fits(reply, word):
    """Whether a reply is the one that a word stands for."""
    if word == "ok" or reply["type"] == "ok":
        return word == "ok" and reply["type"] == "ok"
    code, permission = WORDS[word]
    error = reply["error"]
    return error["code"] == code and (permission is ANY or error.get("permission") == permission)


def named(reply):
    """A reply as a sentence about it says it."""
    error = reply.get("error", {})
    return " ".join(filter(None, (error.get("code", "ok"), error.get("permission"))))
