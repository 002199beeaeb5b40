"""From a click on Play to the first sample that leaves the device: p95 below half a second."""
from support import Host, Page, check, chromium
from . import tones
from .two_tabs import PITCH

CLICKS = 20
# From the click itself, as the browser stamps it, to the moment at which the first sample leaves by the device's clock.
CLICK = """() => new Promise((resolve, reject) => {
    let pressed = null;
    document.querySelector('.big-play').addEventListener('click', event => { pressed = event.timeStamp; }, {once: true, capture: true});
    player.engine.addEventListener('first', ({detail}) => {
        const wait = () => player.engine.clock.isMeasured
            ? resolve(player.engine.clock.leaves(detail.frame / player.engine.context.sampleRate) - pressed) : setTimeout(wait, 20);
        wait();
    }, {once: true});
    setTimeout(() => reject(new Error('no sound')), 20000);
})"""


def run(playwright, server, folder):
    low = tones.tone(folder / "low.opus", PITCH)
    times, errors = [], []
    with Host(server, "--loop", low) as host, chromium(playwright) as browser:
        for _ in range(CLICKS):
            context = browser.new_context()
            tab = Page(context, f"{server.url}/r/{host.room}").store()
            tab.until("document.querySelector('.big-play') && player.state === 'idle' && session.knowsTime", "the room is there")
            tab.evaluate(f"void (window.first = ({CLICK})())")
            tab.click(".big-play")
            times.append(tab.evaluate("window.first"))
            # In step within a second: what was off in the quarter of a second after it.
            tab.wait_for_timeout(1000)
            tab.evaluate("player.meter.recent = []")
            tab.until("player.meter.sync", "errors are measured")
            errors.append(tab.evaluate("player.meter.sync.max") / 1000)
            context.close()
    times.sort()
    p95 = times[-(-len(times) * 95 // 100) - 1]
    check(max(errors) < 20, f"a second after the first sample sound is off by {max(errors):.1f} ms")
    check(p95 < 500, f"p95 of {len(times)} clicks is {p95:.0f} ms: {[round(time) for time in times]}")
    return [f"from click to first sample, {len(times)} clicks: p50 {times[len(times) // 2]:.0f} ms, p95 {p95:.0f} ms, most {times[-1]:.0f} ms",
            f"a second later off by at most {max(errors):.2f} ms in the worst, {sorted(errors)[len(errors) // 2]:.2f} ms in the middle one"]
