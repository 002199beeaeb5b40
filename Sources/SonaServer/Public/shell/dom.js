// Elements, made without markup: whatever is a string becomes a text node.

const SVG = 'http://www.w3.org/2000/svg';

const put = (element, name, value) => {
  if (value === undefined || value === null) return;
  if (name.startsWith('on') && typeof value === 'function') element.addEventListener(name.slice(2), value);
  else if (name === 'class') element.setAttribute('class', value);
  else if (name === 'dataset') Object.assign(element.dataset, value);
  else if (name.startsWith('.')) element[name.slice(1)] = value;
  else if (typeof value === 'boolean' && !name.startsWith('aria-')) element.toggleAttribute(name, value);
  else element.setAttribute(name, String(value));
};

const fill = (element, children) => {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
};

/**
 * An element with its attributes and children.
 * Attributes: `class`, `dataset`, `on<event>` functions, `.property`, booleans that toggle; null is left out.
 */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) put(element, name, value);
  return fill(element, children);
};

/** The same in SVG. */
export const s = (tag, attributes = {}, ...children) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) put(element, name, value);
  return fill(element, children);
};

/** Makes `elements` the children of `parent`, in this order. Elements in the right place are left alone. */
export const arrange = (parent, elements) => {
  const staying = new Set(elements);
  for (const child of [...parent.children]) if (!staying.has(child)) child.remove();
  elements.forEach((element, index) => {
    const present = parent.children[index];
    if (present !== element) parent.insertBefore(element, present ?? null);
  });
};

/** Runs `body` when the calls have paused for so many milliseconds; `cancel` forgets the last. */
export const debounced = (milliseconds, body) => {
  let timer;
  const later = (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => body(...values), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
};

let counted = 0;
/** An id for what a label, a hint or an error names. */
export const uniqueId = (prefix) => `${prefix}-${++counted}`;

/** Runs `body` when the browser has nothing else to do, in 2 s at the latest. Returns what takes that back. A failure is left out. */
export const whenIdle = (body) => {
  const run = () => Promise.resolve(body()).catch(() => { /* What can wait for this is not needed. */ });
  if (!globalThis.requestIdleCallback) {
    const timer = setTimeout(run, 400);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(run, {timeout: 2000});
  return () => cancelIdleCallback(idle);
};
