// The form of a smart playlist: conditions, order and length, with a look at what they find before anything is saved.
import {ruleRow} from './rule-row.js';
import {VISIBILITIES} from './edit-dialog.js';
import {musicCover} from '../cover/music-cover.js';
import {spoken} from '../library-page/music-page.js';
import {dialog} from '../../shell/dialogs.js';
import {debounced, h} from '../../shell/dom.js';
import {choice, Fault, field, form} from '../../shell/forms.js';
import {icon} from '../../shell/icons.js';
import {looks} from '../../shell/looks.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';
import {library} from '../../store/library.js';
import {askPatiently} from '../../store/patient.js';
import {playlists} from '../../store/playlists.js';
import {conditionOf, CONDITIONS_MAX, emptyRow, FIELDS, LIMIT_MAX, rowOf, ruleOf, SORTS} from '../../store/rules.js';

await Promise.all([i18n.also('playlists.'), i18n.also('music.'), looks('rule-form.css', import.meta.url)]);

const TITLE_BYTES = 100, PAUSE = 350, SHOWN = 5;

/** What the rule finds now: asked for when the form has not changed for a moment, the last answer alone is shown. */
const preview = (rule) => {
  const status = h('p', {class: 'rule-count', role: 'status'}), list = h('ul', {class: 'list rule-tracks'});
  let turn = 0;
  const ask = async () => {
    const mine = ++turn;
    try {
      const found = await askPatiently('playlist.preview', {rule: rule(), limit: SHOWN});
      if (mine !== turn) return;
      status.textContent = found.total ? [tn('playlists.rule.finds', found.total), spoken(found.duration_ms)].join(' · ') : t('playlists.rule.finds-none');
      list.replaceChildren(...found.tracks.map((track) => h('li', {class: 'rule-track'}, musicCover(track, '64'), h('span', {class: 'rule-found'},
        h('span', {class: 'truncate', dir: 'auto'}, track.title), h('span', {class: 'muted small truncate', dir: 'auto'}, track.artists.map(({name}) => name).join(', '))))));
    } catch (error) {
      if (mine !== turn) return;
      status.textContent = describe(error);
      list.replaceChildren();
    }
  };
  return {element: h('section', {class: 'rule-preview', 'aria-label': t('playlists.rule.preview')}, status, list), ask, later: debounced(PAUSE, ask)};
};

/** Opens the form for a new smart playlist, or for the rule of one that is there. Returns the playlist, or null. */
export const openRuleForm = async ({playlist = null} = {}) => {
  const genres = await library.genres().catch(() => []);
  return new Promise((resolve) => {
    const {match = 'all', sort = 'added', limit = 1000, conditions = null} = playlist?.rule ?? {};
    const state = {match, sort, limit, rows: conditions ? conditions.map(rowOf) : [emptyRow('genre')]};
    let done = null, visibility = 'private';
    const seen = preview(() => ruleOf({...state, limit: Number.isInteger(state.limit) && state.limit >= 1 && state.limit <= LIMIT_MAX ? state.limit : 1000}));
    const list = h('div', {class: 'rule-rows', role: 'group', 'aria-label': t('playlists.rule.conditions')});
    const add = h('button', {type: 'button', class: 'small-button', onclick: () => {
      const used = new Set(state.rows.map(({field: name}) => name)), row = emptyRow(Object.keys(FIELDS).find((name) => !used.has(name)) ?? 'genre');
      state.rows.push(row);
      list.append(rowFor(row));
      count();
      list.lastElementChild.querySelector('select').focus();
      seen.later();
    }}, icon('plus'), t('playlists.rule.add'));
    const count = () => {
      [...list.children].forEach((row, index) => row.number(index + 1));
      add.disabled = state.rows.length >= CONDITIONS_MAX;
    };
    const rowFor = (row) => {
      const one = ruleRow(row, {genres, change: seen.later, remove: () => {
        const at = state.rows.indexOf(row);
        state.rows.splice(at, 1);
        one.remove();
        count();
        (list.children[Math.min(at, list.children.length - 1)]?.querySelector('.rule-remove') ?? add).focus();
        seen.later();
      }});
      return one;
    };
    list.append(...state.rows.map(rowFor));
    count();
    const limitField = field({
      name: 'limit', label: t('playlists.rule.limit'), type: 'number', inputmode: 'numeric', min: 1, max: LIMIT_MAX, value: state.limit, required: true,
      oninput: ({target}) => { state.limit = Number(target.value); seen.later(); },
    });
    const sortField = field({name: 'sort', label: t('playlists.rule.sort'), control: h('select', {name: 'sort', onchange: ({target}) => { state.sort = target.value; seen.later(); }},
      SORTS.map((one) => h('option', {value: one, selected: one === state.sort}, t(`playlists.rule.sort.${one}`))))});
    const element = dialog({
      title: playlist ? t('playlists.rule.edit-of', {title: playlist.title}) : t('playlists.rule.new-title'), onclose: () => resolve(done),
      body: form({
        fields: [
          playlist ? [] : field({name: 'title', label: t('playlists.name'), required: true, maxlength: TITLE_BYTES, bytes: TITLE_BYTES, autocomplete: 'off', dir: 'auto'}),
          choice({name: 'match', label: t('playlists.rule.match'), value: state.match, options: ['all', 'any'].map((one) => [one, t(`playlists.rule.match.${one}`)]), onchange: (value) => { state.match = value; seen.later(); }}),
          list, h('div', {}, add), h('div', {class: 'rule-ends'}, sortField, limitField), seen.element,
          playlist ? [] : choice({name: 'visibility', label: t('playlists.visibility'), value: visibility, options: VISIBILITIES.map((one) => [one, t(`playlists.visibility.${one}`)]), onchange: (value) => { visibility = value; }}),
        ],
        submit: t(playlist ? 'playlists.save' : 'playlists.make'),
        check: () => {
          const wrong = state.rows.findIndex((row) => !conditionOf(row));
          if (wrong >= 0) {
            list.children[wrong].say(t('playlists.rule.incomplete'));
            list.children[wrong].querySelector('.rule-values :is(input, select)')?.focus();
            throw new DOMException('A condition is not complete.', 'AbortError');
          }
          if (!(Number.isInteger(state.limit) && state.limit >= 1 && state.limit <= LIMIT_MAX)) throw new Fault('limit', 'playlists.rule.limit.wrong', {most: i18n.number(LIMIT_MAX)});
        },
        send: async (values) => {
          const rule = ruleOf(state);
          done = playlist ? await playlists.update(playlist.id, {rule}) : await playlists.create({title: values.title.trim(), visibility, rule});
          element.close();
        },
      }),
    });
    element.classList.add('rule-dialog');
    element.querySelector(playlist ? 'select' : 'input[name=title]').focus();
    seen.ask();
  });
};
