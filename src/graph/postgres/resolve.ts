import { type GraphAnswer, type GraphQuery, POSTING_IDS_LIMIT } from '../graph.ts';
import { toQueryKeys, resolveWithKeys } from '../resolve/resolve.ts';
import type { GraphKeys } from '../encryption/keys.ts';
import type { Connection } from './connect.ts';
import { asGraphError } from './errors.ts';
import { refuseUnfinished } from './tables.ts';
import { type CheckRow, type Fetched, fetched } from './fetched.ts';

interface Resolving {
  pool: Connection;
  keys: GraphKeys;
  /** Is told of each statement beside the first that a check takes. */
  onMore?: (() => void) | undefined;
}

/** Between statements of one check identities may be published; so often it begins anew. */
const TRIES = 3;

/**
 * Resolves over what one statement brings; where that is not all that is asked for, over what more of them bring.
 * Errors: those of the pool; `data_missing` of a copy that is not whole; `graph_bad_response` where identities are published faster than they
 * can be read.
 */
export async function resolveFrom(
  { pool, keys, onMore }: Resolving,
  query: GraphQuery,
): Promise<GraphAnswer> {
  const { fingerprints } = keys;
  const asked = toQueryKeys(query, fingerprints);
  const places = [asked.all, asked.nameKeyCount, asked.nameKeyCount + 1 + Number(asked.hasGivenName)];
  for (let tries = 0; tries < TRIES; tries++) {
    const row = oneOf(await pool.query<CheckRow>(CHECK, places));
    refuseUnfinished(row[2]);
    const reader = fetched(row, asked.all, keys);
    const answer = await whole(
      () => resolveWithKeys(asked, { query, reader, fingerprints }),
      reader,
      async (text) => {
        onMore?.();
        return oneOf(await pool.query<CheckRow>(MORE, text));
      },
    );
    if (answer) return answer;
  }
  throw asGraphError({ code: '40001' });
}

/** Null where identities were published meanwhile. */
async function whole(
  resolve: () => GraphAnswer,
  reader: Fetched,
  ask: (values: number[][]) => Promise<CheckRow>,
): Promise<GraphAnswer | null> {
  for (;;) {
    const answer = resolve();
    const missed = reader.missed();
    if (missed.identities.size === 0) return answer;
    const [identities, keys] = [[...missed.identities], [...missed.keys]];
    const row = await ask([identities, keys]);
    if (row[2] !== reader.stamp) return null;
    reader.add(row, { identities, keys });
  }
}

/** Errors: `graph_unavailable` where there are no tables yet. */
function oneOf([row]: CheckRow[]): CheckRow {
  if (!row) throw asGraphError({ code: '42P01' });
  return row;
}

// What a check asks, in one statement: so it is one round trip, and of one moment.
/**
 * Of whom a check likely reads the names: the first so many that have a value or a name, and who has both. Who is missed is fetched when
 * `resolve` asks for him, which `choose` in graph/resolve decides.
 */
const FIRST = 8;

/** An identity's columns, each row as one text. */
const CARD = `k.id || ' ' || coalesce(k.first_seen::text, '-') || ' ' || coalesce(k.last_seen::text, '-')`;
const PROFILE = `' ' || k.records || ' ' || k.sources || ' ' || encode(k.profile, 'hex')`;

/**
 * Of frequent keys and identities, those pairs that are: where the hints of an identity allow it (see hints.ts), it is looked up, each by itself.
 * One text, `place holder;…`.
 */
const pairs = (keys: string) => `
  SELECT string_agg(l.place || ' ' || h.holder, ';')
  FROM (
    SELECT f.key, f.place, k.id FROM ${keys} JOIN known k ON position(substring(int8send(f.key) FROM 8) IN k.hints) > 0 OFFSET 0
  ) l CROSS JOIN LATERAL (
    SELECT h.holder FROM frequent h WHERE h.key = l.key AND h.holder >= 2 * l.id AND h.holder <= 2 * l.id + 1 LIMIT 1
  ) h
`;

/** The graph as a whole: how many identities, when the newest was seen, and a text that is another one after each publication. */
const WHOLE = `g.identities, g.newest, g.stamp`;

/**
 * $1: fingerprints of keys; of them the first $2 are of the name, then one of those without a name, and those after $3 are of values.
 *
 * One row: the graph as a whole; the postings (`place share holder …;`), the identities that values or the name lead to (`id first last`, and
 * of those whose names are likely asked for ` records sources profile`), and which of them have which frequent keys (`place holder;`).
 */
export const CHECK = `
WITH asked AS MATERIALIZED (
  SELECT a.place, p.key, p.share, coalesce(p.ids, ARRAY[p.holder]) AS ids
  FROM unnest($1::bigint[]) WITH ORDINALITY AS a(key, place) JOIN posting p ON p.key = a.key
), met AS (
  SELECT id, min(nth) <= ${FIRST} OR (min(place) <= $2 AND max(place) > $3) AS is_likely
  FROM (
    SELECT place, unnest(ids) >> 1 AS id, generate_subscripts(ids, 1) AS nth FROM asked WHERE place <= $2::int OR place > $3::int
  ) hit GROUP BY id
), known AS MATERIALIZED (
  SELECT m.is_likely, i.* FROM met m JOIN identity i ON i.id = m.id
)
SELECT ${WHOLE},
  (SELECT string_agg(place || ' ' || share || ' ' || array_to_string(ids, ' '), ';') FROM asked),
  (SELECT string_agg(${CARD} || CASE WHEN k.is_likely THEN ${PROFILE} ELSE '' END, ';') FROM known k),
  (${pairs(`(SELECT * FROM asked WHERE share > ${POSTING_IDS_LIMIT}) f`)})
FROM graph g
`;

/** What was missed: all of the identities $1, and which of the frequent keys $2 they have (`place` counts these). */
const MORE = `
WITH known AS MATERIALIZED (
  SELECT i.* FROM unnest($1::bigint[]) AS a(id) JOIN identity i ON i.id = a.id
)
SELECT ${WHOLE}, NULL,
  (SELECT string_agg(${CARD} || ${PROFILE}, ';') FROM known k),
  (${pairs('unnest($2::bigint[]) WITH ORDINALITY AS f(key, place)')})
FROM graph g
`;
