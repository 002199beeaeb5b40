// Turns the visualiser on and off over a cover; it fills the screen on request.
import {Visualizer, MOTION} from './visualizer.js';
import {SCENES} from './scenes.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t} from '../../store/i18n.js';
import {settings} from '../../store/settings.js';

await Promise.all([i18n.also('solo.'), looks('visualizer.css', import.meta.url)]);

const NAMES = Object.keys(SCENES);

/**
 * A button that shows the visualiser in `place`. `source` has `analyser()` and `color()`. Whether it is on is a setting of
 * this device; with reduced motion it begins only when it is asked for.
 */
export const visualButton = (place, source) => {
  let shown = null;
  const button = h('button', {type: 'button', class: 'icon-button visual-button', 'aria-pressed': 'false', 'aria-label': t('visual.show'), title: t('visual.show')}, icon('wave'));
  const hide = () => {
    if (document.fullscreenElement && shown?.box.contains(document.fullscreenElement)) document.exitFullscreen();
    shown?.visualizer.stop();
    shown?.box.remove();
    shown = null;
    button.setAttribute('aria-pressed', 'false');
  };
  const show = () => {
    const canvas = h('canvas', {class: 'visual', 'aria-hidden': 'true'});
    const next = h('button', {type: 'button', class: 'icon-button', 'aria-label': t('visual.scene'), title: t('visual.scene'), onclick: () => {
      const scene = NAMES[(NAMES.indexOf(settings.get('scene')) + 1) % NAMES.length];
      settings.set('scene', scene);
      if (shown) shown.visualizer.scene = scene;
    }}, icon('repeat'));
    const whole = document.fullscreenEnabled ? h('button', {type: 'button', class: 'icon-button', 'aria-label': t('visual.whole'), title: t('visual.whole'), onclick: () => {
      if (document.fullscreenElement) document.exitFullscreen();
      else box.requestFullscreen().catch(() => {});
    }}, icon('expand')) : null;
    const box = h('div', {class: 'visual-box'}, canvas, h('div', {class: 'visual-tools'}, next, whole));
    place.append(box);
    try {
      shown = {box, visualizer: new Visualizer(canvas, {scene: settings.get('scene'), inSoftware: true, ...source})};
      button.setAttribute('aria-pressed', 'true');
    } catch (error) {
      console.warn(error);
      box.remove();
      toast(t('visual.cannot'), {kind: 'error'});
    }
  };
  button.addEventListener('click', () => {
    const isOn = shown === null;
    settings.set('visual', isOn);
    if (isOn) show();
    else hide();
  });
  if (settings.get('visual') && !MOTION.matches) requestAnimationFrame(() => { if (button.isConnected && !shown) show(); });
  return {button, hide, get visualizer() { return shown?.visualizer ?? null; }};
};
