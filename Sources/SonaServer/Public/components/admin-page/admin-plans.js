// Plans: how much of the server an account may use, and which accounts have one. Protocol/spec/plans.md.
import {ask, attempt, bytes} from './parts.js';
import {userOf} from './acts.js';
import {confirm, dialog} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {choice, Fault, field, form, once} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {toast} from '../../shell/toasts.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';

const GIB = 1024 ** 3, NAME_BYTES = 32;
/** The limits of a plan: the field, the least and the most that is typed, and what the protocol counts in. */
const LIMITS = [
  {name: 'storage_bytes', least: 0, most: 1_000_000, step: 'any', unit: GIB, words: (count) => t('admin.plans.storage_bytes.words', {size: bytes(count)})},
  {name: 'uploads_per_day', least: 0, most: 100_000, step: 1, unit: 1, words: (count) => tn('admin.plans.uploads_per_day.words', count)},
  {name: 'rooms', least: 0, most: 1000, step: 1, unit: 1, words: (count) => tn('admin.plans.rooms.words', count)},
  {name: 'bit_rate', least: 6, most: 10_000, step: 1, unit: 1, words: (count) => t('admin.plans.bit_rate.words', {count: i18n.number(count)})},
];

/** What is typed into a field, as the protocol has it; undefined where it is left empty. */
const typed = ({name, least, most, step, unit}, text) => {
  if (text.trim() === '') return undefined;
  const number = Number(text.trim().replace(',', '.'));
  if (!Number.isFinite(number) || number < least || number > most || (step === 1 && !Number.isInteger(number))) {
    throw new Fault(name, 'admin.plans.number', {least: i18n.number(least), most: i18n.number(most)});
  }
  return Math.round(number * unit);
};

class AdminPlans extends HTMLElement {
  #plans = [];

  connectedCallback() {
    this.status = h('p', {class: 'muted', role: 'status'}, t('load.waiting'));
    this.list = h('ul', {class: 'list admin-list', tabindex: '-1', 'aria-label': t('admin.plans')});
    this.giving = h('div', {class: 'card'});
    this.replaceChildren(h('div', {class: 'stack'},
      h('p', {class: 'muted'}, t('admin.plans.about')),
      h('div', {class: 'row'}, h('button', {type: 'button', class: 'primary', dataset: {act: 'new'}, onclick: () => this.#edit(null)}, icon('plus'), t('admin.plans.new'))),
      this.list, this.status,
      h('section', {class: 'stack', 'aria-label': t('admin.plans.give')}, h('h3', {}, t('admin.plans.give')), this.giving)));
    this.#load();
  }

  async #load() {
    try {
      this.#take(await ask('plans.list'));
    } catch (error) {
      this.status.replaceChildren(describe(error), ' ', h('button', {type: 'button', class: 'small-button', onclick: () => this.#load()}, t('load.again')));
    }
  }

  #take({plans}) {
    this.#plans = plans;
    this.list.replaceChildren(...plans.map((plan) => this.#row(plan)));
    this.status.textContent = plans.length === 0 ? t('admin.plans.none') : '';
    this.#drawGiving();
  }

  #row(plan) {
    const limits = LIMITS.filter(({name}) => plan[name] !== null);
    return h('li', {class: 'entry', dataset: {plan: plan.name}},
      h('div', {class: 'grow stack tight'},
        h('p', {class: 'row tight'}, h('strong', {dir: 'auto'}, plan.name), h('span', {class: 'muted small'}, tn('admin.plans.accounts', plan.accounts))),
        h('p', {class: 'row tight'}, limits.length === 0 ? h('span', {class: 'muted small'}, t('admin.plans.as-everybody')) : limits.map(({name, words}) => h('span', {class: 'badge'}, words(plan[name]))))),
      h('button', {type: 'button', class: 'icon-button', 'aria-label': t('admin.plans.edit', {name: plan.name}), title: t('admin.plans.edit', {name: plan.name}), onclick: () => this.#edit(plan)}, icon('edit')),
      h('button', {type: 'button', class: 'icon-button', 'aria-label': t('admin.plans.remove', {name: plan.name}), title: t('admin.plans.remove', {name: plan.name}), onclick: once(() => this.#remove(plan))}, icon('trash')));
  }

  #edit(plan) {
    const element = dialog({
      title: plan ? t('admin.plans.edit', {name: plan.name}) : t('admin.plans.new'),
      body: [h('p', {class: 'muted'}, t('admin.plans.empty')), form({
        fields: [
          plan ? [] : field({name: 'name', label: t('admin.plans.name'), required: true, maxlength: NAME_BYTES, bytes: NAME_BYTES, autocomplete: 'off', dir: 'auto'}),
          LIMITS.map(({name, unit}) => field({
            name, label: t(`admin.plans.${name}`), inputmode: 'decimal', maxlength: 12, autocomplete: 'off',
            value: plan === null || plan[name] === null ? '' : String(Number((plan[name] / unit).toFixed(3))),
          })),
        ],
        submit: t('admin.plans.save'),
        send: async (values) => {
          const name = plan?.name ?? values.name.trim(), data = {name};
          for (const limit of LIMITS) {
            const value = typed(limit, values[limit.name]);
            if (value !== undefined) data[limit.name] = value;
          }
          this.#take(await ask('plans.set', data));
          toast(t('admin.plans.saved', {name}), {kind: 'ok'});
          element.close();
        },
      })],
    });
  }

  async #remove({name}) {
    if (!await confirm({title: t('admin.plans.remove', {name}), text: t('admin.plans.remove.about'), action: t('admin.plans.remove.act')})) return;
    await attempt(async () => this.#take(await ask('plans.remove', {name})), t('admin.plans.removed', {name}));
    this.list.focus();
  }

  #drawGiving() {
    let plan = this.#plans[0]?.name ?? '';
    const given = form({
      fields: [
        field({name: 'user', label: t('admin.plans.user'), hint: t('admin.content.user-hint'), required: true, maxlength: 200, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false'}),
        choice({name: 'plan', label: t('admin.plans.plan'), value: plan, options: [...this.#plans.map(({name}) => [name, name]), ['', t('admin.plans.none-of')]], onchange: (one) => { plan = one; }}),
      ],
      submit: t('admin.plans.give.act'),
      send: async ({user}) => {
        await ask('users.set_plan', {user: userOf(user.trim()), ...plan === '' ? {} : {plan}});
        toast(t('admin.plans.given', {name: user.trim()}), {kind: 'ok'});
        await this.#load();
      },
    });
    this.giving.replaceChildren(given);
  }
}
customElements.define('admin-plans', AdminPlans);
