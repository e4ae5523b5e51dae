// The audit log of a store, and transactions for changes by operators. The entry is added in the transaction
// of its change.
import { userInfo } from 'node:os';
import { resultOr } from '../errors.ts';
import {
  doesAuditChainContainHead,
  createAuditEntry,
  EMPTY_AUDIT_CHAIN_HEAD,
  HASH_BEFORE_FIRST_AUDIT_ENTRY,
  formatAuditChainHead,
  verifyAuditChain,
} from '../accounts/audit.ts';
import type { AuditAction, AuditEntry, AuditChainHead, AuditChainBreak } from '../accounts/audit.ts';
import type { Store } from './store.ts';

/**
 * Runs the change of an operator in one transaction: all of it or nothing is stored. Errors: those of the engine, such as disk_full, read_only,
 * database_busy; those of `work`.
 */
export function changeAtomically<T>(store: Store, work: () => T): T {
  try {
    return store.db.transaction(work, { behavior: 'immediate' });
  } catch (error) {
    throw store.toStoreError(error);
  }
}

/** Returns the name of the actor for the audit log if an operator uses the command line: `command-line` and the operating system's user. */
export const getCommandLineActor = (): string =>
  `command-line ${resultOr(() => userInfo().username, '')}`.trimEnd();

/**
 * Adds an entry to the audit log. Inside a transaction, the entry is stored only if the transaction is committed. `time` is milliseconds since 1970.
 * Errors: those of `changeAtomically`.
 */
export function recordAuditEntry(store: Store, action: Omit<AuditAction, 'actor'>, time = Date.now()): void {
  changeAtomically(store, () => {
    const head = getHead(store);
    const entry = createAuditEntry(head, { ...action, actor: store.actor ?? getCommandLineActor() }, time);
    const { seq, actor, act, target, detail, hash } = entry;
    store.raw
      .prepare(
        'INSERT INTO audit (seq, time, actor, act, target, detail, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      )
      .run(seq, time, actor, act, target, JSON.stringify(detail), head.hash, hash);
  });
}

function getHead(store: Store): AuditChainHead {
  const hash = store.raw
    .prepare<[], Buffer>('SELECT hash FROM audit ORDER BY seq DESC LIMIT 1')
    .pluck()
    .get();
  return { seq: store.getLastAuditSeq(), hash: hash ?? HASH_BEFORE_FIRST_AUDIT_ENTRY };
}

type EntryRow = Omit<AuditEntry, 'detail'> & { detail: string };
const COLUMNS = 'seq, time, actor, act, target, detail, hash';

export interface AuditQuery {
  limit: number;
  /** Upper bound (exclusive) of the entries' numbers; undefined for the newest entries. */
  before?: number | undefined;
  act?: string | undefined;
  actor?: string | undefined;
  target?: string | undefined;
}

const LIST = `SELECT ${COLUMNS} FROM audit WHERE seq < @before AND (act = @act OR @act IS NULL)
  AND (actor = @actor OR @actor IS NULL) AND (target = @target OR @target IS NULL) ORDER BY seq DESC LIMIT @limit`;

/** Returns the entries of the audit log that match the query, newest first. */
export function listAuditEntries(store: Store, query: AuditQuery): AuditEntry[] {
  const { limit, before = Infinity, act = null, actor = null, target = null } = query;
  const values = { limit, before: Math.min(before, Number.MAX_SAFE_INTEGER), act, actor, target };
  return store.raw.prepare<[typeof values], EntryRow>(LIST).all(values).map(toEntry);
}

const toEntry = ({ detail, ...row }: EntryRow): AuditEntry => ({ ...row, detail: JSON.parse(detail) });

export interface AuditVerification {
  acts: number;
  /** Number and hash of the last entry as text, for an operator to note outside of Bonafide. */
  head: string;
  /** First entry whose hash does not fit the entry before it; null if the log is intact. */
  broken: AuditChainBreak | null;
  /** True if the log contains the entry that an operator once noted as the last one; null if none was given. */
  known: boolean | null;
}

/**
 * Verifies all hashes of the audit log.
 * @param noted the value of `AuditVerification.head` that an operator noted earlier
 */
export function verifyAuditLog(store: Store, noted?: string): AuditVerification {
  const select = store.raw.prepare<[], EntryRow>(`SELECT ${COLUMNS} FROM audit ORDER BY seq`);
  return store.raw.transaction(() => {
    const { head, broken } = verifyAuditChain(toEntries(select.iterate()), store.getLastAuditSeq());
    const containsHead =
      noted === undefined ? null : doesAuditChainContainHead(toEntries(select.iterate()), noted);
    return {
      acts: head.seq,
      head: formatAuditChainHead(head.seq === 0 ? EMPTY_AUDIT_CHAIN_HEAD : head),
      broken,
      known: containsHead,
    };
  })();
}

/** Converts rows to audit entries. A row that cannot be read, because it was changed outside of Bonafide, becomes an entry with a wrong hash. */
function* toEntries(rows: Iterable<EntryRow>): Iterable<AuditEntry> {
  for (const row of rows)
    try {
      yield toEntry(row);
    } catch {
      yield { ...row, detail: {} };
    }
}
