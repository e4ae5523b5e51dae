import type { StoredRecord } from '../../../link/stored.ts';
import type { Incoming } from '../../graph.ts';
import { cameIn } from '../../incoming/came.ts';
import type { SealedRecord } from '../../sealed/record.ts';
import type { Session } from '../session.ts';
import type { JudgementTable } from './judged.ts';
import { type RecordTable, revise } from './records.ts';
import type { UndoTable } from './undo.ts';

export interface RecordTarget {
  session: Session;
  table: RecordTable;
  undo: UndoTable;
  judging: JudgementTable;
}

/** Records on their way in, each sealed as the graph will keep it; see `Incoming` in graph.ts. */
export function incomingRecords(target: RecordTarget): Incoming {
  const { session, table, undo } = target;
  const came = cameIn(table);
  return {
    ...came,
    apply: ({ journal } = {}) =>
      session.alone(async () => {
        if (journal) await undo.begin(journal);
        const put = await labelled(target, sealedOf(came.pages()));
        const done = await table.put(put, journal !== undefined);
        // After all that is put, so that no row's number is given again.
        const gone = [...goneOf(came.pages())];
        const removed = gone.length > 0 ? await table.remove(gone, journal !== undefined) : 0;
        await revise(session);
        return { ...done, removed, barred: 0 };
      }),
  };
}

/** Puts records, each of them once: of those of one name the last. */
export async function putRecords(target: RecordTarget, records: StoredRecord[]) {
  const { session, table } = target;
  const sealed = new Map<string, SealedRecord>();
  for (const one of records.map(table.seal)) sealed.set(one.key.toString('hex'), one);
  const { added } = await table.put(await labelled(target, sealed.values()), false);
  await revise(session);
  return { added, replaced: records.length - added };
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
