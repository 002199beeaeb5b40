// What the lists of one's tracks share: covers, links, choosing several with boxes, and removing.
import {confirm} from '../../shell/dialogs.js';
import {h} from '../../shell/dom.js';
import {toast} from '../../shell/toasts.js';
import {describe, t, tn} from '../../store/i18n.js';
import {removeTrack} from '../../store/track-changes.js';
import {cover} from '../cover/cover.js';

export const picture = ({id, title, cover: of}) => cover({id, title, artwork: of?.path ? `${of.path}/64` : null}, '64');
export const titleLink = ({id, title}) => h('a', {class: 'track-title truncate', href: `/track/${encodeURIComponent(id)}`, dir: 'auto'}, title);

/** Names as links to their pages, with commas between them. */
export const links = (kind, names) => names.flatMap(({id, name}, index) => [index > 0 ? ', ' : [], h('a', {href: `/${kind}/${encodeURIComponent(id)}`, dir: 'auto'}, name)]);

/** What of a list is chosen. `changed` is told of every change. */
export class Choice extends EventTarget {
  #ids = new Set();
  get size() { return this.#ids.size; }
  has(id) { return this.#ids.has(id); }
  put(id, is) {
    if (is === this.#ids.has(id)) return;
    if (is) this.#ids.add(id); else this.#ids.delete(id);
    this.dispatchEvent(new Event('change'));
  }
  set(ids) {
    this.#ids = new Set(ids);
    this.dispatchEvent(new Event('change'));
  }

  /** The box of a row. With Shift, all from the last one to this one. */
  box(id, title, inOrder) {
    const input = h('input', {type: 'checkbox', 'aria-label': t('uploads.choose-one', {name: title}), checked: this.has(id)});
    input.addEventListener('click', ({shiftKey}) => {
      const ids = inOrder(), from = shiftKey && this.#last !== null ? ids.indexOf(this.#last) : -1, to = ids.indexOf(id);
      this.#last = id;
      if (from < 0) return this.put(id, input.checked);
      for (const between of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) this.put(between, input.checked);
      return undefined;
    });
    this.addEventListener('change', () => { input.checked = this.has(id); });
    return h('label', {class: 'box'}, input);
  }
  #last = null;
}

/** The box above a list, which chooses all or none. */
export const boxOfAll = (choice, inOrder) => {
  const input = h('input', {type: 'checkbox', onchange: () => choice.set(input.checked ? inOrder() : [])});
  const words = h('span', {});
  const element = h('label', {class: 'box-of-all'}, input, words);
  element.update = () => {
    const all = inOrder().length;
    input.checked = all > 0 && choice.size >= all;
    input.indeterminate = choice.size > 0 && choice.size < all;
    words.textContent = choice.size > 0 ? tn('uploads.chosen', choice.size) : t('uploads.choose-all');
  };
  return element;
};

/** Removes tracks for good, when that is really wanted. Returns whether it was. */
export const removeTracks = async (tracks) => {
  const isSure = await confirm({
    title: tn('uploads.remove.title', tracks.length), danger: true, action: t('uploads.remove'),
    text: tracks.length === 1 ? t('uploads.remove.sure', {title: tracks[0].title}) : tn('uploads.remove.sure-all', tracks.length),
  });
  if (!isSure) return false;
  let gone = 0;
  try {
    for (const {id} of tracks) {
      await removeTrack(id);
      gone += 1;
    }
  } catch (error) {
    toast(describe(error), {kind: 'error'});
  }
  if (gone > 0) toast(tn('uploads.removed', gone), {kind: 'ok'});
  return gone > 0;
};
