// How records leave the files for good: what the files hold of them, what of it nobody else has, and writing the rest anew.
import type { RecordRow } from '../../../link/stored.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../encryption/fingerprints.ts';
import type { GraphErasing } from '../../capabilities.ts';
import { gather } from '../../publish/gather.ts';
import type { LinkFile } from '../linked.ts';
import { readRecordMeta, writeRecordMeta } from '../meta.ts';
import {
  emptyWal,
  type StoredTraces,
  NO_TRACES,
  vacuumDatabases,
  keyEncodings,
} from '../../link-cache/erasing.ts';
import type { SqlSession } from '../../sql/session.ts';
import type { SuppressionList } from '../../sql/suppression-list.ts';

interface Erasing {
  db: Db;
  fingerprints: Fingerprints;
  session: SqlSession;
  suppression: SuppressionList;
  /** What linking remembers; null where there is nothing. */
  links(): LinkFile | null;
  /** Runs work, with errors in our codes. */
  ours<T>(work: () => T): T;
}

export function erasingOn({ db, session, fingerprints, suppression, links, ours }: Erasing): GraphErasing {
  return {
    suppress: (marks, time, name) =>
      session.runAtomically(async () => {
        await suppression.add(marks.map((mark) => [mark, time]));
        writeRecordMeta(db, 'overwriting', name);
      }),
    pendingErasure: () => ours(() => readRecordMeta(db, 'overwriting') || null),
    finishErasure: () => ours(() => writeRecordMeta(db, 'overwriting', '')),
    countSuppressed: suppression.count,
    checkSuppressed: suppression.countMatches,
    collectTraces: (rows) =>
      ours(() => {
        const [own, linked] = [
          heldOf(db, rows, fingerprints),
          links()?.erased.collectTraces(rows) ?? NO_TRACES,
        ];
        const keys = [...new Set([...own.keys, ...linked.keys])];
        return () => {
          const isLinked = links()?.erased.isKeyUsed ?? (() => false);
          const gone = keys.filter((key) => !ours(() => isUsed(db, key)) && !isLinked(key));
          return [...own.sealed, ...linked.sealed, ...gone.flatMap(keyEncodings)];
        };
      }),
    emptyLogs: () => ours(() => emptyWal(db)) && (links()?.erased.emptyLog() ?? true),
    rewriteFiles() {
      ours(() => vacuumDatabases(db));
      links()?.erased.rewriteFile();
    },
  };
}

function heldOf(db: Db, rows: RecordRow[], fingerprints: Fingerprints): StoredTraces {
  const bytesIn = (table: string, columns: string, id: number) =>
    db.prepare<[number], Buffer[]>(`SELECT ${columns} FROM ${table} WHERE id = ?`).raw().get(id) ?? [];
  const identities = new Set(rows.flatMap(({ identity }) => identity ?? []));
  const sealed = [
    ...rows.flatMap(({ row }) => bytesIn('record', 'key, sealed', row)),
    ...[...identities].flatMap((id) => bytesIn('identity', 'profile', id)),
  ];
  const keys = new Set(rows.map(({ recordId }) => fingerprints.of('label', recordId)));
  for (const row of rows) for (const key of gather([row], fingerprints).postings.keys()) keys.add(key);
  return { sealed: sealed.map((bytes) => bytes.subarray(0, 28)), keys: [...keys] };
}

function isUsed(db: Db, key: number): boolean {
  return ['posting WHERE key = ?', 'record WHERE ref = ?'].some(
    (where) => db.prepare<[number]>(`SELECT 1 FROM ${where} LIMIT 1`).get(key) !== undefined,
  );
}
