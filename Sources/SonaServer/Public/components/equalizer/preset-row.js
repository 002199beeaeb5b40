// The presets of the equaliser as a row of chips, and what names the present gains or forgets a name.
import {arrange, h} from '../../shell/dom.js';
import {field} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {offerUndo} from '../../shell/undo.js';
import {i18n, t} from '../../store/i18n.js';
import {NAME_MAX, OWN_MAX, presets} from '../../store/presets.js';
import {PRESETS, presetOf, settings} from '../../store/settings.js';

export class PresetRow {
  #chips = new Map();

  constructor() {
    this.chips = h('div', {class: 'row tight', role: 'group', 'aria-label': t('equalizer.presets')});
    this.keep = h('button', {type: 'button', class: 'small-button quiet', 'aria-expanded': 'false', onclick: () => this.#open(this.form.hidden)}, icon('plus'), t('equalizer.keep'));
    this.forget = h('button', {type: 'button', class: 'small-button quiet', onclick: () => this.#forget()}, icon('close'), h('span', {class: 'truncate'}));
    this.name = field({name: 'preset', label: t('equalizer.name'), maxlength: NAME_MAX, autocomplete: 'off', dir: 'auto'});
    this.form = h('form', {class: 'preset-form', novalidate: true, hidden: true, onsubmit: (event) => { event.preventDefault(); this.#keep(); }},
      this.name, h('div', {class: 'row tight'}, h('button', {type: 'submit', class: 'primary small-button'}, t('equalizer.keep-it')),
        h('button', {type: 'button', class: 'small-button quiet', onclick: () => this.#open(false)}, t('dialog.cancel'))));
    this.form.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      // A dialog around it stays open.
      event.preventDefault();
      event.stopPropagation();
      this.#open(false);
    });
    this.acts = h('div', {class: 'row tight'}, this.keep, this.forget);
    this.element = h('div', {class: 'stack tight'}, this.chips, this.acts, this.form);
  }

  #chip(key, words, gains) {
    const known = this.#chips.get(key);
    if (known) return known;
    const chip = h('button', {type: 'button', class: 'chip', dir: 'auto', dataset: key.startsWith('own ') ? {own: words} : {preset: key}, onclick: () => settings.set('equalizer', [...gains])}, words);
    this.#chips.set(key, chip);
    return chip;
  }

  draw(gains) {
    const own = presets.own, mine = presets.of(gains), built = presetOf(gains), wanted = new Map([
      ...Object.keys(PRESETS).map((name) => [name, () => this.#chip(name, t(`equalizer.preset.${name}`), PRESETS[name])]),
      ...own.map((one) => [`own ${one.name}`, () => this.#chip(`own ${one.name}`, one.name, one.gains)]),
    ]);
    for (const key of this.#chips.keys()) if (!wanted.has(key)) this.#chips.delete(key);
    arrange(this.chips, [...wanted.values()].map((chip) => chip()));
    const chosen = built ?? (mine ? `own ${mine.name}` : null);
    for (const [key, chip] of this.#chips) chip.setAttribute('aria-pressed', String(key === chosen));
    // What has a name already needs none.
    this.keep.hidden = chosen !== null || own.length >= OWN_MAX;
    if (this.keep.hidden && !this.form.hidden) this.#open(false, false);
    this.forget.hidden = built !== null || !mine;
    if (mine) this.forget.lastElementChild.textContent = t('equalizer.forget', {name: mine.name});
    this.acts.hidden = this.keep.hidden && this.forget.hidden;
  }

  #open(is, givesFocus = true) {
    this.form.hidden = !is;
    this.keep.setAttribute('aria-expanded', String(is));
    this.name.say('');
    if (is) this.name.input.value = '';
    if (givesFocus) (is ? this.name.input : this.keep).focus();
  }

  #keep() {
    const name = this.name.input.value;
    const fault = presets.keep(name, settings.get('equalizer'), Object.keys(PRESETS).map((one) => t(`equalizer.preset.${one}`)));
    if (fault) {
      this.name.say(t(`equalizer.name.${fault}`, {most: i18n.number(OWN_MAX)}));
      return this.name.input.focus();
    }
    return this.chips.lastElementChild.focus();
  }

  #forget() {
    const mine = presets.of(settings.get('equalizer'));
    if (!mine) return;
    const chips = [...this.chips.children], at = chips.indexOf(this.#chips.get(`own ${mine.name}`));
    const back = presets.forget(mine.name);
    chips[at - 1].focus();
    offerUndo(t('equalizer.forgotten', {name: mine.name}), back);
  }
}
