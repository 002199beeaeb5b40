"""Protocol/vectors."""
import json, time

from protocol_checks.helpers import CHECKS, Client, Failure, account, check, connect, true
from protocol_checks.websocket import Closed


def register(folder):
    """One check for each file: every invalid message gets its code and field, every valid one is not malformed."""
    envelope = {f"request.{word}" for word in ("malformed", "too_deep", "unknown", "invalid")}
    envelope |= {"frame.malformed", "frame.unknown"}
    for path in sorted(folder.glob("*.json")):
        vectors = json.loads(path.read_text())
        tests = [t for t in vectors["tests"]
                 if t["message"].startswith("requests/") or t["message"] in ("request", "json", "client_frame")]

        def run(tests=tests):
            token, wrong = account()["access_token"], []
            for t in tests:
                valid, kind = t["result"] == "valid", t["message"]
                if t["result"] == "acceptable" or valid and (kind == "json" or kind.startswith("requests/auth.")):
                    continue
                raw = bytes.fromhex(t["bytes"]) if "bytes" in t else t["text"].encode()
                with connect() if kind == "requests/hello" else Client(token) as c:
                    try:
                        c.binary(raw) if kind == "client_frame" else c.text(raw)
                        if kind == "client_frame" and valid and t["value"].get("frame") in ("ignorable", "TIME_REQ"):
                            if t["value"]["frame"] == "ignorable":
                                c.probe()
                            else:
                                c.next(lambda m: isinstance(m, bytes) and m[:1] == b"\x02", "TIME_RSP", 4)
                            continue
                        r = c.next(lambda m: isinstance(m, dict) and m["type"] in ("ok", "error"), "answer", 4)
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
                    except Failure as failure:
                        wrong.append(f"{t['id']} ({t['comment']}): {failure}")
            true(not wrong, "; ".join(wrong))
        if tests:
            CHECKS.append((f"vectors/{path.name}: {len(tests)} messages to a server", False, run))
