// Style sheets that are not part of the first screen: fetched with the module that needs them.
import {h} from './dom.js';

const fetched = new Map();

/**
 * Puts a style sheet into the page, once. Done when it is there, so that nothing is shown without its looks.
 *
 * @param place Relative to the module that asks. @param module `import.meta.url` of that module.
 */
export const looks = (place, module) => {
  const {href} = new URL(place, module);
  if (!fetched.has(href)) {
    fetched.set(href, new Promise((resolve, reject) => document.head.append(h('link', {
      rel: 'stylesheet', href, onload: resolve, onerror: ({target}) => {
        // The next one who needs it asks again.
        target.remove();
        fetched.delete(href);
        reject(new TypeError('The looks of the page did not come.'));
      },
    }))));
  }
  return fetched.get(href);
};
