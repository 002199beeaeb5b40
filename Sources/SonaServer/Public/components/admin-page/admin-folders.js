// The music folders: what is in them, their scans as they go on, who hears them, and the files that cannot be played.
import {folderCard} from './folder-card.js';
import {folderHelp} from './folder-help.js';
import {ask, pages} from './parts.js';
import {polling} from './polling.js';
import {arrange, h} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t} from '../../store/i18n.js';

/** How often is asked while a scan runs, and while none does, ms: a change on the disk begins one, too. */
const SCANNING = 1000, IDLE = 10_000;

/** Why nothing in a file can be played. Words of the protocol that came later are shown as they are. */
const reason = problem => i18n.has(`admin.problem.${problem}`) ? t(`admin.problem.${problem}`) : problem;

const problemRow = ({folder, file, problem, detail}) => h('li', {class: 'entry', dataset: {file}},
  h('div', {class: 'grow'},
    h('p', {class: 'folder-file', dir: 'auto'}, file),
    h('p', {class: 'small'}, reason(problem)),
    detail === null ? null : h('p', {class: 'muted small', lang: 'en', dir: 'auto'}, detail)),
  h('span', {class: 'badge'}, folder ?? t('admin.folders.upload')));

class AdminFolders extends HTMLElement {
  #cards = new Map(); #place = null; #polling = null; #problems = null; #fault = null; #known = null;

  connectedCallback() {
    this.#place = h('ul', {class: 'list folder-cards', 'aria-busy': 'true'}, h('li', {class: 'muted'}, t('load.waiting')));
    this.#fault = h('div', {role: 'status'});
    this.#problems = pages({
      none: t('admin.folders.problems.none'),
      next: async (cursor) => {
        const page = await ask('library.problems', {limit: 50, ...(cursor === null ? {} : {cursor})});
        return {items: page.files, cursor: page.next_cursor};
      },
      row: problemRow,
    });
    this.replaceChildren(h('p', {class: 'muted'}, t('admin.folders.about')), this.#fault, this.#place,
      h('section', {class: 'stack folder-problems', 'aria-label': t('admin.folders.problems'), hidden: true},
        h('h3', {}, t('admin.folders.problems')), h('p', {class: 'muted'}, t('admin.folders.problems.about')), this.#problems.element));
    this.#polling = polling(() => this.#load());
  }

  disconnectedCallback() { this.#polling.end(); }

  async #load() {
    try {
      const {folders} = await ask('library.folders');
      this.#fault.replaceChildren();
      this.#draw(folders);
      return folders.some(({scanning}) => scanning) ? SCANNING : IDLE;
    } catch (error) {
      this.#place.removeAttribute('aria-busy');
      this.#fault.replaceChildren(h('p', {class: 'notice error'}, icon('close'), h('span', {}, describe(error))));
      return IDLE;
    }
  }

  #draw(folders) {
    this.#place.removeAttribute('aria-busy');
    this.querySelector('.folder-problems').hidden = folders.length === 0;
    if (folders.length === 0) return void this.#place.replaceChildren(this.#empty());
    for (const folder of folders) {
      if (!this.#cards.has(folder.name)) this.#cards.set(folder.name, folderCard(all => this.#took(all)));
      this.#cards.get(folder.name).put(folder);
    }
    arrange(this.#place, folders.map(({name}) => this.#cards.get(name).element));
    // Read again only when a scan has found something else: somebody may be reading.
    const known = JSON.stringify(folders.filter(({scanning}) => !scanning).map(({name, problems}) => [name, problems]));
    if (known !== this.#known && !folders.some(({scanning}) => scanning)) {
      this.#known = known;
      this.#problems.again();
    }
  }

  /** Somebody did something here: the answer has every folder. */
  #took(folders) {
    this.#draw(folders);
    this.#polling.again();
  }

  #empty() {
    return h('li', {class: 'card stack folder-none'}, h('h3', {}, t('admin.folders.none')), folderHelp());
  }
}
customElements.define('admin-folders', AdminFolders);
