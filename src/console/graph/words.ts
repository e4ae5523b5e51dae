// What is said of a file, and of taking an import back.
import { count, plural } from '../parts/text.ts';
import type { Found, Undoable, Undone } from './imports.ts';

/** Why there is nothing in it; nothing where there is. */
export function emptyText({ read, rejected, companies, guests, columns }: Found, bytes: number): string {
  if (read + rejected + companies + guests > 0) return '';
  if (columns.length > 0) return 'There is a line of headers, and no row below it. ';
  return bytes === 0 ? 'The file is empty. ' : 'There is nothing in the file. ';
}

/** Figures as the rest of the page has them; years and dates stay. */
export const grouped = (text: string): string =>
  text.replaceAll(/(?<![\d.-])\d{4,}(?![\d.-])/g, (figure) => count(Number(figure)));

/** Those of which there are any: `1 company and 3 guests and tests`. */
export const listed = (...counts: [count: number, one: string, many: string][]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => plural(count, one, many))
    .join(' and ');

/** What was left out, or put together. */
export function asideOf({ companies, guests, others, merged, shared_ids: shared }: Found): string[] {
  return [
    companies + guests > 0
      ? `left out as no people: ${listed([companies, 'company', 'companies'], [guests, 'guest or test', 'guests and tests'])}`
      : '',
    others > 0
      ? `rows that name somebody else too, whose name and address are left out: ${count(others)}`
      : '',
    merged > 0 ? `rows with the id of another one, merged with it: ${count(merged)}` : '',
    shared > 0 ? `ids that stand for several people, each with a record of their own: ${count(shared)}` : '',
  ].filter((text) => text !== '');
}

const is = (count: number) => (count === 1 ? 'is' : 'are');

export const wouldText = ({ added, replaced, removed }: Undoable): string =>
  [
    `${plural(added, 'record')} ${added === 1 ? 'goes' : 'go'} out of the graph.`,
    replaced > 0 ? `${plural(replaced, 'record')} that it replaced ${is(replaced)} as before.` : '',
    removed > 0 ? `${plural(removed, 'record')} that it took out ${is(removed)} back.` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');

export const undoneText = ({ removed, restored, left, records, identities }: Undone): string =>
  [
    `Undone: ${plural(removed, 'record')} ${is(removed)} out of the graph`,
    restored > 0 ? `, ${plural(restored, 'record')} ${is(restored)} as before` : '',
    left > 0 ? `, ${plural(left, 'record')} changed since and ${left === 1 ? 'stays' : 'stay'}` : '',
    `. It holds ${plural(records, 'record')} of ${plural(identities, 'identity', 'identities')}.`,
  ].join('');
