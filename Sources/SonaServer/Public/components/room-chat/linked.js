// Addresses in a text, as links. The text stays text: nothing of it becomes markup.
import {h} from '../../shell/dom.js';

const ADDRESS = /\bhttps?:\/\/[^\s<>\u0022\u0027\u0060\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gi;
/** What ends a sentence rather than an address. */
const END = /[.,;:!?…»”’*_~]+$/;

/** Takes signs off the end that belong to the sentence: a bracket does unless the address has opened it. */
const trimmed = (address) => {
  for (let before = null; before !== address;) {
    before = address;
    address = address.replace(END, '');
    for (const [open, close] of ['()', '[]', '{}']) {
      if (address.endsWith(close) && address.split(open).length <= address.split(close).length - 1) address = address.slice(0, -1);
    }
  }
  return address;
};

/** The parts of a text: strings, and a link for each address of the web in it. */
export const linked = (text) => {
  const parts = [];
  let done = 0;
  for (const {0: found, index} of text.matchAll(ADDRESS)) {
    const address = trimmed(found);
    let url;
    try { url = new URL(address); } catch { continue; }
    // Somebody's name before the host makes an address look like another's.
    if (!['http:', 'https:'].includes(url.protocol) || url.username || url.password) continue;
    parts.push(text.slice(done, index), h('a', {href: url.href, rel: 'noopener noreferrer nofollow ugc', target: '_blank'}, address));
    done = index + address.length;
  }
  parts.push(text.slice(done));
  return parts.filter((part) => part !== '');
};
