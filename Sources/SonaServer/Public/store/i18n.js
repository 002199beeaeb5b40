// Words in the user's language: flat catalogues, plurals by Intl.

const LOCALES = {en: 'en_US', pl: 'pl_PL', es: 'es_ES'};
/** The languages there are, each in its own words. */
export const LANGUAGES = [['en', 'English'], ['pl', 'Polski'], ['es', 'Español']];

class Language extends EventTarget {
  code = 'en';
  #texts = {};
  #turn = 0;
  #using = null;
  #plurals = new Intl.PluralRules('en');

  /** The protocol's name of the language: en_US, pl_PL or es_ES. */
  get locale() { return LOCALES[this.code]; }
  get #tag() { return this.locale.replace('_', '-'); }

  /** Takes a language by its code, or what is nearest to what is given. Fires `change`. */
  use(wanted) { return this.#using = this.#take(wanted, ++this.#turn); }

  async #take(wanted, turn) {
    const code = LOCALES[String(wanted).slice(0, 2)] ? String(wanted).slice(0, 2) : 'en';
    let count, texts;
    // A part may come meanwhile.
    do {
      count = parts.length;
      texts = await load(code);
    } while (count !== parts.length);
    // Another language was chosen meanwhile: it is the one to wait for.
    if (turn !== this.#turn) return this.#using;
    this.code = code;
    this.#texts = texts;
    this.#plurals = new Intl.PluralRules(this.#tag);
    document.documentElement.lang = code;
    this.dispatchEvent(new Event('change'));
  }

  /** Takes the words of a part that is not fetched at the start. Fires nothing: whoever needs them waits. */
  async also(part) {
    if (parts.includes(part)) return;
    await loadPart(part, this.code);
    parts.push(part);
    // Another part may come meanwhile, or another language.
    let count, code, texts;
    do {
      count = parts.length;
      ({code} = this);
      texts = await load(code);
    } while (count !== parts.length || code !== this.code);
    this.#texts = texts;
  }

  /** Whether there are words for a key. */
  has(key) { return key in this.#texts; }

  text(key, parameters = {}) {
    const text = this.#texts[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => name in parameters ? String(parameters[name]) : whole);
  }

  plural(key, count, parameters = {}) {
    const form = `${key}.${this.#plurals.select(count)}`;
    return this.text(this.has(form) ? form : `${key}.other`, {count: this.number(count), ...parameters});
  }

  number(value, options) { return new Intl.NumberFormat(this.#tag, options).format(value); }
  /** A time from now, such as `-3, 'minute'`. */
  relative(value, unit) { return new Intl.RelativeTimeFormat(this.#tag, {numeric: 'auto'}).format(value, unit); }
  date(milliseconds, options = {dateStyle: 'medium', timeStyle: 'short'}) {
    return new Intl.DateTimeFormat(this.#tag, options).format(milliseconds);
  }
}

// Every catalogue is complete, so no language needs words of another. `first.` has the words of every page: the server
// puts them together from three catalogues, so that one request is enough (FirstWords.swift).
const parts = ['first.'];
const loaded = new Map();
const loadPart = (part, code) => {
  const name = `${part}${code}`;
  if (!loaded.has(name)) {
    const words = fetch(new URL(`../locales/${name}.json`, import.meta.url)).then((answer) => answer.ok ? answer.json() : {});
    words.catch(() => loaded.delete(name));
    loaded.set(name, words);
  }
  return loaded.get(name);
};
const load = async (code) => Object.assign({}, ...await Promise.all(parts.map((part) => loadPart(part, code))));

export const i18n = new Language();
/** The words of a key, with what stands in braces put in. */
export const t = (key, parameters) => i18n.text(key, parameters);
/** The same for a number of things: the key's form for it, and `{count}`. */
export const tn = (key, count, parameters) => i18n.plural(key, count, parameters);

const wait = (milliseconds) => {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  if (seconds < 90) return tn('wait.seconds', seconds);
  if (seconds < 5400) return tn('wait.minutes', Math.round(seconds / 60));
  if (seconds < 129600) return tn('wait.hours', Math.round(seconds / 3600));
  return tn('wait.days', Math.round(seconds / 86400));
};

/**
 * The sentence for an error and what to do about it. It is chosen by the error's code, never by the server's English
 * message.
 */
export const describe = (error) => {
  const code = error?.code;
  const area = String(code ?? '').split('.')[0];
  const key = [`error.${code}`, `error.${area}`].find((key) => code && i18n.has(key)) ?? 'error.unknown';
  const sentence = t(key, {code: code ?? String(error?.message ?? error)});
  return error?.retryAfter ? `${sentence} ${t('error.again', {wait: wait(error.retryAfter)})}` : sentence;
};
