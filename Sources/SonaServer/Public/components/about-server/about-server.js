// What one may take of the server, what runs it, and how to tell whoever looks after it something.
import {dialog} from '../../shell/dialogs.js';
import {field, form} from '../../shell/forms.js';
import {h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {section} from '../../shell/page.js';
import {toast} from '../../shell/toasts.js';
import {i18n, t, tn} from '../../store/i18n.js';
import {me} from '../../store/me.js';
import {server} from '../../store/server.js';
import {session} from '../../store/session.js';
import {bytes} from '../../store/uploads/amounts.js';

await Promise.all([i18n.also('about.'), looks('about-server.css', import.meta.url)]);

const FEEDBACK_BYTES = 1000;

const outside = (href, name, label) => h('a', {class: 'button small-button', href, target: '_blank', rel: 'noopener noreferrer'}, icon(name), label);

/** A form for what one wishes for, or what does not work. */
const openFeedback = () => {
  const element = dialog({title: t('about.feedback'), body: form({
    fields: [field({name: 'text', label: t('about.feedback.text'), hint: t('about.feedback.hint'), tag: 'textarea', rows: 5, required: true, maxlength: FEEDBACK_BYTES, bytes: FEEDBACK_BYTES, dir: 'auto'})],
    submit: t('about.feedback.send'),
    send: async ({text}) => {
      await session.request('feedback.send', {text: text.trim()});
      element.close();
      toast(t('about.feedback.sent'), {kind: 'ok'});
    },
  })});
  element.querySelector('textarea').focus();
};

/** How much of something is taken, as a bar with words. */
const quota = (label, {used, max}, text) => h('div', {class: 'stack tight'},
  h('div', {class: 'row between'}, h('span', {}, label), h('span', {class: 'muted small'}, max === null ? text(used) : t('about.of', {used: text(used), max: text(max)}))),
  max === null ? '' : h('meter', {min: 0, max: Math.max(1, max), high: max * .9, value: Math.min(used, max), 'aria-label': label}));

class AboutServer extends HTMLElement {
  #controller = null;

  connectedCallback() {
    this.#controller = new AbortController();
    server.addEventListener('change', () => this.#draw(), {signal: this.#controller.signal});
    this.#draw();
    this.#load();
  }

  disconnectedCallback() { this.#controller.abort(); }

  async #load() {
    if (!server.has('plans') || !me.may('account.manage')) return;
    try {
      this.plan = await session.request('plan.get');
    } catch { /* The rest of the section is true without it. */ }
    if (this.isConnected) this.#draw();
  }

  #draw() {
    const {plan} = this, links = [
      server.has('feedback') ? h('button', {type: 'button', class: 'small-button', onclick: openFeedback}, icon('chat'), t('about.feedback')) : null,
      server.feedbackLink ? outside(server.feedbackLink, 'link', t('about.feedback.link')) : null,
      server.starsLink ? outside(server.starsLink, 'star', t('about.stars')) : null,
      server.policy ? outside(server.policy, 'lock', t('about.policy')) : null,
    ].filter(Boolean);
    this.replaceChildren(...[
      plan ? section(plan.plan ? t('about.plan', {plan: plan.plan}) : t('about.quota'),
        quota(t('about.storage'), plan.storage, bytes),
        quota(t('about.uploads'), plan.uploads, (count) => tn('about.count', count)),
        quota(t('about.rooms'), plan.rooms, (count) => tn('about.count', count)),
        plan.bit_rate === null ? '' : h('p', {class: 'muted small'}, t('about.bit-rate', {rate: plan.bit_rate}))) : null,
      section(t('about.title'), h('p', {class: 'muted'}, t('about.version', {title: server.title, name: server.program, version: server.version})), h('div', {class: 'row tight wrap'}, links)),
    ].filter(Boolean));
  }
}
customElements.define('about-server', AboutServer);
