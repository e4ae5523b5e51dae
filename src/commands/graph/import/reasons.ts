// Why something could not be used, for people: by kind, with the first lines.
import { plural } from '../../../evaluate/report/words.ts';
import type { Told } from '../../../import/progress.ts';
import { ROUNDED } from '../../../import/source/cells/numbers.ts';
import { FUTURE, TWO_DAYS } from '../../../import/record.ts';

/** Of `emails cannot be used` and the like: one of them, and several. */
const KINDS: Record<string, [string, string]> = {
  emails: ['an e-mail that is none', 'e-mails that are none'],
  phones: ['a phone number that is none', 'phone numbers that are none'],
  addresses: ['an address that cannot be read', 'addresses that cannot be read'],
  names: ['a name without letters, or too long', 'names without letters, or too long'],
  identifiers: ['an identifier that cannot be read', 'identifiers that cannot be read'],
};
const FIELDS: Record<string, string> = {
  birth_date: 'birth',
  first_seen: 'first being seen',
  last_seen: 'last being seen',
};
/** What may have lost its last digits. */
const LOST: Record<string, string> = { phones: 'phone number', record_id: 'record id' };
const MOST = 12;

export function reasonsText(reasons: ReadonlyMap<string, Told>): string[] {
  const all = [...reasons].toSorted(([, a], [, b]) => b.count - a.count);
  const lines = all.slice(0, MOST).map(([reason, told]) => `  ${wordsOf(reason, told)} (${placesOf(told)})`);
  const left = all.length > MOST ? [`  and ${all.length - MOST} more kinds`] : [];
  return lines.length > 0 ? ['left out, as it cannot be used:', ...lines, ...left] : [];
}

function wordsOf(reason: string, { count, whole }: Told): string {
  const [, field = '', what = ''] = /^(\w+) (.*)$/.exec(reason) ?? [];
  const date = FIELDS[field];
  if (date && what === TWO_DAYS)
    return `${plural(count, 'date')} of ${date} that could be two days, as 06.05. could be in May or June: --dates dmy or --dates mdy says which`;
  if (date && what === FUTURE) return `${plural(count, 'date')} of ${date} in the future`;
  if (date) return `${plural(count, 'date')} of ${date} that cannot be read`;
  if (what === ROUNDED)
    return `${plural(count, LOST[field] ?? 'value')} of which a spreadsheet left the first digits alone, as 4.9E+11: give the column the format of text, and export it anew`;
  const kind = KINDS[field];
  if (kind && what === 'cannot be used') return count === 1 ? kind[0] : `${count} ${kind[1]}`;
  return whole ? `${plural(count, 'record')}: ${reason}` : `${count} times: ${reason}`;
}

/** Line numbers, by file where there are several. */
function placesOf({ count, lines }: Told): string {
  const several = new Set(lines.map(({ input }) => input)).size > 1;
  const each = lines.map(({ input, line }) => (several ? `${input}:${line}` : String(line)));
  return `${count === 1 ? 'line' : 'lines'} ${each.join(', ')}${count > lines.length ? ' …' : ''}`;
}
