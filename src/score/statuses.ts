import {
  type ContactMatch,
  type ContactEvidence,
  type CheckEvidence,
  getContactLastSeen,
  type NameMatch,
  type MatchResult,
} from '../model.ts';
import { getCertaintyOfSoleOwner, getReassignedPhoneWeightFactor, MS_PER_YEAR } from './curves.ts';
import { getLastUse } from './values.ts';
import type { IdentityHypothesis } from './weigh.ts';

export interface ResolvedClaim {
  /** Number of the identity that has most of the submitted values (contacts and the name); null if no value is on record. */
  dominant: number | null;
  name: MatchResult;
  contacts: MatchResult[];
}

const UNVERIFIED: MatchResult = { status: 'unverified', identity: null };
/** Types of look-up keys that find addresses with another spelling. Such an address never has the status `primary`. */
export const MISSPELT_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['typo', 'core']);

interface IdentitySupport {
  identity: number;
  /** Number of submitted values (contacts and the name) that the identity has. */
  values: number;
  hasName: boolean;
  /** Sum of the strengths (0-1 each) of the contacts that the identity has. */
  strength: number;
  /** Time at which the identity was last seen with one of the contacts; infinite if it may still have the contact. */
  lastSeen: number;
}

type SupportByIdentity = ReadonlyMap<number, IdentitySupport>;

/**
 * Assigns every submitted value to one identity: to the dominant identity if it has the value, otherwise to the identity with the strongest contacts
 * among those that have the value.
 */
export function resolveClaim(evidence: CheckEvidence, best: IdentityHypothesis): ResolvedClaim {
  const supports = measureSupport(evidence);
  let mostDominant: IdentitySupport | null = null;
  for (const support of supports.values())
    if (mostDominant === null || isMoreDominant(support, mostDominant, best.identity)) mostDominant = support;
  const dominant = mostDominant?.identity ?? null;
  return {
    dominant,
    name: resolveName(evidence, { dominant, best, supports }),
    contacts: evidence.contacts.map((contact) => resolveContact(contact, dominant, supports)),
  };
}

function measureSupport({ nameAgreements, contacts, newestSeen }: CheckEvidence): SupportByIdentity {
  const supports = new Map<number, IdentitySupport>();
  for (const [identity, { isSame }] of nameAgreements)
    if (isSame)
      supports.set(identity, { identity, values: 1, hasName: true, strength: 0, lastSeen: -Infinity });
  for (const { kind, agreements, isRepeat } of contacts) {
    const newest = Math.max(...agreements.map((match) => getLastUse(match, newestSeen) ?? -Infinity));
    for (const agreement of agreements) {
      const { identity } = agreement;
      const lastSeen = getContactLastSeen(agreement);
      const support = supports.get(identity) ?? {
        identity,
        values: 0,
        hasName: false,
        strength: 0,
        lastSeen: -Infinity,
      };
      supports.set(identity, support);
      support.lastSeen = Math.max(support.lastSeen, lastSeen ?? Infinity);
      support.values++;
      const years = kind === 'phone' && lastSeen !== null ? (newest - lastSeen) / MS_PER_YEAR : 0;
      if (!isRepeat)
        support.strength += getCertaintyOfSoleOwner(agreement, kind) * getReassignedPhoneWeightFactor(years);
    }
  }
  return supports;
}

/**
 * True if one identity is more dominant than another: it has more submitted values. If equal, decide in order: having the name, being the identity of
 * the score (`best`), stronger contacts, the later date, the lower identity number.
 */
function isMoreDominant(support: IdentitySupport, than: IdentitySupport, best: number | null): boolean {
  const order =
    support.values - than.values ||
    Number(support.hasName) - Number(than.hasName) ||
    Number(support.identity === best) - Number(than.identity === best) ||
    bySupport(than, support);
  return order > 0;
}

/** Returns the difference between two sums in billionths, rounded. Without rounding, it would depend on the order in which numbers were added. */
const roundedDifference = (a: number, b: number) => Math.round((a - b) * 1e9);

interface NameInput {
  dominant: number | null;
  best: IdentityHypothesis;
  supports: SupportByIdentity;
}

/**
 * Assigns the submitted name to one of the identities that have it: the dominant identity, else the identity that the score is about (`best`), else
 * the one with the strongest contacts.
 */
function resolveName(
  { nameAgreements }: CheckEvidence,
  { dominant, best, supports }: NameInput,
): MatchResult {
  const sameName = (id: number | null): NameMatch | null => {
    const name = id === null ? undefined : nameAgreements.get(id);
    return name?.isSame ? name : null;
  };
  const own = sameName(dominant);
  if (own) return { status: own.isPrimary ? 'primary' : 'secondary', identity: dominant };
  if (sameName(best.identity)) return { status: 'different', identity: best.identity };
  const [first] = [...supports.values()].filter(({ hasName }) => hasName).sort(bySupport);
  return first ? { status: 'different', identity: first.identity } : UNVERIFIED;
}

function resolveContact(
  { agreements }: ContactEvidence,
  dominant: number | null,
  supports: SupportByIdentity,
): MatchResult {
  const own = agreements.find(({ identity }) => identity === dominant);
  if (own) {
    const isPrimary = own.primary && !MISSPELT_KEYS.has(own.type);
    return { status: isPrimary ? 'primary' : 'secondary', identity: own.identity };
  }
  const [first, ...rest] = agreements;
  if (!first) return UNVERIFIED;
  const supportOf = ({ identity }: ContactMatch) => supports.get(identity);
  const best = rest.reduce((a, b) => (isBetterSupported(supportOf(b), supportOf(a)) ? b : a), first);
  return { status: 'different', identity: best.identity };
}

function isBetterSupported(support: IdentitySupport | undefined, than: IdentitySupport | undefined): boolean {
  if (!support || !than) return support !== undefined;
  return bySupport(support, than) < 0;
}

/** Comparator that sorts identities by descending strength of their contacts, then the one seen last, then by ascending identity number. */
const bySupport = (a: IdentitySupport, b: IdentitySupport) =>
  roundedDifference(b.strength, a.strength) ||
  Number(b.lastSeen > a.lastSeen) - Number(a.lastSeen > b.lastSeen) ||
  a.identity - b.identity;
