#!/usr/bin/env python3
"""How long searches and pages of a library take with many clients: Tests/Benchmarks/Library/search_load.py ADDRESS [--help]

Clients ask a running server over HTTP, each one request after the other on a connection of its own. Searches are for words of
the library itself: whole, beginnings, one letter, two letters, misspelt, of other scripts. Pages are read as apps read them, from
the first on by the cursor, and at depths that were reached before. Times are from the first byte sent to the last one
received. Needs nothing but Python. Exit code 1 if there was an error, or a goal is missed.
"""
import argparse, collections, http.client, json, random, sys, threading, time, unicodedata, urllib.parse

KINDS = {"tracks": ("title", "artist", "added", "plays"), "artists": ("title",),
         "albums": ("title", "artist", "added"), "genres": ("title",)}
#: Pages of each list that are read before the clock runs, to know how deep they are.
PAGES_BEFORE = 50


class Refused(Exception):
    def __init__(self, code, wait=None):
        super().__init__(code)
        self.code, self.wait = code, wait


class Client:
    def __init__(self, address, token=None):
        place = urllib.parse.urlsplit(address)
        kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
        self.connection = kind(place.hostname, place.port, timeout=30)
        self.token = token or self.ask("auth.guest", {})[0]["access_token"]

    token = None

    def ask(self, request, data):
        """The answer's data, and the milliseconds it took. JSON is read after the clock has stopped."""
        body = json.dumps(data).encode()
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        began = time.perf_counter()
        try:
            self.connection.request("POST", f"/v1/rpc/{request}", body, headers)
            answer = self.connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.connection.close()
            raise Refused(f"connection: {error!r}") from error
        took = (time.perf_counter() - began) * 1000
        try:
            told = json.loads(text)
        except ValueError:
            raise Refused(f"status {answer.status} without JSON") from None
        if answer.status != 200:
            error = told.get("error", told)
            raise Refused(error.get("code", f"status {answer.status}"), error.get("retry_after_ms"))
        return told["data"], took


def title_of(item):
    return item.get("title") or item.get("name") or ""


def words_of(items):
    """Words of titles and names, by what kind of query they make."""
    found = set()
    for item in items:
        for text in (title_of(item), str(item.get("artist") or "")):
            found.update(word.strip("()\"'?!.,¿¡").casefold() for word in text.split())
    found.discard("")
    scripts = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
    dense = [word for word in found if any(unicodedata.name(sign, "").startswith(scripts) for sign in word)]
    return sorted(found - set(dense)), sorted(dense)


def misspelt(chance, word):
    at = chance.randrange(len(word))
    change = chance.randrange(3)
    if change == 0:
        return word[:at] + word[at + 1:] or word
    if change == 1:
        return word[:at] + chance.choice("aeiourstln") + word[at + 1:]
    return word[:at] + word[at:at + 2][::-1] + word[at + 2:]


def without_marks(word):
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))


def queries(words, dense):
    """The kinds of queries, each a function of the dice."""
    def beginning(chance):
        word = chance.choice(words)
        return word[:chance.randint(3, max(3, len(word)))]

    kinds = {
        "word": lambda chance: chance.choice(words), "beginning": beginning,
        "one letter": lambda chance: chance.choice(words)[:1], "two letters": lambda chance: chance.choice(words)[:2],
        "two words": lambda chance: f"{chance.choice(words)} {beginning(chance)}",
        "without marks": lambda chance: without_marks(chance.choice(words)),
        "misspelt": lambda chance: misspelt(chance, chance.choice(words)),
        "nothing": lambda chance: "zq" + "".join(chance.choice("qxzvwk") for _ in range(6))}
    if dense:
        def part(chance):
            word = chance.choice(dense)
            at = chance.randrange(len(word))
            return word[at:at + chance.randint(1, 3)]

        kinds["CJK"] = part
    return kinds


def lists_of(client, limit):
    """For each list and order: cursors at known depths, and items of the first pages."""
    cursors, items = {}, []
    for kind, orders in KINDS.items():
        for order in orders:
            known, cursor = [None], None
            for _ in range(PAGES_BEFORE):
                page = patient(client, "library.list", {"kind": kind, "sort": order, "limit": limit, "cursor": cursor})[0]
                items.extend(page[kind])
                cursor = page.get("next_cursor")
                if not cursor:
                    break
                known.append(cursor)
            cursors[kind, order] = known
    return cursors, items


def patient(client, request, data):
    """Asks, and waits where the server says that it was too often."""
    for _ in range(20):
        try:
            return client.ask(request, data)
        except Refused as refused:
            if not refused.code.endswith("rate_limited"):
                raise
            time.sleep((refused.wait or 1000) / 1000)
    raise Refused("request.rate_limited")


class Results:
    def __init__(self):
        self.lock, self.times, self.errors = threading.Lock(), collections.defaultdict(list), collections.Counter()

    def add(self, name, took):
        with self.lock:
            self.times[name].append(took)

    def fault(self, code):
        with self.lock:
            self.errors[code] += 1


def share(times, part):
    times = sorted(times)
    return times[min(len(times) - 1, int(len(times) * part))]


def line(name, times, seconds):
    parts = ", ".join(f"{label} {share(times, part):7.2f} ms" for label, part in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)))
    print(f"{name:<26} {len(times):>7} asked, {len(times) / seconds:7.0f} a second, {parts}, most {max(times):7.2f} ms", flush=True)


def loaded(options, clients, make, results):
    """Lets all clients ask for the given time. `make(chance)` gives (name, request, data, what to do with the answer)."""
    end = time.monotonic() + options.seconds

    def work(number, client):
        chance = random.Random(f"{options.seed}/{number}")
        while time.monotonic() < end:
            name, request, data, then = make(chance)
            try:
                answer, took = client.ask(request, data)
                results.add(name, took)
                then(answer)
            except Refused as refused:
                results.fault(refused.code)
                if refused.code.endswith("rate_limited") or refused.code.startswith("connection"):
                    time.sleep(min(1.0, (refused.wait or 100) / 1000))
            except (KeyError, TypeError, ValueError) as error:
                results.fault(f"an answer without its parts: {error!r}")
            if options.pause:
                time.sleep(chance.expovariate(1000 / options.pause))

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def search(options, clients, items):
    words, dense = words_of(items)
    if not words:
        raise SystemExit("the library has no titles to search for")
    kinds, found = queries(words, dense), collections.Counter()

    def make(chance):
        name = chance.choice(list(kinds))

        def then(answer):
            # Lists all three, or the answer is no answer.
            found[name] += bool(answer["tracks"] or answer["albums"] or answer["artists"])

        return name, "search", {"query": kinds[name](chance)}, then

    results = Results()
    loaded(options, clients, make, results)
    for name in kinds:
        if results.times[name]:
            line(f"search, {name}", results.times[name], options.seconds)
    for name in ("word", "beginning", "one letter"):
        if results.times[name] and found[name] < 0.9 * len(results.times[name]):
            results.errors[f"only {found[name]} of {len(results.times[name])} searches by {name} found something"] += 1
    return results


def pages(options, clients, cursors):
    keys, lock = list(cursors), threading.Lock()

    def make(chance):
        kind, order = key = chance.choice(keys)
        with lock:
            known = cursors[key]
            at = len(known) - 1 if chance.random() < 0.3 else chance.randrange(len(known))
            cursor = known[at]

        def then(answer):
            following = answer["next_cursor"]
            if not isinstance(answer[kind], list):
                raise TypeError(kind)
            with lock:
                # One page deeper than anybody was.
                if following and len(known) == at + 1:
                    known.append(following)

        return f"{kind} by {order}", "library.list", {
    "kind": kind, "sort": order, "limit": options.limit, "cursor": cursor}, then

    results = Results()
    loaded(options, clients, make, results)
    for name in sorted(results.times):
        line(f"list, {name}", results.times[name], options.seconds)
    deepest = max(cursors, key=lambda key: len(cursors[key]))
    print(f"deepest: page {len(cursors[deepest])} of {deepest[0]} by {deepest[1]}")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", help="of a running server, such as http://127.0.0.1:8080")
    parser.add_argument("--token", action="append", help="an access token, may be repeated; clients are guests without one")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=20, help="for searches, and as many for pages")
    parser.add_argument("--pause", type=float, default=0, help="milliseconds between two requests of a client, on average (0)")
    parser.add_argument("--limit", type=int, default=100, help="items of a page")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", choices=("search", "list"))
    parser.add_argument("--goal-search", type=float, default=50, help="p95 in ms (50)")
    parser.add_argument("--goal-list", type=float, default=20, help="p95 in ms (20)")
    options = parser.parse_args()
    # A thread that has its answer must not wait for one that reads JSON.
    sys.setswitchinterval(0.0005)
    try:
        clients = [Client(options.address, options.token[number % len(options.token)] if options.token else None)
                   for number in range(options.clients)]
        cursors, items = lists_of(clients[0], options.limit)
    except Refused as refused:
        raise SystemExit(f"{options.address}: {refused.code}") from None
    sums = {"search": (options.goal_search, lambda: search(options, clients, items)),
            "list": (options.goal_list, lambda: pages(options, clients, cursors))}
    status = 0
    for name, (goal, run) in sums.items():
        if options.only and name != options.only:
            continue
        results = run()
        times = [took for some in results.times.values() for took in some]
        for code, count in results.errors.most_common():
            print(f"{name}: {count} × {code}")
        if not times:
            print(f"FAILED  {name}: no request was answered")
            status = 1
            continue
        line(f"{name}, all", times, options.seconds)
        reached, faults = share(times, 0.95) <= goal, sum(results.errors.values())
        word = "FAILED  " if faults or not reached else "ok      "
        print(f"{word}{name}: p95 {share(times, 0.95):.2f} ms, goal {goal:g} ms, {faults} errors", flush=True)
        status |= not reached or faults > 0
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
