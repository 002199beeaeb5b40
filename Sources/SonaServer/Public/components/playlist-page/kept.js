// Keeping a playlist on this device: the button, what it says of how far that is, and the question before it begins.
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t} from '../../store/i18n.js';
import {offline} from '../../store/offline.js';
import {session} from '../../store/session.js';

await i18n.also('offline.');

/** An amount in words: "45 MB". */
export const amount = (bytes) => {
  const [size, unit] = bytes >= 1e9 ? [bytes / 1e9, 'gigabyte'] : [bytes / 1e6, 'megabyte'];
  return i18n.number(size, {style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: size < 10 ? 1 : 0});
};

const tell = (error) => toast(error?.name === 'QuotaExceededError' ? t('offline.full') : describe(error), {kind: 'error'});

/** Asks, and keeps. */
const keep = async (playlist) => {
  const {free} = await offline.room(), size = amount(offline.estimate(playlist));
  const text = [free === null ? t('offline.about', {size}) : t('offline.about-free', {size, free: amount(free)}), t('offline.plain'), t('offline.signing-out')].join(' ');
  if (!await confirm({title: t('offline.keep-of', {title: playlist.title}), text, action: t('offline.keep')})) return;
  try {
    await offline.keep(playlist.id);
    const {have = 0, total = 0} = offline.state(playlist.id) ?? {};
    if (total) toast(t(have < total ? 'offline.kept-some' : 'offline.kept-all', {title: playlist.title, have: i18n.number(have), total: i18n.number(total)}), {kind: 'ok'});
  } catch (error) {
    tell(error);
  }
};

const drop = async ({id, title}) => {
  try {
    await offline.drop(id);
    toast(t('offline.dropped', {title}), {kind: 'ok'});
  } catch (error) {
    tell(error);
  }
};

/** The button of a playlist's head, and the badge beside its visibility; both follow what happens until `signal` ends that. */
export const keptParts = (playlist, signal) => {
  const badge = h('span', {class: 'badge kept-badge', role: 'status', hidden: true});
  const button = h('button', {type: 'button', class: 'icon-button like-button kept-button', dataset: {act: 'keep'}, onclick: () => {
    if (offline.state(playlist.id)) drop(playlist);
    else keep(playlist);
  }}, icon('download'));
  const draw = () => {
    const state = offline.state(playlist.id), words = t(state ? 'offline.drop' : 'offline.keep');
    button.hidden = !state && session.status !== 'online';
    button.setAttribute('aria-pressed', String(state !== null));
    button.setAttribute('aria-label', words);
    button.title = words;
    badge.hidden = state === null;
    if (state) badge.replaceChildren(icon('download'), state.have < state.total ? t('offline.some', {have: i18n.number(state.have), total: i18n.number(state.total)}) : t('offline.here'));
    badge.toggleAttribute('data-keeping', Boolean(state?.isKeeping));
  };
  offline.addEventListener('change', ({detail}) => { if (detail.id === playlist.id || detail.id === null) draw(); }, {signal});
  session.addEventListener('status', draw, {signal});
  draw();
  offline.ready().then(draw);
  return {button, badge};
};
