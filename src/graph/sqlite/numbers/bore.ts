// Which records bore a number that leads elsewhere now: so that it leads to one of them, and is theirs again when they are by themselves.
import type { Numbering } from '../../../link/numbers.ts';
import type { Bore } from '../../../link/numbers/redirects.ts';
import { type Db, onceFor } from '../../../platform/sqlite.ts';
import type { NumbersBefore } from './before.ts';

type Pair = [row: number, number: number];

/** An earlier version gives numbers to identities again without telling it here: of those nothing is remembered. */
const LEADS_ON = 'JOIN merged m ON m.number = b.number';

/** All that is remembered. */
export function allBore(db: Db, before: NumbersBefore | null): Bore {
  return gathered(
    db.prepare<[], Pair>(`SELECT b.row, b.number FROM bore b ${LEADS_ON}`).raw().iterate(),
    before?.bore ?? [],
  );
}

export interface BoreAround {
  bore: Bore;
  /** The identities of those of its rows that are not among those asked for. */
  elsewhere: Map<number, number>;
  /** Where the numbers lead that the rows bore. */
  heirs: [number: number, heir: number | null][];
}

/**
 * What is remembered of some numbers, and of those that some rows bore.
 * @param isFree is it no identity's, but for those that are numbered now? Asked of what is taken back.
 */
export function boreAround(
  db: Db,
  { rows, numbers, isFree }: { rows: number[]; numbers: Iterable<number>; isFree(number: number): boolean },
  before: NumbersBefore | null,
): BoreAround {
  const ask = asking(db);
  const again = before?.bore.filter(([, number]) => isFree(number)) ?? [];
  if (again.length === 0 && ask.isAny.get() === undefined)
    return { bore: new Map(), elsewhere: new Map(), heirs: [] };
  const ours = new Set(rows);
  const borne = new Set([
    ...rows.flatMap((row) => ask.ofRow.all(row)),
    ...again.flatMap(([row, number]) => (ours.has(row) ? [number] : [])),
  ]);
  const all = new Set([...borne, ...numbers]);
  const bore = gathered(
    [...all].flatMap((number) => ask.ofNumber.all(number).map((row): Pair => [row, number])),
    again.filter(([, number]) => all.has(number)),
  );
  const others = [...new Set([...bore.values()].flat())].filter((row) => !ours.has(row));
  return {
    bore,
    elsewhere: new Map(
      others.flatMap((row) => ask.identity.all(row).map((number): [number, number] => [row, number])),
    ),
    heirs: [...borne].map((number) => [number, ask.heir.get(number) ?? null]),
  };
}

const asking = onceFor((db) => ({
  isAny: db.prepare('SELECT 1 FROM bore LIMIT 1'),
  ofRow: db.prepare<[number], number>(`SELECT b.number FROM bore b ${LEADS_ON} WHERE b.row = ?`).pluck(),
  ofNumber: db.prepare<[number], number>('SELECT row FROM bore WHERE number = ?').pluck(),
  identity: db
    .prepare<[number], number>('SELECT identity FROM record WHERE id = ? AND identity IS NOT NULL')
    .pluck(),
  heir: db.prepare<[number], number | null>('SELECT heir FROM merged WHERE number = ?').pluck(),
}));

function gathered(...of: Iterable<Pair>[]): Bore {
  const rows = new Map<number, Set<number>>();
  for (const pairs of of)
    for (const [row, number] of pairs) {
      const known = rows.get(number);
      if (known) known.add(row);
      else rows.set(number, new Set([row]));
    }
  return new Map(Array.from(rows, ([number, all]) => [number, [...all]]));
}

/** Brings what is remembered to what was numbered. */
export function writeBore(
  db: Db,
  { identities, redirects, parted }: Numbering,
  { bore, before }: { bore: Bore; before: NumbersBefore | null },
): void {
  const { insert, lives } = writing(db);
  if (bore.size > 0) for (const { number } of identities) if (bore.has(number)) lives.run(number);
  for (const [number, rows] of parted) for (const row of rows) insert.run(number, row);
  for (const [row, number] of before?.bore ?? [])
    if (redirects.has(number) && bore.get(number)?.includes(row)) insert.run(number, row);
}

const writing = onceFor((db) => ({
  insert: db.prepare('INSERT OR IGNORE INTO bore VALUES (?, ?)'),
  lives: db.prepare('DELETE FROM bore WHERE number = ?'),
}));
