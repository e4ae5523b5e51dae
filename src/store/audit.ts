// The audit log as the store keeps it: acts are added in the transaction of what they tell of, and never changed.
import { userInfo } from 'node:os';
import {
  FIRST_PREVIOUS_HASH,
  EMPTY_AUDIT_HEAD,
  verifyChain,
  chainHasHead,
  formatAuditHead,
  createAuditEntry,
  type AuditAction,
  type ChainBreak,
  type AuditHead,
  type AuditEntry,
} from '../accounts/audit.ts';
import type { Store } from './store.ts';

/** Who acts where nobody else is named: whoever runs the command line, by the name that the system knows. */
export const getOperatorName = (): string => `command-line ${nameOfUser()}`.trimEnd();

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
export function recordAuditEntry(store: Store, done: Omit<AuditAction, 'actor'>, time = Date.now()): void {
  changeAtomically(store, () => {
    const head = headOf(store);
    const link = createAuditEntry(head, { ...done, actor: store.actor ?? getOperatorName() }, time);
    const { seq, actor, act, target, detail, hash } = link;
    store.raw
      .prepare(
        'INSERT INTO audit (seq, time, actor, act, target, detail, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(seq, time, actor, act, target, JSON.stringify(detail), head.hash, hash);
  });
}

function headOf(store: Store): AuditHead {
  const hash = store.raw
    .prepare<[], Buffer>('SELECT hash FROM audit ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get();
  return { seq: store.getLastAuditSeq(), hash: hash ?? FIRST_PREVIOUS_HASH };
}

type Row = Omit<AuditEntry, 'detail'> & { detail: string };
const COLUMNS = 'seq, time, actor, act, target, detail, hash';

/** Which acts are wanted. */
export interface AuditQuery {
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
export function listAuditEntries(store: Store, wanted: AuditQuery): AuditEntry[] {
  const { limit, before = Infinity, act = null, actor = null, target = null } = wanted;
  const asked = { limit, before: Math.min(before, Number.MAX_SAFE_INTEGER), act, actor, target };
  return store.raw.prepare<[typeof asked], Row>(LISTED).all(asked).map(linkOf);
}

const linkOf = ({ detail, ...row }: Row): AuditEntry => ({ ...row, detail: JSON.parse(detail) });

/** What a look through the whole log found. */
export interface AuditVerification {
  acts: number;
  /** The last link, to be noted elsewhere. */
  head: string;
  /** The first link that does not follow from the one before it. */
  broken: ChainBreak | null;
  /** Whether a head that was noted is in the chain; null where none was given. */
  known: boolean | null;
}

/** Follows the whole chain; `noted` is a head that was noted earlier. */
export function verifyAuditLog(store: Store, noted?: string): AuditVerification {
  const all = store.raw.prepare<[], Row>(`SELECT ${COLUMNS} FROM audit ORDER BY seq`);
  return store.raw.transaction(() => {
    const { head, broken } = verifyChain(links(all.iterate()), store.getLastAuditSeq());
    const known = noted === undefined ? null : chainHasHead(links(all.iterate()), noted);
    return { acts: head.seq, head: formatAuditHead(head.seq === 0 ? EMPTY_AUDIT_HEAD : head), broken, known };
  })();
}

/** What is no act any more is one that was changed. */
function* links(rows: Iterable<Row>): Iterable<AuditEntry> {
  for (const row of rows)
    try {
      yield linkOf(row);
    } catch {
      yield { ...row, detail: {} };
    }
}

/**
 * Runs what an operator changes as one transaction: all of it is kept, or nothing.
 *
 * Errors: disk_full, read_only, database_busy and the like where it cannot be kept, and those of `work`.
 */
export function changeAtomically<T>(store: Store, work: () => T): T {
  try {
    return store.db.transaction(work, { behavior: 'immediate' });
  } catch (error) {
    throw store.toStoreError(error);
  }
}
