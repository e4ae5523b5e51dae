// Published identities in the tables that checks read.
import type { GraphState } from '../../link-cache/link-file.ts';
import type {
  PublishedIdentity,
  PublishedTables,
  PublishedTotals,
  Redirect,
  Replacement,
  ReplacementOptions,
} from '../../sql/published.ts';
import type { PostingTable, StoredPosting } from '../../sql/publishing/postings.ts';
import { POSTING_IDS_LIMIT } from '../../graph.ts';
import { type Cell, binaryRows } from '../connect.ts';
import type { Steps } from './change-log.ts';
import type { PostgresSession } from '../session.ts';
import type { TableShape } from '../../sql/session.ts';

const TABLES = {
  identity: {
    name: 'identity',
    columns: ['id', 'first_seen', 'last_seen', 'records', 'sources', 'told', 'hints', 'profile'],
    key: ['id'],
    compared: ['told'],
  },
  member: { name: 'member', columns: ['record', 'identity'], key: ['record'], compared: ['identity'] },
  posting: {
    name: 'posting',
    columns: ['key', 'share', 'holder', 'ids'],
    key: ['key'],
    compared: ['share', 'holder', 'ids'],
  },
  frequent: { name: 'frequent', columns: ['key', 'holder'], key: ['key', 'holder'], compared: [] },
  published: { name: 'published', columns: ['id', 'keys'], key: ['id'], compared: ['keys'] },
  merged: { name: 'merged', columns: ['number', 'heir'], key: ['number'], compared: ['heir'] },
} satisfies Record<string, ReplacedTable>;

export function openPublishedTables(session: PostgresSession, steps: Steps): PublishedTables {
  const removeAll = (table: string, column: string, numbers: number[]) =>
    session.query(`DELETE FROM ${table} WHERE ${column} = ANY($1::bigint[])`, [numbers]);
  return {
    needsDigests: true,
    async readTotals() {
      const [[identities, postings, newest] = [0, 0, null]] = await session.query<
        [number, number, number | null]
      >('SELECT identities, postings, newest FROM graph');
      return { identities, postings, newest };
    },
    beginReplacement: (options) => beginReplacement(session, steps, options),
    async readKeys(identities) {
      const rows = await session.query<[number, number[] | null]>(
        'SELECT i.id, p.keys FROM identity i LEFT JOIN published p ON p.id = i.id WHERE i.id = ANY($1::bigint[]) ORDER BY i.id',
        [identities],
      );
      const keys = new Map<number, number[]>();
      for (const [id, list] of rows) if (list) keys.set(id, list);
      return keys.size === rows.length ? keys : null;
    },
    async put(identities) {
      await session.upsert(TABLES.identity, identities.map(toIdentityRow));
      await session.upsert(TABLES.published, identities.map(toPublishedRow));
      await session.upsert(TABLES.member, identities.flatMap(toMemberRows));
    },
    async redirect(redirects) {
      const numbers = redirects.map(([number]) => number);
      await removeAll('identity', 'id', numbers);
      await removeAll('published', 'id', numbers);
      await session.upsert(TABLES.merged, redirects);
    },
    removeRedirects: async (numbers) => void (await removeAll('merged', 'number', numbers)),
    listRedirectsTo: (identities) =>
      session.query<Redirect>('SELECT number, heir FROM merged WHERE heir = ANY($1::bigint[])', [identities]),
    postings: openPostingTable(session),
    async finishPart(totals, rows) {
      const now = await steps.now();
      const step = (now?.step ?? 0) + 1;
      await writeTotals(session, totals, now?.globals ?? null);
      await session.query('INSERT INTO changed SELECT $1, row, NULL FROM unnest($2::bigint[]) AS row', [
        step,
        rows,
      ]);
      return steps.published(step, now?.came ?? 0);
    },
  };
}

/** `told` is the digest of the identity; see `PublishedIdentity`. */
const toIdentityRow = (identity: PublishedIdentity): Cell[] => {
  const { number, firstSeen, lastSeen, rows, sources, digest, hint, profile } = identity;
  return [number, firstSeen, lastSeen, rows.length, sources, digest, bufferOf(hint), bufferOf(profile)];
};

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array) => Buffer.from(buffer, byteOffset, length);

/** In ascending order, so that a row changes only if the keys do. */
const toPublishedRow = ({ number, keys }: PublishedIdentity): [number, number[]] => [
  number,
  Array.from(keys).sort((a, b) => a - b),
];

const toMemberRows = ({ number, rows }: PublishedIdentity): [number, number][] =>
  Array.from(rows, (row) => [row, number]);

const toPostingRow = (key: number, { share, holders }: StoredPosting): Cell[] =>
  share === 1 ? [key, 1, holders[0] ?? 0, null] : [key, share, null, holders];

const LINKED = `
UPDATE graph SET linked_revision = revision, error_rates = $1, name_tables = $2, linked_at = $3, identities = $4, postings = $5, newest = $6,
  settled = $7, globals = $8, stamp = gen_random_uuid()::text`;

async function writeTotals(
  session: PostgresSession,
  { identities, postings, newest, errorRates, settled, nameTables }: PublishedTotals,
  globals: string | null,
): Promise<void> {
  const rates = JSON.stringify(errorRates);
  const now = new Date().toISOString();
  await session.query(LINKED, [rates, nameTables, now, identities, postings, newest, settled, globals]);
}

/** Rows whose identity changes, noted before the table of members changes. */
const MOVED = `
INSERT INTO changed SELECT $1, s.record, NULL
FROM pg_temp.staged_member s LEFT JOIN member t ON t.record = s.record WHERE t.identity IS DISTINCT FROM s.identity`;

const NO_STATE: GraphState = { stamp: '', revision: '', linkedAt: '' };

/** Only rows that differ are written. */
async function beginReplacement(
  session: PostgresSession,
  steps: Steps,
  { highestRow, globals }: ReplacementOptions,
): Promise<Replacement> {
  const [[isEmpty] = [false]] = await session.query<[boolean]>(
    // Records that came from another engine have their identities already.
    'SELECT identities = 0 AND NOT EXISTS (SELECT 1 FROM member) FROM graph',
  );
  const now = await steps.now();
  const step = (now?.step ?? 0) + 1;
  // If other importers remember the same globals, they need only the rows that changed; else they link all records again.
  const isContinued = now !== null && now.globals === globals && !isEmpty;
  const identity = await replacing(session, TABLES.identity, isEmpty);
  const member = await replacing(session, TABLES.member, isEmpty);
  const published = await replacing(session, TABLES.published, isEmpty);
  const posting = await replacing(session, TABLES.posting, isEmpty);
  const frequent = await replacing(session, TABLES.frequent, isEmpty);
  return {
    async put(identities) {
      await identity.add(identities.map(toIdentityRow));
      await published.add(identities.map(toPublishedRow));
      await member.add(identities.flatMap(toMemberRows));
    },
    async finishIdentities() {
      await identity.end();
      await published.end();
      if (isContinued) await session.query(MOVED, [step]);
      await member.end(highestRow < Infinity ? `t.record <= ${highestRow}` : undefined);
    },
    async putPostings(postings) {
      const [rows, all]: [Cell[][], Cell[][]] = [[], []];
      for (const one of postings) {
        rows.push(toPostingRow(one.key, one));
        for (const holder of one.all) all.push([one.key, holder]);
      }
      await posting.add(rows);
      if (all.length > 0) await frequent.add(all);
    },
    async finish(totals) {
      await posting.end();
      await frequent.end();
      await writeTotals(session, totals, globals);
      if (isContinued) return steps.published(step, now.came);
      await steps.clear();
      return globals === null ? NO_STATE : steps.published(step, 0);
    },
  };
}

const REMOVE_FREQUENT = `
DELETE FROM frequent f USING unnest($1::bigint[], $2::bigint[]) AS a(key, id)
WHERE f.key = a.key AND f.holder >= 2 * a.id AND f.holder <= 2 * a.id + 1 RETURNING f.key`;
const FIRST_FREQUENT = `
SELECT a.key, h.holders FROM unnest($1::bigint[]) AS a(key), LATERAL (
  SELECT array_agg(one.holder ORDER BY one.holder) AS holders
  FROM (SELECT holder FROM frequent WHERE key = a.key ORDER BY holder LIMIT ${POSTING_IDS_LIMIT}) one
) h WHERE h.holders IS NOT NULL`;

function openPostingTable(session: PostgresSession): PostingTable {
  return {
    async read(keys) {
      const rows = await session.query<[number, number, number[]]>(
        'SELECT key, share, coalesce(ids, ARRAY[holder]) FROM posting WHERE key = ANY($1::bigint[])',
        [keys],
      );
      return new Map(rows.map(([key, share, holders]) => [key, { share, holders }]));
    },
    async write(postings) {
      const isThere = ({ share }: StoredPosting) => share > 0;
      const rows = [...postings].filter(([, posting]) => isThere(posting));
      await session.upsert(
        TABLES.posting,
        rows.map(([key, posting]) => toPostingRow(key, posting)),
      );
      const gone = [...postings].flatMap(([key, posting]) => (isThere(posting) ? [] : [key]));
      await session.query('DELETE FROM posting WHERE key = ANY($1::bigint[])', [gone]);
    },
    addFrequent: (holders) => session.upsert(TABLES.frequent, holders),
    async removeFrequent(identities) {
      const columns = [identities.map(([key]) => key), identities.map(([, id]) => id)];
      return (await session.query<[number]>(REMOVE_FREQUENT, columns)).map(([key]) => key);
    },
    firstFrequent: async (keys) => new Map(await session.query<[number, number[]]>(FIRST_FREQUENT, [keys])),
    clearFrequent: async (keys) =>
      void (await session.query('DELETE FROM frequent WHERE key = ANY($1::bigint[])', [keys])),
  };
}

/** A table of the graph whose rows are all written again. */
interface ReplacedTable extends TableShape {
  /** Columns by which a changed row is recognised. */
  compared: readonly string[];
}

interface Replacing {
  add(rows: Iterable<Cell[]>): Promise<void>;
  /** After the last row: changes those that differ, and takes those out that did not come, of those that `goes` names (as `t`). */
  end(goes?: string): Promise<void>;
}

/**
 * Brings a table to rows that are added, each once. Where it is empty they go straight into it; else into an unlogged table that only this
 * connection sees, and from there what differs. Inside a transaction.
 */
async function replacing(
  session: PostgresSession,
  table: ReplacedTable,
  isEmpty: boolean,
): Promise<Replacing> {
  const target = `${table.name}`;
  const into = (where: string) => `${where} (${table.columns.join()})`;
  if (isEmpty)
    return {
      add: (rows) => session.copy(into(target), binaryRows(rows)),
      end: async () => void (await session.query(`ANALYZE ${target}`)),
    };
  const stage = `pg_temp.staged_${table.name}`;
  await session.query(
    `CREATE TEMPORARY TABLE staged_${table.name} ON COMMIT DROP AS SELECT ${table.columns.join()} FROM ${target} WITH NO DATA`,
  );
  return {
    add: (rows) => session.copy(into(stage), binaryRows(rows)),
    async end(goes = 'true') {
      await session.query(`ANALYZE ${stage}`);
      for (const text of differences({ ...table, goes }, target, stage)) await session.query(text);
      await session.query(`DROP TABLE ${stage}`);
    },
  };
}

function differences(
  { columns: names, key, compared, goes }: ReplacedTable & { goes: string },
  target: string,
  stage: string,
): string[] {
  const same = key.map((name) => `s.${name} = t.${name}`).join(' AND ');
  const others = names.filter((name) => !key.includes(name));
  const differ = compared.map((name) => `s.${name} IS DISTINCT FROM t.${name}`);
  const set = others.map((name) => `${name} = excluded.${name}`);
  return [
    `DELETE FROM ${target} t WHERE ${goes} AND NOT EXISTS (SELECT 1 FROM ${stage} s WHERE ${same})`,
    `INSERT INTO ${target} (${names.join()})
     SELECT ${names.map((name) => `s.${name}`).join()} FROM ${stage} s LEFT JOIN ${target} t ON ${same}
     WHERE ${[`t.${key[0]} IS NULL`, ...differ].join(' OR ')}
     ON CONFLICT (${key.join()}) DO ${set.length > 0 ? `UPDATE SET ${set.join()}` : 'NOTHING'}`,
  ];
}
