// Verifies the published data of a graph (the data that check calls read) against the records.
import { isDeepStrictEqual } from 'node:util';
import type { Awaitable } from '../../model.ts';
import type { IdentityForPublishing } from '../resolve/gather.ts';
import {
  createInvariantCounter,
  type PublishedIdentityVerifier,
  type GraphInvariantResult,
  PREVIOUS_IDENTITY_NUMBER_INVARIANTS,
  type UnlinkedRecords,
} from '../verifying.ts';
import type { PublishedIdentityTables } from './published.ts';
import { hashPublishedIdentity, encodePublishedLookupKeys } from './publishing/gathering-worker.ts';
import { decodeIdentityWithoutPrimaryFlag } from '../resolve/reader.ts';
import { createLookupKeyCollector, type StoredIdentitiesOfLookupKey } from './publishing/lookup-keys.ts';
import type { SqlRowValues, SqlSession } from './session.ts';
import {
  verifyRecordsOfGraph,
  readOrUndefined,
  type RecordVerificationContext,
  type RecordVerificationQueries,
} from './verify-records.ts';

export interface GraphVerificationQueries extends RecordVerificationQueries {
  /** SQL query for look-up keys greater than $1. Its rows are `[key, stored]`, in ascending order. */
  postingsText: string;
  /** Converts the identities of a look-up key to the form that `stored` has in the rows of `postingsText`. */
  toStored(posting: StoredIdentitiesOfLookupKey): string | number;
  /**
   * SQL query for the identities of very frequent look-up keys, after the look-up key $1 and the identity $2. Its rows are `[key, holder]`, in
   * ascending order.
   */
  frequentText: string;
  /** Look-up keys that are stored for identities; null if the engine stores none. */
  publishedKeys: {
    read(identities: number[]): Awaitable<Map<number, number[]>>;
    count(): Awaitable<number>;
  } | null;
  checkTotals?(ask: (holds: boolean) => void): Awaitable<void>;
  /** Returns the number of redirects (from retired identity numbers) that differ in the graph and the link cache. */
  countOtherRedirects?(): number;
  /** Verifies further conditions that only this engine has. */
  checkMore?(waiting: UnlinkedRecords | null): GraphInvariantResult[];
}

export interface GraphVerificationContext extends RecordVerificationContext {
  published: PublishedIdentityTables;
  tables: GraphVerificationQueries;
  /** Folder for temporary files with data that does not fit into memory. */
  folder: string;
}

/**
 * Creates a verifier that compares the published identities (the data that checks read) with their records.
 * @param waiting records that are not linked yet; their identities are not compared
 */
export function createPublishedIdentityVerifier(
  verifying: GraphVerificationContext,
  waiting: UnlinkedRecords | null,
): PublishedIdentityVerifier {
  if (waiting?.rows === null)
    return { compareIdentity: () => undefined, listInvariants: () => verifyRecordsOfGraph(verifying) };
  const identities = createIdentityVerifier(verifying);
  return {
    compareIdentity: identities.compareIdentity,
    listInvariants: async () => [
      ...(await identities.listInvariants()),
      ...(await checkPreviousNumbers(verifying, waiting)),
      ...(await verifyRecordsOfGraph(verifying)),
      ...(verifying.tables.checkMore?.(waiting) ?? []),
    ],
  };
}

const BATCH = 500;

type IdentityRow = [
  id: number,
  firstSeen: number | null,
  lastSeen: number | null,
  records: number,
  sources: number,
  hints: Buffer,
  profile: Buffer,
  digest: number,
];

function createIdentityVerifier({ session, keys, published, tables, folder }: GraphVerificationContext) {
  const rows = createInvariantCounter('each published identity equals the identity of its records');
  const known = createInvariantCounter(
    'the stored look-up keys of an identity are those that it was published with',
  );
  const staged = createLookupKeyCollector(folder);
  const { publishedKeys } = tables;
  const digest = published.needsDigests ? 'told' : '0';
  const text = `SELECT id, first_seen, last_seen, records, sources, hints, profile, ${digest} FROM identity WHERE id ${session.isInNumbers('$1')}`;
  let batch = new Map<number, IdentityForPublishing | null>();
  let [found, foundKeys, postings] = [0, 0, 0];
  const compare = async () => {
    const ids = [...batch.keys()];
    const stored = new Map((await session.query<IdentityRow>(text, [ids])).map((row) => [row[0], row]));
    const storedKeys = await publishedKeys?.read(ids);
    found += stored.size;
    foundKeys += storedKeys?.size ?? 0;
    for (const [id, should] of batch) {
      const list = storedKeys?.get(id) ?? [];
      const wanted = should ? encodePublishedLookupKeys(should) : list;
      for (const key of wanted) staged.add(decodeIdentityWithoutPrimaryFlag(key), id, key % 2 === 1);
      postings += wanted.length;
      if (!should) continue;
      rows.check(isPublished({ id, row: stored.get(id), should }, { session, keys, published }));
      if (storedKeys) known.check(isDeepStrictEqual(list.toSorted(byNumber), wanted.sort(byNumber)));
    }
    batch = new Map();
  };
  const countRows = async (sql: string) => (await session.query<[number | null]>(sql))[0]?.[0] ?? null;
  return {
    async compareIdentity(id: number, should: IdentityForPublishing | null) {
      batch.set(id, should);
      if (batch.size >= BATCH) await compare();
    },
    async listInvariants(): Promise<GraphInvariantResult[]> {
      await compare();
      const count = (await countRows('SELECT count(*) FROM identity')) ?? 0;
      rows.check(false, count - found);
      if (publishedKeys) known.check(false, (await publishedKeys.count()) - foundKeys);
      const numbers = createInvariantCounter('the stored totals of the graph equal the counted totals');
      const totals = await published.readTotals();
      const newest = await countRows('SELECT max(last_seen) FROM identity');
      numbers.check(totals.identities === count);
      numbers.check(totals.postings === postings);
      numbers.check(totals.newest === session.dialect.fromTimeColumn(newest));
      await tables.checkTotals?.(numbers.check);
      return [
        rows.counted,
        ...(await checkPostings(session, tables, staged)),
        await checkRedirects(session, tables),
        numbers.counted,
        ...(publishedKeys ? [known.counted] : []),
      ];
    },
  };
}

const byNumber = (a: number, b: number) => a - b;

function isPublished(
  { id, row, should }: { id: number; row: IdentityRow | undefined; should: IdentityForPublishing },
  {
    session: { dialect },
    keys: { profiles, hints, fingerprints },
    published,
  }: Pick<GraphVerificationContext, 'session' | 'keys' | 'published'>,
): boolean {
  if (!row) return false;
  const [, first, last, records, sources, hint, profile, digest] = row;
  const { firstSeen, lastSeen, signatures, postings, names } = should;
  const exactParts = signatures.map(({ exactPart }) => exactPart);
  const hintWith = (contactAges: string) =>
    hints.encode({ identity: id, exactParts, keys: postings.keys(), contactAges });
  const content = readOrUndefined(() => {
    const decrypted = profiles.decrypt(profile);
    return {
      names: decrypted.readNames(),
      signatures: decrypted.readSignatures(),
      births: decrypted.readBirthDateHashes(),
    };
  });
  const births = content?.births ?? [];
  // An identity that an older version of Bonafide published has no birth-date hashes or contact ages until it is published again.
  const contactAges = hintWith('').equals(hint) ? '' : should.contactAges;
  const marked = births.length > 0 ? { ...should, contactAges } : { ...should, births, contactAges };
  const times = [dialect.toTimeColumn(firstSeen), dialect.toTimeColumn(lastSeen)];
  return (
    isDeepStrictEqual([first, last, records, sources], [...times, should.records, should.sources]) &&
    (!published.needsDigests || digest === hashPublishedIdentity(marked, fingerprints)) &&
    hintWith(contactAges).equals(hint) &&
    isDeepStrictEqual(content, { names, signatures, births: marked.births })
  );
}

const PAGE = 5000;
const LEAST = Number.MIN_SAFE_INTEGER;

async function checkPostings(
  session: SqlSession,
  tables: GraphVerificationQueries,
  staged: ReturnType<typeof createLookupKeyCollector>,
): Promise<GraphInvariantResult[]> {
  const few = createInvariantCounter('each look-up key leads to the identities that have it');
  const many = createInvariantCounter('a look-up key of very many identities leads to all of them');
  const order = (a: number[], b: number[]) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0);
  const postings = createComparison<[number, string | number]>(
    (last) => session.query(`${tables.postingsText} LIMIT ${PAGE}`, [last?.[0] ?? LEAST]),
    { order: ([a], [b]) => a - b, check: few.check },
  );
  const frequent = createComparison<[number, number]>(
    (last) => session.query(`${tables.frequentText} LIMIT ${PAGE}`, last ?? [LEAST, LEAST]),
    { order, check: many.check },
  );
  try {
    for (const piece of staged.pieces())
      for (const posting of piece) {
        await postings.expect([posting.key, tables.toStored(posting)]);
        for (const holder of posting.all) await frequent.expect([posting.key, holder]);
      }
    await postings.end();
    await frequent.end();
  } finally {
    staged.drop();
  }
  return [few.counted, many.counted];
}

interface ComparisonOptions<T> {
  /** Comparator: negative if row `a` comes before row `b`, and 0 if both have the same primary key. */
  order(a: T, b: T): number;
  /** Counts one row that was compared. `holds` is true if the stored row is the expected one. */
  check(holds: boolean): void;
}

/** Creates a comparison of a table's rows with expected rows. Pass these to `expect` in the order of the table. */
function createComparison<T extends SqlRowValues>(
  readPage: (last: T | undefined) => Awaitable<T[]>,
  { order, check }: ComparisonOptions<T>,
) {
  let [rows, at, isLast]: [T[], number, boolean] = [[], 0, false];
  /** Returns the next row and leaves it for the next call; undefined after the last row. */
  const peek = async (): Promise<T | undefined> => {
    if (at < rows.length || isLast) return rows[at];
    [rows, at] = [await readPage(rows.at(-1)), 0];
    isLast = rows.length === 0;
    return rows[0];
  };
  return {
    async expect(wanted: T): Promise<void> {
      for (let row = rows[at] ?? (await peek()); row; row = rows[++at] ?? (await peek())) {
        const place = order(row, wanted);
        if (place > 0) break;
        check(row.every((value, i) => value === wanted[i]));
        if (place < 0) continue;
        at++;
        return;
      }
      check(false);
    },
    async end(): Promise<void> {
      for (let row = await peek(); row; row = rows[++at] ?? (await peek())) check(false);
    },
  };
}

const REDIRECTS = `
SELECT count(*), count(*) FILTER (WHERE EXISTS (SELECT 1 FROM identity i WHERE i.id = m.number)
  OR (m.heir IS NOT NULL AND NOT EXISTS (SELECT 1 FROM identity i WHERE i.id = m.heir)))
FROM merged m`;

async function checkRedirects(
  session: SqlSession,
  tables: GraphVerificationQueries,
): Promise<GraphInvariantResult> {
  const [[all, wrong] = [0, 0]] = await session.query<[number, number]>(REDIRECTS);
  return {
    says: 'a redirected number leads to an identity, and no number of an identity is redirected',
    of: all,
    broken: wrong + (tables.countOtherRedirects?.() ?? 0),
  };
}

/**
 * Verifies the table of previous identity numbers.
 * @param waiting records that are not linked yet; redirects to their identities are not verified
 */
async function checkPreviousNumbers(
  { session: { query, dialect } }: GraphVerificationContext,
  waiting: UnlinkedRecords | null,
): Promise<GraphInvariantResult[]> {
  const row = `b.${dialect.rowColumn}`;
  const [[all, gone] = [0, 0]] = await query<[number, number]>(
    `SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.id = ${row})) FROM bore b`,
  );
  const led = createInvariantCounter(PREVIOUS_IDENTITY_NUMBER_INVARIANTS.led);
  const leads = await query<[number | null, number]>(
    `SELECT m.heir, max(CASE WHEN r.identity = m.heir THEN 1 ELSE 0 END) FROM merged m JOIN bore b ON b.number = m.number
     JOIN ${dialect.records} r ON r.id = ${row} WHERE r.identity IS NOT NULL GROUP BY m.number, m.heir`,
  );
  for (const [heir, holds] of leads)
    if (heir === null || !waiting?.identities.has(heir)) led.check(holds === 1);
  return [{ says: PREVIOUS_IDENTITY_NUMBER_INVARIANTS.there, of: all, broken: gone }, led.counted];
}
