// The outline of a track's sound, drawn as bars; pressed, it plays from there. Source: Protocol/spec/media.md, "Peaks".
import {h} from '../../shell/dom.js';
import {clockTime} from '../../shell/times.js';
import {t} from '../../store/i18n.js';
import {session} from '../../store/session.js';

/** The width of a bar with the space after it, px. */
const BAR = 4;
/** A step of the arrow keys, ms. */
const STEP = 5000;

/** The peaks of a track, 0 to 1. */
const peaksOf = async ({id}) => {
  const answer = await fetch(`/v1/tracks/${id}/peaks`, {headers: {authorization: `Bearer ${await session.freshToken()}`}});
  if (!answer.ok) throw new TypeError('There are no peaks.');
  return (await answer.json()).peaks.map((peak) => peak / 255);
};

/** Loudest of each of so many equal parts. */
const gathered = (peaks, count) => Array.from({length: count}, (_, at) => {
  const from = Math.floor(at * peaks.length / count);
  return Math.max(...peaks.slice(from, Math.max(from + 1, Math.floor((at + 1) * peaks.length / count))));
});

/**
 * An element that is a slider over the track. `seek` is told where to, ms; `at(share)` on the element shows the place that is
 * heard, 0 to 1. Without peaks it is not there.
 */
export const wavePicture = (track, seek) => {
  const canvas = h('canvas', {class: 'wave-canvas', 'aria-hidden': 'true'});
  const element = h('div', {
    class: 'wave-picture', role: 'slider', tabindex: '0', 'aria-label': t('track.wave'), 'aria-valuemin': '0', 'aria-valuemax': String(Math.round(track.duration_ms / 1000)),
    'aria-valuenow': '0', 'aria-valuetext': clockTime(0), 'data-waiting': '',
  }, canvas, h('div', {class: 'row between muted small tabular', 'aria-hidden': 'true'}, h('span', {class: 'wave-at'}, clockTime(0)), h('span', {}, clockTime(track.duration_ms))));
  let peaks = null, share = 0, drawn = '';
  const draw = () => {
    const {clientWidth: width, clientHeight: height} = canvas, scale = devicePixelRatio || 1;
    if (!peaks || !width) return;
    const style = getComputedStyle(element), key = [width, height, scale, Math.floor(share * width / BAR), style.color, style.getPropertyValue('--accent')].join();
    if (key === drawn) return;
    drawn = key;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext('2d');
    pen.scale(scale, scale);
    const bars = gathered(peaks, Math.max(1, Math.floor(width / BAR))), heard = Math.floor(share * bars.length);
    bars.forEach((peak, at) => {
      const high = Math.max(2, peak * height);
      pen.globalAlpha = at < heard ? 1 : 0.32;
      pen.fillStyle = at < heard ? getComputedStyle(canvas).accentColor : style.color;
      pen.beginPath();
      pen.roundRect(at * BAR, (height - high) / 2, BAR - 1.5, high, 1.25);
      pen.fill();
    });
  };
  const go = (to) => seek(Math.max(0, Math.min(track.duration_ms - 250, to)));
  element.at = (value) => {
    share = Math.max(0, Math.min(1, value));
    const at = share * track.duration_ms;
    element.setAttribute('aria-valuenow', String(Math.round(at / 1000)));
    element.setAttribute('aria-valuetext', clockTime(at));
    element.querySelector('.wave-at').textContent = clockTime(at);
    draw();
  };
  canvas.addEventListener('click', ({clientX}) => {
    const {left, width} = canvas.getBoundingClientRect();
    go((clientX - left) / width * track.duration_ms);
  });
  element.addEventListener('keydown', (event) => {
    const now = share * track.duration_ms;
    const to = {ArrowRight: now + STEP, ArrowUp: now + STEP, ArrowLeft: now - STEP, ArrowDown: now - STEP, PageUp: now + 6 * STEP, PageDown: now - 6 * STEP, Home: 0, End: track.duration_ms}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  new ResizeObserver(draw).observe(canvas);
  for (const query of ['(prefers-color-scheme: dark)']) matchMedia(query).addEventListener('change', draw);
  peaksOf(track).then((found) => {
    peaks = found;
    element.removeAttribute('data-waiting');
    draw();
  }).catch(() => element.remove());
  return element;
};
