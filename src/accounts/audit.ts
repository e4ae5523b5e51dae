// The audit log: every administrative action in a chain, in which each entry has the hash of the entry before it.
import { hash } from 'node:crypto';

/** Administrative action for the audit log. Contains no secret and no data that an API caller sent. */
export interface AuditAction {
  /** Author of the action: `command-line` with the name of the system user, or the id of an admin key. */
  actor: string;
  act: AuditActionName;
  /** Id or name of the thing that was changed, such as an API key or a feature; empty if there is none. */
  target: string;
  detail: Record<string, string | number | boolean | null | readonly string[]>;
}

export const AUDIT_ACTION_NAMES = [
  'keys.create',
  'keys.rotate',
  'keys.revoke',
  'plans.create',
  'plans.change',
  'plans.retire',
  'accounts.create',
  'accounts.rename',
  'accounts.billing',
  'accounts.plan',
  'accounts.join',
  'accounts.close',
  'accounts.reopen',
  'invoices.issue',
  'webhooks.send',
  'webhooks.add',
  'webhooks.rotate',
  'webhooks.remove',
  'watches.create',
  'watches.delete',
  'watches.recheck',
  'features.on',
  'features.off',
  'features.use',
  'graph.import',
  'graph.records',
  'graph.undo',
  'graph.remove-source',
  'graph.link',
  'graph.forget',
  'graph.export',
  'graph.compact',
  'graph.move',
  'graph.rekey',
  'graph.split',
  'graph.join',
  'graph.undo',
  'evaluation.run',
  'backup.create',
  'backup.restore',
  'program.upgrade',
  'store.move',
] as const;
type AuditActionName = (typeof AUDIT_ACTION_NAMES)[number];

export interface AuditEntry extends AuditAction {
  seq: number;
  time: number;
  /** SHA-256 (32 bytes) of this entry together with the hash of the previous entry. */
  hash: Buffer;
}

/** Value that the first entry of the audit log uses instead of the previous entry's hash. */
export const HASH_BEFORE_FIRST_AUDIT_ENTRY = Buffer.alloc(32);

/** State of the audit log at its last entry: the entry's number and hash. */
export interface AuditChainHead {
  seq: number;
  hash: Buffer;
}

export const EMPTY_AUDIT_CHAIN_HEAD: AuditChainHead = { seq: 0, hash: HASH_BEFORE_FIRST_AUDIT_ENTRY };

/** Creates the next entry of the audit log, with its sequence number and hash. */
export function createAuditEntry(head: AuditChainHead, action: AuditAction, time: number): AuditEntry {
  const entry = { ...action, seq: head.seq + 1, time };
  return { ...entry, hash: computeHash(entry, head.hash) };
}

function computeHash(
  { seq, time, actor, act, target, detail }: Omit<AuditEntry, 'hash'>,
  previous: Buffer,
): Buffer {
  const text = JSON.stringify([seq, time, actor, act, target, Object.entries(detail).toSorted(byName)]);
  return hash('sha256', `${previous.toString('hex')}\n${text}`, 'buffer');
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

export interface AuditChainBreak {
  seq: number;
  why: 'missing' | 'changed';
}

/** Verifies the hash chain of the audit log from the first entry. `last` is the highest number that the database ever gave to an entry. */
export function verifyAuditChain(
  entries: Iterable<AuditEntry>,
  last: number,
): { head: AuditChainHead; broken: AuditChainBreak | null } {
  let head = EMPTY_AUDIT_CHAIN_HEAD;
  for (const entry of entries) {
    if (entry.seq !== head.seq + 1) return { head, broken: { seq: head.seq + 1, why: 'missing' } };
    if (!computeHash(entry, head.hash).equals(entry.hash))
      return { head, broken: { seq: entry.seq, why: 'changed' } };
    head = { seq: entry.seq, hash: entry.hash };
  }
  return { head, broken: head.seq < last ? { seq: head.seq + 1, why: 'missing' } : null };
}

/**
 * Formats number and hash of the last audit entry, such as `128:9f3c…`. An operator who keeps this text can later prove that no entry before it was
 * removed.
 */
export const formatAuditChainHead = ({ seq, hash: digest }: AuditChainHead): string =>
  `${seq}:${digest.toString('hex')}`;

/** True if a text has the form that `formatAuditChainHead` writes. */
export const isAuditChainHeadText = (text: string): boolean => /^\d+:[\da-f]{64}$/.test(text);

/** True if the audit log still contains the entry that an operator once noted with `formatAuditChainHead`. */
export function doesAuditChainContainHead(entries: Iterable<AuditEntry>, noted: string): boolean {
  for (const entry of entries) if (formatAuditChainHead(entry) === noted) return true;
  return noted === formatAuditChainHead(EMPTY_AUDIT_CHAIN_HEAD);
}
