"""Binary messages: their types, lengths and values."""
import struct, time

from protocol_checks.helpers import Client, Failure, check, equal, true


@check("unknown binary types, and those only servers send: frame.unknown with a null id")
def _():
    with Client() as c:
        for kind in (0x00, 0x02, 0x03, 0x10, 0x11, 0x12, 0x21, 0x32, 0x40, 0x7F):
            c.binary(bytes([kind]) + bytes(40))
            c.error("frame.unknown")


@check("unknown binary types with bit 7 are skipped, sixty of them too")
def _():
    with Client() as c:
        for kind in (0x80, 0x90, 0xA0, 0xFE, 0xFF):
            c.binary(bytes([kind]))
            c.binary(bytes([kind]) + bytes(40))
        for _ in range(50):
            c.binary(b"\x81?")
        c.silent()
        c.data("user.me")


FRAMES = {"an empty message": b"", "TIME_REQ of 1 byte": b"\x01", "TIME_REQ of 11 bytes": b"\x01" + bytes(10),
          "TIME_REQ of 13 bytes": b"\x01" + bytes(12), "AUDIO_UP without a packet": b"\x20" + bytes(19),
          "AUDIO_UP of 5 bytes": b"\x20" + bytes(4),
          "AUDIO_UP with a packet of 7651 bytes": b"\x20" + bytes(18) + b"\1" + bytes(7651),
          "AUDIO_UP with sample_pos -1": struct.pack(">BBHIqI", 32, 0, 0, 0, -1, 960) + b"\xfc",
          "POSITION of 31 bytes": b"\x30" + bytes(30),
          "POSITION of 33 bytes": b"\x30" + bytes(32), "POSITION in state 4": b"\x30\x04" + bytes(30),
          "CAPTURE of 23 bytes": b"\x31" + bytes(22), "CAPTURE of 25 bytes": b"\x31" + bytes(24)}


for name, frame in FRAMES.items():
    @check(f"{name}: frame.malformed")
    def _(frame=frame):
        with Client() as c:
            c.binary(frame)
            c.error("frame.malformed")
            c.probe()


@check("TIME_REQ with its reserved byte set and extreme values")
def _():
    with Client() as c:
        for t1 in (-2**63, 2**63 - 1, -1):
            request = struct.pack(">BBHq", 1, 255, 65535, t1)
            c.binary(request)
            answer = c.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x02", "TIME_RSP")
            equal((answer[2:12], len(answer)), (request[2:], 28), "TIME_RSP")


@check("fifty time probes at once are answered, of two hundred more few are, and who goes on is closed with 4429")
def _():
    answers = lambda c: sum(isinstance(m, bytes) and m[:1] == b"\x02" for m in c.inbox)
    request = struct.pack(">BxHq", 1, 1, 0)
    with Client() as c:
        began = time.monotonic()
        for _ in range(50):
            c.binary(request)
        c.data("user.me")
        equal(answers(c), 50, "answers to fifty")
        for _ in range(200):
            c.binary(request)
        c.data("user.me")
        allowed = 52 + 50 * (time.monotonic() - began)
        true(answers(c) <= allowed, f"{answers(c)} answers where {allowed:.0f} are due")
        time.sleep(1)
        before = answers(c)
        c.binary(request)
        c.data("user.me")
        equal(answers(c), before + 1, "answers after a rest")
        for _ in range(2000):
            c.binary(request)
        c.closes(4429)


@check("audio, positions and captures from one who is not the host: host.not_host")
def _():
    frames = {"AUDIO_UP": struct.pack(">BBHIqI", 0x20, 0, 0, 0, 0, 960) + b"\xfc\xff\xfe",
              "POSITION": struct.pack(">BBHIqqiI", 0x30, 1, 0, 0, 0, 0, 1_000_000, 0),
              "CAPTURE": struct.pack(">BBHqqI", 0x31, 0, 0, 0, 0, 0)}
    wrong = []
    for joined in (True, False):
        for name, frame in frames.items():
            with Client() as c:
                if joined:
                    c.data("room.join", {"room": "@demo", "audio": False})
                c.binary(frame)
                try:
                    c.error("host.not_host", seconds=1.5)
                except Failure as failure:
                    wrong.append(f"{name} {'as a listener' if joined else 'outside any room'}: {failure}")
    true(not wrong, "; ".join(wrong))
