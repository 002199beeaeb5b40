"""submissions.md: who sees what until it is decided, and that everything is decided once."""
import random, re, threading, time

from protocol_checks.helpers import Client, check, equal, rpc, true

from collection_checks import stage
from collection_checks.stage import Person, data, guest


def seen(person, tracks):
    """Those of the tracks that somebody sees by their identifiers."""
    return {track for track in tracks if rpc("track.get", {"track": track}, person.token)[0] == 200}


@check("two curators and many submitters at random: nobody sees what they may not, everybody is told once")
def _():
    count, each = (40, 25) if stage.IS_SLOW else (8, 5)
    dice = random.Random(stage.SEED)
    where = f"seed {stage.SEED}"
    curators = [Person("curator"), Person("admin")]
    people = [Person() for _ in range(count)]
    stranger = Person()
    tracks = {}  # by identifier: (owner, submission)
    for person in people:
        for number in range(each):
            track = person.upload(f"tide {person.name} {number}")
            tracks[track] = (person, person.data("track.submit", track=track)["submission"]["id"])
    clients = [Client(person.token) for person in people[:count // 2]]  # the others are away
    watching, leaks, ended = Client(curators[0].token), [], threading.Event()

    def watch():
        # A decision is in the database before it is known here, so what is seen may only be what was approved.
        while not ended.is_set():
            found = data("search", {"query": "tide", "kind": "tracks", "limit": 100}, stranger.token)["tracks"]
            leaks.extend(t["id"] for t in found if t["status"] != "approved")
    watcher = threading.Thread(target=watch)
    watcher.start()
    submissions, wanted, decided, codes = list({s for _, s in tracks.values()}), {}, {}, []
    lock = threading.Lock()

    def decide(curator, order, approves):
        for submission in order:
            verdict = "approve" if approves[submission] else "reject"
            fields = {"id": submission} | ({"reason": f"No. {submission}"} if verdict == "reject" else {})
            status, body, _ = rpc(f"submissions.{verdict}", fields, curator.token)
            with lock:
                codes.append("ok" if status == 200 else body["error"]["code"])
                if status == 200:
                    equal(submission in decided, False, f"{where}: decided twice")
                    decided[submission] = approves[submission]
    threads = []
    for curator in curators:
        order = submissions[:]
        dice.shuffle(order)
        approves = {submission: dice.random() < 0.5 for submission in submissions}
        threads.append(threading.Thread(target=decide, args=(curator, order, approves)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ended.set()
    watcher.join()
    equal(leaks, [], f"{where}: a stranger found")
    equal(len(decided), len(submissions), f"{where}: decided")
    equal(codes.count("ok"), len(submissions), f"{where}: decisions")
    equal(set(codes) - {"ok"}, {"submission.already_decided"}, f"{where}: the second is told")
    approved = {track for track, (_, submission) in tracks.items() if decided[submission]}
    equal(seen(stranger, tracks), approved, f"{where}: what a stranger sees")
    # Everybody once: those who were there by events, those who were away by the next sign-in.
    for at, person in enumerate(people):
        client = clients[at] if at < len(clients) else Client(person.token)
        own = {submission: track for track, (owner, submission) in tracks.items() if owner is person}
        events = [client.event("notification.added", 20)["data"]["notification"] for _ in own]
        client.silent(0.05)
        more = [m for m in client.inbox if isinstance(m, dict) and m["type"] == "notification.added"]
        client.ws.close()
        equal(more, [], f"{where}: told more than once")
        equal(sorted((n["track"], n["result"], n["text"]) for n in events),
              sorted((track, "approved" if decided[s] else "rejected", None if decided[s] else f"No. {s}")
                     for s, track in own.items()), f"{where}: what {person.name} is told")
    changed = [m["data"] for m in watching.inbox if isinstance(m, dict) and m["type"] == "submission.changed"]
    while len(changed) < len(submissions):
        changed.append(watching.event("submission.changed", 10)["data"])
    watching.ws.close()
    equal({c["id"]: c["state"] == "approved" for c in changed}, decided, f"{where}: what a curator is told")
    equal(changed[-1]["pending"], 0, f"{where}: how many wait")
    # The journal has each decision once, and is whole.
    found = curators[1].data("journal.verify")
    true(found["intact"] if "intact" in found else not found["reason"], f"{where}: the journal: {found}")
    lines = []
    for kind in ("submission_approved", "submission_rejected"):
        before = None
        while True:
            page = curators[1].data("journal.list", **{"kind": kind, "limit": 100} | ({"before": before} if before else {}))
            lines += page["entries"]
            before = page["next_before"]
            if not before:
                break
    ours = [line for line in lines if line["detail"]["submission"] in decided]
    equal(sorted(line["detail"]["submission"] for line in ours), sorted(decided), f"{where}: lines of the journal")


@check("a pending track is its owner's and the curators', by search, list and stream")
def _():
    ada, bob, curator = Person(), Person(), Person("curator")
    track = ada.upload("harbour quay")
    number = ada.data("track.submit", track=track)["submission"]["id"]
    for person, sees in ((ada, True), (bob, False), (curator, True)):
        equal(seen(person, [track]) == {track}, sees, f"track.get, {person.name}")
        found = person.data("search", query="harbour quay", kind="tracks")["tracks"]
        equal([t["id"] for t in found if t["id"] == track] == [track], sees, "search")
    bob.refused("track.not_found", "track.open", track=track)
    bob.refused("track.not_found", "track.submit", track=track)
    bob.refused("track.not_found", "track.withdraw", track=track)
    bob.refused("auth.forbidden", "submissions.approve", id=number)
    bob.refused("auth.forbidden", "submissions.list", all=True)
    equal(bob.data("submissions.list")["submissions"], [], "of another")
    equal(rpc("submissions.list", {}, guest())[1]["error"]["code"], "auth.account_required", "a guest")
    # Its owner corrects it meanwhile; it still waits.
    equal(ada.data("track.update", track=track, title="Harbour quay, again")["track"]["status"], "pending", "after an edit")
    equal(curator.data("submissions.approve", id=number)["submission"]["state"], "approved", "the decision")
    equal(bob.data("search", query="quay again", kind="tracks")["tracks"][0]["id"], track, "at once")
    ada.data("track.withdraw", track=track)
    equal(seen(bob, [track]) | seen(curator, [track]), set(), "after it was taken back")
    curator.refused("submission.not_found", "submissions.reject", id=number)


@check("the operator's figures count submissions, what was decided of them, and notifications")
def _():
    def figure(line):
        found = re.search(rf"^{re.escape(line)} ([\d.]+)$", stage.SERVER.metrics(), re.M)
        true(found, f"{line} is not among the figures")
        return float(found[1])

    lines = ["sona_submissions_total", 'sona_submissions_decided_total{result="approved"}',
             'sona_submissions_decided_total{result="rejected"}', 'sona_notifications_sent_total{kind="submission_decided"}']
    before = [figure(line) for line in lines]
    ada, curator = Person(), Person("curator")
    for verdict in ("approve", "reject", None):
        number = ada.data("track.submit", track=ada.upload(f"figure {verdict}"))["submission"]["id"]
        if verdict:
            curator.data(f"submissions.{verdict}", id=number, **({"reason": "No."} if verdict == "reject" else {}))
    equal([figure(line) - was for line, was in zip(lines, before)], [3, 1, 1, 2], "what came and was decided")
    # What is counted from rows is counted once in some seconds.
    within(15, lambda: figure("sona_submissions_pending") >= 1 and figure("sona_submissions_oldest_pending_seconds") > 0, "one waits")
    within(15, lambda: figure('sona_notifications{state="unread"}') >= 2, "unread notifications")
    for line in ('sona_notifications{state="read"}', 'sona_notification_mails_total{result="sent"}', 'sona_notification_mails_total{result="held_back"}'):
        figure(line)


def within(seconds, holds, what):
    end = time.monotonic() + seconds
    while not holds():
        true(time.monotonic() < end, what)
        time.sleep(0.5)
