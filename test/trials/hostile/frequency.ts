// Frequency analysis by a thief who has the file of the graph without its secret, and knows how common every name is.
//
// The thief gets more than a real one has: the kind of each key, and the keys of each identity. The thief's statistics come from
// another population from the same generator. The analysis of values follows Naveed, Kamara and Wright (CCS 2015). For names, the
// frequencies of an identity's keys are compared with those of every known name.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import { generateRecordLines } from '../../../src/generate/records.ts';
import { createGeneratedWorld } from '../../../src/generate/world.ts';
import { createFingerprintFunctions } from '../../../src/graph/encryption/fingerprints.ts';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import { importRecords } from '../../../src/import.ts';
import { getGivenNameKey, getNameKeys, prepareName } from '../../../src/names/index.ts';
import { normaliseContact } from '../../../src/normalise/contact.ts';
import { PEOPLE_GENERATOR_TABLES_FOLDER } from '../../../src/platform/assets.ts';
import { did, fault } from '../trial.ts';
import type { Stage, Trial } from '../trial.ts';

export const frequencyAttack: Trial[] = [
  {
    name: 'frequency',
    about: 'names, e-mails and phones guessed from a stolen graph by how common they are',
    run,
  },
];

const SECRET = 'a7'.repeat(32);
/** Largest share of the names of identities that the analysis may find. */
const MOST_NAMES = 0.01;

interface Known {
  names: string[];
  emails: string[];
  phones: string[];
}

async function run(stage: Stage): Promise<void> {
  const people = stage.of(400, 3000);
  const seed = 1 + Math.floor(stage.random() * 1e6);
  const folder = join(stage.folder, 'stolen');
  mkdirSync(folder, { recursive: true });
  const lines = linesOf(people, seed);
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const inputs = [
    { name: 'people.jsonl', stream: Readable.from([Buffer.from(lines.join('\n'))]), bytes: null },
  ];
  await importRecords({ graph, inputs, region: 'US' });
  await graph.close();
  const shares = sharesIn(folder);
  const [own, public_] = [knownFrom(lines), knownFrom(linesOf(people * 2, seed + 1))];
  const names = namesGuessed(shares, own.names, public_.names);
  const values = valuesGuessed(shares, own, public_);
  did(stage.tally, 'names tried', names.of);
  did(stage.tally, 'names that came back', names.right);
  did(stage.tally, 'e-mails and phones tried', values.of);
  const repeat = `npm run trials -- --only frequency --seed ${seed}`;
  if (names.right > MOST_NAMES * names.of)
    fault(stage.tally, { seen: 'more than 1 % of the names come back', repeat });
  if (values.right > 0) fault(stage.tally, { seen: 'an e-mail or a phone comes back', repeat });
}

function linesOf(people: number, seed: number): string[] {
  const [names, places] = ['names.txt', 'places.txt'].map((file) =>
    readFileSync(join(PEOPLE_GENERATOR_TABLES_FOLDER, file), 'utf8'),
  );
  const world = createGeneratedWorld({
    people,
    seed,
    countries: [],
    names: names ?? '',
    places: places ?? '',
  });
  return [...generateRecordLines(world)].flatMap(({ records }) => records.trim().split('\n')).filter(Boolean);
}

function knownFrom(lines: string[]): Known {
  const known: Known = { names: [], emails: [], phones: [] };
  for (const line of lines) {
    const {
      name,
      emails = [],
      phones = [],
    } = JSON.parse(line) as { name?: unknown; emails?: string[]; phones?: string[] };
    if (typeof name === 'string') known.names.push(name);
    else if (name) known.names.push(Object.values(name as object).join(' '));
    known.emails.push(...emails);
    known.phones.push(...phones);
  }
  return known;
}

/** Returns the number of identities of each key in the file. */
function sharesIn(folder: string): Map<number, number> {
  const db = new Database(join(folder, 'graph.db'), { readonly: true });
  const shares = new Map<number, number>();
  for (const { key, ids } of db
    .prepare<[], { key: number; ids: number | string }>('SELECT key, ids FROM posting')
    .iterate())
    shares.set(
      key,
      typeof ids === 'number' ? 1 : ids.includes(':') ? Number(ids.split(':')[0]) : ids.split(' ').length,
    );
  db.close();
  return shares;
}

const keysOf = (name: string) => {
  const prepared = prepareName(name);
  return [...getNameKeys(prepared), getGivenNameKey(prepared) ?? ''];
};

/** Guesses the name of each identity as the known name whose keys have the nearest frequencies. */
function namesGuessed(shares: Map<number, number>, own: string[], known: string[]) {
  const { of } = createFingerprintFunctions(SECRET);
  const common = new Map<string, number>();
  const distinct = new Map(known.map((name) => [keysOf(name).join('|'), keysOf(name)]));
  for (const keys of distinct.values()) for (const key of keys) common.set(key, (common.get(key) ?? 0) + 1);
  const targets = new Map(own.map((name) => [keysOf(name).join('|'), keysOf(name)]));
  const scale = targets.size / distinct.size;
  const candidates = [...distinct.values()].map((keys) => ({
    exact: keys[0],
    at: keys.map((key) => Math.log((common.get(key) ?? 0) * scale + 0.5)),
  }));
  let [tried, right] = [0, 0];
  for (const keys of targets.values()) {
    const seen = keys.map((key) => shares.get(of('name', key)) ?? 0);
    if (!seen[0]) continue;
    tried++;
    const at = seen.map((share) => Math.log(share + 0.5));
    let best = { distance: Infinity, exact: '' as string | undefined };
    for (const one of candidates) {
      const distance = one.at.reduce((sum, value, i) => sum + (value - (at[i] ?? 0)) ** 2, 0);
      if (distance < best.distance) best = { distance, exact: one.exact };
    }
    if (best.exact === keys[0]) right++;
  }
  return { of: tried, right };
}

/** Guesses the most common key as the most common known value, and so on. */
function valuesGuessed(shares: Map<number, number>, own: Known, known: Known) {
  const { of } = createFingerprintFunctions(SECRET);
  const keyOf = (kind: 'email' | 'phone', text: string) => {
    const [exact] = normaliseContact(kind, text, 'US')?.keys ?? [];
    return exact ? of(exact.type, exact.text) : 0;
  };
  let [tried, right] = [0, 0];
  for (const kind of ['email', 'phone'] as const) {
    const [values, public_] = [own[`${kind}s`], known[`${kind}s`]];
    const keys = [...new Set(values.map((text) => keyOf(kind, text)))].filter((key) => shares.has(key));
    const ranked = keys.sort((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0));
    const counts = Map.groupBy(public_, (text) => text);
    const guesses = [...counts]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([text]) => keyOf(kind, text));
    tried += ranked.length;
    right += ranked.filter((key, i) => key === guesses[i]).length;
  }
  return { of: tried, right };
}
