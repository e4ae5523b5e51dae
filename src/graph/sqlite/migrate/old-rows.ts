// Rows as versions 1 to 3 wrote them.
import type { Db } from '../../../platform/sqlite.ts';
import type { KnownSignature } from '../../resolve/reader.ts';
import type { TextSealing } from '../../encryption/sealing.ts';

/** Called after each row. */
export type Tick = () => void;

export interface OldIdentity {
  id: number;
  merged_into: number | null;
  /** Milliseconds since 1970. */
  first_seen: number | null;
  last_seen: number | null;
  /** None of a number that is no identity's any more. */
  records: number;
  sources: number;
  /** Sealed, one a line. */
  names: Buffer | null;
  /** Sealed JSON; versions 1 and 2 called the column `sketches`, and exact parts anchors. */
  signatures?: Buffer | null;
  sketches?: Buffer | null;
}

export interface OldRecord {
  id: number;
  key: Buffer;
  ref: number;
  identity: number | null;
  sealed: Buffer;
}

interface OldTables {
  earlier: OldIdentity;
  record: OldRecord;
}

/** In pages, because nothing may be written on a connection while it iterates. */
export function* rowsOf<T extends keyof OldTables>(db: Db, table: T): Iterable<OldTables[T]> {
  const page = db.prepare<[number], OldTables[T]>(
    `SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT 500`,
  );
  for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.id ?? 0)) yield* rows;
}

export function namesIn({ names }: OldIdentity, sealing: TextSealing): string[] {
  return names ? sealing.open(names).split('\n') : [];
}

type OldSignature = Omit<KnownSignature, 'exactPart'> & { anchor?: number; exactPart?: number };

export function signaturesIn({ signatures, sketches }: OldIdentity, sealing: TextSealing): KnownSignature[] {
  const sealed = signatures ?? sketches;
  const all = sealed ? (JSON.parse(sealing.open(sealed)) as OldSignature[]) : [];
  return all.map(({ kind, anchor, exactPart, grams }) => ({
    kind,
    exactPart: exactPart ?? anchor ?? 0,
    grams,
  }));
}

/**
 * The sealed JSON of a record with the names that properties have since version 3. Renamed in the text as it is, which takes a third of
 * reading and writing it anew: a quotation mark inside a value has a backslash before it, so only the name of a property can look like one.
 */
export function recordText({ sealed }: OldRecord, sealing: TextSealing): string {
  return sealing.open(sealed).replaceAll('"sketch":', '"signature":').replaceAll('"anchor":', '"exactPart":');
}
