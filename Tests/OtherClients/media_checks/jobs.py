"""jobs.md: who sees jobs, what is told of them, and what becomes of them."""
import threading, time

from protocol_checks.helpers import Client, check, equal, rpc, rpc_refused, true

from media_checks import stage
from media_checks.stage import guest, hear, somebody, tracks


def jobs(token, **data):
    status, body, _ = rpc("jobs.list", data, token)
    equal(status, 200, f"jobs.list {body}")
    return body["data"]["jobs"]


@check("whoever asks is told of the job on every connection, in order, ten times a second at most")
def _():
    token = somebody()
    with Client(token) as one, Client(token) as two, Client(somebody()) as other:
        begin = time.monotonic()
        threading.Thread(target=hear, args=("long.mp3", token, "?format=opus"), daemon=True).start()
        end = one.event("job.changed", 120, lambda data: data["job"]["state"] == "done")["data"]["job"]
        seconds = time.monotonic() - begin
        told = [m["data"]["job"] for m in one.inbox if isinstance(m, dict) and m["type"] == "job.changed"] + [end]
        equal((end["kind"], end["track"]), ("rendition", tracks(token)["long.mp3"]["id"]), "the job")
        true(end["done"] == end["total"] > 0, f"{end}")
        true(3 <= len(told) <= 10 * seconds + 3, f"{len(told)} events in {seconds:.1f} s")
        equal([job["done"] for job in told], sorted(job["done"] for job in told), "progress")
        equal(two.event("job.changed", 5, lambda data: data["job"]["state"] == "done")["data"]["job"], end, "there")
        true(not any(isinstance(m, dict) and m["type"] == "job.changed" for m in other.inbox), "others are told")
    equal([job["id"] for job in jobs(token)], [end["id"]], "the list")


@check("a job is its account's: others and guests have none")
def _():
    token, other = somebody(), somebody()
    track = tracks(token)["plain.opus"]["id"]
    equal(jobs(token), [], "what is heard as it is takes no job")
    for path in stage.made():
        if path.name.startswith(tracks(token)["odd.wav"]["id"]):
            path.unlink()
    hear("odd.wav", token, "?format=opus")
    # What was heard whole may be a moment before the end of its job.
    end = time.monotonic() + 10
    while (own := jobs(token)) and own[0]["state"] == "running" and time.monotonic() < end:
        time.sleep(0.05)
    equal([(job["kind"], job["state"], job["track"] != track) for job in own], [("rendition", "done", True)], "own")
    number = {"id": own[0]["id"]}
    equal(jobs(other), [], "of another")
    equal(jobs(guest()), [], "of a guest")
    for kind in ("jobs.get", "jobs.retry", "jobs.cancel"):
        rpc_refused(404, "job.not_found", kind, number, token=other)
    rpc_refused(403, "auth.forbidden", "jobs.list", {"all": True}, token=token)
    rpc_refused(409, "job.ended", "jobs.cancel", number, token=token)
    rpc_refused(409, "job.unended", "jobs.retry", number, token=token)


@check("a cancelled job ends, whoever waits is told so, and it can be begun again")
def _():
    token = somebody()
    for path in stage.made():
        if path.name.startswith(tracks(token)["long.mp3"]["id"]):
            path.unlink()
    heard = []
    ours = threading.Thread(
        target=lambda: heard.append(hear("long.mp3", token, "?format=opus", Range="bytes=5-9")))
    ours.start()
    end = time.monotonic() + 20
    while not any(job["state"] == "running" for job in jobs(token)):
        true(time.monotonic() < end, f"it does not run: {jobs(token)}")
        time.sleep(0.02)
    number = {"id": jobs(token)[0]["id"]}
    status, body, _ = rpc("jobs.cancel", number, token)
    equal((status, body["data"]["job"]["state"]), (200, "cancelled"), "the job")
    ours.join(20)
    equal(heard[0][0], 503, "who waits")
    true(not any(path.name.startswith(tracks(token)["long.mp3"]["id"]) for path in stage.made()), "a file is left")
    status, body, _ = rpc("jobs.retry", number, token)
    equal((status, body["data"]["job"]["state"] in ("queued", "running")), (200, True), f"{body}")
    end = time.monotonic() + 120
    while jobs(token)[0]["state"] != "done":
        true(time.monotonic() < end, f"{jobs(token)}")
        time.sleep(0.1)
