// What is heard, as moving light: WebGL in front of an analyser. Off unless somebody turns it on.
import {SCENES} from './scenes.js';

/** How many bands the shaders get, and which frequencies they cover, Hz. */
const BANDS = 64, LOW = 40, HIGH = 14_000;
/** How fast a band rises and falls, as the share of the way in a frame of 60 Hz. */
const RISE = 0.55, FALL = 0.12;
/**
 * At most so many pixels are drawn a frame: larger screens are drawn coarser. Without a graphics processor, the processor
 * that decodes the sound would draw: then it is few of them, and so many ms apart.
 */
const PIXELS_MAX = 1_200_000, SOFTWARE = {pixels: 60_000, pause: 60};

export const MOTION = matchMedia('(prefers-reduced-motion: reduce)');

const compiled = (gl, type, source) => {
  const shader = gl.createShader(type);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  return shader;
};

/** Whether the processor itself draws. Not every browser says so when it is asked for a context that is fast. */
const isSoftware = (gl) => {
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  return info !== null && /swiftshader|llvmpipe|softpipe|software/i.test(String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)));
};

/** `#rrggbb` as three numbers of 0 to 1. */
const parts = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
/** The same colour turned and lightened: the second one of a scene. */
const companion = ([r, g, b]) => {
  const light = Math.max(r, g, b) || 1;
  return [g * 0.55 + b * 0.35 + 0.2, b * 0.5 + r * 0.35 + 0.15, r * 0.6 + g * 0.3 + 0.2].map((value) => Math.min(1, value / light * 0.9));
};

/**
 * Draws into a canvas until `stop()`. `analyser()` gives the AnalyserNode of what is heard, or null; `color()` the colour
 * of what plays, `#rrggbb`.
 *
 * Throws where the browser has no WebGL, or, unless `inSoftware`, none on a graphics processor.
 */
export class Visualizer {
  #gl; #canvas; #analyser; #color; #programs = new Map(); #scene; #bands = new Float32Array(BANDS); #texture; #frame = null; #time = 0; #before = 0; #bytes = null; #pixels = PIXELS_MAX; #pause = 0; #row = new Uint8Array(BANDS);

  constructor(canvas, {scene = 'rings', analyser, color, inSoftware = false}) {
    const gl = canvas.getContext('webgl', {alpha: false, antialias: false, powerPreference: 'low-power', failIfMajorPerformanceCaveat: !inSoftware});
    if (gl && isSoftware(gl)) {
      if (!inSoftware) throw new Error('There is no graphics processor.');
      [this.#pixels, this.#pause] = [SOFTWARE.pixels, SOFTWARE.pause];
    }
    if (!gl) throw new Error('This browser has no WebGL.');
    this.#gl = gl;
    this.#canvas = canvas;
    this.#analyser = analyser;
    this.#color = color;
    this.#scene = scene;
    const corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 3, -1, -1, 3), gl.STATIC_DRAW);
    this.#texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.#texture);
    for (const [name, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    canvas.addEventListener('webglcontextlost', (event) => { event.preventDefault(); this.stop(); });
    this.#before = performance.now();
    this.#frame = requestAnimationFrame(this.#draw);
  }

  set scene(name) { this.#scene = name; }

  #program(name) {
    const known = this.#programs.get(name);
    if (known) return known;
    const gl = this.#gl, program = gl.createProgram();
    gl.attachShader(program, compiled(gl, gl.VERTEX_SHADER, 'attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }'));
    gl.attachShader(program, compiled(gl, gl.FRAGMENT_SHADER, SCENES[name] ?? SCENES.rings));
    gl.linkProgram(program);
    const places = Object.fromEntries(['size', 'time', 'level', 'bass', 'middle', 'treble', 'bins', 'from', 'to', 'ground'].map((one) => [one, gl.getUniformLocation(program, `u_${one}`)]));
    const made = {program, places, corner: gl.getAttribLocation(program, 'p')};
    this.#programs.set(name, made);
    return made;
  }

  /** Takes the spectrum of this moment in: bands of equal width to the ear, that rise at once and fall slowly. */
  #listen(share) {
    const analyser = this.#analyser();
    if (analyser && this.#bytes?.length !== analyser.frequencyBinCount) this.#bytes = new Uint8Array(analyser.frequencyBinCount);
    if (analyser) analyser.getByteFrequencyData(this.#bytes);
    const width = analyser ? analyser.context.sampleRate / analyser.fftSize : 1;
    for (let band = 0; band < BANDS; band += 1) {
      let loud = 0;
      if (analyser) {
        const from = Math.floor(LOW * (HIGH / LOW) ** (band / BANDS) / width), to = Math.max(from + 1, Math.ceil(LOW * (HIGH / LOW) ** ((band + 1) / BANDS) / width));
        for (let bin = from; bin < to && bin < this.#bytes.length; bin += 1) loud = Math.max(loud, this.#bytes[bin]);
        // Music falls with the frequency by some 3 dB an octave.
        loud = Math.max(0, Math.min(1, (loud / 255 - 0.28) * (1.25 + band / BANDS * 0.9)));
      }
      const now = this.#bands[band], pace = loud > now ? RISE : FALL;
      this.#bands[band] = now + (loud - now) * (1 - (1 - pace) ** share);
      this.#row[band] = Math.round(255 * this.#bands[band]);
    }
  }

  #mean(from, to) {
    let sum = 0;
    for (let band = from; band < to; band += 1) sum += this.#bands[band];
    return sum / (to - from);
  }

  #draw = (now) => {
    this.#frame = requestAnimationFrame(this.#draw);
    if (now - this.#before < this.#pause) return;
    const passed = Math.min(100, now - this.#before);
    this.#before = now;
    this.#listen(passed / 16.7);
    const gl = this.#gl, canvas = this.#canvas, scale = Math.min(devicePixelRatio || 1, Math.sqrt(this.#pixels / Math.max(1, canvas.clientWidth * canvas.clientHeight)));
    const width = Math.max(1, Math.round(canvas.clientWidth * scale)), height = Math.max(1, Math.round(canvas.clientHeight * scale));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, {width, height});
    const level = this.#mean(0, BANDS), {program, places, corner} = this.#program(this.#scene);
    this.#time += passed / 1000 * (0.35 + 1.3 * level);
    gl.viewport(0, 0, width, height);
    gl.useProgram(program);
    gl.enableVertexAttribArray(corner);
    gl.vertexAttribPointer(corner, 2, gl.FLOAT, false, 0, 0);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.LUMINANCE, BANDS, 1, 0, gl.LUMINANCE, gl.UNSIGNED_BYTE, this.#row);
    const from = parts(this.#color() ?? '#d8694a'), ground = from.map((value) => value * 0.1 + 0.015);
    gl.uniform2f(places.size, width, height);
    for (const [name, value] of [['time', this.#time], ['level', level], ['bass', this.#mean(0, 14)], ['middle', this.#mean(14, 40)], ['treble', this.#mean(40, BANDS)]]) gl.uniform1f(places[name], value);
    gl.uniform1i(places.bins, 0);
    gl.uniform3f(places.from, ...from);
    gl.uniform3f(places.to, ...companion(from));
    gl.uniform3f(places.ground, ...ground);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  };

  /** The bands as they are shown now, 0 to 1: what tests look at. */
  get bands() { return [...this.#bands]; }

  stop() {
    cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
