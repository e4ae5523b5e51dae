// What a check asks, in one statement: so it is one round trip, and of one moment.
import { SHARE_LIMIT } from '../../graph.ts';

/**
 * Of whom a check may read the names: who has a value that few have, who bears the name by its keys (the first of them, or any that a value
 * leads to), and who has no name. Who is missed is fetched when `resolve` asks for him, which `choose` in graph/resolve decides.
 */
const FEW = { holders: 3, nameless: 8, named: 6 };
/** Bearers of the name that are looked at; see `NAME_LIMIT` in graph/resolve. */
const NAMED = 24;

/** An identity's columns, each row as one text. */
const CARD = `k.id || ' ' || coalesce(k.first_seen::text, '-') || ' ' || coalesce(k.last_seen::text, '-')`;
const PROFILE = `' ' || k.records || ' ' || k.sources || ' ' || encode(k.profile, 'hex')`;

/**
 * Of frequent keys and identities, those pairs that are: where the hints of an identity allow it (see hints.ts), it is looked up, each by itself.
 */
const pairs = (keys: string, identities: string) => `
  SELECT l.key, l.place, h.holder, l.id
  FROM (
    SELECT f.key, f.place, k.id FROM ${keys} f JOIN ${identities} k ON position(substring(int8send(f.key) FROM 8) IN k.hints) > 0 OFFSET 0
  ) l CROSS JOIN LATERAL (
    SELECT h.holder FROM bonafide.frequent h WHERE h.key = l.key AND h.holder >= 2 * l.id AND h.holder <= 2 * l.id + 1 LIMIT 1
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
  FROM unnest($1::bigint[]) WITH ORDINALITY AS a(key, place) JOIN bonafide.posting p ON p.key = a.key
), hit AS MATERIALIZED (
  SELECT place, share, holder >> 1 AS id FROM asked, unnest(ids) AS holder WHERE place <= $2::int OR place > $3::int
), met AS (
  SELECT id, min(place) FILTER (WHERE place <= $2) AS named, min(share) FILTER (WHERE place > $3) AS least FROM hit GROUP BY id
), ranked AS (
  SELECT *, row_number() OVER (ORDER BY named, id) AS rank FROM met
), known AS MATERIALIZED (
  SELECT r.named, r.least, r.rank, i.*
  FROM ranked r JOIN bonafide.identity i ON i.id = r.id
  WHERE r.least IS NOT NULL OR r.rank <= ${NAMED}
), frequent AS (
  SELECT * FROM asked WHERE share > ${SHARE_LIMIT}
), pair AS MATERIALIZED (${pairs('frequent', 'known')}), likely AS (
  SELECT k.*, k.least <= ${FEW.holders} OR (k.named IS NOT NULL AND (k.rank <= ${FEW.named} OR k.least IS NOT NULL))
    OR k.id IN (SELECT id FROM pair)
    OR (k.least <= ${FEW.nameless} AND k.id IN (SELECT unnest(ids) >> 1 FROM asked WHERE place = $2 + 1)) AS is_likely
  FROM known k
)
SELECT ${WHOLE},
  (SELECT string_agg(place || ' ' || share || ' ' || array_to_string(ids, ' '), ';') FROM asked),
  (SELECT string_agg(${CARD} || CASE WHEN k.is_likely THEN ${PROFILE} ELSE '' END, ';') FROM likely k),
  (SELECT string_agg(place || ' ' || holder, ';') FROM pair)
FROM bonafide.graph g
`;

/** What was missed: all of the identities $1, and which of the frequent keys $2 they have (`place` counts these). */
export const MORE = `
WITH known AS MATERIALIZED (
  SELECT i.* FROM unnest($1::bigint[]) AS a(id) JOIN bonafide.identity i ON i.id = a.id
), frequent AS (
  SELECT * FROM unnest($2::bigint[]) WITH ORDINALITY AS a(key, place)
), pair AS (${pairs('frequent', 'known')})
SELECT ${WHOLE}, NULL,
  (SELECT string_agg(${CARD} || ${PROFILE}, ';') FROM known k),
  (SELECT string_agg(place || ' ' || holder, ';') FROM pair)
FROM bonafide.graph g
`;
