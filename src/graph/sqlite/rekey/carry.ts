// The records of a graph into files under another secret: which they are, in which order, and which identity each has.
import type { StoredRecord } from '../../../link/stored.ts';
import { type Db, translated } from '../../../platform/sqlite.ts';
import { deriveFingerprintPrefix } from '../../encryption/fingerprints.ts';
import type { ManualLink } from '../../capabilities.ts';
import { deriveGraphKeys, type GraphKeys } from '../../encryption/keys.ts';
import { openDatabase } from '../database.ts';
import { importedTable } from '../incoming/imported.ts';
import { connectRecords, recordsFile } from '../records-file.ts';
import { RECORDS } from '../schema.ts';
import { judgementTable } from '../write/judged.ts';
import { recordTable } from '../write/records.ts';
import { earlierKeys, keepEarlier } from './earlier.ts';

/** One side of it: the graph's file, and its secret (64 hex characters). */
export interface Side {
  file: string;
  secret: string;
}

export interface Carrying {
  from: Side;
  /** A file that is not there yet, nor the records beside it. */
  to: Side;
  /** The same record under the other side's fingerprints. Errors: its own. */
  remake(record: StoredRecord, fingerprints: GraphKeys['fingerprints']): StoredRecord;
  /** Told now and then how many records are done. */
  onProgress?: ((done: number) => void) | undefined;
}

interface Raw {
  id: number;
  key: Buffer;
  identity: number | null;
  sealed: Buffer;
}

/**
 * Writes all records anew under another secret, with what was judged and who was forgotten. Answers the rows of each identity of two or
 * more. What is kept of the last import for taking it back is not carried over.
 *
 * Errors: those of SQLite, in our codes; `wrong_secret`; those of `remake`.
 */
export function carryRecords({ from, to, remake, onProgress }: Carrying): number[][] {
  const [old, now] = [deriveGraphKeys(from.secret), deriveGraphKeys(to.secret)];
  const source = connectRecords(recordsFile(from.file), old);
  try {
    openDatabase({ file: to.file, keys: now, create: true }).close();
    const target = connectRecords(recordsFile(to.file), now);
    try {
      const carry = () => carryAll({ source, target, old, now, remake, onProgress });
      return translated(recordsFile(to.file), () => target.transaction(carry).immediate(), RECORDS);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }

  function carryAll(it: Carried): number[][] {
    const clusters = carryRows(it);
    copy(it, 'SELECT number, heir FROM merged', 'INSERT INTO merged VALUES (?, ?)');
    copy(it, 'SELECT number, row FROM bore', 'INSERT INTO bore VALUES (?, ?)');
    copy(it, 'SELECT mark, time FROM forgotten', 'INSERT INTO forgotten VALUES (?, ?)');
    keepEarlier(it.target, now.sealing, [
      ...earlierKeys(it.source, old.sealing),
      deriveFingerprintPrefix(from.secret),
    ]);
    return clusters;
  }
}

interface Carried extends Pick<Carrying, 'remake' | 'onProgress'> {
  source: Db;
  target: Db;
  old: GraphKeys;
  now: GraphKeys;
}

const PAGE = 500;

function carryRows({ source, target, old, now, remake, onProgress }: Carried): number[][] {
  const page = source.prepare<[number], Raw>(
    `SELECT id, key, identity, sealed FROM record WHERE id > ? ORDER BY id LIMIT ${PAGE}`,
  );
  const read = recordTable(source, old.fingerprints, old.sealing);
  const write = recordTable(target, now.fingerprints, now.sealing);
  const insert = target.prepare('INSERT INTO record (id, key, ref, identity, sealed) VALUES (?, ?, ?, ?, ?)');
  const rows = new Map<number, number[]>();
  const judgements = judgementsOf(source, old);
  const names = new Map(judgements.flatMap(({ groups }) => groups.flat()).map((key) => [key, '']));
  const sources = new Set<string>();
  let done = 0;
  for (let some = page.all(0); some.length > 0; some = page.all(some.at(-1)?.id ?? 0)) {
    for (const { id, key, identity, sealed } of some) {
      const record = read.open(sealed);
      sources.add(record.source);
      const made = write.seal(remake(record, now.fingerprints));
      insert.run(id, made.key, made.ref, identity, made.sealed);
      if (identity !== null) rows.set(identity, [...(rows.get(identity) ?? []), id]);
      if (names.has(key.toString('hex'))) names.set(key.toString('hex'), made.key.toString('hex'));
    }
    onProgress?.((done += some.length));
  }
  carryJudgements(target, now, { judgements, names });
  importedTable(target, now).carry(sources, importedTable(source, old));
  return [...rows.values()].filter(({ length }) => length > 1);
}

interface KeptJudgement extends ManualLink {
  id: number;
  undone: number | null;
}

const judgementsOf = (source: Db, { fingerprints, sealing }: GraphKeys): KeptJudgement[] =>
  judgementTable(source, fingerprints, sealing).list() as KeptJudgement[];

/** With the records that are there: a judgement names them by their fingerprints, and of others there is no other. */
function carryJudgements(
  target: Db,
  { fingerprints, sealing }: GraphKeys,
  { judgements, names }: { judgements: KeptJudgement[]; names: Map<string, string> },
): void {
  const insert = target.prepare('INSERT INTO judgement (id, time, undone, sealed) VALUES (?, ?, ?, ?)');
  for (const { id, undone, ...judgement } of judgements) {
    const groups = judgement.groups.map((group) => group.flatMap((key) => names.get(key) || []));
    insert.run(id, judgement.time, undone, sealing.seal(JSON.stringify({ ...judgement, groups })));
  }
  // Which labels come of them is told anew.
  judgementTable(target, fingerprints, sealing).forget([]);
}

function copy({ source, target }: Carried, select: string, insert: string): void {
  const put = target.prepare(insert);
  for (const row of source.prepare<[], unknown[]>(select).raw().iterate()) put.run(...row);
}
