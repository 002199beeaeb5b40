// Words in the user's language: flat catalogues, plurals by Intl.

const LOCALES = {en: 'en_US', pl: 'pl_PL', es: 'es_ES'};
/** The languages there are, each in its own words. */
export const LANGUAGES = [['en', 'English'], ['pl', 'Polski'], ['es', 'Español']];

class Language extends EventTarget {
  code = 'en';
  #texts = {};
  #english = {};
  #plurals = new Intl.PluralRules('en');

  /** The protocol's name of the language: en_US, pl_PL or es_ES. */
  get locale() { return LOCALES[this.code]; }
  get #tag() { return this.locale.replace('_', '-'); }

  /** Takes a language by its code, or what is nearest to what is given. Fires `change`. */
  async use(wanted) {
    const code = LOCALES[String(wanted).slice(0, 2)] ? String(wanted).slice(0, 2) : 'en';
    let count, texts, english;
    // A part may come meanwhile.
    do {
      count = parts.length;
      [texts, english] = await Promise.all([load(code), load('en')]);
    } while (count !== parts.length);
    this.code = code;
    this.#texts = texts;
    this.#english = english;
    this.#plurals = new Intl.PluralRules(this.#tag);
    document.documentElement.lang = code;
    this.dispatchEvent(new Event('change'));
  }

  /** Takes the words of a part that is not fetched at the start. Fires nothing: whoever needs them waits. */
  async also(part) {
    if (parts.includes(part)) return;
    await Promise.all([loadPart(part, this.code), loadPart(part, 'en')]);
    parts.push(part);
    // Another part may come meanwhile, or another language.
    let count, code, texts, english;
    do {
      count = parts.length;
      ({code} = this);
      [texts, english] = await Promise.all([load(code), load('en')]);
    } while (count !== parts.length || code !== this.code);
    this.#texts = texts;
    this.#english = english;
  }

  /** Whether there are words for a key. */
  has(key) { return key in this.#texts || key in this.#english; }

  text(key, parameters = {}) {
    const text = this.#texts[key] ?? this.#english[key] ?? key;
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

const parts = ['', 'room.', 'errors.'];
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
