// Writes the published identities to the tables that check calls read.
import { MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY } from '../../graph.ts';
import type { GraphState } from '../../link-cache/link-file.ts';
import type {
  PublishedIdentity,
  PublishedIdentityTables,
  PublishedGraphTotals,
  IdentityRedirect,
  IdentityReplacementOperations,
  ReplaceIdentitiesOptions,
} from '../../sql/published.ts';
import type { LookupKeyTable, StoredIdentitiesOfLookupKey } from '../../sql/publishing/lookup-keys.ts';
import type { UpsertTableColumns } from '../../sql/session.ts';
import type { PostgresCopyCell } from '../connect.ts';
import type { PostgresSession } from '../session.ts';
import type { GraphChangeLog } from './change-log.ts';

interface PublishedTable extends UpsertTableColumns {
  compared: readonly string[];
}

const IDENTITY: PublishedTable = {
  name: 'identity',
  columns: ['id', 'first_seen', 'last_seen', 'records', 'sources', 'told', 'hints', 'profile'],
  key: ['id'],
  compared: ['told'],
};
const POSTING: PublishedTable = {
  name: 'posting',
  columns: ['key', 'share', 'holder', 'ids'],
  key: ['key'],
  compared: ['share', 'holder', 'ids'],
};
const pairTable = (name: string, columns: [key: string, value: string]): PublishedTable => ({
  name,
  columns,
  key: [columns[0]],
  compared: [columns[1]],
});
const MEMBER = pairTable('member', ['record', 'identity']);
const PUBLISHED = pairTable('published', ['id', 'keys']);
const MERGED = pairTable('merged', ['number', 'heir']);
const FREQUENT: PublishedTable = {
  name: 'frequent',
  columns: ['key', 'holder'],
  key: ['key', 'holder'],
  compared: [],
};

export function openPublishedIdentityTables(
  session: PostgresSession,
  steps: GraphChangeLog,
): PublishedIdentityTables {
  const { query, upsert } = session;
  return {
    needsDigests: true,
    async readTotals() {
      const text = 'SELECT identities, postings, newest FROM graph';
      const [[identities, postings, newest] = [0, 0, null]] =
        await query<[number, number, number | null]>(text);
      return { identities, postings, newest };
    },
    beginReplacement: (options) => beginReplacement(session, steps, options),
    async readKeys(identities) {
      const rows = await query<[number, number[] | null]>(
        'SELECT i.id, p.keys FROM identity i LEFT JOIN published p ON p.id = i.id WHERE i.id = ANY($1::bigint[]) ORDER BY i.id',
        [identities],
      );
      const keys = new Map<number, number[]>();
      for (const [id, list] of rows) if (list) keys.set(id, list);
      return keys.size === rows.length ? keys : null;
    },
    async put(identities) {
      await upsert(IDENTITY, identities.map(toIdentityRow));
      await upsert(PUBLISHED, identities.map(toPublishedRow));
      await upsert(MEMBER, identities.flatMap(toMemberRows));
    },
    async redirect(redirects) {
      const numbers = redirects.map(([number]) => number);
      await deleteRows(session, 'identity', 'id', numbers);
      await deleteRows(session, 'published', 'id', numbers);
      await upsert(MERGED, redirects);
    },
    removeRedirects: (numbers) => deleteRows(session, 'merged', 'number', numbers),
    listRedirectsTo: (identities) =>
      query<IdentityRedirect>('SELECT number, heir FROM merged WHERE heir = ANY($1::bigint[])', [identities]),
    postings: openPostingTable(session),
    async finishPart(totals, rows) {
      const last = await steps.last();
      const step = (last?.number ?? 0) + 1;
      await writeTotals(session, totals, last?.globals ?? null);
      const text = 'INSERT INTO changed SELECT $1, row, NULL FROM unnest($2::bigint[]) AS row';
      await query(text, [step, rows]);
      return steps.addPublication(step, last?.rowsSoFar ?? 0);
    },
  };
}

async function deleteRows(
  { query }: PostgresSession,
  table: string,
  column: string,
  numbers: number[],
): Promise<void> {
  await query(`DELETE FROM ${table} WHERE ${column} = ANY($1::bigint[])`, [numbers]);
}

/** Converts an identity to its table row. The column `told` contains the hash of its published data. */
function toIdentityRow(identity: PublishedIdentity): PostgresCopyCell[] {
  const { number, firstSeen, lastSeen, rows, sources, digest, hint, profile } = identity;
  return [number, firstSeen, lastSeen, rows.length, sources, digest, toBuffer(hint), toBuffer(profile)];
}

const toBuffer = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);

/** Converts an identity to the table row with its look-up keys, sorted, so that equal sets of keys give equal rows. */
const toPublishedRow = ({ number, keys }: PublishedIdentity): [number, number[]] => [
  number,
  Array.from(keys).sort((a, b) => a - b),
];

const toMemberRows = ({ number, rows }: PublishedIdentity): [number, number][] =>
  Array.from(rows, (row) => [row, number]);

const toPostingRow = (key: number, { share, holders }: StoredIdentitiesOfLookupKey): PostgresCopyCell[] =>
  share === 1 ? [key, 1, holders[0] ?? 0, null] : [key, share, null, holders];

const WRITE_TOTALS = `
UPDATE graph SET linked_revision = revision, error_rates = $1, name_tables = $2, linked_at = $3, identities = $4, postings = $5, newest = $6,
  settled = $7, globals = $8, stamp = gen_random_uuid()::text`;

async function writeTotals(
  { query }: PostgresSession,
  { identities, postings, newest, errorRates, settled, nameTables }: PublishedGraphTotals,
  globals: string | null,
): Promise<void> {
  const [rates, now] = [JSON.stringify(errorRates), new Date().toISOString()];
  await query(WRITE_TOTALS, [rates, nameTables, now, identities, postings, newest, settled, globals]);
}

/** SQL statement that logs the rows whose identity changes. It must run before the table `member` is changed. */
const NOTE_MOVED = `
INSERT INTO changed SELECT $1, s.record, NULL
FROM pg_temp.staged_member s LEFT JOIN member t ON t.record = s.record WHERE t.identity IS DISTINCT FROM s.identity`;

const NO_STATE: GraphState = { stamp: '', revision: '', linkedAt: '' };

async function beginReplacement(
  session: PostgresSession,
  steps: GraphChangeLog,
  { highestRow, globals }: ReplaceIdentitiesOptions,
): Promise<IdentityReplacementOperations> {
  const [[isEmpty] = [false]] = await session.query<[boolean]>(
    // Records that came from another engine have their identities already.
    'SELECT identities = 0 AND NOT EXISTS (SELECT 1 FROM member) FROM graph',
  );
  const last = await steps.last();
  const step = (last?.number ?? 0) + 1;
  // Other servers can update their link caches by the changed rows only if the graph-wide statistics are unchanged. Otherwise all records must be
  // linked again.
  const isContinued = last !== null && last.globals === globals && !isEmpty;
  const replace = (table: PublishedTable) => beginTable(session, table, isEmpty);
  const [identity, member, published] = [
    await replace(IDENTITY),
    await replace(MEMBER),
    await replace(PUBLISHED),
  ];
  const [posting, frequent] = [await replace(POSTING), await replace(FREQUENT)];
  return {
    async put(identities) {
      await identity.add(identities.map(toIdentityRow));
      await published.add(identities.map(toPublishedRow));
      await member.add(identities.flatMap(toMemberRows));
    },
    async finishIdentities() {
      await identity.finish();
      await published.finish();
      if (isContinued) await session.query(NOTE_MOVED, [step]);
      await member.finish(highestRow < Infinity ? `t.record <= ${highestRow}` : undefined);
    },
    async putPostings(postings) {
      const [rows, all]: [PostgresCopyCell[][], PostgresCopyCell[][]] = [[], []];
      for (const one of postings) {
        rows.push(toPostingRow(one.key, one));
        for (const holder of one.all) all.push([one.key, holder]);
      }
      await posting.add(rows);
      if (all.length > 0) await frequent.add(all);
    },
    async finish(totals) {
      await posting.finish();
      await frequent.finish();
      await writeTotals(session, totals, globals);
      if (isContinued) return steps.addPublication(step, last.rowsSoFar);
      await steps.clear();
      return globals === null ? NO_STATE : steps.addPublication(step, 0);
    },
  };
}

interface TableReplacement {
  /** Adds rows to the new contents of the table. A row must not be added twice. */
  add(rows: Iterable<PostgresCopyCell[]>): Promise<void>;
  /**
   * Writes those added rows that differ from the table, and deletes the table's other rows.
   * @param condition SQL condition on rows `t` that may be deleted; by default all
   */
  finish(condition?: string): Promise<void>;
}

/** Begins to replace the content of a table. If the table has rows, the new ones go to a temporary table first, and only differences are written. */
async function beginTable(
  { query, copy }: PostgresSession,
  { name, columns, key, compared }: PublishedTable,
  isEmpty: boolean,
): Promise<TableReplacement> {
  const all = columns.join();
  if (isEmpty)
    return {
      add: (rows) => copy(`${name} (${all})`, rows),
      finish: async () => void (await query(`ANALYZE ${name}`)),
    };
  const stage = `pg_temp.staged_${name}`;
  await query(
    `CREATE TEMPORARY TABLE staged_${name} ON COMMIT DROP AS SELECT ${all} FROM ${name} WITH NO DATA`,
  );
  const isSame = key.map((column) => `s.${column} = t.${column}`).join(' AND ');
  const differs = [
    `t.${key[0]} IS NULL`,
    ...compared.map((column) => `s.${column} IS DISTINCT FROM t.${column}`),
  ];
  const set = columns
    .filter((column) => !key.includes(column))
    .map((column) => `${column} = excluded.${column}`);
  return {
    add: (rows) => copy(`${stage} (${all})`, rows),
    async finish(condition = 'true') {
      await query(`ANALYZE ${stage}`);
      await query(
        `DELETE FROM ${name} t WHERE ${condition} AND NOT EXISTS (SELECT 1 FROM ${stage} s WHERE ${isSame})`,
      );
      await query(
        `INSERT INTO ${name} (${all}) SELECT ${columns.map((column) => `s.${column}`).join()}
         FROM ${stage} s LEFT JOIN ${name} t ON ${isSame} WHERE ${differs.join(' OR ')}
         ON CONFLICT (${key.join()}) DO ${set.length > 0 ? `UPDATE SET ${set.join()}` : 'NOTHING'}`,
      );
      await query(`DROP TABLE ${stage}`);
    },
  };
}

const REMOVE_FREQUENT = `
DELETE FROM frequent f USING unnest($1::bigint[], $2::bigint[]) AS a(key, id)
WHERE f.key = a.key AND f.holder >= 2 * a.id AND f.holder <= 2 * a.id + 1 RETURNING f.key`;
const FIRST_FREQUENT = `
SELECT a.key, h.holders FROM unnest($1::bigint[]) AS a(key), LATERAL (
  SELECT array_agg(one.holder ORDER BY one.holder) AS holders
  FROM (SELECT holder FROM frequent WHERE key = a.key ORDER BY holder LIMIT ${MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY}) one
) h WHERE h.holders IS NOT NULL`;

function openPostingTable(session: PostgresSession): LookupKeyTable {
  const { query, upsert } = session;
  return {
    async read(keys) {
      const rows = await query<[number, number, number[]]>(
        'SELECT key, share, coalesce(ids, ARRAY[holder]) FROM posting WHERE key = ANY($1::bigint[])',
        [keys],
      );
      return new Map(rows.map(([key, share, holders]) => [key, { share, holders }]));
    },
    async write(postings) {
      const hasHolders = ([, { share }]: [number, StoredIdentitiesOfLookupKey]) => share > 0;
      const present = [...postings].filter(hasHolders);
      const absent = [...postings].filter((posting) => !hasHolders(posting));
      await upsert(
        POSTING,
        present.map((posting) => toPostingRow(...posting)),
      );
      await deleteRows(
        session,
        'posting',
        'key',
        absent.map(([key]) => key),
      );
    },
    addFrequent: (holders) => upsert(FREQUENT, holders),
    async removeFrequent(identities) {
      const columns = [identities.map(([key]) => key), identities.map(([, id]) => id)];
      return (await query<[number]>(REMOVE_FREQUENT, columns)).map(([key]) => key);
    },
    firstFrequent: async (keys) => new Map(await query<[number, number[]]>(FIRST_FREQUENT, [keys])),
    clearFrequent: (keys) => deleteRows(session, 'frequent', 'key', keys),
  };
}
