"""What requests under /listen/ are answered."""
import http.client, socket, threading, time
from urllib.parse import urlsplit

from protocol_checks import helpers
from protocol_checks.helpers import Client, check, equal, rpc, true

from autoplay_checks.stage import Owner, operator, until
from radio_checks import tools
from radio_checks.hosting import Studio, tone
from radio_checks.tools import ask, hear, links, metrics

HELD = []  # accounts whose rooms play on


def playing(*titles, **settings):
    """A room that plays these tracks."""
    owner = Owner(**settings)
    owner.add(*titles)
    owner.autoplay()
    HELD.append(owner)
    return owner


def listeners(owner):
    return owner.now()["room"]["listeners"]


@check("sound is 200 whatever Range says, without a length, kept by no cache, open to all origins; HEAD says the same")
def _():
    room = playing("Long").room
    for ending, kind in (("opus", "audio/ogg"), ("mp3", "audio/mpeg")):
        for method in ("GET", "HEAD"):
            status, headers, answer = ask(f"/listen/{room}.{ending}", method, {"Range": "bytes=0-"})
            equal((status, headers["content-type"], headers["cache-control"]), (200, kind, "no-store"))
            equal((headers["access-control-allow-origin"], headers["icy-name"]), ("*", "By itself"))
            true("content-length" not in headers and "transfer-encoding" not in headers, "a length")
            if method == "HEAD":
                equal(answer.read(), b"", "body of HEAD")
            answer.close()
    equal(ask(f"/listen/{room}.opus", "POST")[0], 405)
    status, headers, _ = ask(f"/listen/{room}.opus", "OPTIONS", {"Origin": "https://other.example"})
    equal((status, headers["access-control-allow-headers"]), (204, "Icy-MetaData, Range"))
    for path, code in ((f"{room}.flac", 404), ("nobody.opus", 404), (f"{room}.mp3?kbps=100", 400), (f"{room}.mp3?gain=2", 400)):
        equal(ask(f"/listen/{path}")[0], code, path)
    _, headers, answer = ask(f"/listen/{room}.mp3?kbps=64", headers={"Icy-MetaData": "1"})
    equal((headers["icy-br"], headers["icy-metaint"]), ("64", "384"))
    answer.close()
    true("icy-metaint" not in ask(f"/listen/{room}.opus", headers={"Icy-MetaData": "1"})[1], "metadata in Ogg")


@check("lists of a room, and of the public rooms that are live")
def _():
    owner = playing("Long")
    until(lambda: owner.now()["room"]["live"], "it plays")
    for ending, kind in (("m3u", "audio/x-mpegurl"), ("pls", "audio/x-scpls"), ("xspf", "application/xspf+xml")):
        for name in (owner.room, "live", f"@{owner.name}"):
            status, headers, answer = ask(f"/listen/{name}.{ending}")
            body = answer.read().decode()
            equal((status, headers["content-type"].split(";")[0]), (200, kind), name)
            true(f"{helpers.URL}/listen/{owner.room}.opus" in body, body)


@check("listeners are counted, each once, and are no members")
def _():
    owner = playing("Long")
    until(lambda: owner.playing() == "Long", "it plays")  # nobody listens to a broadcast that has not begun
    guest = Client()
    guest.data("room.join", {"room": owner.room})
    until(lambda: listeners(owner) == 1, "the guest is counted")
    answers = [ask(f"/listen/{owner.room}.{ending}")[2] for ending in ("opus", "opus", "mp3")]
    until(lambda: listeners(owner) == 4, "they are counted")
    equal(len(guest.data("room.members", {"room": owner.room})["members"]), 1, "members")
    for answer in answers:
        answer.close()
    until(lambda: listeners(owner) == 1, "they are gone")
    # A broadcast is written every few seconds.
    until(lambda: any(one["guests"] == 2 for one in owner.data("room.audience", room=owner.room)["audiences"]), "the guest, and one address", 30)


@check("a private room is heard by signed addresses only, of its own and no other room")
def _():
    owner = Owner()
    owner.data("room.update", room=owner.room, visibility="private")
    owner.add("Long")
    owner.autoplay()
    equal(ask(f"/listen/{owner.room}.opus")[0], 404)
    paths = owner.data("listen.addresses", room=owner.room)
    true(paths["expires_ms"] > time.time() * 1000 + 300 * 86400_000, "a year")
    _, sound = hear(paths["opus"], 1)
    true(links(sound)[0].sound, "sound")
    true(paths["opus"] in ask(paths["m3u"])[2].read().decode(), "the list has the signed address")
    other = Owner()
    other.data("room.update", room=other.room, visibility="private")
    token = paths["opus"].split("?")[1]
    equal(ask(f"/listen/{other.room}.opus?{token}")[0], 401, "another room")
    equal(ask(f"{paths['opus'][:-3]}AAA")[0], 401, "another signature")
    public = Owner().data("listen.addresses", room=playing("Long").room)
    equal((public["expires_ms"], "?" in public["opus"]), (None, False))
    equal(rpc("listen.addresses", {"room": owner.room}, other.token)[1]["error"]["code"], "room.not_found")


@check("who may not hear the room any more is cut off", slow=True)
def _():
    owner = playing("Long")
    status, _, answer = ask(f"/listen/{owner.room}.opus")
    equal(status, 200)
    signed = owner
    owner.data("room.update", room=owner.room, visibility="private")
    end = time.monotonic() + 5
    while answer.read1(65536):
        true(time.monotonic() < end, "the room went private")
    paths = signed.data("listen.addresses", room=owner.room)
    _, _, answer = ask(paths["opus"])
    equal(rpc("auth.sign_out_everywhere", {}, owner.token)[0], 200)
    end = time.monotonic() + 30
    while answer.read1(65536):
        true(time.monotonic() < end, "the sign-in has ended")
    equal(ask(paths["opus"])[0], 401)


@check("while a room plays nothing there is silence for as long as the operator says, then the end")
def _():
    owner = Owner()
    begun = time.monotonic()
    status, _, answer = ask(f"/listen/{owner.room}.opus")
    equal(status, 200)
    sound = b""
    while more := answer.read1(65536):
        sound += more
        true(time.monotonic() < begun + 12, "no end")
    took = time.monotonic() - begun
    true(4 <= took <= 7, f"{took:.1f} s")
    [link] = links(sound)
    equal(link.tags["TITLE"], "By itself")
    equal({packet for packet in link.sound}, {b"\xfc\xff\xfe"}, "packets")
    true(abs(len(link.sound) / 50 - took) < 1, f"{len(link.sound)} packets in {took:.1f} s")


@check("a listener who does not read is closed and counted, and delays nobody", slow=True)
def _():
    import socket
    from urllib.parse import urlsplit
    owner = playing("Saga")
    at = urlsplit(helpers.URL)
    metric = lambda: next(int(line.split()[1]) for line in metrics().splitlines()
                          if line.startswith("sona_radio_slow_listeners_closed_total "))
    before = metric()
    with socket.socket() as still:
        still.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        still.connect((at.hostname, at.port))
        still.sendall(f"GET /listen/{owner.room}.mp3?kbps=320 HTTP/1.1\r\nHost: {at.netloc}\r\n\r\n".encode())
        _, sound = hear(f"/listen/{owner.room}.mp3?kbps=320", 4)
        true(len(sound) > 4 * 38_000, f"another hears: {len(sound)} bytes")
        until(lambda: metric() > before, "it is closed", 30)


@check("an address that is banned hears no more and hosts no more, at once")
def _():
    owner = playing("Long")
    at = urlsplit(helpers.URL)
    link = http.client.HTTPConnection(at.hostname, at.port, timeout=10, source_address=("127.0.0.2", 0))
    link.request("GET", f"/listen/{owner.room}.opus")
    sound = link.getresponse()
    true(sound.read(4) == b"OggS", "it sounds")
    until(lambda: listeners(owner) == 1, "it is counted")
    studio = Studio()
    with socket.create_connection(("127.0.0.1", tools.PORT), timeout=10, source_address=("127.0.0.2", 0)) as host:
        host.sendall(f"PUT /{studio.room} HTTP/1.1\r\nAuthorization: Basic {studio.basic()}\r\nContent-Type: audio/ogg\r\n\r\n".encode())
        sending = threading.Thread(target=send_all, args=(host, tone("banned.opus", 60, "-c:a", "libopus", "-page_duration", "20000").read_bytes()))
        sending.start()
        until(lambda: studio.host() == "here", "it hosts")
        begin = time.monotonic()
        operator("addresses.ban", {"range": "127.0.0.2", "seconds": 3600})
        try:
            until(lambda: studio.host() == "none", "it has lost the seat", 2)
            until(lambda: listeners(owner) == 0, "it does not listen", 2)
            sound.read()  # to its end
            sending.join(5)
            true(not sending.is_alive() and time.monotonic() - begin < 6, "its connections are closed")
        finally:
            operator("addresses.unban", {"range": "127.0.0.2"})


def send_all(link, data):
    try:
        link.sendall(data)
        while link.recv(4096):
            pass
    except OSError:
        pass
