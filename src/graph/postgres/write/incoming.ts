import type { StoredRecord } from '../../../link/stored.ts';
import type { IncomingRecords } from '../../records.ts';
import { type Came, cameIn } from '../../incoming/came.ts';
import type { SealedRecord } from '../../encryption/sealed-records.ts';
import type { Steps } from '../index/steps.ts';
import type { Session } from '../session.ts';
import type { ForgottenTable, Returned } from './forgotten.ts';
import type { JudgementTable } from './judged.ts';
import { type RecordTable, revise } from './records.ts';
import type { UndoTable } from './undo.ts';

export interface RecordTarget {
  session: Session;
  table: RecordTable;
  steps: Steps;
  undo: UndoTable;
  forgotten: ForgottenTable;
  judging: JudgementTable;
}

/** Records on their way in, each sealed as the graph will keep it; see `Incoming` in graph.ts. */
export function incomingRecords(target: RecordTarget): IncomingRecords {
  const { session, table, steps, undo } = target;
  const came = cameIn(table);
  return {
    ...came,
    apply: ({ journal, allowReturn = false } = {}) =>
      session.alone(async () => {
        if (journal) await undo.begin(journal);
        const { out, alike, returned } = await admission(target, came.pages(), allowReturn);
        if (journal && returned.length > 0) await undo.noteReturned(returned);
        const put = await labelled(target, without(out, sealedOf(came.pages())));
        const gone = [...goneOf(came.pages())];
        return steps.noting(async (step) => {
          const noting = { journal: journal !== undefined, step };
          const done = await table.put(put, noting);
          // After all that is put, so that no row's number is given again.
          const removed = gone.length > 0 ? await table.remove(gone, noting) : 0;
          await revise(session);
          return { ...done, removed, barred: out.size, alike };
        });
      }),
  };
}

/** Puts records, each of them once: of those of one name the last. */
export async function putRecords(target: RecordTarget, records: StoredRecord[], allowReturn: boolean) {
  const { session, table, steps } = target;
  const came = records.map(table.seal);
  const { out, alike } = await admission(target, [came], allowReturn);
  const sealed = new Map<string, SealedRecord>();
  for (const one of without(out, came)) sealed.set(hexOf(one.key), one);
  const put = await labelled(target, sealed.values());
  const added = await steps.noting(async (step) => {
    const done = await table.put(put, { journal: false, step });
    await revise(session);
    return done.added;
  });
  const barred = came.filter(({ key }) => out.has(hexOf(key))).length;
  return { added, replaced: records.length - barred - added, barred, alike };
}

const hexOf = (key: Buffer) => key.toString('hex');

/**
 * Who of those that come is kept out, by their keys, and how many of the others share something with somebody who is. Asked while the records are
 * put, so that nobody is forgotten in between; where nobody was, nothing is opened for it.
 */
async function admission(
  { table, forgotten }: RecordTarget,
  pages: Iterable<Pick<Came, 'key' | 'sealed'>[]>,
  allowReturn: boolean,
): Promise<{ out: Set<string>; alike: number; returned: Returned[] }> {
  const all = { out: new Set<string>(), alike: 0, returned: [] as Returned[] };
  if ((await forgotten.barred()) === 0) return all;
  for (const page of pages) {
    const came = page.flatMap(({ key, sealed }) => (sealed ? [{ key, record: table.open(sealed) }] : []));
    const asked = await forgotten.ask(came.map(({ record }) => record));
    const theirs = came.filter((_, i) => asked[i] === 'forgotten');
    if (allowReturn) all.returned.push(...(await forgotten.allow(theirs.map(({ record }) => record))));
    else for (const { key } of theirs) all.out.add(hexOf(key));
    all.alike += asked.filter((is) => is === 'alike').length;
  }
  return all;
}

function* without(out: ReadonlySet<string>, records: Iterable<SealedRecord>): Iterable<SealedRecord> {
  for (const one of records) if (out.size === 0 || !out.has(hexOf(one.key))) yield one;
}

/** Each under the label that somebody's judgement gives it; where nobody has judged, nothing is opened for it. */
async function labelled(
  { table, judging }: RecordTarget,
  records: Iterable<SealedRecord>,
): Promise<Iterable<SealedRecord>> {
  const label = await judging.labelling();
  return label === null ? records : relabelled(records, table, label);
}

function* relabelled(
  records: Iterable<SealedRecord>,
  table: RecordTable,
  label: (record: StoredRecord) => StoredRecord,
): Iterable<SealedRecord> {
  for (const one of records) {
    const record = table.open(one.sealed);
    const judged = label(record);
    yield judged === record ? one : table.seal(judged);
  }
}

type Pages = ReturnType<ReturnType<typeof cameIn>['pages']>;

function* sealedOf(pages: Pages): Iterable<SealedRecord> {
  for (const page of pages)
    for (const { key, ref, sealed } of page) if (sealed) yield { key, ref: ref ?? 0, sealed };
}

function* goneOf(pages: Pages): Iterable<Buffer> {
  for (const page of pages) for (const { key, sealed } of page) if (!sealed) yield key;
}
