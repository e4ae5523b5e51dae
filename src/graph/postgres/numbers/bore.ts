// Which records bore a number that leads elsewhere now: so that it leads to one of them, and is theirs again when they are by themselves.
import type { Numbering } from '../../../link/numbers.ts';
import type { Bore } from '../../../link/numbers/redirects.ts';
import type { PostgresSession } from '../session.ts';

type On = Pick<PostgresSession, 'query'>;

/** All that is remembered. An earlier version gives numbers to identities again without telling it here: of those nothing is. */
const ALL = 'SELECT b.number, b.record FROM bonafide.bore b JOIN bonafide.merged m ON m.number = b.number';

export async function allBore(session: On): Promise<Bore> {
  const bore: Bore = new Map();
  for (const [number, row] of await session.query<[number, number]>(ALL)) note(bore, number, row);
  return bore;
}

const AROUND = `
WITH led AS (
  SELECT number, heir FROM bonafide.merged WHERE heir = ANY($1::bigint[])
  UNION
  SELECT m.number, m.heir FROM bonafide.bore b JOIN bonafide.merged m ON m.number = b.number WHERE b.record = ANY($2::bigint[])
)
SELECT l.number, l.heir, b.record, m.identity
FROM led l LEFT JOIN bonafide.bore b ON b.number = l.number LEFT JOIN bonafide.member m ON m.record = b.record`;

/** The numbers that lead to some identities or that some rows bore, with all that is remembered of them; see `numberIdentities`. */
export async function boreAround(
  session: On,
  { rows, numbers }: { rows: number[]; numbers: Iterable<number> },
) {
  const ours = new Set(rows);
  const [leading, elsewhere] = [new Map<number, number | null>(), new Map<number, number>()];
  const bore: Bore = new Map();
  for (const [number, heir, record, identity] of await session.query<
    [number, number | null, number | null, number | null]
  >(AROUND, [[...numbers], rows])) {
    leading.set(number, heir);
    if (record === null) continue;
    note(bore, number, record);
    if (identity !== null && !ours.has(record)) elsewhere.set(record, identity);
  }
  return { leading, bore, elsewhere };
}

function note(bore: Bore, number: number, row: number): void {
  const rows = bore.get(number);
  if (rows) rows.push(row);
  else bore.set(number, [row]);
}

/** Brings what is remembered to what was numbered. */
export async function writeBore(session: On, { identities, parted }: Numbering, bore: Bore): Promise<void> {
  const lives = identities.flatMap(({ number }) => (bore.has(number) ? [number] : []));
  if (lives.length > 0)
    await session.query('DELETE FROM bonafide.bore WHERE number = ANY($1::bigint[])', [lives]);
  const pairs = [...parted].flatMap(([number, rows]) => rows.map((row) => [number, row] as const));
  if (pairs.length > 0)
    await session.query(
      'INSERT INTO bonafide.bore (number, record) SELECT * FROM unnest($1::bigint[], $2::bigint[]) ON CONFLICT DO NOTHING',
      [pairs.map(([number]) => number), pairs.map(([, row]) => row)],
    );
}
