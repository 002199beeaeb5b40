// The way of browsers in a secure context: packets are decoded in a worker, rendered on the audio thread.

/** How long the browser may take to decode its first packet, ms. */
const TRIAL = 5000;

/** Only a page's own origin may give it a worker: on another server's page, one of its own imports ours. */
const workerOf = (url) => {
  if (url.origin === location.origin) return new Worker(url, {type: 'module'});
  const own = URL.createObjectURL(new Blob([`import ${JSON.stringify(url.href)};`], {type: 'text/javascript'}));
  return new Worker(own, {type: 'module'});
};

/** States: `open` → running → `close`. */
export class WorkletOutput {
  mode = 'worklet';
  onreport = null;
  onfirst = null;
  ontap = null;
  onundecodable = null;
  #worker; #node;
  /** Counts what is to be forgotten: pieces of packets that came before it are still being decoded. */
  #generation = 0;

  static get isThere() {
    return globalThis.isSecureContext && typeof AudioDecoder === 'function' && typeof AudioWorkletNode === 'function';
  }

  static async open(context, destination) {
    const support = await AudioDecoder.isConfigSupported({codec: 'opus', sampleRate: 48000, numberOfChannels: 2});
    if (!support.supported) throw new Error('no Opus');
    await context.audioWorklet.addModule(new URL('./renderer-worklet.js', import.meta.url));
    const output = new WorkletOutput(context, destination);
    if (await output.#works) return output;
    output.close();
    throw new Error('no Opus that works');
  }

  #works;

  constructor(context, destination) {
    this.#node = new AudioWorkletNode(context, 'sona-renderer', {numberOfInputs: 0, outputChannelCount: [2]});
    this.#node.connect(destination);
    this.#worker = workerOf(new URL('./decoder-worker.js', import.meta.url));
    const {port1, port2} = new MessageChannel();
    this.#worker.postMessage({port: port1}, [port1]);
    this.#node.port.postMessage({type: 'pieces', port: port2}, [port2]);
    this.#works = new Promise((resolve, reject) => {
      this.#worker.onmessage = ({data}) => {
        if ('works' in data) resolve(data.works);
        else this.onundecodable?.(data.undecodable);
      };
      this.#worker.onerror = () => reject(new Error('the worker has failed'));
      setTimeout(() => resolve(false), TRIAL);
    });
    this.#node.port.onmessage = ({data}) => {
      if (data.type === 'report') this.onreport?.(data);
      if (data.type === 'first') this.onfirst?.(data);
      if (data.type === 'tap') this.ontap?.(data);
    };
  }

  announce(stream) { this.#worker.postMessage({stream}); }
  take(packets) { this.#worker.postMessage({packets, generation: this.#generation}); }
  /** @param map {frame, server, perFrame}: which server time a frame of the context has, µs. */
  follow(map, isSettling) { this.#node.port.postMessage({type: 'map', map, isSettling}); }
  /** Sound, or none; what has come so far is forgotten. */
  play(isPlaying) { this.#node.port.postMessage({type: 'play', isPlaying, generation: ++this.#generation}); }
  /** @param isOn Whether the gain of each epoch is applied. */
  level(isOn) { this.#node.port.postMessage({type: 'level', isOn}); }
  /** For tests: hands over what leaves, frame by frame. */
  tap(isOn) { this.#node.port.postMessage({type: 'tap', isOn}); }

  close() {
    this.#worker.terminate();
    this.#node.port.postMessage({type: 'end'});
    this.#node.disconnect();
  }
}
