// How listening alone sounds: crossfade, loudness, speed, pocket mode, the sleep timer.
import {dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {settings} from '../../store/settings.js';
import {solo} from '../../store/solo.js';

const FADES = [0, 2, 4, 6, 8, 12], SPEEDS = [0.75, 1, 1.25, 1.5, 1.75, 2], SLEEPS = [15, 30, 45, 60];

export const openSoundOptions = () => {
  const element = dialog({title: t('solo.options'), body: body(() => element.close())});
  return element;
};

const body = (close) => h('div', {class: 'stack'},
  choice({
    name: 'crossfade', label: t('solo.crossfade'), hint: t('solo.crossfade.about'), value: settings.get('crossfade'), onchange: (value) => settings.set('crossfade', value),
    options: FADES.map((seconds) => [seconds, seconds === 0 ? t('solo.crossfade.off') : t('solo.seconds', {count: i18n.number(seconds)})]),
  }),
  toggle({name: 'loudness', label: t('loudness'), hint: t('loudness.about'), checked: settings.get('loudness'), onchange: (value) => settings.set('loudness', value)}),
  choice({
    name: 'speed', label: t('solo.speed'), hint: t('solo.speed.about'), value: settings.get('speed'), onchange: (value) => settings.set('speed', value),
    options: SPEEDS.map((speed) => [speed, `${i18n.number(speed)}×`]),
  }),
  toggle({name: 'pocket', label: t('solo.pocket'), hint: t('solo.pocket.about'), checked: settings.get('pocket'), onchange: (value) => settings.set('pocket', value)}),
  choice({
    name: 'sleep', label: t('solo.sleep'), value: solo.sleepAt === 'track' ? 'track' : solo.sleepAt === null ? 'off' : null,
    onchange: (value) => solo.sleep(value === 'off' ? null : value),
    options: [['off', t('solo.sleep.off')], ...SLEEPS.map((minutes) => [minutes, tn('solo.sleep.minutes', minutes)]), ['track', t('solo.sleep.track')]],
  }),
  h('div', {class: 'row tight'},
    h('a', {class: 'button small-button', href: '/settings', onclick: close}, icon('settings'), t('solo.equalizer')),
    h('a', {class: 'button small-button', href: '/car', onclick: close}, icon('car'), t('car.title'))));
