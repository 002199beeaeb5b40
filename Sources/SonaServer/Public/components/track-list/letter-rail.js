// Letters at the side of a long list: press one, or slide along them.
import {h} from '../../shell/dom.js';
import {t} from '../../store/i18n.js';

/** So many letters fit beside a list. */
const FITTING = 30;

/** Alphabets that take one place beside a list where all letters do not fit. */
const FOLDED = [/\p{Script=Greek}/u, /\p{Script=Cyrillic}/u];

/** As many letters as fit: the Latin ones rather than those of other alphabets. */
const fitting = (letters) => {
  if (letters.length <= FITTING) return letters;
  const fewer = letters.filter(({letter}, at) => !FOLDED.some((script) => script.test(letter) && script.test(letters[at - 1]?.letter ?? '')));
  const step = Math.ceil(fewer.length / (FITTING + 10));
  return fewer.filter((_, at) => at % step === 0);
};

/** `jump` is told the index of the row that a letter begins with. */
export const letterRail = (letters, jump) => {
  const shown = fitting(letters);
  const rail = h('div', {class: 'letter-rail', role: 'group', 'aria-label': t('library.letters')}, shown.map(({letter, index}, at) => h('button', {
    type: 'button', tabindex: at === 0 ? '0' : '-1', 'aria-label': letter === '…' ? t('library.letter.none') : letter === '#' ? t('library.letter.symbols') : letter,
    dataset: {index}, onclick: () => jump(index),
  }, letter)));
  const to = (button) => {
    for (const other of rail.children) other.tabIndex = other === button ? 0 : -1;
    button.focus({preventScroll: true});
  };
  rail.addEventListener('keydown', (event) => {
    const at = [...rail.children].indexOf(event.target), last = rail.children.length - 1;
    const next = {ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: last}[event.key];
    if (next === undefined) return;
    event.preventDefault();
    to(rail.children[Math.max(0, Math.min(last, next))]);
  });
  let at = null;
  const slide = ({clientX, clientY}) => {
    const button = document.elementFromPoint(clientX, clientY)?.closest('.letter-rail button');
    if (!button || button === at) return;
    at = button;
    jump(Number(button.dataset.index));
  };
  rail.addEventListener('pointerdown', (event) => {
    if (event.button) return;
    at = event.target.closest('button');
    // Fingers would hold on to the first letter.
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
    const ending = new AbortController(), {signal} = ending;
    addEventListener('pointermove', slide, {signal});
    for (const type of ['pointerup', 'pointercancel']) addEventListener(type, () => ending.abort(), {signal});
  });
  return rail;
};
