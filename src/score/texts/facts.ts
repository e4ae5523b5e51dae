import type { CheckEvidence, ContactEvidence, ContactMatch, ScoreBand } from '../../model.ts';
import type { ResolvedClaim } from '../statuses.ts';
import type { IdentityHypothesis } from '../weigh.ts';

/** Returns the band of a score. The limits are 85, 65 and 40. */
export function toScoreBand(score: number): ScoreBand {
  if (score >= 85) return 'HIGH';
  if (score >= 65) return 'MEDIUM';
  return score >= 40 ? 'LOW' : 'VERY_LOW';
}

interface FactInput {
  evidence: CheckEvidence;
  best: IdentityHypothesis;
  band: ScoreBand;
  resolved: ResolvedClaim;
  isCatfish: boolean;
  history: { firstSeen: number | null; lastSeen: number | null };
}

/**
 * Facts about one verdict: counts, statuses and identity numbers, but no submitted value. All texts use these facts, so that they never
 * contradict each other. "The person" is the identity to which the name belongs.
 */
export interface VerdictFacts extends Omit<FactInput, 'resolved' | 'history'>, ResolvedClaim {
  own: number;
  /** Number of contacts on record that the identity with the submitted name does not have. */
  others: number;
  /** Number of submitted contacts without a record. */
  unknown: number;
  otherIdentities: number;
  /** Number of identities that share the contacts counted by `others`: of the contact that the fewest share. */
  sharers: number;
  /**
   * For each contact: true if the identity with the submitted name has it, even if the contact is assigned to another identity. Both people of a
   * couple have the name.
   */
  isOwn: readonly boolean[];
  /**
   * Number of contacts that belong to the best identity if no identity has the submitted name. The rest of `others` belongs to other people.
   */
  ofBest: number;
  /**
   * Part of the submitted name that the best identity has; `nameless` if this identity has no name. Null if an identity has the full name, but
   * not if it has it only because of its contacts.
   */
  sharedPart: 'given' | 'family' | 'patronymic' | 'suffix' | 'part' | 'words' | 'both' | 'nameless' | null;
  /** Whole years between the first and the last record of the dominant identity. Null if no record has a date. */
  years: number | null;
}

export function collectVerdictFacts({ resolved, history, ...input }: FactInput): VerdictFacts {
  const { name, contacts } = resolved;
  const isOwn = input.evidence.contacts.map(
    ({ agreements }) =>
      name.identity !== null &&
      agreements.some(
        ({ identity }) => identity === name.identity || isNamedPartner(input.evidence, identity),
      ),
  );
  let own = 0;
  let others = 0;
  const otherIdentities: number[] = [];
  let sharers = Infinity;
  for (let i = 0; i < contacts.length; i++) {
    const identity = contacts[i]?.identity ?? null;
    if (identity === null) continue;
    if (isOwn[i]) {
      own++;
      continue;
    }
    others++;
    if (!otherIdentities.includes(identity)) otherIdentities.push(identity);
    const { agreements = [] } = input.evidence.contacts[i] ?? {};
    sharers = Math.min(sharers, agreements.find((match) => match.identity === identity)?.share ?? 1);
  }
  return {
    ...input,
    ...resolved,
    isOwn,
    own,
    others,
    unknown: contacts.length - own - others,
    otherIdentities: otherIdentities.length,
    sharers: others > 0 ? sharers : 0,
    ofBest: input.evidence.contacts.filter(({ agreements }) =>
      agreements.some(({ identity }) => identity === input.best.identity),
    ).length,
    sharedPart: findSharedPart(input, name.identity ?? input.best.identity),
    years: getYearsBetween(history.firstSeen, history.lastSeen),
  };
}

/** True for an identity that is one of the two people of a couple's name. */
export const isNamedPartner = ({ nonPerson, nameAgreements }: CheckEvidence, identity: number): boolean =>
  nonPerson === 'couple' && nameAgreements.get(identity)?.isSame === true;

function findSharedPart(
  { evidence }: Pick<FactInput, 'evidence'>,
  identity: number | null,
): VerdictFacts['sharedPart'] {
  const name = identity === null ? undefined : evidence.nameAgreements.get(identity);
  // Given and family name are parts of one person's name.
  if (!name || evidence.nonPerson || name.isCompany) return null;
  if (name.isSame && name.supportedHalf === undefined) return null;
  if (name.isNameless) return 'nameless';
  if (name.isParentOrChild) return 'patronymic';
  if (name.isOtherGeneration) return 'suffix';
  if (name.hasDifferentWords) return 'words';
  return name.part ? 'part' : (name.supportedHalf ?? name.sharedHalf ?? 'both');
}

/** Returns another identity, without the name, that has each contact on record; null if there is none. */
export function findHolderOfAll({ evidence, contacts }: VerdictFacts): number | null {
  const [first, ...more] = evidence.contacts.filter((_, index) => contacts[index]?.identity !== null);
  const holder = first?.agreements.find(
    ({ identity }) =>
      !evidence.nameAgreements.get(identity)?.isSame &&
      more.every(({ agreements }) => agreements.some((match) => match.identity === identity)),
  );
  return holder?.identity ?? null;
}

/** Number of identities above which a contact is mentioned as shared. */
export const MANY_SHARERS = 5;

/**
 * True for an address of a few people of whom one has the same family name as the person, if nobody has the whole name and the address. The
 * identity that the headline describes by its family name is not counted.
 */
export function hasResidentOfFamily(
  { evidence, name, sharedPart, best }: VerdictFacts,
  { kind, agreements }: ContactEvidence,
): boolean {
  const isPartOnly = name.identity === null || sharedPart === 'given';
  if (!isPartOnly || kind !== 'address' || evidence.nonPerson) return false;
  return agreements.some(({ identity, share }) => {
    const resident = evidence.nameAgreements.get(identity);
    if (sharedPart === 'family' && identity === best.identity) return false;
    return share <= MANY_SHARERS && resident?.sharedHalf === 'family' && !resident.isCompany;
  });
}

/** Counts the identities that share a contact with one of them. */
export const countOtherHolders = (
  { agreements }: { agreements: readonly ContactMatch[] },
  holder: number | null,
) => (agreements.find(({ identity }) => identity === holder)?.share ?? 1) - 1;

/** Returns the whole calendar years between two times in milliseconds; null if one of them is unknown. */
export function getYearsBetween(first: number | null, last: number | null): number | null {
  if (first === null || last === null) return null;
  if (last < first) return -getYearsBetween(last, first)!;
  const [from, to] = [new Date(first), new Date(last)];
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  from.setUTCFullYear(to.getUTCFullYear());
  return from > to ? years - 1 : years;
}
