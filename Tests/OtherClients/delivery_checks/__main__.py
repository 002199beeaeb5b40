"""Asks servers of its own whether what is live reaches everybody as Protocol/spec/ says, whatever others do.

    python3 Tests/OtherClients/delivery_checks BIN-FOLDER [--only NAME]… [--slow] [--seconds S] [--gentle]
                                               [--seed NUMBER] [--server-options="--loops 4"]

Needs nothing but Python's library, and promtool for one check if it is there. Prints a line for each promise and exits
with 1 if one is not kept. Every check has a server of its own. Without --slow some run side by side; with it each is
alone, takes longer and is larger. What happens at random happens so again with the same seed. Delays are measured with
stamps in the packets, by the clock of this machine; where this program is too slow to measure them, it says so.
"""
import argparse, asyncio, gc, importlib, pathlib, random, shlex, signal, sys, time

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402

# Side by side without --slow, the first of a group first. What measures time waits for World.alone.
GROUPS = (("gathering", "precedence", "metrics", "meter", "dead_readers"), ("switching", "low_rate", "churn"))


class World:
    """What checks share."""
    def __init__(self, given, crowd):
        self.slow, self.seconds, self.seed, self.crowd = given.slow, given.seconds, given.seed, crowd
        self.gentle = given.gentle
        self.alone = asyncio.Lock()

    def dice(self, name):
        return random.Random(f"{self.seed} {name}")


async def attempt(name, world, report):
    from protocol_checks.helpers import Failure
    module = importlib.import_module(f"delivery_checks.{name}")
    begun = time.monotonic()
    try:
        await module.check(world, report)
    except (Failure, OSError, KeyError, TypeError, IndexError, ValueError, asyncio.TimeoutError) as error:
        report(name.replace("_", " "), False, f"{type(error).__name__}: {error}")
    report.note(f"{name.replace('_', ' ')}: {time.monotonic() - begun:.0f} s")


async def run(given, report):
    from delivery_checks.peers import Crowd
    crowd = Crowd()
    crowd.begin()
    world = World(given, crowd)
    wanted = [[n for n in group if not given.only or n in given.only] for group in GROUPS]
    for group in wanted if not given.slow else [[name] for group in wanted for name in group]:
        await asyncio.gather(*(attempt(name, world, report) for name in group))
        crowd.close()
        gc.collect()
    if crowd.faults:
        report("every frame is one of RFC 6455", False, crowd.faults[0])


def main():
    names = [name for group in GROUPS for name in group]
    parser = argparse.ArgumentParser(prog="delivery_checks", description="Checks delivery on Sona servers of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--only", action="append", help="this check; may be repeated")
    parser.add_argument("--slow", action="store_true", help="longer, larger, one after the other")
    parser.add_argument("--seconds", type=int, help="how long churn goes on: 18, with --slow 600")
    parser.add_argument("--gentle", action="store_true", help="switching asks a third as much of a server, for longer: for "
                        "one that is watched while it runs, and slow by that")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of what happens at random")
    parser.add_argument("--server-options", default="", help="for sona serve, in one word behind a =")
    given = parser.parse_args()
    verdicts.named(parser.prog, names, given.only)
    from delivery_checks import peers
    from delivery_checks.server import LiveServer
    LiveServer.programs, LiveServer.options = given.programs.resolve(), tuple(shlex.split(given.server_options))
    peers.raise_descriptor_limit()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that no server is left behind
    gc.disable()  # its pauses would be measured as delays; between checks it collects
    report = verdicts.Report()
    print(f"seed {given.seed}", flush=True)
    asyncio.run(run(given, report))
    sys.exit(report.status())


if __name__ == "__main__":
    main()
