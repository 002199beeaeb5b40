// The space that uploads take: how much of it is used, coming and free, and whose it is. Protocol/spec/uploads.md.
import {ask, bytes} from './parts.js';
import {polling} from './polling.js';
import {avatar} from '../avatar/avatar.js';
import {h, s} from '../../shell/dom.js';
import {icon} from '../../shell/icons.js';
import {describe, i18n, t, tn} from '../../store/i18n.js';

/** How often is asked, ms: while uploads are under way, and else. */
const BUSY = 3000, IDLE = 30_000;
/** From this part of the space on, and below this many bytes of disk, an operator should do something. */
const NEARLY_FULL = 0.9, DISK_MIN = 1024 ** 3;

/** A bar of parts, each `[class, part of the whole]`. What it says stands beside it in words. */
const bar = parts => s('svg', {class: 'storage-bar', viewBox: '0 0 1000 10', preserveAspectRatio: 'none', 'aria-hidden': 'true', focusable: 'false'},
  parts.map(([kind, part], index) => {
    const x = parts.slice(0, index).reduce((sum, [, before]) => sum + before, 0);
    return s('rect', {class: `storage-${kind}`, x: Math.min(1000, x * 1000), y: 0, width: Math.max(0, Math.min(1 - x, part) * 1000), height: 10});
  }));

class AdminStorage extends HTMLElement {
  #polling = null; #drawn = null;

  connectedCallback() {
    this.replaceChildren(h('p', {class: 'muted', 'aria-busy': 'true'}, t('load.waiting')));
    this.#polling = polling(() => this.#load());
  }

  disconnectedCallback() { this.#polling.end(); }

  async #load() {
    try {
      const {server, quota_bytes: quota} = await ask('storage.usage');
      const content = JSON.stringify([server, quota]);
      if (content !== this.#drawn) this.#draw(server, quota);
      this.#drawn = content;
      return server.uploads > 0 ? BUSY : IDLE;
    } catch (error) {
      this.#drawn = null;
      this.replaceChildren(h('p', {class: 'notice error'}, icon('close'), h('span', {}, describe(error))));
      return IDLE;
    }
  }

  #draw({used_bytes: used, files, coming_bytes: coming, uploads, space_bytes: space, free_bytes: disk, accounts}, quota) {
    const left = Math.max(0, space - used - coming), part = count => space > 0 ? count / space : 0;
    const entry = (kind, name, value, more) => h('div', {dataset: {fact: kind}}, h('dt', {}, h('span', {class: `storage-key storage-${kind}`}), name), h('dd', {class: 'tabular'}, bytes(value), more ? h('span', {class: 'muted small'}, more) : null));
    const warnings = [
      part(used + coming) >= NEARLY_FULL ? t('admin.storage.full') : null,
      disk !== null && disk < Math.max(DISK_MIN, Math.min(left, 2 * DISK_MIN)) ? t('admin.storage.disk-full') : null,
    ].filter(Boolean);
    const most = Math.max(1, ...accounts.map(({used_bytes: bytesOf}) => bytesOf));
    this.replaceChildren(
      h('p', {class: 'muted'}, t('admin.storage.about')),
      warnings.map(text => h('p', {class: 'notice warn'}, icon('warning'), h('span', {}, text))),
      h('div', {class: 'card stack'},
        h('p', {class: 'storage-head'}, h('strong', {class: 'tabular'}, bytes(used + coming)), ' ', h('span', {class: 'muted'}, t('admin.storage.of', {space: bytes(space), part: i18n.number(part(used + coming), {style: 'percent', maximumFractionDigits: 1})}))),
        bar([['used', part(used)], ['coming', part(coming)]]),
        h('dl', {class: 'storage-facts'},
          entry('used', t('admin.storage.used'), used, tn('admin.storage.files', files)),
          entry('coming', t('admin.storage.coming'), coming, tn('admin.storage.uploads', uploads)),
          entry('left', t('admin.storage.left'), left),
          disk === null ? null : entry('disk', t('admin.storage.disk'), disk)),
        h('p', {class: 'muted small'}, t('admin.storage.options', {quota: bytes(quota)}))),
      h('section', {class: 'stack', 'aria-label': t('admin.storage.accounts')}, h('h3', {}, t('admin.storage.accounts')),
        accounts.length === 0 ? h('p', {class: 'muted'}, t('admin.storage.accounts.none')) : h('ol', {class: 'list admin-list'}, accounts.map(({user, used_bytes: bytesOf, tracks}) => h('li', {class: 'entry', dataset: {user: user.uid}}, avatar(user, 36),
          h('div', {class: 'grow stack tight'},
            h('p', {class: 'row between tight'}, h('a', {class: 'entry-title', href: `/u/${encodeURIComponent(user.uid)}`, dir: 'auto'}, user.username ? `@${user.username}` : t('name.none')),
              h('span', {class: 'tabular'}, bytes(bytesOf), h('span', {class: 'muted small'}, ` · ${tn('admin.storage.tracks', tracks)}`))),
            bar([['used', bytesOf / most]])))))));
  }
}
customElements.define('admin-storage', AdminStorage);
