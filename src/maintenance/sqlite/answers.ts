// Sample of a graph's answers, to compare a copy with the original. It needs no secret: fingerprints are read from the file, and encrypted
// fields are compared in encrypted form.
import { EMPTY_GRAPH_QUERY } from '../../graph/graph.ts';
import { resolveGraphQuery } from '../../graph/resolve/resolve.ts';
import { createSqliteGraphReader, type GraphReaderDecryptionFunctions } from '../../graph/sqlite/reader.ts';
import { GRAPH_FILE_VERSION } from '../../graph/sqlite/schema.ts';
import type { FingerprintFunctions } from '../../graph/encryption/fingerprints.ts';
import type { Db } from '../../platform/sqlite.ts';

/** Sampled value of a graph: its fingerprint, and the graph's answer to a query for it, as JSON. */
export interface SampledGraphAnswer {
  key: number;
  answer: string;
}

/** Number of values for which the answers of original and copy are compared. */
const SAMPLE_SIZE = 1000;

const UNCHANGED_KEYS: FingerprintFunctions = {
  of: (_, text) => (text === '' ? -1 : Number(text)),
  ofRecord: () => Buffer.alloc(0),
  generateRecordId: () => '',
  grams: () => [],
};
const READ_ENCRYPTED: GraphReaderDecryptionFunctions = {
  profiles: {
    decrypt: (sealed) => ({
      readNames: () => [sealed.toString('base64')],
      readSignatures: () => [],
      readBirthDateHashes: () => [],
    }),
  },
  hints: { mayHaveExactPart: () => false },
};

/**
 * Queries a graph for a sample of a thousand of its values and returns the answers. Returns none for a graph of an earlier version. Errors:
 * those of SQLite.
 */
export function sampleGraphAnswers(db: Db): SampledGraphAnswer[] {
  if (Number(db.pragma('user_version', { simple: true })) !== GRAPH_FILE_VERSION) return [];
  const ask = createQuery(db);
  return sampleKeys(db).map((key) => ({ key, answer: ask(key) }));
}

export function findChangedGraphAnswers(db: Db, answers: SampledGraphAnswer[]): SampledGraphAnswer[] {
  if (answers.length === 0) return [];
  const ask = createQuery(db);
  return answers.filter(({ key, answer }) => ask(key) !== answer);
}

function createQuery(db: Db): (key: number) => string {
  const reader = createSqliteGraphReader(db, READ_ENCRYPTED);
  return (key) => {
    const values = [{ keys: [{ type: 'email' as const, text: String(key) }], signature: null, raw: null }];
    const answer = resolveGraphQuery({ ...EMPTY_GRAPH_QUERY, values }, reader, UNCHANGED_KEYS);
    return JSON.stringify({ ...answer, identities: [...answer.identities] });
  };
}

/**
 * Returns a random sample of the graph's look-up keys (fingerprints); all keys if there are few. For each random number, the next higher key is
 * taken. The sample is fair, because fingerprints are evenly distributed.
 */
function sampleKeys(db: Db): number[] {
  const count = db
    .prepare<[], number>(`SELECT count(*) FROM (SELECT 1 FROM posting LIMIT ${SAMPLE_SIZE + 1})`)
    .pluck()
    .get();
  if ((count ?? 0) <= SAMPLE_SIZE) return db.prepare<[], number>('SELECT key FROM posting').pluck().all();
  const [least = 0, most = 0] =
    db.prepare<[], [number, number]>('SELECT min(key), max(key) FROM posting').raw().get() ?? [];
  const next = db
    .prepare<[number], number>('SELECT key FROM posting WHERE key >= ? ORDER BY key LIMIT 1')
    .pluck();
  return Array.from(
    { length: SAMPLE_SIZE },
    () => next.get(least + Math.floor(Math.random() * (most - least + 1))) ?? least,
  );
}
