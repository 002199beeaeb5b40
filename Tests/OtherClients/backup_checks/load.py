"""A backup under 200 writes a second and a scan: consistent, and rooms do not notice."""
import json, subprocess, sys, tempfile, threading, time

from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import Writers, check_contents, check_database, create, restore, verify


def delays(seconds, listeners, meanwhile):
    """p50 and p99 of delivery in ms, measured by sonaload while `meanwhile` runs."""
    out = stage.FOLDER / "load.json"
    process = subprocess.Popen([stage.PROGRAMS / "sonaload", "--server", stage.SERVER.url, "--listeners", str(listeners), "--seconds",
                                str(seconds), "--json", out], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    meanwhile(process)
    said = process.communicate(timeout=seconds + 60)[1]
    equal(process.returncode, 0, f"sonaload: {said[-300:]}")
    found = json.loads(out.read_text())
    return found


def scan():
    """More music comes into the folder, and is scanned."""
    subprocess.run([sys.executable, stage.TESTS / "Library" / "make_folder.py", stage.MUSIC / f"more-{time.time_ns()}", "--count",
                    "40", "--seed", str(time.time_ns() % 1000)], check=True, stdout=subprocess.DEVNULL)


@check("under 200 writes a second, uploads and a scan every backup is consistent")
def _():
    place, made = stage.FOLDER / "busy", []
    with Writers(rate=200) as writers:
        scanning = threading.Thread(target=scan)
        scanning.start()
        for number in range(4):
            stage.upload(stage.PEOPLE[1]["access_token"], stage.sound(2, f"busy {number}"))
            made.append(create(place))
        scanning.join()
    true(writers.per_second > 120, f"only {writers.per_second:.0f} writes a second")
    for one in verify(place, "--all"):
        equal((one["whole"], one["faults"]), (True, []), one["name"])
    target = stage.FOLDER / "busy-data"
    restore(target, place)
    check_contents(target, check_database(target))
    print(f"        {writers.per_second:.0f} writes a second; stored {[one['stored_bytes'] >> 10 for one in made]} KiB")


@check("beside a backup the p99 of a room's delivery is what it is without", slow=True)
def _():
    place = stage.FOLDER / "beside"
    result = {}
    for name in ("without", "with", "without again", "with again"):
        backups = 0

        def meanwhile(process):
            nonlocal backups
            end = time.monotonic() + 16
            while time.monotonic() < end and process.poll() is None:
                if name.startswith("without"):
                    time.sleep(0.5)
                else:
                    create(place)
                    backups += 1
        with Writers(rate=200) as writers:
            found = delays(20, 200, meanwhile)
        result[name] = (found, backups, writers.per_second)
    (stage.FOLDER / "delays.json").write_text(json.dumps({name: one[0] for name, one in result.items()}))
    p99 = {name: p99_of(one[0]) for name, one in result.items()}
    print("        " + "; ".join(f"{name}: p99 {p99[name]:.2f} ms, {one[1]} backups, {one[2]:.0f} writes/s" for name, one in result.items()))
    best_without, best_with = (min(p99[k] for k in keys) for keys in (("without", "without again"), ("with", "with again")))
    true(best_with < 2 * best_without + 5, f"{best_with:.1f} ms beside a backup, {best_without:.1f} ms without")


def p99_of(record):
    def find(value):
        if isinstance(value, dict):
            for key in ("delay", "delay_ms"):
                if isinstance(value.get(key), dict):
                    for name, number in value[key].items():
                        if name.startswith("p99") and not name.startswith("p999") and isinstance(number, (int, float)):
                            return number
            for one in value.values():
                if (found := find(one)) is not None:
                    return found
        return None
    found = find(record)
    true(found is not None, f"no p99 in {str(record)[:200]}")
    return found
