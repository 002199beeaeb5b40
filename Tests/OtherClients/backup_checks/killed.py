"""kill -9 of the backup at any moment: nothing is listed that is not whole, and the next one succeeds."""
import pathlib, random, subprocess, time

from protocol_checks.helpers import check, equal, true

from backup_checks import stage
from backup_checks.stage import PASSPHRASE, PROGRAMS, create, names, verify


def begin(place):
    return subprocess.Popen([stage.PROGRAMS / "sona", "backup", "create", place, "--data", stage.SERVER.data,
                             "--passphrase-file", PASSPHRASE], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def kill_rounds(rounds):
    dice, place = random.Random(stage.SEED), stage.FOLDER / "killed"
    begun = time.monotonic()
    create(place)
    whole = time.monotonic() - begun
    killed = 0
    for number in range(rounds):
        stage.upload(stage.PEOPLE[0]["access_token"], stage.sound(3, f"{stage.SEED} {number}"))
        before = names(place)
        process = begin(place)
        time.sleep(dice.uniform(0, 1.1 * whole))
        process.kill()
        killed += process.wait() == -9
        found = names(place)
        true(len(found) - len(before) <= 1 and set(before) <= set(found), f"seed {stage.SEED}: {before} became {found}")
        for one in verify(place, "--all", "--quick"):
            true(one["whole"], f"seed {stage.SEED}: {one}")
    true(killed > rounds // 4, f"only {killed} of {rounds} were killed in time")
    made = create(place)
    true(made["name"] in names(place), "the next one")
    true(all(one["whole"] for one in verify(place, "--all")), f"seed {stage.SEED}")
    left = sorted(path.name for path in place.iterdir())
    equal(left, ["backups", "lock", "objects", "sona-backups"], "what is left in the place")
    print(f"        {killed} kills within {whole:.2f} s; seed {stage.SEED}")


@check("kill -9 at random moments of backups: nothing is listed that is not whole, and the next one succeeds")
def _():
    kill_rounds(6)


@check("kill -9 at a hundred moments", slow=True)
def _():
    kill_rounds(100)


@check("kill -9 of a restore leaves no data folder, or a whole one")
def _():
    dice, place = random.Random(stage.SEED + 1), stage.FOLDER / "killed"
    if not place.exists():
        create(place)
    for number in range(4):
        target = stage.FOLDER / f"half-{number}"
        process = subprocess.Popen([stage.PROGRAMS / "sona", "restore", place, "--data", target, "--passphrase-file", PASSPHRASE],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(dice.uniform(0, 1.2))
        process.kill()
        process.wait()
        if target.exists():
            stage.check_contents(target, stage.check_database(target))
            true((target / "keys" / "signing.pem").exists(), "keys")
        else:
            stage.restore(target, place)


@check("two backups at once: one of them is refused")
def _():
    place = stage.FOLDER / "killed"
    first = begin(place)
    codes = {first.poll()}
    second = begin(place)
    codes = sorted([first.wait(), second.wait()])
    true(codes in ([0, 75], [0, 0]), f"{codes}")
