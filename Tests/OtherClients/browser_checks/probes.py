"""The browser's clock against the server's: what clock.js finds, and what is seen from beside."""
import time

START = """
(async () => {
  const {ClockSync} = await import('/clock.js');
  const {parse} = await import('/frames.js');
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/v1/ws', 'sona.v1');
  socket.binaryType = 'arraybuffer';
  await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
  const clock = new ClockSync(bytes => socket.send(bytes));
  window.theClock = clock;
  socket.onmessage = ({data}) => { if (data instanceof ArrayBuffer) clock.take(parse(data)); };
  await new Promise(resolve => { clock.onchange = resolve; clock.start(); });
})()
"""
READ = """({
  count: theClock.filter.count, offset: Number(theClock.filter.offset), rtt: Number(theClock.filter.roundTrip),
  error: theClock.filter.error, sigma: theClock.filter.sigma, drift: theClock.filter.driftPPM,
  grain: theClock.filter.grain, at: performance.now() * 1000, says: theClock.serverNow, isolated: crossOriginIsolated,
})"""
# What performance.now() is rounded to in a page that is not isolated, µs; it is read for t1 and for t4.
GRAIN = 100


def true_offset(browser):
    """The server's clock (CLOCK_MONOTONIC_RAW) less the page's, µs, and by how much that may be wrong.

    By another way than the server's: the page's clock is read between two readings of ours, many times over.
    """
    best = None
    for _ in range(60):
        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) / 1000
        page = browser.evaluate("performance.now() * 1000")
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) / 1000
        if best is None or after - before < best[1]:
            best = ((before + after) / 2 - page, after - before)
    return best[0], best[1] / 2 + GRAIN


def run(browser, seconds):
    """What was found after the first burst, and after some seconds of them."""
    lines, wrong = [], []
    browser.evaluate(START)
    for pause, bursts in ((0, 1), (seconds, 2)):
        time.sleep(pause)
        truth, slack = true_offset(browser)
        found = browser.evaluate(READ)
        gap = found["says"] - found["at"] - truth
        bound = found["rtt"] / 2 + found["grain"]
        if not 0 <= found["grain"] <= GRAIN * 1.5:
            wrong.append(f"the page's clock is said to step by {found['grain']} µs")
        lines.append(f"{found['count']} bursts: round trip {found['rtt']} µs, step {found['grain']:.0f} µs, off by {gap:.0f} µs of at most "
                     f"{bound:.0f} + {slack:.0f} (what may be wrong with the measure), drift {found['drift']:.1f} ppm")
        if found["count"] < bursts:
            wrong.append(f"{found['count']} bursts instead of {bursts}")
        if abs(gap) > bound + slack:
            wrong.append(f"off by {gap:.0f} µs")
    return lines, wrong
