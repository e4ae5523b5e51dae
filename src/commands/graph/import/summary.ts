// What an import tells when it has ended: nothing in it is a value of a record.
import { learntText } from '../../../import/apply/learnt.ts';
import { shown } from '../../../import/source/cells/shown.ts';
import type { ImportSummary } from '../../../import/progress.ts';
import { columnsText } from './inputs.ts';

export function jsonOf({ rejectsFile, firstRejects, sources, ...summary }: ImportSummary): object {
  return { ...summary, sources: sourcesOf(sources), rejects_file: rejectsFile, first_rejects: firstRejects };
}

/** As it may be shown: a name may be somebody's e-mail. */
const sourcesOf = (sources: ImportSummary['sources']) =>
  [...sources].map(([source, records]) => ({ source: shown(source), records }));

export function textOf(it: ImportSummary, dryRun: boolean): string {
  const lines = [...it.forms.flatMap(formText), ...it.columns.map(columnsText), ...readText(it)];
  if (dryRun) return [...lines, 'dry run: nothing was written'].join('\n');
  const removed = it.removed > 0 ? `, ${it.removed} taken out` : '';
  lines.push(`${it.added} added, ${it.replaced} replaced${removed}`);
  const each = it.identities > 0 ? `, ${(it.records / it.identities).toFixed(2)} a person` : '';
  lines.push(`the graph now holds ${it.records} records on ${it.identities} identities${each}`);
  lines.push(`reading ${it.seconds.reading.toFixed(1)} s, linking ${it.seconds.linking.toFixed(1)} s`);
  return lines.join('\n');
}

function readText(it: ImportSummary): string[] {
  const lines = [
    `${it.read + it.rejected} records read, ${it.rejected} rejected, ${it.dropped} single values dropped`,
  ];
  for (const { input, line, whole, reason } of it.firstRejects)
    lines.push(`  ${input}, line ${line}: ${reason}${whole ? '' : ' (left out)'}`);
  if (it.rejectsFile) lines.push(`all that could not be used: ${it.rejectsFile}`);
  if (it.sources.size > 0) lines.push(sourcesText(it.sources));
  lines.push(...learntText(it.learnt, it.read));
  const { company, placeholder } = it.aside;
  if (company + placeholder > 0)
    lines.push(
      `left out as no people: companies ${company}, guests and tests ${placeholder} (--keep-companies keeps them)`,
    );
  if (it.others > 0)
    lines.push(
      `rows that name somebody else too, as the receiver of a gift: ${it.others}; whose record it is not, their name and address are left out`,
    );
  if (it.same.merged > 0) lines.push(`rows with the id of another one: ${it.same.merged}, merged with it`);
  if (it.same.shared > 0)
    lines.push(`ids that stand for several people: ${it.same.shared}; each has a record of their own`);
  if (it.barred > 0)
    lines.push(`left out because they were forgotten: ${it.barred} (--allow-return takes them in again)`);
  if (it.alike > 0)
    lines.push(
      `records with an e-mail or a phone of somebody who was forgotten, under another name: ${it.alike}; they are in the graph (see the page People on record)`,
    );
  return lines;
}

const MOST_SHOWN = 12;

function sourcesText(sources: ImportSummary['sources']): string {
  const each = sourcesOf(sources).map(({ source, records }) => `${source} ${records}`);
  const more = each.length > MOST_SHOWN ? ` and ${each.length - MOST_SHOWN} more` : '';
  return `${each.length === 1 ? 'source' : 'sources'}: ${each.slice(0, MOST_SHOWN).join(', ')}${more}`;
}

/** What is worth telling of an input: nothing of plain UTF-8. */
function formText({ input, form }: ImportSummary['forms'][number]): string[] {
  const told = [form.packing, form.kind, form.encoding === 'UTF-8' ? null : form.encoding].filter(
    (word) => word !== null,
  );
  return told.length > 0 ? [`${input}: ${told.join(', ')}`] : [];
}
