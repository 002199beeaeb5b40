// The form for the user's own profile.
import {h} from '../../shell/dom.js';
import {Fault, field, form, toggle} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {NarrowPage, section} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {t} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {session} from '../../store/session.js';
import {avatar} from '../avatar/avatar.js';
import {photoField} from '../photo-field/photo-field.js';

const LINKS_MAX = 5;
/** An address as typed: one without a scheme is meant to be of the web. Another scheme stays, and is refused. */
const withScheme = (url) => url === '' || /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(url) ? url : `https://${url.replace(/^\/+/, '')}`;

class ProfilePage extends NarrowPage {
  static title = 'profile.title';

  connectedCallback() {
    super.connectedCallback();
    if (!me.data) this.listen(me, 'change', () => { if (me.data && !this.querySelector('form')) this.draw(); });
  }

  build() {
    const profile = me.data?.profile;
    if (!profile) return h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting'));
    const username = session.user.username;
    return [
      h('div', {class: 'row tight'},
        username ? h('a', {class: 'button small-button', href: `/u/@${username}`}, icon('user'), t('profile.look')) : null,
        h('a', {class: 'button small-button', href: '/username'}, username ? `@${username}` : t('username.claim')),
        h('a', {class: 'button small-button', href: '/account'}, icon('lock'), t('account.title'))),
      section(t('photo.title'), photoField({
        path: '/v1/photo', take: (reply) => me.merge(reply), remove: () => session.request('photo.remove'),
        show: () => avatar({user: session.user, profile: me.data?.profile}, 112), has: () => Boolean(me.data?.profile?.photo),
      })),
      section(t('profile.about'), this.#form(profile)),
    ];
  }

  #form(profile) {
    const links = h('div', {class: 'stack tight'});
    const add = h('button', {type: 'button', class: 'small-button', onclick: () => { row({}); links.lastElementChild.querySelector('input').focus(); }}, icon('plus'), t('profile.link-add'));
    const count = () => { add.hidden = links.childElementCount >= LINKS_MAX; };
    const row = ({title = '', url = ''}) => {
      const element = h('div', {class: 'link-row'},
        h('input', {class: 'link-title', value: title, maxlength: 50, placeholder: t('profile.link-title'), 'aria-label': t('profile.link-title')}),
        h('input', {class: 'link-url', value: url, maxlength: 300, type: 'url', placeholder: 'https://', 'aria-label': t('profile.link-url'), inputmode: 'url'}),
        h('button', {type: 'button', class: 'icon-button', 'aria-label': t('profile.link-remove'), onclick: () => { element.remove(); count(); add.focus(); }}, icon('close')));
      links.append(element);
      count();
    };
    for (const link of profile.links ?? []) row(link);
    count();
    const fields = [
      field({name: 'display_name', label: t('field.display-name'), hint: t('field.display-name-hint'), value: profile.display_name ?? '', maxlength: 100, bytes: 100, autocomplete: 'name'}),
      field({name: 'bio', label: t('field.bio'), tag: 'textarea', rows: 4, '.value': profile.bio ?? '', maxlength: 2000, bytes: 2000}),
    ];
    const read = () => [...links.children].map((element) => ({
      title: element.querySelector('.link-title').value.trim(), url: withScheme(element.querySelector('.link-url').value.trim()),
    })).filter(({url, title}) => url || title).map(({title, url}) => title ? {title, url} : {url});
    return form({
      fields: [fields, h('fieldset', {class: 'stack tight'}, h('legend', {}, t('profile.links')), links, h('div', {}, add)),
        toggle({name: 'public', label: t('profile.public'), hint: t('profile.public-hint'), checked: profile.public})],
      submit: t('profile.save'),
      check: () => {
        for (const {url} of read()) {
          if (!/^https?:\/\/[\x21-\x7e]+$/.test(url ?? '')) throw new Fault('links', 'profile.link-invalid');
        }
      },
      send: async ({display_name: name, bio, public: open}) => {
        const kept = read();
        me.merge(await session.request('profile.update', {display_name: name.trim(), bio: bio.trim(), links: kept, public: open === 'on'}));
        links.replaceChildren();
        for (const link of kept) row(link);
        count();
        toast(t('profile.saved'), {kind: 'ok'});
      },
    });
  }
}
customElements.define('profile-page', ProfilePage);
