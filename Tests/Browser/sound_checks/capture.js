// Evaluated in a page of Sona: `heard.start(seconds)`, then `await heard.taken()`.
//
// What leaves the worklet, and what the analyser reads behind everything, each with the time at which its first sample
// leaves the device: milliseconds on the clock that all tabs of a browser share, by the page's own reckoning.
(() => {
  const base64 = samples => {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    let text = '';
    for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    return btoa(text);
  };
  const {engine} = player, sleep = ms => new Promise(resolve => setTimeout(resolve, ms));
  const leaves = frame => performance.timeOrigin + engine.clock.leaves(frame / engine.context.sampleRate);

  /** The analyser's samples; read until no block was rendered in between. */
  const analysed = () => {
    const {analyser} = player, samples = new Float32Array(analyser.fftSize);
    for (let tries = 0; tries < 200; tries += 1) {
      const before = engine.context.currentTime;
      analyser.getFloatTimeDomainData(samples);
      if (engine.context.currentTime !== before) continue;
      return {at: leaves(before * engine.context.sampleRate - samples.length), samples: base64(samples)};
    }
    return null;
  };

  const take = async seconds => {
    const blocks = [];
    engine.output.ontap = block => blocks.push(block);
    engine.output.tap(true);
    const reads = [];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      await sleep(100);
      reads.push(analysed());
    }
    engine.output.tap(false);
    engine.output.ontap = null;
    const first = blocks[0].frame, last = blocks.at(-1), left = new Float32Array(last.frame + last.left.length - first);
    for (const block of blocks) left.set(block.left, block.frame - first);
    return {
      at: leaves(first), server: blocks[0].server, samples: base64(left), reads: reads.filter(Boolean),
      frames: blocks.length * 128, missing: left.length - blocks.length * 128,
    };
  };
  let work = null;
  window.heard = {start(seconds) { work = take(seconds); }, taken: () => work};
})();
