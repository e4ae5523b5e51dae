import { type ErrorRates, NO_ERRORS } from '../../../link/error-rates.ts';
import { numberIdentities } from '../../../link/numbers.ts';
import { nameTablesDigest } from '../../../names/index.ts';
import type { Db } from '../../../platform/sqlite.ts';
import type { Fingerprints } from '../../fingerprints.ts';
import type { Partition } from '../../graph.ts';
import { gather, type Gathered } from '../../publish/gather.ts';
import type { Sealing } from '../../sealing.ts';
import { readMeta, writeMeta } from '../meta.ts';
import { packPostings, stage } from '../postings.ts';
import { newestOf } from '../read/reader.ts';
import type { RecordTable } from './records.ts';
import { sealSignatures } from '../signatures.ts';

export interface PublishTarget {
  db: Db;
  table: RecordTable;
  fingerprints: Fingerprints;
  sealing: Sealing;
}

/** Writes identities and postings from a partition of the records, in one transaction; see `publish` in graph.ts. */
export function publish(target: PublishTarget, partition: Partition): number | null {
  return target.db.transaction(() => publishNow(target, partition)).immediate();
}

function publishNow(
  { db, table, fingerprints, sealing }: PublishTarget,
  partition: Partition,
): number | null {
  const { clusters, revision, errorRates, onProgress } = partition;
  if (readMeta(db, 'revision') !== revision) return null;
  const { identities, redirects } = numberIdentities({ clusters, ...numbersSoFar(db) });
  db.exec('DELETE FROM identity; DELETE FROM exact_part');
  const write = identityWriter(db, sealing);
  for (const [i, { number, rows }] of identities.entries()) {
    if (i % 500 === 0) onProgress?.(i / identities.length);
    write(number, rows, gather(table.read(rows), fingerprints));
  }
  const gone = db.prepare('INSERT INTO identity VALUES (?, ?, NULL, NULL, 0, 0, NULL, NULL)');
  for (const [number, heir] of redirects) gone.run(number, heir);
  writeMeta(db, 'postings', String(packPostings(db)));
  writeMeta(db, 'linked_revision', revision);
  writeMeta(db, 'error_rates', JSON.stringify(errorRates));
  writeMeta(db, 'name_tables', nameTablesDigest());
  writeMeta(db, 'linked_at', new Date().toISOString());
  writeMeta(db, 'identities', String(identities.length));
  writeMeta(db, 'newest', newestOf(db));
  return identities.length;
}

function numbersSoFar(db: Db): { previous: Map<number, number | null>; known: Map<number, number | null> } {
  const pairs = (sql: string) => new Map(db.prepare<[], [number, number | null]>(sql).raw().all());
  return {
    previous: pairs('SELECT id, identity FROM record'),
    known: pairs('SELECT id, merged_into FROM identity'),
  };
}

function identityWriter(db: Db, sealing: Sealing): (number: number, rows: number[], it: Gathered) => void {
  const identity = db.prepare('INSERT INTO identity VALUES (?, NULL, ?, ?, ?, ?, ?, ?)');
  const exactParts = db.prepare('INSERT INTO exact_part VALUES (?, ?)');
  const belongs = db.prepare('UPDATE record SET identity = ? WHERE id = ? AND identity IS NOT ?');
  const post = stage(db);
  return (number, rows, it) => {
    const names = it.names.length ? sealing.seal(it.names.join('\n')) : null;
    const signatures = it.signatures.length ? sealSignatures(it.signatures, sealing) : null;
    identity.run(
      number,
      it.firstSeen,
      it.lastSeen,
      it.records,
      it.sources,
      names,
      signatures?.sealed ?? null,
    );
    if (signatures) exactParts.run(number, signatures.parts);
    for (const row of rows) belongs.run(number, row, number);
    for (const [key, primary] of it.postings) post(key, number, primary);
  };
}

/** What the records were found to be like when they were published last. */
export function keptErrorRates(db: Db): ErrorRates {
  return { ...NO_ERRORS, ...(JSON.parse(readMeta(db, 'error_rates') ?? '{}') as Partial<ErrorRates>) };
}
