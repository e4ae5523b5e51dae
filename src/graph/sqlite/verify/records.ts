// What lies beside the records in their file: how they are found, who is kept out, what was judged, what can be taken back.
import { isDeepStrictEqual } from 'node:util';
import type { StoredRecord } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import { type ManualLink, manualLinkLabel } from '../../capabilities.ts';
import { suppressionMarksOf } from '../../suppression.ts';
import { createInvariantCounter, type Invariant } from '../../verifying.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { readRecordMeta } from '../meta.ts';
import { stampOf } from '../write/records.ts';

const RESTORE = 'Restore a backup, or import again what is concerned';

interface Row {
  id: number;
  key: Buffer;
  ref: number;
  sealed: Buffer;
}

export function recordsHeld(db: Db, keys: GraphKeys): Invariant[] {
  const judged = judgedIn(db, keys);
  return [...eachHeld(db, keys, judged.labels), judged.counted, marksHeld(db), ...appliedHeld(db, keys)];
}

/** Record by record. */
function eachHeld(db: Db, { fingerprints, sealing }: GraphKeys, labels: Map<string, string>): Invariant[] {
  const found = createInvariantCounter('a record is found by its source and its id', RESTORE);
  const kept = createInvariantCounter('nobody is there who is kept out', 'Run: bonafide graph forget');
  const said = createInvariantCounter('a record has the label that was judged', RESTORE);
  const some = db.prepare<[number], Row>(
    'SELECT id, key, ref, sealed FROM record WHERE id > ? ORDER BY id LIMIT 500',
  );
  const known = db.prepare<[Buffer]>('SELECT 1 FROM forgotten WHERE mark = ?');
  const isAny = db.prepare('SELECT 1 FROM forgotten LIMIT 1').get() !== undefined;
  for (let rows = some.all(0); rows.length > 0; rows = some.all(rows.at(-1)?.id ?? 0))
    for (const { key, ref, sealed } of rows) {
      const record = JSON.parse(sealing.open(sealed)) as StoredRecord;
      const { source, recordId, label } = record;
      found.check(
        fingerprints.ofRecord(source, recordId).equals(key) && fingerprints.of('label', recordId) === ref,
      );
      if (isAny) {
        // Its own mark is the first; others it may have in common with somebody who is gone.
        const [own] = suppressionMarksOf([record], fingerprints);
        kept.check(own === undefined || known.get(own) === undefined);
      }
      const should = labels.get(key.toString('hex'));
      if (should !== undefined || record.said !== undefined) said.check(label === should);
    }
  return [found.counted, kept.counted, said.counted];
}

/** The labels that standing judgements give, and whether those that are kept are so. */
function judgedIn(db: Db, { sealing }: GraphKeys) {
  const { check: ask, counted } = createInvariantCounter(
    'what was judged can be read, and says of each record what is kept of it',
    RESTORE,
  );
  const labels = new Map<string, string>();
  const all = db.prepare<[], [number, number | null, Buffer]>(
    'SELECT id, undone, sealed FROM judgement ORDER BY id',
  );
  for (const [id, undone, sealed] of all.raw().all()) {
    const judgement = readOr(() => JSON.parse(sealing.open(sealed)) as ManualLink);
    ask(judgement !== undefined);
    if (undone === null)
      for (const [i, group] of judgement?.groups.entries() ?? [])
        for (const key of group) labels.set(key, manualLinkLabel(id, i + 1));
  }
  const kept = db.prepare<[], [Buffer, string]>('SELECT key, label FROM judged').raw().all();
  for (const [key, label] of kept) ask(labels.get(key.toString('hex')) === label);
  ask(false, labels.size - kept.length);
  return { labels, counted };
}

const MARK_BYTES = 16;

function marksHeld(db: Db): Invariant {
  const { check: ask, counted } = createInvariantCounter(
    'what keeps somebody out is a digest and a time',
    RESTORE,
  );
  const all = db.prepare<[], [Buffer, number]>('SELECT mark, time FROM forgotten').raw();
  for (const [mark, time] of all.iterate())
    ask(Buffer.isBuffer(mark) && mark.length === MARK_BYTES && Number.isSafeInteger(time));
  return counted;
}

interface Undo {
  row: number;
  put: number | null;
  key: Buffer | null;
  ref: number | null;
  before: Buffer | null;
}

function appliedHeld(db: Db, { sealing, fingerprints }: GraphKeys): Invariant[] {
  const { check: ask, counted } = createInvariantCounter(
    'what the last import changed can be taken back',
    'Import anew: what is kept for taking back goes',
  );
  const applied = db.prepare<[], [string, string | null]>('SELECT what, stamp FROM applied').raw().all();
  const [[what, stamp] = ['{}', null]] = applied;
  ask(applied.length <= 1 && readOr(() => JSON.parse(what) as unknown) !== undefined);
  const now = db.prepare<[number], Buffer>('SELECT sealed FROM record WHERE id = ?').pluck();
  // Once something else has changed the records, they need not be as that import left them.
  const isLast = stamp !== null && stamp === readRecordMeta(db, 'link_stamp');
  const isAsLeft = ({ row, put }: Undo) => {
    const sealed = now.get(row);
    return put === null ? true : sealed !== undefined && stampOf(sealed) === put;
  };
  const isItself = ({ key, ref, put, before }: Undo) => {
    if (before === null) return put !== null && key === null;
    const record = readOr(() => JSON.parse(sealing.open(before)) as StoredRecord);
    if (!record || put !== null) return record !== undefined;
    const own = [
      fingerprints.ofRecord(record.source, record.recordId),
      fingerprints.of('label', record.recordId),
    ];
    return isDeepStrictEqual([key, ref], own);
  };
  for (const one of db.prepare<[], Undo>('SELECT * FROM undo').iterate())
    ask(applied.length === 1 && isItself(one));
  if (isLast) for (const one of db.prepare<[], Undo>('SELECT * FROM undo').all()) ask(isAsLeft(one));
  return [counted];
}

function readOr<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
