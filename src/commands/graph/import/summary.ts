// Summary of an import, as JSON and as text. It contains no value of a record.
import { formatCount } from '../../../evaluate/report/words.ts';
import {
  isContactLike,
  NO_AREA_CODE_REASON,
  SPREADSHEET_ROUNDED_NUMBER_REASON,
  maskIfContactLike,
} from '../../../import/columns/cells.ts';
import { PLACEHOLDER_DATE_REASON } from '../../../import/columns/dates.ts';
import {
  FILE_OWNER_REASON,
  NO_VALUE_REASON,
  RELATIVE_REASON,
  PLACEHOLDER_REASON,
} from '../../../import/columns/persons.ts';
import { AMBIGUOUS_DATE_REASON, FUTURE_DATE_REASON } from '../../../import/record.ts';
import { describeRemoval } from '../../../import/sources.ts';
import { describeRecordStatistics } from '../../../import/statistics.ts';
import { NOT_UTF_8_REASON } from '../../../import/input/lines.ts';
import {
  describeImportWarnings,
  type ImportSummary,
  type CountWithExampleLines,
  type RejectReasonCount,
} from '../../../import/summary.ts';
import { formatIdentityCounts, type GraphIdentityCounts } from './identity-counts.ts';

/** Summary of an import, with counts of the graph afterwards. */
export interface ImportResult {
  summary: ImportSummary;
  /** Counts of the graph's identities; null for a large graph. */
  people: GraphIdentityCounts | null;
  /** Reason that a dry run cannot recognise forgotten people; null if it can. */
  unknown: string | null;
  region: string;
}

export function toImportResultJson({ summary, people }: ImportResult): object {
  const { rejectsFile, firstRejects, sources, reasons, replacing, ...rest } = summary;
  return {
    ...rest,
    ...(replacing && { would_remove: replacing.removed, of_source: replacing.present }),
    sources: listSources(sources),
    reasons: Array.from(reasons, ([reason, counts]) => ({ reason, ...counts })),
    people,
    rejects_file: rejectsFile,
    first_rejects: firstRejects.map((reject) => ({ ...reject, recordId: hideContact(reject.recordId) })),
  };
}

const hideContact = (id: string | null) => (id === null || isContactLike(id) ? null : id);

/** Returns the sources with names that are safe to display: a name that is an e-mail address is masked. */
const listSources = (sources: ImportSummary['sources']) =>
  [...sources].map(([source, records]) => ({ source: maskIfContactLike(source), records }));

/** Maximum number of items that are listed on a line. */
const MAX_SHOWN = 12;

export function formatImportResult(
  { summary, people, unknown, region }: ImportResult,
  isDryRun: boolean,
): string {
  const statistics = describeRecordStatistics(summary.learnt, summary.read, summary.columns);
  const read = [
    ...summary.forms.flatMap(formatForm),
    ...formatRead(summary),
    ...statistics.text,
    ...describeImportWarnings(summary, region),
    ...summary.columns.flatMap(describeMissingIds),
  ];
  if (isDryRun)
    return [
      ...read,
      ...(people && summary.read > 0
        ? formatIdentityCounts(people, 'The records of the input, linked without those of the graph:')
        : []),
      ...formatSuppressed(summary, unknown),
      ...(summary.replacing && summary.replacing.present > 0
        ? [`--replace would remove ${describeRemoval(summary.replacing)}`]
        : []),
      ...statistics.better,
      `Dry run: nothing was ${summary.rejectsFile ? 'imported' : 'written'}.`,
    ].join('\n');
  const { reading, linking } = summary.seconds;
  return [
    ...read,
    formatApplied(summary),
    ...formatAlike(summary.alike, 'imported'),
    ...(people
      ? formatIdentityCounts(people, 'The graph now has')
      : [
          `The graph now has ${formatCount(summary.records, 'record')} of ${formatCount(summary.identities, 'identity', 'identities')}`,
        ]),
    ...statistics.better,
    `Reading took ${reading.toFixed(1)} s, linking ${linking.toFixed(1)} s.`,
  ].join('\n');
}

/** Returns a sentence about a table without record ids, which are then made from the contents of the rows. */
const describeMissingIds = ({ input, columns }: ImportSummary['columns'][number]): string[] =>
  columns.some(({ field }) => field === 'record_id')
    ? []
    : [
        `${input}: no column holds record ids. If the file is imported again, each changed row is added as a new record; --replace removes the old one`,
      ];

const formatAlike = (alike: number, state: string) =>
  alike > 0
    ? [
        `${formatCount(alike, 'record')} with an e-mail or a phone of a forgotten person, under another name: ${state} (see the page People on record)`,
      ]
    : [];

function formatSuppressed({ barred, alike }: ImportSummary, unknown: string | null): string[] {
  if (unknown !== null) return [`Records of forgotten people cannot be recognised: ${unknown}`];
  const leftOut = `${formatCount(barred, 'record')} of forgotten people would be left out`;
  return [...(barred > 0 ? [leftOut] : []), ...formatAlike(alike, 'would be imported')];
}

/** Returns a warning if an import with --replace replaced no record: the source name may be mistyped. No warning otherwise. */
export function listNothingReplacedWarnings({ added, replaced, removed, sources }: ImportSummary): string[] {
  if (added === 0 || replaced + removed > 0) return [];
  const [{ source } = { source: '' }] = listSources(sources);
  return [
    `Nothing was replaced: the graph had no records of the source ${source}. List its sources: bonafide graph sources`,
  ];
}

function formatApplied({ added, replaced, removed, stayed, barred, same }: ImportSummary): string {
  return [
    `${added} added`,
    replaced > 0 ? `${replaced} replaced, changed or not` : '0 replaced',
    ...(removed > 0 ? [`${removed} removed`] : []),
    ...(stayed > 0 ? [`${stayed} unchanged because their new rows cannot be used`] : []),
    ...(same.merged > 0 ? [`${formatCount(same.merged, 'row')} merged with another row of the same id`] : []),
    ...(same.shared > 0
      ? [`${formatCount(same.shared, 'id')} of several people; each person has a record`]
      : []),
    ...(barred > 0
      ? [`${barred} left out because they were forgotten (--allow-reimport imports them again)`]
      : []),
  ].join(', ');
}

function formatRead(summary: ImportSummary): string[] {
  const { read, rejected, sources, aside, reasons, rejectsFile, others } = summary;
  return [
    `${formatCount(read, 'record')} read${rejected > 0 ? `, ${rejected} more cannot be used` : ''}`,
    ...(sources.size > 0 ? [formatSources(sources)] : []),
    ...formatNonPersons(aside),
    ...formatReasons(reasons),
    ...(rejectsFile ? [`${rejectsFile} lists each of these, with its line`] : []),
    ...(others > 0
      ? [
          `${formatCount(others, 'row')} with a second person, such as the receiver of a gift: name and contacts of that person are left out`,
        ]
      : []),
  ];
}

function formatSources(sources: ImportSummary['sources']): string {
  const all = listSources(sources).map(({ source, records }) => `${source} ${records}`);
  const more = all.length > MAX_SHOWN ? ` and ${all.length - MAX_SHOWN} more` : '';
  return `${all.length === 1 ? 'source' : 'sources'}: ${all.slice(0, MAX_SHOWN).join(', ')}${more}`;
}

function formatNonPersons({ company, household, placeholder, total }: ImportSummary['aside']): string[] {
  const format = (counts: CountWithExampleLines, singular: string, plural: string) =>
    counts.count > 0 ? [`${formatCount(counts.count, singular, plural)} (${formatLines(counts)})`] : [];
  const rows = [
    ...format(company, 'company', 'companies'),
    ...format(household, 'couple or family', 'couples or families'),
    ...format(placeholder, 'guest, test or service account', 'guests, tests and service accounts'),
  ];
  return [
    ...(rows.length > 0 ? [`left out, not people: ${rows.join(', ')}; --keep-companies keeps them`] : []),
    ...format(total, 'row', 'rows').map(
      (text) => `left out, rows of the table itself, such as totals: ${text}`,
    ),
  ];
}

/** Formats compression, file type and encoding of an input as lines; no line for a plain UTF-8 file. */
function formatForm({ input, form }: ImportSummary['forms'][number]): string[] {
  const parts = [form.packing, form.kind, form.encoding === 'UTF-8' ? null : form.encoding].filter(
    (part) => part !== null,
  );
  return parts.length > 0 ? [`${input}: ${parts.join(', ')}`] : [];
}

/** Labels for unusable values, in singular and plural. */
const UNUSABLE_LABELS: Record<string, [singular: string, plural: string]> = {
  emails: ['1 invalid e-mail', 'invalid e-mails'],
  phones: ['1 invalid phone number', 'invalid phone numbers'],
  addresses: ['1 address that cannot be read', 'addresses that cannot be read'],
  names: ['1 name without letters, or too long', 'names without letters, or too long'],
  identifiers: ['1 identifier that cannot be read', 'identifiers that cannot be read'],
};
const CONTACT_LABELS: Record<string, [singular: string, plural: string]> = {
  emails: ['e-mail', 'e-mails'],
  phones: ['phone number', 'phone numbers'],
};
const DATE_LABELS: Record<string, string> = {
  birth_date: 'date of birth',
  first_seen: 'date "first seen"',
  last_seen: 'date "last seen"',
};
const ROUNDED_LABELS: Record<string, string> = { phones: 'phone number', record_id: 'record id' };

/** Formats the reasons for unusable records and values, the most frequent first, with line numbers of examples. */
function formatReasons(reasons: ReadonlyMap<string, RejectReasonCount>): string[] {
  const sorted = [...reasons].toSorted(([, a], [, b]) => b.count - a.count);
  const lines = sorted
    .slice(0, MAX_SHOWN)
    .map(([reason, counts]) => `  ${formatReason(reason, counts)} (${formatLines(counts)})`);
  const more = sorted.length > MAX_SHOWN ? [`  and ${sorted.length - MAX_SHOWN} more reasons`] : [];
  return lines.length > 0 ? ['left out, unusable:', ...lines, ...more] : [];
}

function formatReason(reason: string, { count, whole }: RejectReasonCount): string {
  const [, field = '', problem = ''] = /^(\w+) (.*)$/.exec(reason) ?? [];
  const date = DATE_LABELS[field];
  if (date !== undefined) {
    const dates = formatCount(count, date, date.replace('date', 'dates'));
    if (problem === AMBIGUOUS_DATE_REASON)
      return `${dates} with unclear order of day and month, such as 06/05/1971: set the order with --dates dmy or --dates mdy`;
    if (problem === PLACEHOLDER_DATE_REASON) return `${dates} that mean an unknown date, such as 01.01.1900`;
    return problem === FUTURE_DATE_REASON ? `${dates} in the future` : `${dates} that cannot be read`;
  }
  if (problem === SPREADSHEET_ROUNDED_NUMBER_REASON)
    return `${formatCount(count, ROUNDED_LABELS[field] ?? 'value')} rounded by a spreadsheet, such as 4.9E+11: format the column as text, and export the table again`;
  if (reason === NOT_UTF_8_REASON)
    return `${formatCount(count, 'record')}: ${reason}, and the encoding is not recognised: name it with --encoding`;
  const contacts = formatCount(count, ...(CONTACT_LABELS[field] ?? (['value', 'values'] as const)));
  if (problem === NO_VALUE_REASON) return `${contacts} with a placeholder for “none”, such as n/a`;
  if (problem === PLACEHOLDER_REASON)
    return `${contacts} of nobody, such as ${field === 'phones' ? '999-999-9999' : 'none@none.com'}`;
  if (problem === FILE_OWNER_REASON)
    return `${contacts} of the owner of the file, which most rows have in another column`;
  if (problem === RELATIVE_REASON) return `${contacts} of a relative, by a remark such as (mother)`;
  if (problem === NO_AREA_CODE_REASON)
    return `${contacts} without the area code, such as 555-0142: add it, or a column “Area code” before the phones`;
  const labels = UNUSABLE_LABELS[field];
  if (labels && problem === 'cannot be used') return count === 1 ? labels[0] : `${count} ${labels[1]}`;
  return whole ? `${formatCount(count, 'record')}: ${reason}` : `${formatCount(count, 'value')}: ${reason}`;
}

/** Formats the line numbers of a reason, with the name of the input if there are several inputs. */
function formatLines({ count, lines }: CountWithExampleLines): string {
  const hasSeveralInputs = new Set(lines.map(({ input }) => input)).size > 1;
  const places = lines.map(({ input, line }) => (hasSeveralInputs ? `${input}:${line}` : String(line)));
  return `${count === 1 ? 'line' : 'lines'} ${places.join(', ')}${count > lines.length ? ' …' : ''}`;
}
