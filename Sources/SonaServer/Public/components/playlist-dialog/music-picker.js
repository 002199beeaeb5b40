// Choosing an artist or an album: a field that finds them by what is typed, and shows which is chosen.
import {debounced, h, uniqueId} from '../../shell/dom.js';
import {describe, t} from '../../store/i18n.js';
import {library} from '../../store/library.js';
import {askPatiently} from '../../store/patient.js';
import {musicCover} from '../cover/music-cover.js';

const FOUND_MAX = 6, PAUSE = 250;
const KINDS = {artist: 'artists', album: 'albums'};

/** The name of an artist or an album; null if it is gone. */
export const nameOf = async (kind, id) => {
  try {
    return (await library[kind](id))[kind].name;
  } catch {
    return null;
  }
};

/** The field, as an element. `chosen` is told the identifier of what is picked, and null when something else is typed. */
export const musicPicker = ({kind, id, chosen}) => {
  const listId = uniqueId('found');
  const found = h('ul', {class: 'list picker-found', role: 'listbox', id: listId, 'aria-label': t(`playlists.rule.find.${kind}`), hidden: true});
  const status = h('span', {class: 'hint', role: 'status'});
  const input = h('input', {
    type: 'text', role: 'combobox', autocomplete: 'off', spellcheck: 'false', maxlength: 100, placeholder: t(`playlists.rule.find.${kind}`), 'aria-label': t(`playlists.rule.find.${kind}`),
    'aria-controls': listId, 'aria-expanded': 'false', 'aria-autocomplete': 'list', dir: 'auto', dataset: {value: ''},
  });
  let active = -1, turn = 0;
  const mark = (index) => {
    active = index;
    [...found.children].forEach((option, place) => option.setAttribute('aria-selected', String(place === index)));
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', found.children[index].id);
      found.children[index].scrollIntoView({block: 'nearest'});
    }
  };
  const close = () => {
    turn += 1;
    found.hidden = true;
    found.replaceChildren();
    input.setAttribute('aria-expanded', 'false');
    mark(-1);
  };
  const pick = (item) => {
    input.value = item.name;
    close();
    status.textContent = '';
    chosen(item.id);
  };
  const find = debounced(PAUSE, async () => {
    const query = input.value.trim(), mine = ++turn;
    if (!query) return close();
    try {
      const items = (await askPatiently('search', {query, kind: KINDS[kind], limit: FOUND_MAX}))[KINDS[kind]];
      if (mine !== turn) return undefined;
      found.replaceChildren(...items.map((item) => h('li', {
        role: 'option', id: uniqueId('option'), 'aria-selected': 'false', onpointerdown: (event) => event.preventDefault(), onclick: () => pick(item),
      }, musicCover(item, '64'), h('span', {class: 'rule-found', dir: 'auto'}, item.name, kind === 'album' && item.artists.length ? h('span', {class: 'muted small'}, item.artists.map(({name}) => name).join(', ')) : null))));
      found.hidden = items.length === 0;
      input.setAttribute('aria-expanded', String(items.length > 0));
      status.textContent = items.length ? '' : t('playlists.rule.found-none');
      mark(items.length ? 0 : -1);
    } catch (error) {
      if (mine === turn) status.textContent = describe(error);
    }
    return undefined;
  });
  input.addEventListener('input', () => { chosen(null); find(); });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    const count = found.childElementCount;
    if (event.key === 'Enter') {
      // The form around it is not sent.
      event.preventDefault();
      found.children[active]?.click();
    } else if (event.key === 'Escape' && count > 0) {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && count > 0) {
      event.preventDefault();
      mark((active + (event.key === 'ArrowDown' ? 1 : count - 1)) % count);
    }
  });
  if (id) nameOf(kind, id).then((name) => { if (!input.value) input.value = name ?? t('playlists.rule.gone'); });
  return h('div', {class: 'rule-picker'}, h('div', {class: 'picker-field'}, input, found), status);
};
