// What is published, held against what the records of each identity make of it.
import type { Gathered } from '../../publish/gather.ts';
import { stageKeys } from '../../publish/staged.ts';
import type { GraphKeys } from '../../encryption/keys.ts';
import { createInvariantCounter, type FileVerifier, type Invariant } from '../../verifying.ts';
import type { Connection } from '../connect.ts';
import { publishedKeys, toldBy } from '../write/published.ts';
import { against, rowsOf } from './against.ts';

type Posting = [key: number, holders: string];
type Pair = [key: number, holder: number];

const LEAST = Number.MIN_SAFE_INTEGER;

/** @param folder where sorted runs are kept */
export function publishedVerifier(on: Connection, keys: GraphKeys, folder: string): FileVerifier {
  const seen = new Map<number, [says: number | null, keys: number | null]>();
  const staged = stageKeys(folder);
  const { says, digest } = saying(keys);
  return {
    compareIdentity(id, should) {
      if (!should) return void seen.set(id, [null, null]);
      seen.set(id, [says(id, should), digest(publishedKeys(should))]);
      for (const [key, primary] of should.postings) staged.add(key, id, primary);
    },
    async listInvariants() {
      const rows = createInvariantCounter('an identity is published as its records make it, to the letter');
      const known = createInvariantCounter('the keys that an identity was published with are remembered');
      for (const [id, [says]] of seen)
        if (says === null)
          for (const key of await keysOf(on, id)) staged.add(Math.floor(key / 2), id, key % 2 === 1);
      const all = Array.from(seen, ([id, [says, keys]]): [number, ...Said, ...Said] => [id, says, keys]).sort(
        (a, b) => a[0] - b[0],
      );
      const identities = rowsOf<IdentityRow>(on, IDENTITIES, afterFirst);
      const published = rowsOf<PublishedRow>(on, PUBLISHED, afterFirst);
      const told = (row: IdentityRow) => saidBy(row, keys, digest);
      const list = ([, list]: PublishedRow) => digest(list);
      const byId = (one: [number, ...Said], two: [number, ...Said]) => one[0] - two[0];
      const same = (one: [number, ...Said], two: [number, ...Said]) => two[1] === null || one[1] === two[1];
      const pairs = (which: 1 | 2) => all.map((one): [number, ...Said] => [one[0], one[which]]);
      await against(mapped(identities, told), pairs(1), { order: byId, same, ask: rows.check });
      await against(mapped(published, list), pairs(2), { order: byId, same, ask: known.check });
      return [
        rows.counted,
        ...(await postingsHeld(on, staged).finally(staged.drop)),
        ...(await wholeHeld(on)),
        known.counted,
      ];
    },
  };
}

/** What is said in one number; null: whatever it is. */
type Said = [says: number | null];

type IdentityRow = [number, number | null, number | null, number, number, number, Buffer, Buffer];
type PublishedRow = [id: number, keys: number[]];

async function keysOf(on: Connection, identity: number): Promise<number[]> {
  const rows = await on.query<PublishedRow>(ONE_PUBLISHED, [identity]);
  return rows.flatMap(([, keys]) => keys);
}
const ONE_PUBLISHED = 'SELECT id, keys FROM bonafide.published WHERE id = $1';

const IDENTITIES =
  'SELECT id, first_seen, last_seen, records, sources, told, hints, profile FROM bonafide.identity WHERE id > $1 ORDER BY id';
const PUBLISHED = 'SELECT id, keys FROM bonafide.published WHERE id > $1 ORDER BY id';
const afterFirst = (row: [number, ...unknown[]] | null) => [row?.[0] ?? LEAST];

async function* mapped<R extends [number, ...unknown[]]>(
  rows: AsyncIterable<R>,
  said: (row: R) => number,
): AsyncGenerator<[number, ...Said]> {
  for await (const row of rows) yield [row[0], said(row)];
}

/** One number for all that an identity says. */
function saying(keys: GraphKeys) {
  const { fingerprints, hints } = keys;
  const digest = (what: unknown) => fingerprints.of('check', JSON.stringify(what));
  return {
    digest,
    says(id: number, it: Gathered): number {
      const { firstSeen, lastSeen, records, sources, names, signatures, postings } = it;
      const exactParts = signatures.map(({ exactPart }) => exactPart);
      const hint = hints.encode({ identity: id, exactParts, keys: postings.keys() }).toString('hex');
      const told = toldBy(it, fingerprints);
      return digest([firstSeen, lastSeen, records, sources, told, hint, names, partsOf(signatures)]);
    },
  };
}

const partsOf = (signatures: Gathered['signatures']) =>
  signatures.map(({ kind, exactPart, grams }) => [kind, exactPart, grams]);

/** What cannot be opened says nothing that it should. */
function saidBy(row: IdentityRow, { profiles }: GraphKeys, digest: (what: unknown) => number): number {
  const [, first, last, records, sources, told, hint, profile] = row;
  try {
    return digest([
      first,
      last,
      records,
      sources,
      told,
      hint.toString('hex'),
      profiles.openNames(profile),
      partsOf(profiles.openSignatures(profile)),
    ]);
  } catch {
    return 0;
  }
}

const POSTINGS = `
SELECT key, share || ':' || array_to_string(coalesce(ids, ARRAY[holder]), ' ') FROM bonafide.posting WHERE key > $1 ORDER BY key`;
const FREQUENT =
  'SELECT key, holder FROM bonafide.frequent WHERE (key, holder) > ($1, $2) ORDER BY key, holder';

async function postingsHeld(on: Connection, staged: ReturnType<typeof stageKeys>): Promise<Invariant[]> {
  const few = createInvariantCounter('a key leads to whom its identities make it lead to');
  const many = createInvariantCounter('a key that very many share leads to all of them');
  const frequent: Pair[] = [];
  const should = (function* (): Iterable<Posting> {
    for (const piece of staged.pieces())
      for (const { key, share, holders, all } of piece) {
        for (const holder of all) frequent.push([key, holder]);
        yield [key, `${share}:${holders.join(' ')}`];
      }
  })();
  const there = rowsOf<Posting>(on, POSTINGS, afterFirst);
  const order = (one: [number, unknown], two: [number, unknown]) => one[0] - two[0];
  await against(there, should, { order, same: (one, two) => one[1] === two[1], ask: few.check });
  const after = (row: Pair | null) => [row?.[0] ?? LEAST, row?.[1] ?? LEAST];
  const all = rowsOf<Pair>(on, FREQUENT, after);
  const both = (one: Pair, two: Pair) => one[0] - two[0] || one[1] - two[1];
  await against(all, frequent, { order: both, same: () => true, ask: many.check });
  return [few.counted, many.counted];
}

const REDIRECTS = `
SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM bonafide.identity i WHERE i.id = m.number)
  OR (m.heir IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bonafide.identity i WHERE i.id = m.heir)))
FROM bonafide.merged m`;
const NUMBERS = `
SELECT g.identities = (SELECT count(*) FROM bonafide.identity), g.postings = (SELECT coalesce(sum(share), 0) FROM bonafide.posting),
  g.newest IS NOT DISTINCT FROM (SELECT max(last_seen) FROM bonafide.identity),
  NOT EXISTS (SELECT 1 FROM bonafide.member m WHERE NOT EXISTS (SELECT 1 FROM bonafide.record r WHERE r.id = m.record))
FROM bonafide.graph g`;

async function wholeHeld(on: Connection): Promise<Invariant[]> {
  const [[numbers, wrong] = [0, 0]] = await on.query<[number, number]>(REDIRECTS);
  const redirects = {
    says: 'a number that leads elsewhere leads to an identity, and none that is there leads elsewhere',
    of: numbers,
    broken: wrong,
  };
  const whole = createInvariantCounter('what the graph says of itself in numbers is so');
  for (const row of await on.query(NUMBERS)) for (const holds of row) whole.check(holds === true);
  return [redirects, whole.counted];
}
