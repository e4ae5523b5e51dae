// What the records of an import are like, as figures: nothing that is counted is a value of anybody's.
import type { ImportRecord } from './record.ts';

export interface RecordStatistics {
  /** Records that have one. */
  emails: number;
  phones: number;
  addresses: number;
  birthDates: number;
  /** Records that only a name is known of, or no name. */
  nameAlone: number;
  nameless: number;
  /** Records that say when somebody was seen, and the first and last of these days (milliseconds since 1970). */
  dated: number;
  oldest: number | null;
  newest: number | null;
  /** Of addresses: ISO codes, `?` where none is known. */
  countries: Record<string, number>;
}

export const emptyStatistics = (): RecordStatistics => ({
  emails: 0,
  phones: 0,
  addresses: 0,
  birthDates: 0,
  nameAlone: 0,
  nameless: 0,
  dated: 0,
  oldest: null,
  newest: null,
  countries: {},
});

const CODE = /^[A-Z]{2}$/;

export function countRecord(
  learnt: RecordStatistics,
  { names, contacts, birthDate, firstSeen, lastSeen }: ImportRecord,
): void {
  const has = (kind: string) => Number(contacts.some((contact) => contact.kind === kind));
  learnt.emails += has('email');
  learnt.phones += has('phone');
  learnt.addresses += has('address');
  learnt.birthDates += Number(birthDate !== null);
  learnt.nameAlone += Number(contacts.length === 0);
  learnt.nameless += Number(names.length === 0);
  for (const contact of contacts)
    if (contact.kind === 'address') {
      const { country } = contact.standardized;
      const code = CODE.test(country) ? country : '?';
      learnt.countries[code] = (learnt.countries[code] ?? 0) + 1;
    }
  const [first, last] = [firstSeen ?? lastSeen, lastSeen ?? firstSeen];
  if (first === null || last === null) return;
  learnt.dated++;
  learnt.oldest = Math.min(learnt.oldest ?? first, first);
  learnt.newest = Math.max(learnt.newest ?? last, last);
}

/** Adds what was learnt of other records, which come after these. */
export function addStatistics(
  into: RecordStatistics,
  { oldest, newest, countries, ...counts }: RecordStatistics,
): void {
  for (const [what, count] of Object.entries(counts)) into[what as keyof typeof counts] += count;
  for (const [code, count] of Object.entries(countries))
    into.countries[code] = (into.countries[code] ?? 0) + count;
  if (oldest !== null) into.oldest = Math.min(into.oldest ?? oldest, oldest);
  if (newest !== null) into.newest = Math.max(into.newest ?? newest, newest);
}

const MOST_COUNTRIES = 6;
/** A share of records below which something is worth having more of. */
const FEW = 0.3;
const SOME = 20;

export interface StatisticsText {
  /** What records hold, a line each. */
  text: string[];
  /** What would make checks surer, a line each. */
  better: string[];
}

/** What was learnt. @param read how many records there are */
export function describeStatistics(it: RecordStatistics, read: number): StatisticsText {
  if (read === 0) return { text: [], better: [] };
  const some = (count: number) => (count === 0 ? 'none' : String(count));
  const counts = [
    `${some(it.emails)} with an e-mail`,
    `${some(it.phones)} with a phone`,
    `${some(it.addresses)} with an address`,
    `${some(it.birthDates)} with a date of birth`,
    ...(it.nameAlone > 0 ? [`${it.nameAlone} with nothing but a name`] : []),
    ...(it.nameless > 0 ? [`${it.nameless} without a name`] : []),
  ];
  const countries = Object.entries(it.countries).toSorted(([, a], [, b]) => b - a);
  const shown = countries
    .slice(0, MOST_COUNTRIES)
    .map(([code, count]) => `${code === '?' ? 'unknown' : code} ${count}`);
  const day = (time: number | null) => new Date(time ?? 0).toISOString().slice(0, 10);
  const dates = `${it.dated === read ? 'all' : it.dated} with a date, from ${day(it.oldest)} to ${day(it.newest)}`;
  const text = [
    `records ${counts.join(', ')}`,
    ...(shown.length > 0
      ? [`countries of the addresses: ${shown.join(', ')}${countries.length > shown.length ? ' …' : ''}`]
      : []),
    it.dated > 0 ? `when people were seen: ${dates}` : 'when people were seen: no record says',
  ];
  return { text, better: advice(it, read).map((one) => `checks would be surer with ${one}`) };
}

/** What would make checks surer. */
function advice(it: RecordStatistics, read: number): string[] {
  if (read < SOME) return [];
  const wanted: [boolean, string][] = [
    [it.dated < read * FEW, 'dates (created, last order): they tell how long somebody is known'],
    [it.emails + it.phones < read * FEW, 'e-mails or phones: an address alone tells little'],
    [it.birthDates < read * FEW, 'dates of birth: they keep people of one name apart'],
    [
      (it.countries['?'] ?? 0) > it.addresses * FEW,
      'the country of an address, or --region: numbers without a country code are read by it',
    ],
  ];
  return wanted.flatMap(([is, text]) => (is ? [text] : []));
}
