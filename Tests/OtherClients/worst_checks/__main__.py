"""Has one account and one address do their worst to a server of its own, while a room of others plays.

    python3 Tests/OtherClients/worst_checks BIN-FOLDER [--minutes 10] [--only WORD] [--periods]

Needs Python's library, and `opusenc`. Attacks take the minutes between them, one after the other, each from 127.0.0.3
in a process of the lowest priority. The healthy room is at 127.0.0.1 in a process of its own, and is listened to before
each attack and during it. A line for each attack says what is wrong, and a table at the end what was measured: what the
server held more than before, the delays of the healthy room in ms, and for which part of the time no other program
disturbed. `--periods` tells of each part of an attack, too. Exits with 1 if something is not as deploy/limits.md says.
"""
import argparse, collections, multiprocessing, pathlib, subprocess, sys, urllib.request

FOLDER = pathlib.Path(__file__).resolve().parent
if __package__ in (None, ""):  # run by the folder's name: then Python looks for modules in here, not beside it
    sys.path[0] = str(FOLDER.parent)

import verdicts  # noqa: E402
from delivery_checks.peers import raise_descriptor_limit  # noqa: E402
from protocol_checks import helpers  # noqa: E402

WORST, FRESH = "127.0.0.3", "127.0.0.2"
QUIET_S, PATIENCE_S, START_S, SETTLED_S = 6, 20, 60, 60
MIB = 1 << 20
HEADINGS = ("attack", "sent", "conns", "answers", "RSS +MiB", "fds", "disk +KiB", "journal", "CPU", "p50 quiet", "during",
            "p99 quiet", "during", "longest", "calm")


class Field:
    """The server, the healthy room beside it, and who attacks."""
    def __init__(self, report, server):
        from edge_checks import stage
        from worst_checks import asking, healthy, watch
        self.report, self.server, self.rows = report, server, []
        self.processes = multiprocessing.get_context("spawn")
        self.ask = lambda kind, data, token, source: self.answer(stage.rpc(
            self.server.port, kind, data, {"Authorization": f"Bearer {token}"} if token else None, source))
        host, bystander = helpers.account(), helpers.account()
        address = ("127.0.0.1", self.server.port)
        pipe, far = self.processes.Pipe()
        self.room = self.processes.Process(target=healthy.run, args=(address, host["access_token"], far), daemon=True)
        self.room.start()
        if not pipe.poll(START_S):
            raise OSError("the healthy room does not begin")
        self.hall, self.pipe = pipe.recv(), pipe
        self.ask_as_worst = lambda kind, data, token: self.ask(kind, data, token, WORST)
        self.place = asking.Place(address, WORST, self.hall, bystander["user"]["uid"]).settle(self.ask_as_worst)
        self.watch = watch.Watch(self.server, pipe)
        self.watch.for_seconds(3)
        self.first = self.watch.look()

    @staticmethod
    def answer(reply):
        status, body = reply
        helpers.equal(status, 200, body)
        return body["data"]

    def run(self, attack, seconds, periods):
        """Attacks for so long; judges, and tells of it."""
        quiet_from = self.watch.wait_for_calm(QUIET_S, PATIENCE_S)
        before, lines, flaws = self.watch.look(), self.watch.journal()[0], len(self.watch.flaws)
        quiet = self.watch.delays(quiet_from, before.at)
        self.place.renew(self.ask_as_worst)
        parts = self.parts_of(attack, seconds)
        if not parts:
            return self.report(attack.title, False, "the attacker has not come to its end")
        settled = self.watch.until(self.is_settled, SETTLED_S)
        self.watch.for_seconds(2)
        begin, end = parts[0].from_us, parts[-1].to_us
        during, after = self.watch.delays(begin, end), self.watch.look()
        seen = self.watch.between(begin, after.at)
        faults = [*self.memory(seen, before, parts), *self.descriptors(seen, settled)]
        if self.watch.flaws[flaws:]:
            faults.append(f"the healthy room noticed: {'; '.join(self.watch.flaws[flaws:][:3])}")
        faults += self.delays(attack, quiet, during)
        faults += attack.judge(parts) if attack.judge else []
        self.report(attack.title, not faults, "; ".join(faults))
        answers = sum((part.answers for part in parts), collections.Counter())
        cpu = (max((s.cpu for s in seen if s.at <= end), default=before.cpu) - before.cpu) * 1e6 / (end - begin)
        self.rows.append((
            attack.title, sum(part.sent for part in parts), sum(part.opened for part in parts), named(answers),
            f"{(max(s.resident for s in seen) - before.resident) / MIB:+.1f}", max(s.descriptors for s in seen),
            (max(s.disk for s in seen) - before.disk) // 1024, self.watch.journal()[0] - lines, f"{cpu:.0%}",
            *(f"{us / 1000:.2f}" for us in (quiet.median, during.median, quiet.p99, during.p99, during.longest)),
            f"{during.calm:.0%}"))
        for part in parts if periods else ():
            self.tell(part, before)

    def parts_of(self, attack, seconds):
        """Has a process attack; what it did. Nothing if it did not end by itself."""
        from worst_checks import attacks
        pipe, far = self.processes.Pipe(duplex=False)
        given = attack.title, self.place, seconds, far
        process = self.processes.Process(target=attacks.perform, args=given, daemon=True)
        process.start()
        far.close()
        self.watch.until(lambda _: pipe.poll(), seconds + START_S)
        try:
            return pipe.recv() if pipe.poll() else []
        except EOFError:
            return []
        finally:
            process.kill()
            process.join()

    def tell(self, part, before):
        """A line about one part of an attack."""
        took = self.watch.delays(part.from_us, part.to_us)
        heard = (f"p50 {took.median / 1000:.2f} ms, p99 {took.p99 / 1000:.2f} ms, longest {took.longest / 1000:.1f} ms, "
                 f"own {took.own / 1000:.1f} ms" if took.calm else "no calm")
        held = max((s.resident for s in self.watch.between(part.from_us, part.to_us)), default=before.resident)
        print(f"        {part.what}: {part.sent} sent in {part.seconds:.1f} s, {named(part.answers)}; {heard}; "
              f"{(held - before.resident) / MIB:+.1f} MiB", flush=True)

    def is_settled(self, sample):
        from worst_checks import watch
        return sample.descriptors <= self.first.descriptors + watch.FILES

    def delays(self, attack, quiet, during):
        """What is wrong with how the healthy room heard."""
        from worst_checks import watch
        if min(during.calm, quiet.calm) < watch.ENOUGH:
            self.report.skipped(f"{attack.title}: whether the healthy room's delays stay", "other programs leave too little of "
                                f"the machine: {during.calm:.0%} of the time was calm, {quiet.calm:.0%} before")
        elif not during.is_like(quiet):
            yield f"the healthy room's p99 was {during.p99 / 1000:.1f} ms, {quiet.p99 / 1000:.1f} ms in quiet"
        if during.margin <= 0:
            yield f"a packet came {-during.margin / 1000:.0f} ms too late to be heard"

    def descriptors(self, seen, settled):
        """What is wrong with the server's descriptors and threads."""
        from worst_checks import watch
        most, threads = max(s.descriptors for s in seen), max(s.threads for s in seen)
        if most > self.first.descriptors + watch.CONNECTIONS + watch.FILES:
            yield f"{most} descriptors, {self.first.descriptors} at first"
        if not settled:
            yield f"{seen[-1].descriptors} descriptors after {SETTLED_S} s, {self.first.descriptors} at first"
        if threads > self.first.threads + watch.THREADS:
            yield f"{threads} threads, {self.first.threads} at first"

    def memory(self, seen, before, parts):
        """What is wrong with what the server held: too much, or more and more where an attack is one thing or goes twice."""
        from worst_checks import watch
        peak = lambda from_us, to_us: max((s.resident for s in seen if from_us <= s.at <= to_us), default=0)
        begin, end = parts[0].from_us, parts[-1].to_us
        if (most := peak(begin, end) - self.first.resident) > watch.MEMORY:
            yield f"{most / MIB:.0f} MiB more than at first"
        middle = (begin + end) // 2 if len(parts) == 1 else next(
            (part.from_us for part in parts[1:] if part.what == parts[0].what), None)
        if middle:
            first = max(0, peak(begin, middle) - before.resident)
            second = peak(middle, end) - max(peak(begin, middle), before.resident)
            if second > first / 2 + watch.STILL_GROWING:
                yield f"grew by {first / MIB:.0f} MiB at first and by {second / MIB:.0f} MiB when nothing was new"

    def afterwards(self):
        """The server is well: it is ready, takes a stranger in, holds no more than it should, and ends when told."""
        from worst_checks import watch
        last = self.watch.look()
        lines, most = self.watch.journal()
        disk = last.disk - self.first.disk
        self.report("the data folder has not grown beyond what an account may keep", disk < watch.DISK,
                    f"{disk / MIB:.1f} MiB")
        self.report("the journal of one account is within its budget of a day", most < watch.JOURNAL,
                    f"{most} bytes; {lines} lines in all")
        grown = last.resident - self.first.resident
        self.report("memory is given back, or at least not lost", grown < watch.LEFT, f"{grown / MIB:+.1f} MiB")
        with urllib.request.urlopen(f"{self.server.url}/readyz", timeout=10) as answer:
            self.report("the server is ready", answer.status == 200)
        self.report("somebody from elsewhere signs up, joins and hears", *self.stranger())
        self.report("the healthy room has heard everything", not self.watch.flaws,
                    "; ".join(self.watch.flaws[:3]) or f"{self.watch.packets} packets")
        self.pipe.send("enough")
        self.room.join(10)
        self.server.process.terminate()
        try:
            status = self.server.process.wait(20)
        except subprocess.TimeoutExpired:
            status = "nothing within 20 s"
        self.report("SIGTERM ends it with 0", status == 0,
                    f"{status} {self.server.err.read_text()[-200:]}" if status else "")

    def stranger(self):
        name = helpers.some_name()
        made = self.ask("auth.sign_up", {"email": f"{name}@example.org", "password": helpers.PASSWORD, "username": name},
                        None, FRESH)
        with helpers.Client(made["access_token"]) as client:
            client.data("room.join", {"room": self.hall})
            return len(client.packets(50)) >= 50, name

    def table(self):
        rows = [HEADINGS, *(tuple(map(str, row)) for row in self.rows)]
        widths = [max(len(row[k]) for row in rows) for k in range(len(HEADINGS))]
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(), flush=True)


def named(answers):
    """The three answers that came most."""
    return ", ".join(f"{times} {code}" for code, times in answers.most_common(3))


def main():
    parser = argparse.ArgumentParser(prog="worst_checks", description="Does its worst to a Sona server of its own.")
    parser.add_argument("programs", type=pathlib.Path, help="the folder of sona")
    parser.add_argument("--minutes", type=float, default=10, help="for all attacks together")
    parser.add_argument("--only", default="", help="only attacks whose titles contain this, for all the time")
    parser.add_argument("--periods", action="store_true", help="tell of each part of an attack")
    given = parser.parse_args()
    from account_checks.server import Server
    from edge_checks import stage
    from worst_checks import asking, attacks
    Server.programs = given.programs.resolve()
    raise_descriptor_limit()
    attacks_by_title = [(attack.title, False, attack) for attack in attacks.ATTACKS.values()]
    chosen = [attack for _, attack in verdicts.chosen(parser.prog, attacks_by_title, given.only)]
    report = verdicts.Report()
    wrong = asking.wrong_rows()
    report("every request of the protocol is among those that flood, with valid values", not wrong, "; ".join(wrong[:5]))
    with stage.EdgeServer() as server:
        field = Field(report, server)
        for attack in chosen:
            seconds = given.minutes * 60 * attack.share / sum(other.share for other in chosen)
            field.run(attack, seconds, given.periods)
        field.afterwards()
    field.table()
    sys.exit(report.status())


if __name__ == "__main__":
    main()
