// The scenes of the visualiser: fragment shaders in GLSL ES 1.00. Each draws one pixel from the sound of this moment.
//
// u_size: pixels. u_time: seconds, faster where the sound is louder. u_level, u_bass, u_middle, u_treble: 0 to 1.
// u_bins: 64 bands from low to high, one row of a texture. u_from, u_to: the two colours of what plays. u_ground: of the page.

const HEAD = [
  'precision highp float;',
  'uniform vec2 u_size; uniform float u_time, u_level, u_bass, u_middle, u_treble;',
  'uniform sampler2D u_bins; uniform vec3 u_from, u_to, u_ground;',
  'float band(float at) { return texture2D(u_bins, vec2(clamp(at, 0.01, 0.99), 0.5)).r; }',
  'float noise(vec2 p) {',
  '  vec2 i = floor(p), f = fract(p);',
  '  f = f * f * (3.0 - 2.0 * f);',
  '  vec4 c = fract(sin(vec4(dot(i, vec2(127.1, 311.7)), dot(i + vec2(1, 0), vec2(127.1, 311.7)), dot(i + vec2(0, 1), vec2(127.1, 311.7)), dot(i + vec2(1), vec2(127.1, 311.7)))) * 43758.5453);',
  '  return mix(mix(c.x, c.y, f.x), mix(c.z, c.w, f.x), f.y);',
  '}',
  'float cloud(vec2 p) { float sum = 0.0, size = 0.5; for (int k = 0; k < 4; k++) { sum += size * noise(p); p = p * 2.03 + 17.0; size *= 0.5; } return sum; }',
].join('\n');

/** Rings about a moment, as our mark has them: each ring is a band, the low ones inside. */
const RINGS = [
  HEAD,
  'void main() {',
  '  vec2 p = (gl_FragCoord.xy - 0.5 * u_size) / min(u_size.x, u_size.y);',
  '  float r = length(p), angle = atan(p.y, p.x);',
  '  vec3 color = mix(u_ground, u_from, 0.16 + 0.24 * u_bass * smoothstep(0.9, 0.0, r));',
  '  for (int k = 0; k < 9; k++) {',
  '    float at = (float(k) + 0.5) / 9.0, loud = band(at * 0.8);',
  '    float wave = 0.012 * loud * sin(angle * (3.0 + float(k)) + u_time * (1.0 + at));',
  '    float ring = 0.075 + 0.052 * float(k) + 0.03 * u_bass + wave;',
  '    float width = 0.0035 + 0.016 * loud;',
  '    float light = smoothstep(width, 0.0, abs(r - ring)) + 0.35 * loud * smoothstep(0.05, 0.0, abs(r - ring));',
  '    color = mix(color, mix(u_from, u_to, at), clamp(light * (0.35 + loud), 0.0, 1.0));',
  '  }',
  '  float moment = smoothstep(0.045 + 0.035 * u_bass, 0.03 + 0.03 * u_bass, r);',
  '  gl_FragColor = vec4(mix(color, vec3(1.0), moment * 0.92), 1.0);',
  '}',
].join('\n');

/** Curtains of light that the treble lifts and the bass lets glow. */
const AURORA = [
  HEAD,
  'void main() {',
  '  vec2 uv = gl_FragCoord.xy / u_size;',
  '  vec3 color = mix(u_ground, u_from * 0.35, 0.35 * (1.0 - uv.y));',
  '  for (int k = 0; k < 4; k++) {',
  '    float at = float(k) / 4.0, drift = cloud(vec2(uv.x * 2.2 + u_time * (0.06 + 0.03 * at), at * 9.0 + u_time * 0.05));',
  '    float height = 0.24 + 0.15 * at + 0.5 * (drift - 0.42) + 0.22 * band(0.08 + at * 0.7);',
  '    float curtain = smoothstep(0.34, 0.0, uv.y - height) * smoothstep(-0.06, 0.05, uv.y - height + 0.3 * drift);',
  '    float rays = 0.6 + 0.4 * noise(vec2(uv.x * 60.0 + 9.0 * drift, u_time * 0.7 + at * 5.0));',
  '    color += curtain * rays * mix(u_from, u_to, at) * (0.16 + 0.5 * band(at * 0.75 + 0.05) + 0.18 * u_level);',
  '  }',
  '  gl_FragColor = vec4(color, 1.0);',
  '}',
].join('\n');

/** The spectrum as a landscape, mirrored in still water. */
const SHORE = [
  HEAD,
  'void main() {',
  '  vec2 uv = gl_FragCoord.xy / u_size;',
  '  float shore = 0.38, y = (uv.y - shore) / (1.0 - shore);',
  '  float isBelow = step(uv.y, shore), ripple = isBelow * 0.008 * sin(uv.y * 190.0 + u_time * 3.0) * (0.4 + u_bass);',
  '  float far = abs(uv.x + ripple - 0.5) * 2.0, depth = isBelow > 0.5 ? (shore - uv.y) / shore * 0.9 : y;',
  '  vec3 color = mix(u_ground, mix(u_to, u_from, uv.y), 0.3 + 0.2 * u_level);',
  '  for (int k = 0; k < 3; k++) {',
  '    float back = float(k) / 3.0, hill = 0.06 + (0.78 - 0.2 * back) * band(far * (0.75 - 0.15 * back) + 0.02) * (1.0 - 0.45 * far) + 0.05 * cloud(vec2(uv.x * 4.0 + back * 7.0, u_time * 0.08));',
  '    float edge = smoothstep(0.012, -0.012, depth - hill * (1.0 - 0.28 * back));',
  '    vec3 tone = mix(u_from, u_to, 0.2 + 0.75 * depth / max(hill, 0.05)) * (0.55 + 0.45 * back);',
  '    color = mix(color, tone, edge * (0.5 + 0.3 * back) * mix(1.0, 0.55, isBelow));',
  '  }',
  '  gl_FragColor = vec4(color, 1.0);',
  '}',
].join('\n');

export const SCENES = {rings: RINGS, aurora: AURORA, shore: SHORE};
