import type { StoredRecord } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import {
  type GraphManualLinks,
  type ManualLink,
  manualLinkLabel,
  type StoredManualLink,
} from '../../capabilities.ts';
import type { TextSealing } from '../../encryption/sealing.ts';

interface Row {
  id: number;
  time: number;
  undone: number | null;
  sealed: Buffer;
}

export interface JudgementTable extends GraphManualLinks {
  /** Has any record a label by a judgement? */
  isAny(): boolean;
  /** The record under the label that a judgement gives it, beside the one that its source says; as its source says where none does. */
  labelled(record: StoredRecord): StoredRecord;
}

/** Judgements, sealed, and beside them which record has which label by them. */
export function judgementTable(db: Db, fingerprints: Fingerprints, sealing: TextSealing): JudgementTable {
  const all = db.prepare<[], Row>('SELECT * FROM judgement ORDER BY id');
  const insert = db.prepare('INSERT INTO judgement (time, undone, sealed) VALUES (?, NULL, ?)');
  const undo = db.prepare('UPDATE judgement SET undone = ? WHERE id = ? AND undone IS NULL');
  const reseal = db.prepare('UPDATE judgement SET sealed = ? WHERE id = ?');
  const label = db.prepare<[Buffer], string>('SELECT label FROM judged WHERE key = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO judged VALUES (?, ?)');
  const any = db.prepare('SELECT 1 FROM judged LIMIT 1');
  const list = (): StoredManualLink[] =>
    all
      .all()
      .map(({ id, undone, sealed }) => ({ ...(JSON.parse(sealing.open(sealed)) as ManualLink), id, undone }));
  const refresh = () => {
    db.exec('DELETE FROM judged');
    for (const { id, undone, groups } of list())
      if (undone === null)
        for (const [i, keys] of groups.entries())
          for (const key of keys) put.run(Buffer.from(key, 'hex'), manualLinkLabel(id, i + 1));
  };
  const changing = <T>(work: () => T): T =>
    db
      .transaction(() => {
        const done = work();
        refresh();
        return done;
      })
      .immediate();
  return {
    list,
    add: (judgement) =>
      changing(() =>
        Number(insert.run(judgement.time, sealing.seal(JSON.stringify(judgement))).lastInsertRowid),
      ),
    undo: (id, time) => changing(() => undo.run(time, id).changes > 0),
    forget(keys) {
      const gone = new Set(keys);
      changing(() => {
        for (const { id, undone: _, ...one } of list()) {
          const groups = one.groups.map((group) => group.filter((key) => !gone.has(key)));
          if (groups.flat().length < one.groups.flat().length)
            reseal.run(sealing.seal(JSON.stringify({ ...one, why: '', groups })), id);
        }
      });
    },
    isAny: () => any.get() !== undefined,
    labelled(record) {
      const { said, ...plain } = record;
      const own = said === undefined ? record : { ...plain, label: said };
      if (any.get() === undefined) return own;
      const judged = label.get(fingerprints.ofRecord(record.source, record.recordId));
      return judged === undefined ? own : { ...own, label: judged, said: own.label };
    },
  };
}
