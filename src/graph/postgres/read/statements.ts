// What a check asks, in one statement: so it is one round trip, and of one moment.
import { POSTING_IDS_LIMIT } from '../../graph.ts';

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
export const MORE = `
WITH known AS MATERIALIZED (
  SELECT i.* FROM unnest($1::bigint[]) AS a(id) JOIN identity i ON i.id = a.id
)
SELECT ${WHOLE}, NULL,
  (SELECT string_agg(${CARD} || ${PROFILE}, ';') FROM known k),
  (${pairs('unnest($2::bigint[]) WITH ORDINALITY AS f(key, place)')})
FROM graph g
`;
