#!/usr/bin/env python3
"""How fast a long playlist is edited and read: Tests/Benchmarks/Library/playlist_edits.py ADDRESS [--help]

Makes a playlist of 10 000 entries on a running server that has music, over two connections of a new account. One moves entries at
random; the time is until the other one has been told. Then pages are read one after another by the cursor, and at random places over
WebSocket and over HTTP, each request over a connection of its own. Exit code 1 if the median of moves is not below 50 ms, or that of
pages not below 20 ms. `--page` is the length of a page, 100 if absent.

A page that is a little longer than the 64 KiB which the kernel takes of a listener's sound is what is slow first: with tracks of 750
bytes those are pages of 85 to 105 entries.
"""
import argparse, json, pathlib, random, statistics, sys, time, urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "OtherClients"))
from protocol_checks import helpers  # noqa: E402
from protocol_checks.helpers import Client, account  # noqa: E402


def line(what, times):
    times = sorted(times)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))] * 1000
    print(f"{what}: median {at(0.5):.1f} ms, p95 {at(0.95):.1f} ms, most {at(1):.1f} ms, of {len(times)}")
    return statistics.median(times) * 1000


def main():
    parser = argparse.ArgumentParser(description="Edits and reads a long playlist.")
    parser.add_argument("address", help="of a running server, http://127.0.0.1:8337")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--page", type=int, default=100)
    given = parser.parse_args()
    helpers.URL = given.address
    token = account()["access_token"]
    one, two = Client(token), Client(token)
    tracks = [track["id"] for track in one.data("library.list", {"limit": 100})["tracks"]]
    playlist = one.data("playlist.create", {"title": "Long"})["playlist"]["id"]
    began, entries = time.perf_counter(), []
    while len(entries) < given.entries:
        count = min(500, given.entries - len(entries))
        done = one.data("playlist.add", {"playlist": playlist, "tracks": [random.choice(tracks) for _ in range(count)]}, 60)
        entries += [place["id"] for place in done["added"]]
        two.event("playlist.changed", 60, lambda told: told["version"] == done["version"])
    print(f"{len(entries)} entries, 500 at a time: {time.perf_counter() - began:.1f} s")
    moves = []
    for _ in range(given.moves):
        entry, began = random.choice(entries), time.perf_counter()
        number = one.send("playlist.move", {"playlist": playlist, "entries": [entry], "at": random.randrange(len(entries))})
        two.event("playlist.changed", 60, lambda told: [place["id"] for place in told["moved"]] == [entry])
        moves.append(time.perf_counter() - began)
        one.reply(number)
        time.sleep(0.26)  # the budget of an account
    pages, cursor = [], None
    while True:
        began = time.perf_counter()
        page = one.data("playlist.get", {"playlist": playlist, "limit": given.page} | ({"cursor": cursor} if cursor else {}))
        pages.append(time.perf_counter() - began)
        time.sleep(0.02)  # the requests of a connection, 60 a second
        cursor = page["next_cursor"]
        if not cursor:
            break
    places, fetched, longest = [], [], 0
    for _ in range(100):
        request = {"playlist": playlist, "limit": given.page, "from": random.randrange(max(1, len(entries) - given.page))}
        began = time.perf_counter()
        one.data("playlist.get", request)
        places.append(time.perf_counter() - began)
        call = urllib.request.Request(f"{given.address}/v1/rpc/playlist.get", json.dumps(request).encode(),
                                      {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
        began = time.perf_counter()
        with urllib.request.urlopen(call) as answer:
            longest = max(longest, len(answer.read()))
        fetched.append(time.perf_counter() - began)
        time.sleep(0.02)
    told = line("a move, until another connection is told", moves)
    read = max(line(f"a page of {given.page} by its cursor", pages), line("a page from a place", places),
               line(f"the same over HTTP, at most {longest} bytes", fetched))
    sys.exit(0 if told < 50 and read < 20 else 1)


if __name__ == "__main__":
    main()
