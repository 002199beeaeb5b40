"""The equaliser glides: no step where it is set, set flat, or set again before it has come to an end; nothing is tapped that nobody looks at."""
from support import Page, check, chromium

#: The largest change from one sample to the next that the graph adds to what a tone does by itself, and the level at the end.
RENDER = """async changes => {
    const root = document.querySelector('script[type=module]').src;
    const {Graph} = await import(new URL('audio/graph.js', root));
    const seconds = 4, rate = 48000, context = new OfflineAudioContext(1, seconds * rate, rate), graph = new Graph(context);
    graph.setVolume(1, false);
    const tone = new OscillatorNode(context, {frequency: 100}), level = new GainNode(context, {gain: .25});
    tone.connect(level).connect(graph.input);
    tone.start();
    for (const [at, gains] of changes) {
        context.suspend(at).then(() => {
            graph.setEqualizer(gains);
            context.resume();
        });
    }
    const [samples] = [(await context.startRendering()).getChannelData(0)];
    // What is bent more sharply than the tone bends is a step: the second difference of a tone is small.
    let step = 0, at = 0;
    for (let k = rate; k + 1 < samples.length; k += 1) {
        const bend = Math.abs(samples[k - 1] - 2 * samples[k] + samples[k + 1]);
        if (bend > step) [step, at] = [bend, k / rate];
    }
    const last = samples.slice(-rate / 2), peak = last.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    return {step, at, peak};
}"""
LOUD, OTHER, FLAT = [12, 12, 6, -6, 0, 12], [-12, -6, 12, 0, 6, -12], [0] * 6


def run(playwright, server, folder):
    lines = []
    with chromium(playwright) as browser:
        tab = Page(browser.new_context(), server.url).store()
        flat = tab.evaluate(RENDER, [])
        check(abs(flat["peak"] - 0.25) < 1e-6, f"a flat equaliser changes the level to {flat['peak']}")
        for what, changes in (
                ("set", [[1.2, LOUD]]), ("set flat", [[0.1, LOUD], [1.5, FLAT]]), ("set otherwise", [[0.1, LOUD], [1.5, OTHER]]),
                ("set flat and again", [[0.1, LOUD], [1.5, FLAT], [1.55, OTHER], [1.6, FLAT], [1.64, LOUD], [1.7, FLAT]])):
            found = tab.evaluate(RENDER, changes)
            check(found["step"] <= 0.002, f"{what}: a step of {found['step']:.4f} after {found['at']:.3f} s")
            if changes[-1][1] == FLAT:
                check(abs(found["peak"] - 0.25) < 1e-6, f"{what}: the level is {found['peak']} and not what came in")
            lines.append(f"{what}: {found['step']:.5f}")
        # What nothing shows is not tapped.
        tapped = tab.evaluate("""async () => {
            const connected = [], {connect} = AudioNode.prototype;
            AudioNode.prototype.connect = function(to, ...rest) { connected.push(to.constructor.name); return connect.call(this, to, ...rest); };
            await player.engine.open();
            const before = connected.includes('AnalyserNode');
            void player.analyser;
            AudioNode.prototype.connect = connect;
            return [before, connected.includes('AnalyserNode')];
        }""")
        check(tapped == [False, True], f"an analyser is connected before and after somebody asks for it: {tapped}")
        check(not tab.complaints, f"the page complains: {tab.complaints[:3]}")
    return ["the sharpest bend of 100 Hz at 0.25: " + ", ".join(lines)]
