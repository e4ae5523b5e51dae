import type { Awaitable } from '../../model.ts';

export interface CarriedNumbers {
  identities: [row: number, identity: number][];
  redirects: [number: number, heir: number | null][];
  bore: [row: number, number: number][];
}

/** What a graph that moves to another engine takes along beside its records. */
export interface GraphMoving {
  /** Of which revision of another graph this is a copy that is not whole; null where it is none. */
  copiedOf(): Awaitable<string | null>;
  /** Says that it is one: until it has been published, only who opened it `unfinished` is let in. See `linking.revision`. */
  begin(revision: string): Awaitable<void>;
  /** Numbers that are no identity's any more, and the one that stands for each now (null: nobody). */
  redirects(): Awaitable<[number: number, heir: number | null][]>;
  /** The rows that bore each of them when it was an identity's last; see `numberIdentities`. */
  bore(): Awaitable<[row: number, number: number][]>;
  /** Gives records the identities that they had in another engine, and takes over where numbers lead, and who bore them: publishing keeps it. Inside `whole`. */
  carry(numbers: CarriedNumbers): Awaitable<void>;
  /** What keeps those out who were forgotten, and since when (milliseconds since 1970). */
  marks(): Awaitable<[mark: Buffer, time: number][]>;
  /** Takes it over. Inside `whole`. */
  carryMarks(marks: [mark: Buffer, time: number][]): Awaitable<void>;
}
