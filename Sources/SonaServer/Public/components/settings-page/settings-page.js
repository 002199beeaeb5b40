// Language, looks and sound; for accounts also what others learn and what new rooms begin with.
import '../about-server/about-server.js';
import '../equalizer/equalizer.js';
import {consents} from '../history-part/consents.js';
import {scrobbling} from './scrobbling.js';
import {isSignedIn} from '../../router.js';
import {h} from '../../shell/dom.js';
import {choice, toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import * as keys from '../../shell/keys.js';
import {NarrowPage, section} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, LANGUAGES, t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {player} from '../../store/player.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';
import {settings} from '../../store/settings.js';

class SettingsPage extends NarrowPage {
  static title = 'settings.title';
  #hadData = Boolean(me.data);

  connectedCallback() {
    super.connectedCallback();
    // The account's settings may arrive later than the page.
    this.listen(me, 'change', () => {
      if (Boolean(me.data) === this.#hadData) return;
      this.#hadData = Boolean(me.data);
      this.draw();
    });
  }

  build() {
    return [
      section(t('settings.looks'),
        choice({name: 'locale', label: t('settings.language'), options: LANGUAGES, value: i18n.code, onchange: (value) => settings.set('locale', value)}),
        choice({
          name: 'theme', label: t('settings.theme'), value: settings.get('theme'), onchange: (value) => settings.set('theme', value),
          options: ['system', 'light', 'dark'].map((value) => [value, t(`settings.theme.${value}`)]),
        }),
        toggle({name: 'shading', label: t('settings.shading'), hint: t('settings.shading-hint'), checked: settings.get('shading'), onchange: (value) => settings.set('shading', value)})),
      section(t('keys.title'),
        toggle({name: 'keys', label: t('settings.keys'), hint: t('settings.keys-hint'), checked: settings.get('keys'), onchange: (value) => settings.set('keys', value)}),
        h('div', {class: 'row'}, h('button', {type: 'button', class: 'small-button', onclick: () => keys.help()}, icon('keyboard'), t('keys.help')))),
      section(t('equalizer.title'), h('p', {class: 'muted'}, t('equalizer.about')), h('sound-equalizer', {class: 'stack'}),
        toggle({name: 'loudness', label: t('loudness'), hint: t('loudness.about'), checked: settings.get('loudness'), onchange: (value) => settings.set('loudness', value)}),
        server.has('data_saver') ? toggle({name: 'saver', label: t('saver'), hint: t('saver.about'), checked: settings.get('saver'), onchange: (value) => { settings.set('saver', value); player.rejoin(); }}) : null),
      isSignedIn() && me.data?.settings ? this.#ofAccount(me.data.settings) : null,
      h('div', {class: 'row tight'},
        isSignedIn()
          ? h('a', {class: 'button small-button', href: '/account'}, icon('lock'), t('account.title'))
          : h('a', {class: 'button small-button', href: '/sign-in'}, icon('user'), t('nav.sign-in'))),
      isSignedIn() ? null : h('p', {class: 'muted small'}, t('settings.device')),
      h('about-server', {class: 'stack'}),
    ];
  }

  #ofAccount(kept) {
    const send = async (change) => {
      try {
        me.merge(await session.request('settings.update', change));
      } catch (error) {
        toast(describe(error), {kind: 'error'});
        this.draw();
      }
    };
    const options = (name, values) => values.map((value) => [value, t(`settings.${name}.${value}`)]);
    return [
      section(t('settings.privacy'), choice({
        name: 'presence', label: t('settings.presence'), hint: t('settings.presence-hint'), value: kept.presence,
        options: options('presence', ['nobody', 'friends', 'followers']), onchange: (presence) => send({presence}),
      })),
      session.features.has('plays') ? section(t('heard.settings'), consents(), h('div', {class: 'row'}, h('a', {class: 'button small-button', href: '/library/history'}, icon('history'), t('heard.title')))) : null,
      session.features.has('scrobbling') ? section(t('scrobbling.title'), scrobbling()) : null,
      section(t('settings.rooms'),
        choice({
          name: 'visibility', label: t('settings.visibility'), value: kept.visibility,
          options: options('visibility', ['public', 'private']), onchange: (visibility) => send({visibility}),
        }),
        choice({
          name: 'delivery', label: t('settings.delivery'), hint: t('settings.delivery-hint'), value: kept.delivery,
          options: options('delivery', ['party', 'interactive']), onchange: (delivery) => send({delivery}),
        })),
    ];
  }
}
customElements.define('settings-page', SettingsPage);
