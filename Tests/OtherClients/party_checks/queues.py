"""What checks of the queue share: tunes, rules, and a client that keeps it as queue.md says."""
import itertools, time

from protocol_checks.helpers import Failure, equal, true

from party_checks.stage import Stage

OPEN_TO_ALL = {"suggesters": "everybody", "voters": "everybody", "needs_approval": False, "dwell_s": 0,
               "cooldown_s": 0, "waiting_per_person_max": 100, "entries_max": 500, "share_window": 1,
               "share_plays_max": 100, "skip_percent": 50, "grace_s": 0}
NUMBERS = itertools.count(1)


def hall(*names, **rules):
    """A party inside a public room of its first; everything is allowed but what these rules say. And the room."""
    stage = Stage(*names)
    owner = stage.people[names[0]]
    room = owner.data("room.create", {"delivery": "interactive", "lead_ms": 300})["room"]["id"]
    owner.data("queue.set_rules", {"room": room, "rules": OPEN_TO_ALL | rules})
    for who in stage.people.values():
        who.join(room)
    stage.mark()
    return stage, room


def set_rules(who, **rules):
    who.data("queue.set_rules", {"rules": rules})


def add(who, count=1, **more):
    """The ids of new entries."""
    return [e["id"] for e in who.data("queue.add", {"tracks": [tune() for _ in range(count)]} | more)["entries"]]


def ids(who):
    return [e["id"] for e in pages(who)["entries"]]


def playing(who):
    now = who.data("queue.get", {})["now"]
    return now and now["entry"]["id"]


def refused(who, code, kind, data, until=None):
    """Refused by a rule; if it lifts by time, the same passes when that time is over."""
    error = who.refused("queue." + code, kind, data)
    if until is None:
        true("retry_after_ms" not in error, f"{code} lifts by itself? {error}")
        return
    true(0 < error.get("retry_after_ms", 0) <= until * 1000, f"{code}: {error}")
    time.sleep(error["retry_after_ms"] / 1000)
    who.data(kind, data)


def tune(source=True):
    """A track that nobody has suggested before."""
    number = next(NUMBERS)
    return {"track": {"title": f"Tune {number}", "artist": "Somebody", "duration_us": 180_000_000}} | (
        {"source": f"tune-{number}"} if source else {})


def suggest(who, **more):
    """The new entry."""
    return who.data("queue.suggest", tune() | more)["entries"][0]


def pages(who, room=None, limit=100, over_http=False):
    """The whole queue: the first page, with the entries of all."""
    ask = lambda more: (who.rpc_data if over_http else who.data)(
        "queue.get", {"limit": limit} | ({"room": room} if room else {}) | more)
    for _ in range(9):
        whole = page = ask({})
        while page["next_offset"] is not None and page["revision"] == whole["revision"]:
            equal(page["next_offset"], len(whole["entries"]), "next_offset")
            page = ask({"offset": page["next_offset"]})
            whole["entries"] = whole["entries"] + page["entries"]
        if page["revision"] == whole["revision"]:
            equal(len(whole["entries"]), whole["waiting"] + whole["pending"], "entries on all pages")
            return whole
    raise Failure("the queue changes from page to page, nine times in a row")


class Mirror:
    """A queue as queue.get told it, kept by applying every queue.changed."""
    def __init__(self, got):
        self.revision, self.rules, self.repeat, self.now = (got[k] for k in ("revision", "rules", "repeat", "now"))
        self.skip = got["skip_votes"], got["skip_votes_needed"]
        self.order = got.get("order")
        self.waiting = [dict(e) for e in got["entries"] if e["approved"]]
        self.pending = [dict(e) for e in got["entries"] if not e["approved"]]

    def _taken(self, entries, number):
        entry = next((e for e in entries if e["id"] == number), None)
        true(entry, f"queue.changed speaks of {number}, which is not there")
        entries.remove(entry)
        return entry

    def _behind(self, after):
        if after is None:
            return 0
        found = [k for k, e in enumerate(self.waiting) if e["id"] == after]
        true(found, f"after {after}, which does not wait")
        return found[0] + 1

    def apply(self, data):
        true(data["revision"] > self.revision, f"revision {data['revision']} after {self.revision}")
        self.revision = data["revision"]
        for change in data["changes"]:
            getattr(self, f"_{change['change']}")(change)
        if self.rules["ordering"] != "votes":
            self.order = None

    def _added(self, change):
        approved = {e["approved"] for e in change["entries"]}
        true(len(approved) == 1, "pending ones and waiting ones in a row")
        if approved == {True}:
            at = self._behind(change["after"])
            self.waiting[at:at] = change["entries"]
        else:
            self.pending += change["entries"]

    def _removed(self, change):
        for number in change["ids"]:
            among = self.waiting if any(e["id"] == number for e in self.waiting) else self.pending
            self._taken(among, number)

    def _approved(self, change):
        self.waiting.append(self._taken(self.pending, change["id"]) | {"approved": True})

    def _moved(self, change):
        entry = self._taken(self.waiting, change["id"])
        self.waiting.insert(self._behind(change["after"]), entry)

    def _reordered(self, change):
        there = {e["id"]: e for e in self.waiting}
        equal(sorted(change["ids"]), sorted(there), "ids of reordered")
        self.waiting = [there[number] for number in change["ids"]]

    def _votes(self, change):
        for k, entry in enumerate(self.waiting):
            if entry["id"] == change["id"]:
                self.waiting[k] = entry | {"upvotes": change["upvotes"], "downvotes": change["downvotes"]}
                return
        true(False, f"votes for {change['id']}, which does not wait")

    def _rules(self, change):
        self.rules = change["rules"]

    def _repeat(self, change):
        self.repeat = change["repeat"]

    def _now(self, change):
        before, self.now = self.now, change["now"]
        if self.now:
            self.waiting = [e for e in self.waiting if e["id"] != self.now["entry"]["id"]]
        if (before and before["play"]) != (self.now and self.now["play"]):
            self.skip = 0, self.skip[1]  # each skipping begins anew

    def _skip(self, change):
        self.skip = change["votes"], change["needed"]

    def _order(self, change):
        self.order = change["ids"]

    def same_as(self, got, what):
        """But for `revision`, and how many votes skip while nobody wants that, which checks of their own look at."""
        for word in ("rules", "repeat", "now"):
            equal(getattr(self, word), got[word], f"{word} {what}")
        equal([e["id"] for e in self.waiting + self.pending], [e["id"] for e in got["entries"]], f"ids {what}")
        for mine, entry in zip(self.waiting + self.pending, got["entries"]):
            for word, value in entry.items():
                equal(mine[word], value, f"{word} of entry {entry['id']} {what}")
        equal((len(self.waiting), len(self.pending)), (got["waiting"], got["pending"]), f"numbers {what}")
        equal(self.order, got.get("order"), f"order {what}")
        if self.order is not None:
            equal(sorted(self.order), sorted(e["id"] for e in self.waiting), f"what is in the order {what}")
        equal(self.skip[0], got["skip_votes"], f"votes to skip {what}")
        if self.skip[0]:
            equal(self.skip[1], got["skip_votes_needed"], f"votes needed to skip {what}")
