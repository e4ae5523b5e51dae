import type { StoredRecord } from '../../../link/stored.ts';
import {
  type GraphManualLinks,
  type ManualLink,
  manualLinkLabel,
  type StoredManualLink,
} from '../../capabilities.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import type { Session } from '../session.ts';

export interface JudgementTable extends GraphManualLinks {
  /** What gives a record the label that standing judgements give it, beside the one that its source says; null where there are none. */
  labelling(): Promise<((record: StoredRecord) => StoredRecord) | null>;
}

/** Judgements, sealed: few enough that all are read where one is asked for. */
export function judgementTable(
  session: Session,
  { fingerprints, sealing }: Pick<GraphKeys, 'fingerprints' | 'sealing'>,
): JudgementTable {
  const list = async (): Promise<StoredManualLink[]> => {
    const rows = await session.query<[number, number | null, Buffer]>(
      'SELECT id, undone, sealed FROM bonafide.judgement ORDER BY id',
    );
    return rows.map(([id, undone, sealed]) => ({
      ...(JSON.parse(sealing.open(sealed)) as ManualLink),
      id,
      undone,
    }));
  };
  const sealed = (judgement: ManualLink) => sealing.seal(JSON.stringify(judgement));
  return {
    list,
    async add(judgement) {
      const text = 'INSERT INTO bonafide.judgement (time, sealed) VALUES ($1, $2) RETURNING id';
      const [row] = await session.alone(() => session.query(text, [judgement.time, sealed(judgement)]));
      return Number(row?.[0]);
    },
    async undo(id, time) {
      const text = 'UPDATE bonafide.judgement SET undone = $1 WHERE id = $2 AND undone IS NULL RETURNING id';
      return (await session.alone(() => session.query(text, [time, id]))).length > 0;
    },
    forget: (keys) =>
      session.alone(async () => {
        const gone = new Set(keys);
        for (const { id, undone: _, ...one } of await list()) {
          const groups = one.groups.map((group) => group.filter((key) => !gone.has(key)));
          if (groups.flat().length === one.groups.flat().length) continue;
          // The reason may tell of them.
          const values = [sealed({ ...one, why: '', groups }), id];
          await session.query('UPDATE bonafide.judgement SET sealed = $1 WHERE id = $2', values);
        }
      }),
    async labelling() {
      const all = await list();
      const labels = new Map<string, string>();
      for (const { id, undone, groups } of all)
        if (undone === null)
          for (const [i, keys] of groups.entries())
            for (const key of keys) labels.set(key, manualLinkLabel(id, i + 1));
      return all.length === 0 ? null : (record) => labelled(record, labels);
    },
  };

  function labelled(record: StoredRecord, labels: Map<string, string>): StoredRecord {
    const { said, ...plain } = record;
    const own = said === undefined ? record : { ...plain, label: said };
    const judged = labels.get(fingerprints.ofRecord(record.source, record.recordId).toString('hex'));
    return judged === undefined ? own : { ...own, label: judged, said: own.label };
  }
}
