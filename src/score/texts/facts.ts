import {
  type CheckEvidence,
  type ContactEvidence,
  type ContactMatch,
  getContactLastSeen,
  type ScoreBand,
  type SharedNamePart,
} from '../../model.ts';
import type { ResolvedClaim } from '../statuses.ts';
import { getYearsOfLaterStrangerUse } from '../values.ts';
import type { IdentityHypothesis } from '../weigh.ts';
import { OLD_PHONE_YEARS } from '../weights.ts';

/** Returns the band of a score. The bands begin at 85, 65 and 40. */
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
 * Facts about one verdict from which all its texts are made, so that these never contradict each other. Contains counts, statuses and identity
 * numbers, but no submitted value. "The person" is the identity to which the name belongs.
 */
export interface VerdictFacts extends Omit<FactInput, 'resolved' | 'history'>, ResolvedClaim {
  own: number;
  /** Number of submitted contacts that are on record, but not with the submitted name. */
  others: number;
  /** Number of submitted contacts that are not on record. */
  unknown: number;
  /** Number of contacts counted in `others` whose record has no name, so that their owner is unknown. */
  nameless: number;
  /** Number of contacts counted in `others` of an identity with the same name, which may be the same person. */
  sameName: number;
  /** Number of identities with a name that have contacts counted in `others`. */
  otherIdentities: number;
  /** `otherIdentities` without identities with the same name, which may be the same person. */
  otherPeople: number;
  /** Least and greatest number of identities that share a contact counted in `others`; both are 0 if `others` is 0. */
  sharers: { least: number; greatest: number };
  /**
   * For each contact: true if the identity with the submitted name, or its partner for a couple's name, has the contact. It may still be assigned to
   * another identity.
   */
  isOwn: readonly boolean[];
  /** Number of submitted contacts that the best hypothesis' identity has. Used if no identity has the submitted name. */
  ofBest: number;
  /**
   * Agreement of the submitted name with the name on record of the best identity; `nameless` if this identity has no name. Null if the whole name
   * agrees by itself, without the support of contacts.
   */
  sharedPart: SharedNamePart | null;
  /** Whole years between the first and the last record of the dominant identity. Null if no record has a date. */
  years: number | null;
  /** Whole years from the last record of the dominant identity to the newest record of the graph; 0 if unknown. */
  yearsUnseen: number;
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
  const isOfSameName = (identity: number) =>
    isOtherOfSameName({ evidence: input.evidence, best: input.best, name }, identity);
  let [own, others, nameless, sameName] = [0, 0, 0, 0];
  const otherIdentities: number[] = [];
  const shares: number[] = [];
  for (let i = 0; i < contacts.length; i++) {
    const identity = contacts[i]?.identity ?? null;
    if (identity === null) continue;
    if (isOwn[i]) {
      own++;
      continue;
    }
    others++;
    if (isNameless(input.evidence, identity)) nameless++;
    else if (!otherIdentities.includes(identity)) otherIdentities.push(identity);
    if (isOfSameName(identity)) sameName++;
    const { agreements = [] } = input.evidence.contacts[i] ?? {};
    shares.push(agreements.find((match) => match.identity === identity)?.share ?? 1);
  }
  return {
    ...input,
    ...resolved,
    isOwn,
    own,
    others,
    nameless,
    sameName,
    unknown: contacts.length - own - others,
    otherIdentities: otherIdentities.length,
    otherPeople: otherIdentities.filter((identity) => !isOfSameName(identity)).length,
    sharers: { least: others > 0 ? Math.min(...shares) : 0, greatest: Math.max(0, ...shares) },
    ofBest: input.evidence.contacts.filter(({ agreements }) =>
      agreements.some(({ identity }) => identity === input.best.identity),
    ).length,
    sharedPart: findSharedPart(input, name.identity ?? input.best.identity),
    years: getYearsBetween(history.firstSeen, history.lastSeen ?? input.evidence.newestSeen),
    yearsUnseen: getYearsBetween(history.lastSeen, input.evidence.newestSeen) ?? 0,
  };
}

/** True for an identity without a name on record. */
export const isNameless = ({ nameAgreements }: CheckEvidence, identity: number | null): boolean =>
  (identity !== null && nameAgreements.get(identity)?.isNameless) ?? false;

/** True for an identity that has the name of one of the two people of a couple's name. */
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

/** Returns an identity with another name that has all contacts on record; null if there is none. */
export function findOtherHolderOfAllContacts({ evidence, contacts }: VerdictFacts): number | null {
  const hasOtherName = (id: number) => {
    const name = evidence.nameAgreements.get(id);
    return !name?.isSame && !name?.isNameless;
  };
  const [first, ...more] = evidence.contacts.filter((_, index) => contacts[index]?.identity !== null);
  const holder = first?.agreements.find(
    ({ identity }) =>
      hasOtherName(identity) &&
      more.every(({ agreements }) => agreements.some((match) => match.identity === identity)),
  );
  return holder?.identity ?? null;
}

/** Number of identities with a contact, above which the texts call the contact shared. */
export const MANY_SHARERS = 5;

/**
 * True if the contact is an address of a few people, one of whom has the person's family name, and no identity has both the whole name and this
 * address. Ignores the identity that the headline already describes by its family name.
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

/** Returns the number of identities that share a contact with this holder. */
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

/** Returns the whole years from the last record with a contact to the newest record of the graph; 0 if unknown. */
export const getYearsUnseen = (match: ContactMatch, { newestSeen }: CheckEvidence): number =>
  getYearsBetween(getContactLastSeen(match), newestSeen) ?? 0;

/**
 * Returns the age of a contact of the person: the years for which somebody else had the person's phone later, or since the person was last seen with
 * the contact, if newer records exist. Null if the contact is current or not the person's.
 */
export function findAgeOfOwnContact(
  { best, name, evidence }: Pick<VerdictFacts, 'best' | 'name' | 'evidence'>,
  index: number,
): { code: 'phone_passed_on' | 'contact_old'; years: number } | null {
  const own = best.own.values.find((value) => value.index === index);
  const match = name.identity === null ? undefined : own?.holders.get(name.identity);
  if (!own || !match) return null;
  const later = Math.floor(getYearsOfLaterStrangerUse(own, match.identity));
  if (later >= OLD_PHONE_YEARS) return { code: 'phone_passed_on', years: later };
  const years = match.contactLastSeen === undefined ? 0 : getYearsUnseen(match, evidence);
  return years >= OLD_PHONE_YEARS ? { code: 'contact_old', years } : null;
}

/** True for another identity with the submitted name that may be the same person, because no suffix or birth date distinguishes the two. */
export function isOtherOfSameName(
  { evidence, name, best }: Pick<VerdictFacts, 'evidence' | 'name' | 'best'>,
  identity: number | null,
): boolean {
  if (identity === null || identity === name.identity || best.namesakes.has(identity)) return false;
  // Two people of one couple have its name.
  if (evidence.nonPerson) return false;
  return evidence.nameAgreements.get(identity)?.isSame ?? false;
}

/** True for an identity whose name differs from the submitted one by the suffix (Jr). */
export const hasOtherSuffix = ({ evidence }: VerdictFacts, identity: number): boolean =>
  evidence.nameAgreements.get(identity)?.isOtherGeneration ?? false;

/** True for an identity whose name is that of a parent or a child, by the patronymic. */
export const isParentOrChild = ({ evidence }: VerdictFacts, identity: number | null): boolean =>
  identity !== null && (evidence.nameAgreements.get(identity)?.isParentOrChild ?? false);

/** True for an identity that has the family name of another recorded name of the person, but not the submitted one. */
export const isOfOtherFamilyName = ({ evidence }: VerdictFacts, identity: number | null): boolean =>
  identity !== null && (evidence.nameAgreements.get(identity)?.isOfOtherFamilyName ?? false);
