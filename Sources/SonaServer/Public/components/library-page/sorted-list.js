// A list of tracks of the library that is sorted by the heads of its columns.
import {ReversedRows} from '../../store/reversed-rows.js';
import {library} from '../../store/library.js';
import {trackList} from '../track-list/track-list.js';

export const SORTS = ['title', 'artist', 'added', 'plays'];
/** The columns that say more, by the order; the first stays longest where there is little room. */
const META = {title: ['added', 'plays'], artist: ['added', 'plays'], added: ['added', 'plays'], plays: ['plays', 'added']};

/** The rows of a query of `library.list` in an order. */
export const sortedRows = (query, {sort, isReversed}) => {
  const rows = library.rows({...query, sort});
  return isReversed ? new ReversedRows(rows) : rows;
};

/** The columns of a list in an order `{sort, isReversed}`. */
export const sortedColumns = (order) => ({cover: true, album: true, meta: META[order.sort], sorts: SORTS, ...order});

/** A list that is sorted anew where it stands: `{query, label, source}`. */
export const sortedList = ({query, label, source, order = {sort: 'title', isReversed: false}}) => {
  const list = trackList({rows: sortedRows(query, order), label, source, columns: sortedColumns(order)});
  list.addEventListener('sort', ({detail}) => {
    const next = sortedList({query, label, source, order: detail});
    list.replaceWith(next);
    next.querySelector(`[data-sort="${detail.sort}"]`).focus({preventScroll: true});
  });
  return list;
};
