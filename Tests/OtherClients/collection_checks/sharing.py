"""sharing.md, feedback.send of reports.md, and take-downs of tracks: by curl's means and by sonactl."""
import hashlib, http.client, json, os, subprocess, urllib.parse
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import Client, check, equal, rpc, true

from collection_checks import stage
from collection_checks.stage import Person, guest, noise, refused


def get(path, **headers):
    """(status, text) of an address."""
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=20)
    link.request("GET", path, headers=headers)
    answer = link.getresponse()
    text = answer.read().decode()
    link.close()
    return answer.status, text


def sonactl(person, *arguments):
    """What sonactl prints."""
    done = subprocess.run([stage.PROGRAMS / "sonactl", "--server", helpers.URL, *arguments], capture_output=True, text=True,
                          env=os.environ | {"SONA_TOKEN": person.token}, stdin=subprocess.DEVNULL, timeout=30)
    equal(done.returncode, 0, f"sonactl {arguments}: {done.stderr[-300:]}")
    return done.stdout


@check("music is shared with whoever follows, who is told who, what, and what was said to it")
def _():
    ada, bob, cyd = Person(), Person(), Person()
    track = ada.upload("harbour bell", noise(2))
    ada.refused("share.not_followed", "share.send", user=bob.uid, track=track)
    bob.data("people.follow", user=ada.uid)
    with Client(bob.token) as there:
        ada.data("share.send", user="@" + bob.name, track=track, text="For you")
        told = there.event("notification.added")["data"]["notification"]
        equal((told["kind"], told["from"]["username"], told["track"], told["title"], told["text"]),
              ("shared", ada.name, track, "harbour bell", "For you"), "the notification")
    # A moment of it, unless that is past the end.
    for moment, wanted in ((1, {"at_s": 1}), (2, {})):
        ada.data("share.send", user=bob.uid, track=track, at_s=moment)
        newest = bob.notifications()[0]
        equal({key: newest[key] for key in newest if key == "at_s"}, wanted, f"second {moment}")
    ada.refused("request.invalid", "share.send", user=bob.uid, room="@" + ada.name, at_s=1)
    sonactl(ada, "share", bob.name, "--track", track, "--at", "1", "--text", "Here")
    equal([(n["at_s"], n["text"]) for n in bob.notifications()[:1]], [(1, "Here")], "a moment by sonactl")
    # To share gives no right, and nobody shares what they may not see.
    bob.refused("track.not_found", "track.get", track=track)
    ada.data("people.follow", user=bob.uid)
    bob.refused("track.not_found", "share.send", user=ada.uid, track=track)
    bob.data("people.block", user=ada.uid)
    ada.refused("user.not_found", "share.send", user=bob.uid, track=track)
    cyd.data("people.follow", user=ada.uid)
    ada.refused("request.invalid", "share.send", user=cyd.uid)
    ada.refused("request.invalid", "share.send", user=cyd.uid, track=track, room="@" + ada.name)
    room = ada.data("room.create", title="Late", visibility="private")["room"]["id"]
    sonactl(ada, "share", cyd.name, "--room", room, "--text", "Come in")
    equal([(n["room"], n["title"], n["text"]) for n in cyd.notifications()], [(room, "Late", "Come in")], "by sonactl")
    true("shared" in sonactl(cyd, "notifications", "list", "--unread"), "sonactl notifications list")
    equal(sonactl(cyd, "notifications", "read").strip(), "0", "sonactl notifications read")


@check("links to music that everybody may hear have a card and oEmbed, others nothing")
def _():
    ada, curator = Person(), Person("curator")
    track = ada.upload("harbour <b>fog", noise(2))
    page = f"/track/{track}"
    link = urllib.parse.quote(helpers.URL.replace("ws", "http", 1).split("/v1")[0] + page, safe="")
    true("fog" not in get(page)[1], "a card of a private track")
    equal(get(f"/oembed?url={link}")[0], 404, "oEmbed of a private track")
    number = ada.data("track.submit", track=track)["submission"]["id"]
    sonactl(curator, "submissions", "approve", str(number))
    status, text = get(page)
    true(status == 200 and '"og:title" content="harbour &lt;b&gt;fog"' in text, text[:600])
    true("application/json+oembed" in text, "no address of oEmbed")
    status, text = get(f"/oembed?url={link}&format=json")
    found = json.loads(text)
    equal((status, found["version"], found["type"], found["title"]), (200, "1.0", "link", "harbour <b>fog"), "oEmbed")
    equal(get(f"/oembed?url={link}&format=xml")[0], 501, "XML")
    text = get(page + "?t=1")[1]
    true('content="harbour &lt;b&gt;fog (from 0:01)"' in text and f'{page}?t=1"' in text, "the card of a moment")
    equal(json.loads(get(f"/oembed?url={link}%3Ft%3D1")[1])["title"], "harbour <b>fog (from 0:01)", "oEmbed of a moment")
    for query in ("?t=2", "?t=0", "?t=x"):
        true("(from" not in get(page + query)[1], f"a moment at {query}")
    equal(get("/oembed?url=https%3A%2F%2Felsewhere.example%2Ftrack%2F" + track)[0], 404, "of elsewhere")
    equal(get("/oembed")[0], 404, "of nothing")
    room = ada.data("room.create", title='A "late" room', visibility="public")["room"]["id"]
    base = urllib.parse.unquote(link).removesuffix(page)
    found = json.loads(get(f"/oembed?url={urllib.parse.quote(f'{base}/r/{room}', safe='')}&maxwidth=300")[1])
    equal((found["type"], found["width"], found["height"]), ("rich", 300, 152), "of a room")
    true(f'src="{base}/embed/r/{room}"' in found["html"] and "&quot;late&quot;" in found["html"], found["html"])


@check("a track that is taken down goes for everybody who uploaded it, and is refused again until that is lifted")
def _():
    ada, bob, admin = Person(), Person(), Person("admin")
    content = noise()
    tracks = {person: person.upload("siren", content) for person in (ada, bob)}
    ada.refused("auth.forbidden", "content.take_down", kind="track", track=tracks[ada])
    admin.refused("request.invalid", "content.take_down", kind="track")
    sonactl(admin, "takedown", "track", tracks[ada], "--reason", "Its rights are another's.", "--yes")
    for person in (ada, bob):
        person.refused("track.not_found", "track.get", track=tracks[person])
        equal([(n["kind"], n["track"], n["text"]) for n in person.notifications()],
              [("track_taken_down", tracks[person], "Its rights are another's.")], "the notification")
    found = admin.data("content.taken_down")["contents"][0]
    equal((found["sha256"], found["title"]), (hashlib.sha256(content).hexdigest(), "siren"), "what is refused")

    def again(person, wanted):
        status, body = person.put("other name", content)
        equal((status, body.get("code")), wanted, "another upload")
    for person in (ada, Person()):
        again(person, (451, "media.taken_down"))
        equal(person.data("storage.usage")["used_bytes"], 0, "bytes kept of it")
    true(found["sha256"] in sonactl(admin, "takedown", "list"), "sonactl takedown list")
    sonactl(admin, "takedown", "lift", str(found["id"]))
    admin.refused("content.not_found", "content.allow", id=found["id"])
    again(ada, (201, None))
    equal([line["kind"] for line in admin.data("journal.list", user=ada.uid, limit=3)["entries"]][:1], ["taken_down"], "the journal")


@check("feedback comes into the inbox, ten of a person at a time")
def _():
    ada, admin = Person(), Person("admin")
    sonactl(ada, "feedback", "A dark theme, please.")
    found = admin.data("reports.list", kind="feedback", limit=1)["reports"][0]
    equal((found["kind"], found["text"], found["by"], found["user"]), ("feedback", "A dark theme, please.", ada.uid, None), "the report")
    for number in range(9):
        ada.data("feedback.send", text=f"Wish {number}")
    ada.refused("request.rate_limited", "feedback.send", text="One too many")
    admin.data("reports.resolve", id=found["id"], note="Done")
    ada.data("feedback.send", text="One more")
    ada.refused("request.invalid", "feedback.send", text="x" * 1001)
    ada.refused("auth.forbidden", "reports.list", kind="feedback")
    true("Wish 8" in sonactl(admin, "report", "list", "--kind", "feedback"), "sonactl report list")
    equal(rpc("feedback.send", {"text": "From a guest"}, guest())[0], 200, "a guest")
