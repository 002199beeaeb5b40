// The page for unknown addresses.
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {t} from '../../store/i18n.js';

class LostPage extends HTMLElement {
  get pageTitle() { return t('lost.title'); }

  connectedCallback() {
    this.replaceChildren(h('div', {class: 'empty lost'}, icon('wave'), h('h1', {}, t('lost.title')), h('p', {}, t('lost.about')),
      h('a', {class: 'button primary', href: '/'}, t('nav.explore'))));
  }
}
customElements.define('lost-page', LostPage);
