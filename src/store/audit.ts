// The audit log as the store keeps it: acts are added in the transaction of what they tell of, and never changed.
import { userInfo } from 'node:os';
import { BEGINNING, EMPTY, followChain, hasHead, headText, linkAfter } from '../accounts/audit.ts';
import type { Act, Break, Head, Link } from '../accounts/audit.ts';
import { changing } from './billing/change.ts';
import type { Store } from './store.ts';

/** Who acts where nobody else is named: whoever runs the command line, by the name that the system knows. */
export const operatorName = (): string => `command-line ${nameOfUser()}`.trimEnd();

/** A system may know no name for a user. */
function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/**
 * Adds an act to the log; inside a transaction it is kept with the rest of it or not at all. `time` is milliseconds since 1970.
 *
 * Errors: those of `changing`.
 */
export function act(store: Store, done: Omit<Act, 'actor'>, time = Date.now()): void {
  changing(store, () => {
    const head = headOf(store);
    const link = linkAfter(head, { ...done, actor: store.actor ?? operatorName() }, time);
    const { seq, actor, act, target, detail, hash } = link;
    store.raw
      .prepare(
        'INSERT INTO audit (seq, time, actor, act, target, detail, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(seq, time, actor, act, target, JSON.stringify(detail), head.hash, hash);
  });
}

function headOf(store: Store): Head {
  const hash = store.raw
    .prepare<[], Buffer>('SELECT hash FROM audit ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get();
  return { seq: store.lastAct(), hash: hash ?? BEGINNING };
}

type Row = Omit<Link, 'detail'> & { detail: string };
const COLUMNS = 'seq, time, actor, act, target, detail, hash';

/** Which acts are wanted. */
export interface ActsWanted {
  limit: number;
  /** Only those before this number. */
  before?: number | undefined;
  act?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
}

const LISTED = `SELECT ${COLUMNS} FROM audit WHERE seq < @before AND (act = @act OR @act IS NULL)
  AND (actor = @actor OR @actor IS NULL) AND (target = @target OR @target IS NULL) ORDER BY seq DESC LIMIT @limit`;

/** Acts from the newest to the oldest: at most `limit`, and of each filter that is given those alone that pass it. */
export function listActs(store: Store, wanted: ActsWanted): Link[] {
  const { limit, before = Infinity, act = null, actor = null, target = null } = wanted;
  const asked = { limit, before: Math.min(before, Number.MAX_SAFE_INTEGER), act, actor, target };
  return store.raw.prepare<[typeof asked], Row>(LISTED).all(asked).map(linkOf);
}

const linkOf = ({ detail, ...row }: Row): Link => ({ ...row, detail: JSON.parse(detail) });

/** What a look through the whole log found. */
export interface Verified {
  acts: number;
  /** The last link, to be noted elsewhere. */
  head: string;
  /** The first link that does not follow from the one before it. */
  broken: Break | null;
  /** Whether a head that was noted is in the chain; null where none was given. */
  known: boolean | null;
}

/** Follows the whole chain; `noted` is a head that was noted earlier. */
export function verifyAudit(store: Store, noted?: string): Verified {
  const all = store.raw.prepare<[], Row>(`SELECT ${COLUMNS} FROM audit ORDER BY seq`);
  return store.raw.transaction(() => {
    const { head, broken } = followChain(links(all.iterate()), store.lastAct());
    const known = noted === undefined ? null : hasHead(links(all.iterate()), noted);
    return { acts: head.seq, head: headText(head.seq === 0 ? EMPTY : head), broken, known };
  })();
}

/** What is no act any more is one that was changed. */
function* links(rows: Iterable<Row>): Iterable<Link> {
  for (const row of rows)
    try {
      yield linkOf(row);
    } catch {
      yield { ...row, detail: {} };
    }
}
