// The graph that most trials serve, its questions, and their answers by an undamaged server.
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '../../../src/store/keys.ts';
import { openStoreAtLocation } from '../../../src/store/open.ts';
import { getStoreFile } from '../../../src/store/sqlite/open.ts';
import { makeBodies, makePeople } from '../../bench/people.ts';
import type { Asked } from './ask.ts';
import { answersInside, runInside } from './inside.ts';

/** A data folder with records and a key. It is never served: trials work on copies. */
export interface Base {
  folder: string;
  key: string;
  /** Key of a hostile caller, because the calls of one key in flight are limited. */
  hostileKey: string;
  /** Checks with the answers of an undamaged server, without the parts that differ from call to call. */
  questions: { asked: Asked; answer: string }[];
  /** The imported file, and a file with further records. */
  records: string;
  more: string;
}

const RECORDS = 400;
const MORE = 150;
const QUESTIONS = 60;
const PATHS = ['/v1/validate', '/v1/validate', '/v1/validate?response=v2', '/v1/validate?ai=true'];

const made = new Map<string, Promise<Base>>();

/** Creates the base below a folder, once. */
export function baseIn(root: string): Promise<Base> {
  const known = made.get(root) ?? makeBase(join(root, 'base'));
  made.set(root, known);
  return known;
}

async function makeBase(root: string): Promise<Base> {
  mkdirSync(root, { recursive: true });
  const { people, records } = makePeople(RECORDS + MORE, 7);
  const [first, more] = [join(root, 'records.jsonl'), join(root, 'more.jsonl')];
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(first, lines.slice(0, RECORDS).join(''));
  writeFileSync(more, lines.slice(RECORDS).join(''));
  const folder = join(root, 'data');
  await runInside(['graph', 'import', first, '--data-dir', folder]);
  const { key } = await runInside(['keys', 'create', '--name', 'trial', '--data-dir', folder]);
  const other = await runInside(['keys', 'create', '--name', 'hostile', '--data-dir', folder]);
  const bodies = makeBodies(people, { each: 2, count: QUESTIONS });
  const asked = bodies.map((body, i) => question(String(key), PATHS[i % PATHS.length] ?? '', body));
  const answers = await answersInside(copyOf(folder, join(root, 'asked')), asked);
  const questions = asked.map((asked, i) => ({ asked, answer: answers[i] ?? '' }));
  return { folder, key: String(key), hostileKey: String(other.key), questions, records: first, more };
}

export const question = (key: string, path: string, body: object): Asked => ({
  path,
  headers: { 'content-type': 'application/json', 'x-api-key': key },
  body: JSON.stringify(body),
});

export function copyOf(folder: string, to: string): string {
  cpSync(folder, to, { recursive: true });
  chmodSync(to, 0o700);
  return to;
}

/** Number of keys of a hostile caller: a key with many refusals is slowed down, so that its requests would test nothing more. */
const HOSTILE_KEYS = 100;

/** Creates the keys of a hostile caller in a data folder: half of them may check, the others may read, or serve the graph. */
export function createKeys(folder: string): string[] {
  const store = openStoreAtLocation({ file: getStoreFile(folder) });
  const scopes = [['read', 'metrics'], ['graph'], ['validate'], ['validate']] as const;
  try {
    return Array.from({ length: HOSTILE_KEYS }, (_, i) => {
      const chosen = [...(scopes[i % scopes.length] ?? [])];
      return createKey(store, { name: 'hostile', scopes: chosen }, Date.now() - 1000).key;
    });
  } finally {
    store.close();
  }
}
