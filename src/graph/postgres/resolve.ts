// Answers a query on PostgreSQL by one statement (one round trip, one snapshot), and by further statements only if the first did not fetch enough.
import type { GraphCiphersAndFingerprints } from '../encryption/keys.ts';
import { type GraphAnswer, type GraphQuery, MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY } from '../graph.ts';
import { resolveFingerprintedGraphQuery, toQueryKeyFingerprints } from '../resolve/resolve.ts';
import type { PostgresConnection } from './connect.ts';
import { toGraphError } from './errors.ts';
import { type CheckLookupRow, createPrefetchedGraphReader } from './fetched.ts';
import { type PublishedGraphVersion, throwIfUnfinishedCopyStamp } from './tables.ts';

/** Maximum number of attempts to answer a query. An attempt fails if another process changes the identities between its two statements. */
const TRIES = 3;

/**
 * Answers a query. Also returns the version of the data that was read. Errors: those of the connection; `data_missing` for an unfinished copy;
 * `graph_bad_response` if identities change faster than they can be read.
 */
export async function resolveGraphQueryWithDataVersion(
  connection: PostgresConnection,
  keys: GraphCiphersAndFingerprints,
  query: GraphQuery,
): Promise<{ answer: GraphAnswer; version: PublishedGraphVersion }> {
  const { fingerprints } = keys;
  const queryKeys = toQueryKeyFingerprints(query, fingerprints);
  const { all, nameKeyCount, hasGivenName } = queryKeys;
  for (let tries = 0; tries < TRIES; tries++) {
    const row = await readRow(connection, CHECK_LOOKUP_SQL, [
      all,
      nameKeyCount,
      nameKeyCount + 1 + Number(hasGivenName),
    ]);
    const [, , stamp, , , , revision] = row;
    throwIfUnfinishedCopyStamp(stamp);
    const reader = createPrefetchedGraphReader(row, all, keys);
    for (let isCurrent = true; isCurrent;) {
      const answer = resolveFingerprintedGraphQuery(queryKeys, { query, reader, fingerprints });
      const missing = reader.takeMissing();
      if (missing.identities.length === 0) return { answer, version: { revision, stamp } };
      const more = await readRow(connection, MORE, [missing.identities, missing.keys]);
      isCurrent = more[2] === stamp;
      reader.add(more, missing);
    }
  }
  throw toGraphError({ code: '40001' });
}

/** Runs a statement that returns one row. Errors: `graph_unavailable` if the tables do not exist yet. */
async function readRow(
  connection: PostgresConnection,
  text: string,
  values: (number | number[])[],
): Promise<CheckLookupRow> {
  const [row] = await connection.query<CheckLookupRow>(text, values);
  if (!row) throw toGraphError({ code: '42P01' });
  return row;
}

/**
 * Number of identities per look-up key whose names the first SQL statement reads. If `chooseIdentitiesForNameComparison` chooses others, a second
 * statement reads them.
 */
const LIKELY = 8;

/** The ages of old contacts follow the first zero byte after the first look-up key's byte in the hints; see graph/encryption/hints.ts. */
const KEYS_AND_AGES = 'substring(k.hints FROM 3 + 2 * get_byte(k.hints, 0))';
const AGES = `coalesce(encode(substring(${KEYS_AND_AGES} FROM nullif(position('\\x00'::bytea IN ${KEYS_AND_AGES}), 0) + 1), 'hex'), '')`;
const DATES = `k.id || ' ' || coalesce(k.first_seen::text, '-') || ' ' || coalesce(k.last_seen::text, '-') || ' ' || ${AGES}`;
const PROFILE = `' ' || k.records || ' ' || k.sources || ' ' || encode(k.profile, 'hex')`;

/**
 * Returns SQL that finds which identities in `known` have the look-up keys that very many identities have, as one text `place holder;…`. Filter
 * hashes (`hints`) exclude most pairs of key and identity without a look-up.
 */
const holders = (keys: string) => `
  SELECT string_agg(l.place || ' ' || h.holder, ';')
  FROM (
    SELECT f.key, f.place, k.id FROM ${keys} JOIN known k ON position(substring(int8send(f.key) FROM 8) IN k.hints) > 0 OFFSET 0
  ) l CROSS JOIN LATERAL (
    SELECT h.holder FROM frequent h WHERE h.key = l.key AND h.holder >= 2 * l.id AND h.holder <= 2 * l.id + 1 LIMIT 1
  ) h
`;

/** SQL columns with totals of the graph. `stamp` changes whenever identities change. */
const TOTALS = `g.identities, g.newest, g.stamp`;

/**
 * SQL statement for one check call. Returns one `CheckLookupRow`. $1: fingerprints of the look-up keys; $2: number of look-up keys of the name; $3:
 * index after which the look-up keys of contacts begin. The returned texts contain postings (`place share holder …;`), identities (`id first last
 * ages records sources profile`), and holders of very frequent keys (`place holder;`). A place is the index of a key in $1; a holder is an identity that
 * has the key.
 */
export const CHECK_LOOKUP_SQL = `
WITH asked AS MATERIALIZED (
  SELECT a.place, p.key, p.share, coalesce(p.ids, ARRAY[p.holder]) AS ids
  FROM unnest($1::bigint[]) WITH ORDINALITY AS a(key, place) JOIN posting p ON p.key = a.key
), met AS (
  SELECT id, min(nth) <= ${LIKELY} OR (min(place) <= $2 AND max(place) > $3) AS is_likely
  FROM (
    SELECT place, unnest(ids) >> 1 AS id, generate_subscripts(ids, 1) AS nth FROM asked WHERE place <= $2::int OR place > $3::int
  ) hit GROUP BY id
), known AS MATERIALIZED (
  SELECT m.is_likely, i.* FROM met m JOIN identity i ON i.id = m.id
)
SELECT ${TOTALS},
  (SELECT string_agg(place || ' ' || share || ' ' || array_to_string(ids, ' '), ';') FROM asked),
  (SELECT string_agg(${DATES} || CASE WHEN k.is_likely THEN ${PROFILE} ELSE '' END, ';') FROM known k),
  (${holders(`(SELECT * FROM asked WHERE share > ${MAX_LISTED_IDENTITIES_PER_LOOKUP_KEY}) f`)}),
  g.linked_revision
FROM graph g
`;

/**
 * SQL statement for what the first statement did not return: the identities $1 with their names, and which of them have the look-up keys $2. In its
 * result, `place` is the index of a key in $2.
 */
const MORE = `
WITH known AS MATERIALIZED (
  SELECT i.* FROM unnest($1::bigint[]) AS a(id) JOIN identity i ON i.id = a.id
)
SELECT ${TOTALS}, NULL,
  (SELECT string_agg(${DATES} || ${PROFILE}, ';') FROM known k),
  (${holders('unnest($2::bigint[]) WITH ORDINALITY AS f(key, place)')}),
  g.linked_revision
FROM graph g
`;
