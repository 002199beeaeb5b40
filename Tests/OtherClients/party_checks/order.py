"""queue.md: the order by votes, as it is told and as it is played."""
from protocol_checks.helpers import check, equal, true

from party_checks import stage as settings
from party_checks.queues import hall, pages, playing, set_rules, suggest
from party_checks.stage import chance

ROUNDS = {"ordering": "votes", "row_max": 100, "share_window": 1, "share_plays_max": 100}


def suggests(stage, names):
    """An entry of each, in this order: `b1` is bea's first, `c2` cal's second; their ids."""
    found, count = {}, {}
    for initial in names:
        who = next(m for name, m in stage.people.items() if name[0] == initial)
        count[initial] = count.get(initial, 0) + 1
        found[f"{initial}{count[initial]}"] = suggest(who)["id"]
    return found


def votes(stage, entries, **wanted):
    """So many votes more for each, down if negative, of guests who do nothing else."""
    guests = [m for name, m in stage.people.items() if name.startswith("guest")]
    for label, number in wanted.items():
        for guest in guests[:abs(number)]:
            guest.data("queue.vote", {"id": entries[label], "vote": "up" if number > 0 else "down"})


def order(stage, entries):
    labels = {number: label for label, number in entries.items()}
    return " ".join(labels.get(number, str(number)) for number in stage.ada.data("queue.get", {})["order"])


def plays_so(stage, entries, wanted):
    """This order is told, and it is the one that is played."""
    equal(order(stage, entries), wanted, "order")
    labels, played = {number: label for label, number in entries.items()}, []
    while stage.ada.ask("queue.next", {})["type"] == "ok" and (now := playing(stage.ada)):
        played.append(labels[now])
    equal(" ".join(played), wanted, "what was played")


@check("people take turns: a round is one of each, whoever suggested more or earlier")
def _():
    stage, room = hall("ada", "bea", "cal", "dan", **ROUNDS)
    with stage:
        plays_so(stage, suggests(stage, "bbbccd"), "b1 c1 d1 b2 c2 b3")


@check("within a round the difference of votes decides, then who stands first; so it does among one person's")
def _():
    stage, room = hall("ada", "bea", "cal", "dan", "guest1", "guest2", "guest3", **ROUNDS)
    with stage:
        entries = suggests(stage, "bcdbcd")
        votes(stage, entries, c1=1, d1=-1, d2=2, b2=-2, c2=3)
        plays_so(stage, entries, "c2 d2 b1 c1 d1 b2")
        entries = suggests(stage, "bbcc")
        votes(stage, entries, b1=-1, c1=1)
        equal(order(stage, entries), "c1 b2 c2 b1", "order")
        votes(stage, entries, c1=-1)
        stage.guest1.data("queue.vote", {"id": entries["b1"]})
        plays_so(stage, entries, "b1 c2 b2 c1")


@check("whoever comes in mid-round is in the next")
def _():
    stage, room = hall("ada", "bea", "cal", "dan", "guest1", **ROUNDS)
    with stage:
        entries = suggests(stage, "bbcc")
        stage.ada.data("queue.next", {})
        entries |= suggests(stage, "d")
        votes(stage, entries, d1=1)
        plays_so(stage, {k: v for k, v in entries.items()}, "c1 d1 b2 c2")


@check("an entry that three later ones of the same person have overtaken goes before all of theirs")
def _():
    stage, room = hall("ada", "bea", "guest1", **ROUNDS)
    with stage:
        entries = suggests(stage, "bbbbbb")
        votes(stage, entries, b2=1, b3=1, b4=1, b5=1, b6=1)
        plays_so(stage, entries, "b2 b3 b4 b1 b5 b6")


@check("nobody has more than row_max in a row while somebody waits who may")
def _():
    for row, wanted in ((1, "c1 b1 c2 b2"), (2, "c1 b1 b2 c2")):
        stage, room = hall("ada", "bea", "cal", "guest1", **ROUNDS | {"row_max": row})
        with stage:
            entries = suggests(stage, "bcbc")
            votes(stage, entries, c1=1)
            equal(order(stage, entries).split()[:2], ["c1", "b1"], "the first round")
            stage.ada.data("queue.next", {}), stage.ada.data("queue.next", {})
            stage.ada.data("queue.vote", {"id": entries["b2"], "vote": "up"})
            plays_so(stage, entries, " ".join(wanted.split()[2:]))


@check("nobody has more than share_plays_max of share_window plays while somebody waits who may")
def _():
    stage, room = hall("ada", "bea", "cal", "guest1", "guest2", **ROUNDS | {"share_window": 10, "share_plays_max": 10})
    with stage:
        suggests(stage, "bbb")
        for _ in range(4):
            stage.ada.data("queue.next", {})
        entries = suggests(stage, "bbcccc")
        votes(stage, entries, b1=2, b2=2)
        equal(order(stage, entries), "b1 c1 b2 c2 c3 c4", "order while there is no limit")
        set_rules(stage.ada, share_plays_max=3)
        equal(order(stage, entries).split()[:3], ["c1", "c2", "c3"], "order while bea has had her share")
        set_rules(stage.ada, share_plays_max=4)
        plays_so(stage, entries, order(stage, entries))


def by_rounds(waiting):
    """The order of the page, of [(label, difference of votes)] as they stand, where row and share limit nothing."""
    left, overtaken, order = list(waiting), {}, []
    standing = {label: k for k, (label, _) in enumerate(waiting)}

    def best(person):
        mine = [(label, votes) for label, votes in left if label[0] == person]
        late = [one for one in mine if overtaken.get(one[0], 0) >= 3]
        return late[0] if late else min(mine, key=lambda one: (-one[1], standing[one[0]]))

    while left:
        in_round = {label[0] for label, _ in left}
        while in_round:
            label, votes = min(map(best, sorted(in_round)), key=lambda one: (-one[1], standing[one[0]]))
            for other, _ in left:
                if other[0] == label[0] and standing[other] < standing[label]:
                    overtaken[other] = overtaken.get(other, 0) + 1
            left.remove((label, votes))
            in_round.remove(label[0])
            order.append(label)
    return order


def limits_hold(order, rules):
    """Nobody is beyond a limit while somebody waits who is below both."""
    def below_both(person, played):
        row = len(played) - len("".join(played).rstrip(person))
        window = played[len(played) - rules["share_window"] + 1:] if rules["share_window"] <= len(played) else played
        share = rules["share_plays_max"] >= rules["share_window"] or window.count(person) < rules["share_plays_max"]
        return row < rules["row_max"] and (share if rules["share_window"] > 1 else True)

    people = [label[0] for label in order]
    for k, person in enumerate(people):
        if not below_both(person, people[:k]):
            able = {other for other in people[k:] if below_both(other, people[:k])}
            true(not able, f"{order[k]} plays in {' '.join(order)} with {rules}, while {sorted(able)} could")


def at_random(stage, luck):
    """Entries of four people with votes at random: their ids, and [(label, difference)] as they stand."""
    entries = suggests(stage, luck.choices("bcde", k=20))
    for label in entries:
        votes(stage, entries, **{label: luck.randint(-3, 3)})
    found = {e["id"]: e["upvotes"] - e["downvotes"] for e in pages(stage.ada)["entries"]}
    return entries, [(label, found[number]) for label, number in entries.items()]


@check("the order by votes is the one of the page, told and played: at random, without limits")
def _():
    luck = chance("order")
    for _ in range(15 if settings.SLOW else 4):
        stage, room = hall("ada", "bea", "cal", "dan", "eva", "guest1", "guest2", "guest3", **ROUNDS)
        with stage:
            entries, waiting = at_random(stage, luck)
            plays_so(stage, entries, " ".join(by_rounds(waiting)))


@check("the order that is told is the one that is played, and keeps row_max and share_plays_max: at random")
def _():
    luck = chance("limits")
    for _ in range(15 if settings.SLOW else 4):
        window = luck.choice((1, 4, 8))
        rules = {"row_max": luck.choice((1, 2, 3)), "share_window": window,
                 "share_plays_max": luck.randint(1, window)}
        stage, room = hall("ada", "bea", "cal", "dan", "eva", "guest1", "guest2", "guest3", ordering="votes")
        with stage:
            entries, _ = at_random(stage, luck)
            set_rules(stage.ada, **rules)
            told = order(stage, entries)
            limits_hold(told.split(), rules)
            plays_so(stage, entries, told)


@check("nobody waits without end: one without votes plays, however many others come, all voted up")
def _():
    stage, room = hall("ada", "bea", "cal", "dan", "guest1", "guest2", **ROUNDS)
    with stage:
        unloved = suggests(stage, "b")["b1"]
        stage.guest1.data("queue.vote", {"id": unloved, "vote": "down"})
        for turn in range(12):
            entries = suggests(stage, "bcd")
            votes(stage, entries, b1=2, c1=2, d1=2)
            stage.ada.data("queue.next", {}), stage.ada.data("queue.next", {})
            if unloved not in stage.ada.data("queue.get", {})["order"]:
                return
        true(False, "it waits still after 24 plays")
