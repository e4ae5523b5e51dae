// What an import tells when it has ended: nothing in it is a value of a record.
import { plural } from '../../../evaluate/report/words.ts';
import { describeStatistics } from '../../../import/statistics.ts';
import { isContactLike, toDisplayName, ROUNDED_NUMBER } from '../../../import/columns/cells.ts';
import type { ImportSummary, ReasonCount } from '../../../import/summary.ts';
import { type Done, peopleText } from './identity-counts.ts';
import { FUTURE_DATE, AMBIGUOUS_DATE } from '../../../import/record.ts';

export function jsonOf({ summary, people }: Done): object {
  const { rejectsFile, firstRejects, sources, reasons, ...rest } = summary;
  return {
    ...rest,
    sources: sourcesOf(sources),
    reasons: Array.from(reasons, ([reason, told]) => ({ reason, ...told })),
    people,
    rejects_file: rejectsFile,
    first_rejects: firstRejects.map((one) => ({ ...one, recordId: idOf(one.recordId) })),
  };
}

const idOf = (id: string | null) => (id === null || isContactLike(id) ? null : id);

/** As it may be shown: a name may be somebody's e-mail. */
export const sourcesOf = (sources: ImportSummary['sources']) =>
  [...sources].map(([source, records]) => ({ source: toDisplayName(source), records }));

const MOST_SHOWN = 12;

export function sourcesText(sources: ImportSummary['sources']): string {
  const each = sourcesOf(sources).map(({ source, records }) => `${source} ${records}`);
  const more = each.length > MOST_SHOWN ? ` and ${each.length - MOST_SHOWN} more` : '';
  return `${each.length === 1 ? 'source' : 'sources'}: ${each.slice(0, MOST_SHOWN).join(', ')}${more}`;
}

export function textOf({ summary: it, people, unknown }: Done, isTrial: boolean): string {
  const lines = [...it.forms.flatMap(formText), ...readText(it)];
  const { text, better } = describeStatistics(it.learnt, it.read);
  lines.push(...text);
  if (isTrial) {
    if (people && it.read > 0) lines.push(...peopleText(people, 'linked by itself, the input holds'));
    lines.push(...returningText(it, unknown));
    return [...lines, ...better, 'dry run: nothing was written'].join('\n');
  }
  lines.push(appliedText(it));
  lines.push(...alikeText(it.alike, 'in the graph'));
  if (people) lines.push(...peopleText(people, 'the graph now holds'));
  else
    lines.push(
      `the graph now holds ${plural(it.records, 'record')} of ${plural(it.identities, 'person', 'people')}`,
    );
  lines.push(
    ...better,
    `read in ${it.seconds.reading.toFixed(1)} s, linked in ${it.seconds.linking.toFixed(1)} s`,
  );
  return lines.join('\n');
}

const alikeText = (alike: number, where: string) =>
  alike > 0
    ? [
        `${plural(alike, 'record')} with an e-mail or a phone of somebody who was forgotten, under another name: ${where} (see the page People on record)`,
      ]
    : [];

/** Of a dry run. */
function returningText({ barred, alike }: ImportSummary, unknown: string | null): string[] {
  if (unknown !== null)
    return [`whether somebody who was forgotten is among them cannot be told: ${unknown}`];
  const out = barred > 0 ? [`${plural(barred, 'record')} would be left out because they were forgotten`] : [];
  return [...out, ...alikeText(alike, 'would come in')];
}

/** Of an import that replaces: a name with a slip of the hand is that of a new source. */
export function unreplacedText({ added, replaced, removed, sources }: ImportSummary): string[] {
  if (added === 0 || replaced + removed > 0) return [];
  const [{ source } = { source: '' }] = sourcesOf(sources);
  return [
    `nothing was there to replace: the graph had no records of ${source} (bonafide graph sources lists what it has)`,
  ];
}

function appliedText({ added, replaced, removed, stayed, barred, same }: ImportSummary): string {
  const counts = [
    `${added} added`,
    `${replaced} replaced`,
    ...(removed > 0 ? [`${removed} taken out`] : []),
    ...(stayed > 0 ? [`${stayed} left as before, as their rows cannot be used`] : []),
    ...(same.merged > 0 ? [`${plural(same.merged, 'row')} merged with another of the same id`] : []),
    ...(same.shared > 0
      ? [`${plural(same.shared, 'id')} of several people, each with a record of their own`]
      : []),
    ...(barred > 0
      ? [`${barred} left out because they were forgotten (--allow-return takes them in again)`]
      : []),
  ];
  return counts.join(', ');
}

function readText(it: ImportSummary): string[] {
  const lines = [
    `${plural(it.read, 'record')} read${it.rejected > 0 ? `, ${it.rejected} more cannot be used` : ''}`,
  ];
  if (it.sources.size > 0) lines.push(sourcesText(it.sources));
  lines.push(...asideText(it.aside), ...reasonsText(it.reasons));
  if (it.rejectsFile) lines.push(`what could not be used is told line by line in ${it.rejectsFile}`);
  for (const { input, fields } of it.unknown)
    lines.push(
      `${input}: fields of no record, which are not used: ${fields.slice(0, MOST_SHOWN).join(', ')}${fields.length > MOST_SHOWN ? ' …' : ''}`,
    );
  if (it.others > 0)
    lines.push(
      `${plural(it.others, 'row')} that ${it.others === 1 ? 'names' : 'name'} somebody else too, such as the receiver of a gift: their name and contacts are left out`,
    );
  return lines;
}

function asideText({ company, placeholder, total }: ImportSummary['aside']): string[] {
  const kept = [
    ...(company > 0 ? [plural(company, 'company', 'companies')] : []),
    ...(placeholder > 0
      ? [`${placeholder} ${placeholder === 1 ? 'guest or test' : 'guests and tests'}`]
      : []),
  ];
  return [
    ...(kept.length > 0 ? [`left out as no people: ${kept.join(', ')} (--keep-companies keeps them)`] : []),
    ...(total > 0 ? [`${plural(total, 'line')} of the list itself, such as totals`] : []),
  ];
}

/** What is worth telling of an input: nothing of plain UTF-8. */
function formText({ input, form }: ImportSummary['forms'][number]): string[] {
  const told = [form.packing, form.kind, form.encoding === 'UTF-8' ? null : form.encoding].filter(
    (word) => word !== null,
  );
  return told.length > 0 ? [`${input}: ${told.join(', ')}`] : [];
}

// Why something could not be used, for people: by kind, with the first lines.
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

function reasonsText(reasons: ReadonlyMap<string, ReasonCount>): string[] {
  const all = [...reasons].toSorted(([, a], [, b]) => b.count - a.count);
  const lines = all.slice(0, MOST).map(([reason, told]) => `  ${wordsOf(reason, told)} (${placesOf(told)})`);
  const left = all.length > MOST ? [`  and ${all.length - MOST} more kinds`] : [];
  return lines.length > 0 ? ['left out, as it cannot be used:', ...lines, ...left] : [];
}

function wordsOf(reason: string, { count, whole }: ReasonCount): string {
  const [, field = '', what = ''] = /^(\w+) (.*)$/.exec(reason) ?? [];
  const date = FIELDS[field];
  if (date && what === AMBIGUOUS_DATE)
    return `${plural(count, 'date')} of ${date} that could be two days, as 06.05. could be in May or June: --dates dmy or --dates mdy says which`;
  if (date && what === FUTURE_DATE) return `${plural(count, 'date')} of ${date} in the future`;
  if (date) return `${plural(count, 'date')} of ${date} that cannot be read`;
  if (what === ROUNDED_NUMBER)
    return `${plural(count, LOST[field] ?? 'value')} of which a spreadsheet left the first digits alone, as 4.9E+11: give the column the format of text, and export it anew`;
  const kind = KINDS[field];
  if (kind && what === 'cannot be used') return count === 1 ? kind[0] : `${count} ${kind[1]}`;
  return whole ? `${plural(count, 'record')}: ${reason}` : `${count} times: ${reason}`;
}

/** Line numbers, by file where there are several. */
function placesOf({ count, lines }: ReasonCount): string {
  const several = new Set(lines.map(({ input }) => input)).size > 1;
  const each = lines.map(({ input, line }) => (several ? `${input}:${line}` : String(line)));
  return `${count === 1 ? 'line' : 'lines'} ${each.join(', ')}${count > lines.length ? ' …' : ''}`;
}
