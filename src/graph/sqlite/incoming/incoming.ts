import type { IncomingRecords } from '../../records.ts';
import { BATCH, cameIn } from '../../incoming/came.ts';
import type { SealedRecord } from '../../encryption/sealed-records.ts';
import type { Put, RecordTable } from '../write/records.ts';
import type { ForgottenTable, Returned } from '../write/forgotten.ts';
import type { JudgementTable } from '../write/judged.ts';
import type { UndoTable } from './undo.ts';

export interface IncomingTarget {
  table: RecordTable;
  undo: UndoTable;
  forgotten: ForgottenTable;
  judging: JudgementTable;
  /** Is told what was put or taken out. */
  noted(put: Put): Put;
}

/** Records on their way in, each sealed as the graph will keep it; see `Incoming` in graph.ts. */
export function incomingRecords(target: IncomingTarget): IncomingRecords {
  const { table, undo, noted } = target;
  const came = cameIn(table);
  return {
    ...came,
    apply({ journal, allowReturn = false } = {}) {
      const kept = journal && undo.begin(journal);
      const done = { added: 0, replaced: 0, removed: 0, barred: 0, alike: 0 };
      const admitted = admission(target, allowReturn);
      const gone: Buffer[] = [];
      const returned: Returned[] = [];
      for (const page of came.pages()) {
        const records = page.flatMap(({ key, ref, sealed }) =>
          sealed ? [{ key, ref: ref ?? 0, sealed }] : [],
        );
        const taken = admitted(records);
        done.alike += taken.alike;
        returned.push(...taken.returned);
        const { added, replaced } = noted(table.put(taken.records, kept));
        done.barred += records.length - taken.records.length;
        done.added += added;
        done.replaced += replaced;
        // After all that is put, so that no row's number is given again.
        for (const { key, sealed } of page) if (!sealed) gone.push(key);
      }
      for (let at = 0; at < gone.length; at += BATCH)
        done.removed += noted(table.remove(gone.slice(at, at + BATCH), kept)).rows.length;
      if (kept && returned.length > 0) undo.noteReturned(returned);
      return done;
    },
  };
}

/** Asked while the records are put, so that nobody is forgotten or judged in between; where nobody was, nothing is opened for it. */
function admission({ table, forgotten, judging }: IncomingTarget, allowReturn: boolean) {
  if (forgotten.barred() === 0 && !judging.isAny())
    return (came: SealedRecord[]) => ({ records: came, alike: 0, returned: [] });
  return (came: SealedRecord[]) => {
    const opened = new Map(came.map((one) => [table.open(one.sealed), one]));
    const { records, ...rest } = forgotten.admit([...opened.keys()], allowReturn);
    const sealed = records.flatMap((record) => {
      const labelled = judging.labelled(record);
      return labelled === record ? (opened.get(record) ?? []) : table.seal(labelled);
    });
    return { records: sealed, ...rest };
  };
}
