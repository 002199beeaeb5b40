"""What can be learnt from how long an answer takes.

Servers of their own, exempt from limits, so that these hide nothing; tries in turns, so that whatever else this machine
does falls on all alike. The bounds are generous: what is measured is printed, and stands in the report of the run.
"""
import contextlib, json, random, time

from protocol_checks.helpers import check, equal, some_name, true

from account_checks.stage import EXEMPT, KeptConnection, MAIL, issuer, outsider, person, record, serve
from account_checks.statistics import Comparison


@contextlib.contextmanager
def alone():
    server = serve(*EXEMPT, *MAIL, *issuer.arguments)
    with server:
        yield server
    record.add("outputs", server.stop())


def in_turns(kind, ways, count, pause=0.0):
    """Times of `count` tries of each way, after three to warm up, and what was answered, byte for byte."""
    connection, times, answers = KeptConnection(), {name: [] for name in ways}, {name: set() for name in ways}
    for k in range(-3, count):
        for name in random.sample(sorted(ways), len(ways)):
            body = json.dumps(ways[name](k))
            time.sleep(pause)
            begin = time.perf_counter()
            answer = connection.post(kind, body)
            taken = time.perf_counter() - begin
            answers[name].add(answer)
            if k >= 0:
                times[name].append(taken)
    return times, answers


def compare(times, usual, share):
    for name in times:
        if name != usual:
            found = Comparison(times[usual], times[name])
            print(f"      {usual} and {name}: {found}", flush=True)
            true(found.is_alike(share), f"{usual} and {name}: {found}")


@check("an unknown address, a wrong password, no password, a ban: the same bytes in the same time")
def _():
    with alone() as server:
        # Ten wrong passwords for each: more of them are slowed down, whatever the account is.
        made, banned = [person() for _ in range(7)], [person() for _ in range(7)]
        addresses = [some_name() + "@example.org" for _ in range(7)]
        for address in addresses:
            outsider(name=True, email=address, email_verified=True)
        for one in banned:
            server.operator("user", "ban", "@" + one["username"])
        given = {"password": "not the password"}
        times, answers = in_turns("auth.sign_in", {
            "wrong password": lambda k: given | {"email": made[k % 7]["email"]},
            "unknown address": lambda k: given | {"email": f"{some_name()}@example.org"},
            "account without a password": lambda k: given | {"email": addresses[k % 7]},
            "banned account": lambda k: given | {"email": banned[k % 7]["email"]}}, 64)
        equal({answer for lot in answers.values() for answer in lot}, answers["wrong password"], "answers")
        equal(len(answers["wrong password"]), 1, "different answers")
        compare(times, "wrong password", 0.1)


@check("requests for recovery: the same bytes in the same time, whether there is an account or not")
def _():
    with alone():
        addresses = [some_name() + "@example.org" for _ in range(103)]
        for address in addresses:  # of each the first three mails are sent: here one
            outsider(email=address, email_verified=True)
        times, answers = in_turns("auth.request_recovery", {
            "known address": lambda k: {"email": addresses[k + 3]},
            "unknown address": lambda k: {"email": f"{some_name()}@example.org"}}, 100, pause=0.03)
        equal(answers["known address"] | answers["unknown address"], {(200, b'{"type":"ok","data":{}}')}, "answers")
        compare(times, "unknown address", 0.15)


@check("reauthenticating: a wrong password and an account that has none take the same time")
def _():
    # Ten for each account: more are slowed down.
    tokens = {"wrong password": [person()["access_token"] for _ in range(3)],
              "no password": [outsider()["access_token"] for _ in range(3)]}
    connection, times = KeptConnection(), {name: [] for name in tokens}
    for k in range(24):
        for name in random.sample(sorted(tokens), 2):
            begin = time.perf_counter()
            status, body = connection.post("auth.reauthenticate", json.dumps({"password": "not the password"}),
                                     tokens[name][k % 3])
            times[name].append(time.perf_counter() - begin)
            equal((status, json.loads(body)["error"]["code"]), (401, "auth.credentials_invalid"), name)
    compare(times, "wrong password", 0.1)
