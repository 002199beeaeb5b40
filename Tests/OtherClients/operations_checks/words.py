"""The log: a line of JSON each, with whom and what, and without anybody's secrets."""
import json, os, re, socket, subprocess, time

from account_checks.server import Server
from operations_checks import stage
from protocol_checks.helpers import Client, account, check, equal, rpc, true


def lines():
    return [json.loads(line) for line in stage.SERVER.err.read_text().splitlines() if line.startswith("{")]


@check("every request of a session is in the log with its connection, and none of its secrets is")
def _():
    somebody = account()
    client = Client(auth=somebody["access_token"])
    client.ask("user.me")
    rpc("auth.sign_in", {"email": somebody["email"], "password": "wrong " + somebody["password"]})
    rpc("auth.refresh", {"refresh_token": somebody["refresh_token"]})
    rpc("auth.request_recovery", {"email": somebody["email"]})
    made = rpc("room.create", {"title": "Secret Harbour"}, somebody["access_token"])[1]
    invite = rpc("room.create_invite", {"room": made["data"]["room"]["id"]}, somebody["access_token"])[1]
    rpc("user.me", {}, "no.such.token-at-all")
    exported = rpc("account.export", {}, somebody["access_token"])[1]
    rpc("auth.change_password", {"new_password": "another " + somebody["password"]}, somebody["access_token"])
    time.sleep(0.5)
    text = stage.SERVER.err.read_text()
    secrets = {somebody["email"], somebody["password"], somebody["access_token"], somebody["refresh_token"], somebody["username"],
               "Secret Harbour", "no.such.token-at-all", exported["data"]["code"] if "data" in exported else "no code"}
    secrets |= {invite["data"]["invite"]["code"]} if "data" in invite else set()
    true(len(secrets) >= 8, "too few secrets to look for")
    for secret in secrets:
        true(secret not in text, f"the log has {secret!r}")
    mails = {found for found in re.findall(r"[\w.+-]+@[\w-]+\.[\w.]+", text)}
    true(not mails, f"the log has addresses of people: {mails}")
    requests = [line for line in lines() if line["event"].startswith("request.")]
    true(len(requests) > 5, "too few requests")
    for line in requests:
        true({"time", "level", "event", "message", "address", "connection"} <= set(line), f"{line}")
    true(any(line.get("type") == "user.me" and line.get("request") for line in requests), "no number of a request")


@check("the same is said ten times a minute, and then counted")
def _():
    before = sum(line["event"] == "auth.failed" for line in lines())
    for _ in range(80):
        rpc("auth.sign_in", {"email": "nobody@example.org", "password": "wrong horse"})
    time.sleep(0.5)
    said = sum(line["event"] == "auth.failed" for line in lines()) - before
    true(0 < said <= 60, f"{said} lines")


@check("levels are told to systemd's journal where that reads the log, and to nobody else")
def _():
    ours, theirs = socket.socketpair()
    status = os.fstat(theirs.fileno())
    def said(variable):
        process = subprocess.Popen([Server.programs / "sona", "serve", "--data", stage.FOLDER / f"journal-{variable is None}",
                                    "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=theirs,
                                   env=stage.ENVIRONMENT | ({"JOURNAL_STREAM": variable} if variable else {}))
        process.stdout.readline()
        process.terminate()
        process.wait(20)
        ours.settimeout(2)
        return ours.recv(1 << 20).decode().splitlines()
    with_levels = said(f"{status.st_dev}:{status.st_ino}")
    true(all(re.match(r"<[3467]>\{", line) for line in with_levels), with_levels[:2])
    true(any(line.startswith("<4>") and '"mail.missing"' in line for line in with_levels), with_levels[:3])
    true(any(line.startswith("<6>") and '"server.started"' in line for line in with_levels), with_levels[:3])
    # The variable of a service is inherited by whoever it starts.
    without = said("1:2")
    true(without and all(line.startswith("{") for line in without), without[:2])
