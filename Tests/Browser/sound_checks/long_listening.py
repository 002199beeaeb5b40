"""Ten minutes of listening: nothing missing, nothing jumps, and memory stays as it is. On a machine with nothing else to do."""
from support import Host, check, chromium
from . import tones
from .machine_watch import MachineWatch
from .two_tabs import PITCH, listen

#: So many minutes have to be without a fault, of so many at most.
CLEAN, MINUTES_MAX = 10, 20
#: Where the machine as a whole stood still for so long, ms, its sound device did as well, whatever plays: a fault of such
#: a minute is told, and the minute listened to once more.
STILL = 15
# What tells a machine that was too busy from a fault of ours: how long the page stood still, and what little time packets
# had left when they came.
WATCH = """() => {
    window.machine = {still: 0, leadLeast: Infinity};
    let last = performance.now();
    setInterval(() => {
        const now = performance.now();
        machine.still = Math.max(machine.still, Math.round(now - last));
        last = now;
    }, 20);
    session.addEventListener('frame', ({detail}) => {
        const packet = detail.packets?.at(-1) ?? detail;
        if (packet.packet) machine.leadLeast = Math.min(machine.leadLeast, Math.round((packet.play_at_us - session.serverNow) / 1000));
    });
}"""


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    with (Host(server, "--loop", low) as host, MachineWatch() as watch,
          chromium(playwright, "--enable-precise-memory-info", "--js-flags=--expose-gc") as browser):
        tab = listen(browser, host)
        tab.wait_for_timeout(2000)
        tab.evaluate(WATCH)
        heaps, errors, faults = [], [], []
        before, clean, ours = tab.evaluate("player.meter.total"), 0, 0
        while len(faults) < MINUTES_MAX and clean < CLEAN and not ours:
            tab.evaluate("machine.still = 0; machine.leadLeast = Infinity")
            watch.worst()
            tab.wait_for_timeout(60_000)
            stood = watch.worst()
            total, machine = tab.evaluate("[player.meter.total, machine]")
            new = {name: total[name] - before[name] for name in total}
            before = total
            if not any(new.values()):
                clean += 1
            elif stood < STILL:
                ours += 1
            faults.append(f"{new['underruns']} gaps, {new['resyncs']} jumps, {new['lost']} lost (the machine stood still for {stood:.0f} ms, the "
                          f"page for {machine['still']} ms, packets were {machine['leadLeast']} ms before their time)")
            tab.evaluate("gc()")
            heaps.append(tab.evaluate("performance.memory.usedJSHeapSize") / 1e6)
            errors.append(tab.evaluate("player.meter.sync"))
        told = "\n        ".join([
            f"{clean} of {len(faults)} minutes without a fault",
            f"heap after each minute, MB: {', '.join(f'{heap:.1f}' for heap in heaps)}",
            f"off by (p95 of 11 s at each minute's end), µs: {', '.join(str(error['p95']) for error in errors)}", *faults])
        check(not ours, f"faults on a machine that stood still for less than {STILL} ms\n        {told}")
        check(clean >= CLEAN, f"the machine stood still too often\n        {told}")
        check(heaps[-1] < heaps[1] + 2, f"the heap grows\n        {told}")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
    return told.split("\n        ")
