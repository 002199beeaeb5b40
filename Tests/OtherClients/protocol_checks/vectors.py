"""Protocol/vectors."""
import json

from protocol_checks.helpers import CHECKS, Client, Failure, account, connect, equal, true
from protocol_checks.websocket import Closed

# What there is, less some: vectors that are lost, or not recognised any more, fail.
INVALID_MIN, VALID_MIN = 1100, 650
# What a server sends is invalid from a client. Valid JSON in itself is no message.
WITHOUT_VALID = {"json.json", "frame_audio_dn.json", "frame_bundle_dn.json", "frame_time_rsp.json"}


def is_for_servers(test):
    """Whether this is for a server to answer, and the prose says how."""
    kind, valid = test["message"], test["result"] == "valid"
    if not kind.startswith("requests/") and kind not in ("request", "json", "client_frame"):
        return False
    # A valid request about an account is answered by what there is of accounts: accounts.py asks those.
    return test["result"] != "acceptable" and not (valid and (kind == "json" or kind.startswith("requests/auth.")))


def register(folder):
    """One check for each file: every invalid message gets its code and field, every valid one is not malformed."""
    envelope = {f"request.{word}" for word in ("malformed", "too_deep", "unknown", "invalid")}
    envelope |= {"frame.malformed", "frame.unknown"}
    registered = {}
    for path in sorted(folder.glob("*.json")):
        vectors = json.loads(path.read_text())
        tests = [t for t in vectors["tests"] if is_for_servers(t)]
        if not tests:
            continue
        registered[path.name] = tests

        def run(tests=tests):
            token, wrong, answered = account()["access_token"], [], 0
            for t in tests:
                valid, kind = t["result"] == "valid", t["message"]
                raw = bytes.fromhex(t["bytes"]) if "bytes" in t else t["text"].encode()
                with connect() if kind == "requests/hello" else Client(token) as c:
                    try:
                        c.binary(raw) if kind == "client_frame" else c.text(raw)
                        if kind == "client_frame" and valid and t["value"].get("frame") in ("ignorable", "TIME_REQ"):
                            if t["value"]["frame"] == "ignorable":
                                c.probe()
                            else:
                                c.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x02", "TIME_RSP", 4)
                            answered += 1
                            continue
                        r = c.next(lambda m: isinstance(m, dict) and m["type"] in ("ok", "error"), "answer", 4)
                        answered += 1
                        code, field = r.get("error", {}).get("code"), r.get("error", {}).get("field")
                        want = (t.get("value") or {}).get("field") if isinstance(t.get("value"), dict) else None
                        if valid and (kind == "request" and code == "request.unknown" or field == "data.cursor"):
                            continue  # of no known type, or with a cursor that this server did not make
                        if valid and code in envelope or not valid and (code != t["code"] or want and field != want):
                            wrong.append(f"{t['id']} ({t['comment']}): {code or 'ok'} {field or ''} instead of "
                                         f"{'no such error' if valid else t['code']} {want or ''}")
                    except Closed as closed:
                        try:
                            raw.decode()
                            wrong.append(f"{t['id']} ({t['comment']}): closed with {closed.code}")
                        except UnicodeDecodeError:  # as text over WebSocket that is 1007
                            if closed.code != 1007:
                                wrong.append(f"{t['id']} ({t['comment']}): closed with {closed.code}")
                            answered += 1
                    except Failure as failure:
                        wrong.append(f"{t['id']} ({t['comment']}): {failure}")
            true(not wrong, "; ".join(wrong))
            equal(answered, len(tests), "messages that were answered")
        CHECKS.append((f"vectors/{path.name}: {len(tests)} messages to a server", False, run))

    def enough():
        found = [t["result"] for tests in registered.values() for t in tests]
        true(found.count("invalid") >= INVALID_MIN and found.count("valid") >= VALID_MIN,
             f"{found.count('invalid')} invalid and {found.count('valid')} valid messages in {len(registered)} files")
        silent = [name for name, tests in registered.items()
                  if name not in WITHOUT_VALID and {t["result"] for t in tests} != {"valid", "invalid"}]
        equal(silent, [], "files with messages of one kind only")
    CHECKS.append(("the vectors have enough messages to a server, valid ones and invalid ones", False, enough))
