"""connection.md: hello, what counts as malformed, and the rate of requests."""
import json, struct, time

from protocol_checks.helpers import HELLO, Client, Failure, check, connect, equal, true


for data, field in (({}, "data.client"), ({"client": "x"}, "data.client"),
                    ({"client": {"name": "x"}}, "data.client.version"),
                    ({"client": {"name": "", "version": "1"}}, "data.client.name"),
                    ({"client": {"name": "n" * 65, "version": "1"}}, "data.client.name"),
                    ({"client": {"name": "a\x1b", "version": "1"}}, "data.client.name"),
                    (HELLO | {"auth": {}}, "data.auth"), (HELLO | {"auth": {"token": "t", "guest": True}}, "data.auth"),
                    (HELLO | {"auth": {"token": ""}}, "data.auth.token"),
                    (HELLO | {"auth": {"guest": 1}}, "data.auth.guest")):
    @check(f"hello {json.dumps(data)[-60:]}: request.invalid at {field}, and may be tried again")
    def _(data=data, field=field):
        with connect() as c:
            c.refused("request.invalid", "hello", data, field)
            c.refused("hello.required", "user.me")
            c.data("hello", HELLO | {"auth": {"guest": True}})


@check("frames before hello, whatever is in them: hello.required")
def _():
    wrong = []
    for frame in (struct.pack(">BBHIqI", 32, 0, 0, 0, 0, 0) + b"\xfc", b"\x20", b"\x40", b"\x10" + bytes(30), b"",
                  b"\x30\x04" + bytes(30)):
        with connect() as c:
            c.binary(frame)
            try:
                c.error("hello.required", seconds=1)
            except Failure as failure:
                wrong.append(f"{frame[:2].hex()}: {failure}")
    true(not wrong, "; ".join(wrong))


@check("requests and frames before hello: hello.required; probes are answered")
def _():
    with connect() as c:
        c.probe()
        c.refused("hello.required", "room.list", {})
        c.refused("hello.required", "auth.guest")
        c.refused("hello.required", "room.explode")
        c.binary(struct.pack(">BBHIqI", 32, 0, 0, 0, 0, 960) + b"\xfc")
        c.error("hello.required")
        c.text("nonsense")
        c.error("request.malformed")
        c.probe()
        c.data("hello", HELLO)


@check("frames before hello of types with bit 7 are skipped")
def _():
    with connect() as c:
        for kind in (0x80, 0xA0, 0xFF):
            c.binary(bytes([kind]))
            c.binary(bytes([kind]) + bytes(40))
        c.probe()
        c.silent()
        c.data("hello", HELLO)


@check("hello.required does not count towards 4400")
def _():
    with connect() as c:
        for _ in range(25):
            c.refused("hello.required", "room.list")
        c.data("hello", HELLO)


@check("hello twice: hello.repeated, and all goes on")
def _():
    with Client() as c:
        c.refused("hello.repeated", "hello", HELLO)
        c.data("user.me")


@check("hello with a token nobody made: auth.token_invalid, and may be tried again")
def _():
    with connect() as c:
        c.refused("auth.token_invalid", "hello", HELLO | {"auth": {"token": "made.up.token"}})
        equal(c.data("hello", HELLO)["user"], None, "user")


@check("an anonymous connection may call auth.* only")
def _():
    with Client(None) as c:
        equal(c.welcome["user"], None, "user")
        for kind, data in (("room.list", {}), ("room.join", {"room": "@demo"}), ("user.me", {}), ("room.create", {}),
                           ("playback.get", {"room": "@demo"}), ("room.get", {"room": "@demo"}), ("room.leave", {})):
            c.refused("auth.required", kind, data)
        true(c.data("auth.guest")["user"]["guest"], "not a guest")
        c.data("user.me")


@check("no hello within 10 s closes with 4408, probes or not; an anonymous connection stays")
def _():
    with Client(None) as anonymous:
        c, begin = connect(), time.monotonic()
        while time.monotonic() - begin < 8:
            c.probe()
            time.sleep(0.5)
        c.closes(4408, 6)
        took = time.monotonic() - begin
        true(9.5 < took < 13, f"it took {took:.1f} s")
        anonymous.probe()


@check("the twentieth malformed message in a minute closes with 4400, unanswered")
def _():
    c = Client()
    for n in range(19):
        if n % 4 == 0:
            c.text("nonsense")
            c.error("request.malformed")
        elif n % 4 == 1:
            c.refused("request.unknown", "no.such")
        elif n % 4 == 2:
            c.binary(b"\x40")
            c.error("frame.unknown")
        else:
            c.binary(b"\x01")
            c.error("frame.malformed")
    c.data("user.me")
    c.text("[" * 17)
    c.closes(4400)
    true(not [m for m in c.inbox if isinstance(m, dict) and m["type"] == "error"], "the twentieth was answered")


@check("what is no malformed message does not count towards 4400")
def _():
    with Client() as c:
        for _ in range(25):
            c.refused("request.invalid", "room.join", {})
        c.data("user.me")


@check("the 61st request within a second: request.rate_limited with retry_after_ms; then it works again")
def _():
    with Client() as c:
        time.sleep(1.2)
        begin, numbers = time.monotonic(), [c.send("user.me") for _ in range(90)]
        true(time.monotonic() - begin < 0.5, "this machine is too slow for the check")
        replies = [c.reply(n) for n in numbers]
        good = [n for n, r in enumerate(replies) if r["type"] == "ok"]
        true(60 <= len(good) <= 75 and good[:60] == list(range(60)), f"{len(good)} were taken")
        waits = []
        for r in replies:
            if r["type"] == "error":
                equal(r["error"]["code"], "request.rate_limited", "code")
                waits.append(r["error"]["retry_after_ms"])
        c.probe()
        time.sleep(waits[-1] / 1000)
        c.data("user.me")


@check("binary messages do not count as requests")
def _():
    with Client() as c:
        for _ in range(40):
            c.probe()
        for n in [c.send("user.me") for _ in range(58)]:
            equal(c.reply(n)["type"], "ok")
