// Rules of smart playlists as a form has them, and as the server takes them. No DOM. Source: Protocol/spec/playlists.md, "Rule".

/** What a condition can be about, each with what it needs. */
export const FIELDS = {
  genre: 'id', artist: 'id', album: 'id', year: 'range', liked: 'none', rating: 'range', heard: 'range', played: 'days', added: 'days', duration: 'range', plays: 'range',
};
export const SORTS = ['added', 'title', 'artist', 'album', 'year', 'plays', 'random'];
export const CONDITIONS_MAX = 32, LIMIT_MAX = 10_000;
/** Numbers that a range takes, in the unit in which they are typed: those of `duration` are minutes. */
export const RANGES = {year: [0, 9999], rating: [1, 5], heard: [0, 1_000_000], plays: [0, 1_000_000_000], duration: [0, 1440]};
export const DAYS = [1, 36_500];
const MINUTE = 60_000;

const wholeIn = (value, [least, most]) => Number.isInteger(value) && value >= least && value <= most;

/** A row of the form for a condition of a rule. A group is kept as it is: `{group}`. */
export const rowOf = (condition) => {
  if (condition.all || condition.any) return {group: condition};
  const {field, not: isNot = false, id = null, min = null, max = null, days = null} = condition, unit = field === 'duration' ? MINUTE : 1;
  return {field, isNot, id, min: min === null ? null : min / unit, max: max === null ? null : max / unit, days};
};

/** A row for a field of which nothing is known yet. */
export const emptyRow = (field) => ({field, isNot: false, id: null, min: null, max: null, days: FIELDS[field] === 'days' ? 30 : null});

/** The condition of a row; null if something is missing or cannot be. */
export const conditionOf = (row) => {
  if (row.group) return row.group;
  const {field, isNot, id, min, max, days} = row, base = isNot ? {field, not: true} : {field};
  switch (FIELDS[field]) {
    case 'none': return base;
    case 'id': return id === null ? null : {...base, id};
    case 'days': return wholeIn(days, DAYS) ? {...base, days} : null;
    default: {
      const unit = field === 'duration' ? MINUTE : 1, bounds = {};
      for (const [name, value] of [['min', min], ['max', max]]) {
        if (value === null) continue;
        if (field === 'duration' ? !(value >= 0 && value <= RANGES.duration[1]) : !wholeIn(value, RANGES[field])) return null;
        bounds[name] = Math.round(value * unit);
      }
      if (!('min' in bounds || 'max' in bounds) || bounds.min > bounds.max) return null;
      return {...base, ...bounds};
    }
  }
};

/** The rule of a form; `conditions` are those of its rows that are complete. */
export const ruleOf = ({match, rows, sort, limit}) => ({match, conditions: rows.map(conditionOf).filter((one) => one !== null), sort, limit});
