#!/usr/bin/env python3
"""How fast a long playlist is edited and read: Tests/Benchmarks/Library/playlist_edits.py ADDRESS [--help]

Makes a playlist of 10 000 entries on a running server that has music, over two connections of a new account. One moves entries at
random; the time is until the other one has been told. Then pages of 100 entries are read one after another by the cursor, and at
random places. Exit code 1 if the median of moves is not below 50 ms, or that of pages not below 20 ms.
"""
import argparse, pathlib, random, statistics, sys, time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "OtherClients"))
from protocol_checks import helpers  # noqa: E402
from protocol_checks.helpers import Client, account  # noqa: E402


def line(what, times):
    times = sorted(times)
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))] * 1000
    print(f"{what}: median {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms, most {at(1):.1f} ms, of {len(times)}")
    return statistics.median(times) * 1000


def main():
    parser = argparse.ArgumentParser(description="Edits and reads a long playlist.")
    parser.add_argument("address", help="of a running server, http://127.0.0.1:8337")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--moves", type=int, default=100)
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
        page = one.data("playlist.get", {"playlist": playlist, "limit": 100} | ({"cursor": cursor} if cursor else {}))
        pages.append(time.perf_counter() - began)
        time.sleep(0.02)  # the requests of a connection, 60 a second
        cursor = page["next_cursor"]
        if not cursor:
            break
    places = []
    for _ in range(100):
        began = time.perf_counter()
        one.data("playlist.get", {"playlist": playlist, "limit": 100, "from": random.randrange(len(entries))})
        places.append(time.perf_counter() - began)
        time.sleep(0.02)
    told = line("a move, until another connection is told", moves)
    read = max(line("a page of 100 by its cursor", pages), line("a page of 100 from a place", places))
    sys.exit(0 if told < 50 and read < 20 else 1)


if __name__ == "__main__":
    main()
