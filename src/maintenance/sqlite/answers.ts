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
const SAMPLE = 1000;

const AS_IT_IS: Fingerprints = {
  of: (_, text) => (text === '' ? -1 : Number(text)),
  ofRecord: () => Buffer.alloc(0),
  generateRecordId: () => '',
  grams: () => [],
};
const SEALED: ReaderKeys = {
  profiles: { decryptNames: (sealed) => [sealed.toString('base64')], decryptSignatures: () => [] },
  hints: { mayHaveExactPart: () => false },
};

/** Answers of a graph to a thousand of its values, or to all where there are fewer; none of an earlier version's. Errors: those of SQLite. */
export function answersOf(db: Db): SampledAnswer[] {
  if (Number(db.pragma('user_version', { simple: true })) !== VERSION) return [];
  const ask = asker(db);
  return keysOf(db).map((key) => ({ key, answer: ask(key) }));
}

/** Those that a copy answers otherwise. */
export function otherAnswers(db: Db, answers: SampledAnswer[]): SampledAnswer[] {
  if (answers.length === 0) return [];
  const ask = asker(db);
  return answers.filter(({ key, answer }) => ask(key) !== answer);
}

function asker(db: Db): (key: number) => string {
  const reader = createGraphReader(db, SEALED);
  return (key) => {
    const values = [{ keys: [{ type: 'email' as const, text: String(key) }], signature: null, raw: null }];
    const answer = resolveQuery({ ...EMPTY_QUERY, values }, reader, AS_IT_IS);
    return JSON.stringify({ ...answer, identities: [...answer.identities] });
  };
}

/** Fingerprints are spread evenly, so the next one after a number drawn at random is as good as any. */
function keysOf(db: Db): number[] {
  const count = db
    .prepare<[], number>(`SELECT count(*) FROM (SELECT 1 FROM posting LIMIT ${SAMPLE + 1})`)
    .pluck()
    .get();
  if ((count ?? 0) <= SAMPLE) return db.prepare<[], number>('SELECT key FROM posting').pluck().all();
  const [least = 0, most = 0] =
    db.prepare<[], [number, number]>('SELECT min(key), max(key) FROM posting').raw().get() ?? [];
  const next = db
    .prepare<[number], number>('SELECT key FROM posting WHERE key >= ? ORDER BY key LIMIT 1')
    .pluck();
  return Array.from(
    { length: SAMPLE },
    () => next.get(least + Math.floor(Math.random() * (most - least + 1))) ?? least,
  );
}
