// What a graph answers, asked of the file alone: neither the secret nor a value is needed, for keys are taken from the file as they are
// and what is sealed is compared as it is.
import { EMPTY_QUERY } from '../../graph/graph.ts';
import { resolveQuery } from '../../graph/resolve/resolve.ts';
import { createGraphReader, type ReaderKeys } from '../../graph/sqlite/reader.ts';
import { VERSION } from '../../graph/sqlite/schema.ts';
import type { Fingerprints } from '../../graph/encryption/fingerprints.ts';
import type { Db } from '../../platform/sqlite.ts';

/** The answer to one value: its fingerprint, and all that a check would be told. */
export interface SampledAnswer {
  key: number;
  answer: string;
}

/** Answers that are compared. */
const SAMPLE_SIZE = 1000;

const UNCHANGED_KEYS: Fingerprints = {
  of: (_, text) => (text === '' ? -1 : Number(text)),
  ofRecord: () => Buffer.alloc(0),
  generateRecordId: () => '',
  grams: () => [],
};
const READ_ENCRYPTED: ReaderKeys = {
  profiles: { decryptNames: (sealed) => [sealed.toString('base64')], decryptSignatures: () => [] },
  hints: { mayHaveExactPart: () => false },
};

/** Answers of a graph to a thousand of its values, or to all where there are fewer; none of an earlier version's. Errors: those of SQLite. */
export function sampleAnswers(db: Db): SampledAnswer[] {
  if (Number(db.pragma('user_version', { simple: true })) !== VERSION) return [];
  const ask = createQuery(db);
  return sampleKeys(db).map((key) => ({ key, answer: ask(key) }));
}

/** Those that a copy answers otherwise. */
export function findDifferentAnswers(db: Db, answers: SampledAnswer[]): SampledAnswer[] {
  if (answers.length === 0) return [];
  const ask = createQuery(db);
  return answers.filter(({ key, answer }) => ask(key) !== answer);
}

function createQuery(db: Db): (key: number) => string {
  const reader = createGraphReader(db, READ_ENCRYPTED);
  return (key) => {
    const values = [{ keys: [{ type: 'email' as const, text: String(key) }], signature: null, raw: null }];
    const answer = resolveQuery({ ...EMPTY_QUERY, values }, reader, UNCHANGED_KEYS);
    return JSON.stringify({ ...answer, identities: [...answer.identities] });
  };
}

/** Fingerprints are spread evenly, so the next one after a number drawn at random is as good as any. */
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
