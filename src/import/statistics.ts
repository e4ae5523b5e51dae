// Statistics of the records of an import. They contain counts only, never a value.
import { findAddressCountry } from '../normalise/address.ts';
import type { ImportRecord, RecordParsingNotes } from './record.ts';

export interface RecordStatistics {
  /** Number of records that are marked as deleted. The other counts do not include them. */
  deletions: number;
  emails: number;
  phones: number;
  addresses: number;
  birthDates: number;
  nameAlone: number;
  nameless: number;
  /**
   * Number of records with a first-seen or last-seen date. `oldest` and `newest` are the earliest and the latest of these dates, in milliseconds
   * since 1970.
   */
  dated: number;
  oldest: number | null;
  newest: number | null;
  /** Number of addresses by ISO country; `?` for an unknown country. */
  countries: Record<string, number>;
  /** Number of records with a country but no address, by ISO country. */
  rowCountries: Record<string, number>;
  /** Number of phones without a country code in records without a country. They are read as numbers of the default region. */
  regionPhones: number;
  /**
   * Number of phones that are invalid in the default region. The keys are the countries in which they are valid, such as `DE FR`, or an empty
   * text.
   */
  validElsewhere: Record<string, number>;
  /** Number of dates that contradict the day and month order of their column. The keys are field and order: `birth_date dmy`. */
  againstOrder: Record<string, number>;
}

export const createRecordStatistics = (): RecordStatistics => ({
  deletions: 0,
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
  rowCountries: {},
  regionPhones: 0,
  validElsewhere: {},
  againstOrder: {},
});

export function addRecordToStatistics(
  statistics: RecordStatistics,
  { names, contacts, birthDate, firstSeen, lastSeen }: ImportRecord,
  { country, regionPhones = 0, validElsewhere = [], againstOrder = [] }: RecordParsingNotes = {},
): void {
  const countKind = (kind: string) => Number(contacts.some((contact) => contact.kind === kind));
  statistics.emails += countKind('email');
  statistics.phones += countKind('phone');
  // A town alone is no address, though it belongs to the record.
  const isAddress = (contact: ImportRecord['contacts'][number]) =>
    contact.kind === 'address' && contact.standardized.street + contact.standardized.zip !== '';
  statistics.addresses += Number(contacts.some(isAddress));
  statistics.birthDates += Number(birthDate !== null);
  statistics.nameAlone += Number(contacts.length === 0);
  statistics.nameless += Number(names.length === 0);
  for (const contact of contacts)
    if (contact.kind === 'address') {
      addTo(statistics.countries, findAddressCountry(contact.standardized) || '?', 1);
    }
  if (country !== undefined) addTo(statistics.rowCountries, country, 1);
  statistics.regionPhones += regionPhones;
  for (const countries of validElsewhere) addTo(statistics.validElsewhere, countries.join(' '), 1);
  for (const order of againstOrder) addTo(statistics.againstOrder, order, 1);
  const [first, last] = [firstSeen ?? lastSeen, lastSeen ?? firstSeen];
  statistics.dated += Number(first !== null);
  addTimes(statistics, first, last);
}

/** Adds the statistics of later records to those of earlier records. */
export function mergeRecordStatistics(
  statistics: RecordStatistics,
  { oldest, newest, ...added }: RecordStatistics,
): void {
  const totals = statistics as unknown as Record<string, number | Record<string, number>>;
  for (const [name, value] of Object.entries(added)) {
    const total = totals[name];
    if (typeof value === 'number') totals[name] = (total as number) + value;
    else for (const [key, count] of Object.entries(value)) addTo(total as Record<string, number>, key, count);
  }
  addTimes(statistics, oldest, newest);
}

function addTo(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

function addTimes(statistics: RecordStatistics, first: number | null, last: number | null): void {
  if (first !== null) statistics.oldest = Math.min(statistics.oldest ?? first, first);
  if (last !== null) statistics.newest = Math.max(statistics.newest ?? last, last);
}

const MOST_COUNTRIES = 6;
/**
 * Share (0-1) of records with e-mails, below which the import recommends to add more of them. Applies also to phones, first- or last-seen dates,
 * and birth dates.
 */
const FEW = 0.3;
const FEWEST_RECORDS_FOR_ADVICE = 20;

/** Headers of the unused columns of a table that contain dates. */
export interface UnusedDates {
  input: string;
  unusedDates: string[];
}

export interface RecordStatisticsReport {
  /** Description of the imported records, one line per entry. */
  text: string[];
  /** Recommendations for better check results, one line per entry. */
  better: string[];
}

/**
 * Describes statistics in sentences.
 *
 * @param read number of usable records, including removals
 * @param tables unused columns with dates
 */
export function describeRecordStatistics(
  statistics: RecordStatistics,
  read: number,
  tables: readonly UnusedDates[],
): RecordStatisticsReport {
  if (read === 0) return { text: [], better: [] };
  const { emails, phones, addresses, birthDates, nameAlone, nameless, dated } = statistics;
  const orNone = (count: number) => (count === 0 ? 'none' : String(count));
  const counts = [
    `${orNone(emails)} with an e-mail`,
    `${orNone(phones)} with a phone`,
    `${orNone(addresses)} with an address`,
    `${orNone(birthDates)} with a date of birth`,
    ...(nameAlone > 0 ? [`${nameAlone} with only a name`] : []),
    ...(nameless > 0 ? [`${nameless} without a name`] : []),
  ];
  const countries = Object.entries(statistics.countries).toSorted(([, a], [, b]) => b - a);
  const shown = countries
    .slice(0, MOST_COUNTRIES)
    .map(([code, count]) => `${code === '?' ? 'unknown' : code} ${count}`);
  const day = (time: number | null) => new Date(time ?? 0).toISOString().slice(0, 10);
  const period = `from ${day(statistics.oldest)} to ${day(statistics.newest)}`;
  const text = [
    `records ${counts.join(', ')}`,
    ...(shown.length > 0
      ? [`countries of the addresses: ${shown.join(', ')}${countries.length > shown.length ? ' …' : ''}`]
      : []),
    dated > 0
      ? `when people were seen: ${dated === read ? 'all' : dated} with a date, ${period}`
      : 'when people were seen: no record has a date',
  ];
  return { text, better: adviceFor(statistics, read, tables) };
}

function adviceFor(
  { dated, emails, phones, addresses, birthDates, countries }: RecordStatistics,
  read: number,
  tables: readonly UnusedDates[],
) {
  if (read < FEWEST_RECORDS_FOR_ADVICE) return [];
  const isUndated = dated < read * FEW;
  const unused = isUndated ? tables.filter(({ unusedDates }) => unusedDates.length > 0) : [];
  const advice: [isMissing: boolean, text: string][] = [
    [isUndated && unused.length === 0, 'dates (created, last order): they show how long somebody is known'],
    [emails + phones < read * FEW, 'e-mails or phones: an address alone shows little'],
    [birthDates < read * FEW, 'dates of birth: they distinguish people of one name'],
    [
      (countries['?'] ?? 0) > addresses * FEW,
      'a column with the country: phone numbers without a country code are read by it, and elsewhere by --region',
    ],
  ];
  return [
    ...unused.map(
      ({ input, unusedDates }) =>
        `${input}: the dates in ${unusedDates.join(', ')} are not used. If people were first or last seen then, map them, for example --map "first_seen=${unusedDates[0]}"`,
    ),
    ...advice.flatMap(([isMissing, text]) =>
      isMissing ? [`checks would be more certain with ${text}`] : [],
    ),
  ];
}
