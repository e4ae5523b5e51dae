// The audit log: every administrative act in a chain, each link holding the digest of the one before it.
import { hash } from 'node:crypto';

/** What somebody did. No secret, and nothing that a caller of the API sent, is ever part of it. */
export interface AuditAction {
  /** Who: `command-line`, with the name of the system's user, or the id of an admin key. */
  actor: string;
  /** `keys.create`, `features.on` …: see `ACTS`. */
  act: AuditActionName;
  /** To what: the id of a key, the name of a feature; empty where there is nothing to name. */
  target: string;
  /** More about it, in few words. */
  detail: Record<string, string | number | boolean | null | readonly string[]>;
}

/** Every act that is kept. */
export const AUDIT_ACTIONS = [
  'keys.create',
  'keys.rotate',
  'keys.revoke',
  'plans.create',
  'plans.change',
  'plans.retire',
  'accounts.create',
  'accounts.rename',
  'accounts.plan',
  'accounts.join',
  'accounts.close',
  'accounts.reopen',
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
export type AuditActionName = (typeof AUDIT_ACTIONS)[number];

/** An act in its place in the chain. */
export interface AuditEntry extends AuditAction {
  /** 1, 2, 3 … */
  seq: number;
  /** Milliseconds since 1970. */
  time: number;
  /** SHA-256 over this link and the digest of the one before it, 32 bytes. */
  hash: Buffer;
}

/** What the first link holds in the place of an earlier digest. */
export const FIRST_PREVIOUS_HASH = Buffer.alloc(32);

/** The end of a chain: how many links it has, and the digest of the last. */
export interface AuditHead {
  seq: number;
  hash: Buffer;
}
export const EMPTY_AUDIT_HEAD: AuditHead = { seq: 0, hash: FIRST_PREVIOUS_HASH };

/** The act as the next link of a chain. */
export function createAuditEntry(head: AuditHead, act: AuditAction, time: number): AuditEntry {
  const link = { ...act, seq: head.seq + 1, time };
  return { ...link, hash: digestOf(link, head.hash) };
}

function digestOf(
  { seq, time, actor, act, target, detail }: Omit<AuditEntry, 'hash'>,
  before: Buffer,
): Buffer {
  const text = JSON.stringify([seq, time, actor, act, target, Object.entries(detail).toSorted(byName)]);
  return hash('sha256', `${before.toString('hex')}\n${text}`, 'buffer');
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

/** What is wrong with a chain: the first link that does not follow from the one before it. */
export interface ChainBreak {
  seq: number;
  why: 'missing' | 'changed';
}

/** Follows a chain from its beginning. `last` is the highest number that was ever given, as the database counts. */
export function verifyChain(
  links: Iterable<AuditEntry>,
  last: number,
): { head: AuditHead; broken: ChainBreak | null } {
  let head = EMPTY_AUDIT_HEAD;
  for (const link of links) {
    if (link.seq !== head.seq + 1) return { head, broken: { seq: head.seq + 1, why: 'missing' } };
    if (!digestOf(link, head.hash).equals(link.hash))
      return { head, broken: { seq: link.seq, why: 'changed' } };
    head = { seq: link.seq, hash: link.hash };
  }
  return { head, broken: head.seq < last ? { seq: head.seq + 1, why: 'missing' } : null };
}

/** A head in words, to be noted elsewhere: `128:9f3c…`. */
export const formatAuditHead = ({ seq, hash: digest }: AuditHead): string =>
  `${seq}:${digest.toString('hex')}`;

/** Whether a text has the form of a head. */
export const isAuditHead = (text: string): boolean => /^\d+:[\da-f]{64}$/.test(text);

/** Whether a head that was noted is in a chain. */
export function chainHasHead(links: Iterable<AuditEntry>, noted: string): boolean {
  for (const link of links) if (formatAuditHead(link) === noted) return true;
  return noted === formatAuditHead(EMPTY_AUDIT_HEAD);
}
