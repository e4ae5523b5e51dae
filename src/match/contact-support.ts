// Raises the agreement of a name if contacts support it: an e-mail that spells the name, or contacts of
// several kinds of one identity.
import type { ContactEvidence, NameMatch } from '../model.ts';
import { getLatinNamePartsByRole, type PreparedName } from '../names/index.ts';

/** How an e-mail spells a name: `whole` by given and family name, `initial` by an initial and the family name. */
export type EmailNameSpelling = 'whole' | 'initial';

/** Returns how the part of an e-mail before the @ spells the name; digits and punctuation are ignored. Null if it does not spell the name. */
export function findEmailNameSpelling(email: string, name: PreparedName): EmailNameSpelling | null {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/[^a-z]+/g, '');
  const parts = getLatinNamePartsByRole(name);
  const [given, family] = [parts.given.join(''), parts.family.join('')];
  if (given.length < 2 || family.length < 2) return null;
  if (local === given + family || local === family + given) return 'whole';
  const initial = given.charAt(0);
  const isInitial = local === initial + family || local === family + initial;
  return family.length > 3 && isInitial ? 'initial' : null;
}

/**
 * Name agreements (0-100) for an identity whose e-mail spells the submitted name although its records spell the name differently: with an
 * equal given or family name (`halfShared`), and without (`noHalfShared`).
 */
const SPELT_AGREEMENT = { noHalfShared: 30, halfShared: 45 };

/**
 * Name agreement (0-100) if the record has only the initial of the given name, and an e-mail that only this identity has spells the name.
 */
export const INITIAL_WITH_EMAIL_AGREEMENT_PERCENT = 90;

/**
 * Returns the name agreement (0-100) if an e-mail of the identity spells the submitted name. @param share number of identities that have the
 * e-mail
 */
export function raiseNameAgreementByEmail(
  agreement: number,
  { isHalfShared, share }: { isHalfShared: boolean; share: number },
): number {
  const most = isHalfShared ? SPELT_AGREEMENT.halfShared : SPELT_AGREEMENT.noHalfShared;
  return agreement >= most ? agreement : agreement + (most - agreement) / share;
}

/**
 * Raises the name agreement of identities with a doubtful name and supporting contacts. Returns the agreements of all names. A doubtful name counts
 * as the same name if contacts of several types belong to the identity and to few others, because another person would hardly have such a similar
 * name.
 */
export function raiseNameAgreementsByContacts(
  agreements: ReadonlyMap<number, NameMatch>,
  contacts: readonly ContactEvidence[],
): Map<number, NameMatch> {
  return new Map(
    [...agreements].map(([id, name]) => [
      id,
      isDoubtful(name) ? raiseBySupport(name, countKinds(contacts, id)) : name,
    ]),
  );
}

/**
 * True if a name may be a misspelling of the recorded name. Three cases: both given and family name differ by typing errors; one of them agrees
 * and an e-mail spells the name; the name is one rare word of the recorded name.
 */
const isDoubtful = ({
  isSame,
  part,
  sharedHalf,
  isSpeltByEmail,
  isNameless,
  agreement,
  closestName,
  hasDifferentWords,
}: NameMatch) =>
  part === 'word' ||
  (!isSame &&
    !hasDifferentWords &&
    part === undefined &&
    (sharedHalf === null || isSpeltByEmail) &&
    !isNameless &&
    closestName !== null &&
    agreement >= MIN_DOUBTFUL_AGREEMENT);

/** Minimum agreement (0-100) of a doubtful name for raising it. Names with a lower agreement may be similar by chance. */
const MIN_DOUBTFUL_AGREEMENT = 18;
/**
 * Weighted number of contact types that support a name. From `some` on, the agreement rises. From `enough` on, the name counts as the same.
 * `most` is the maximum.
 */
const KINDS = { some: 1, enough: 1.5, most: 3 };
/** Agreement (0-100) of a name that counts as the same because of contacts, by the weighted number of contact types. */
const SUPPORTED_AGREEMENT = { enough: 55, most: 75 };
/**
 * Share (0-1) that is added to the higher of two agreements, if both initials and contacts support a name: this part of the amount by which
 * the lower agreement exceeds `enough`.
 */
const INITIALS_SHARE = 0.3;
/** Agreement (0-100) that a name approaches while too few types of contacts support it. */
const UNSUPPORTED_AGREEMENT = 48;

function raiseBySupport(name: NameMatch, kinds: number): NameMatch {
  if (kinds >= KINDS.enough) {
    const [own, supported] = [name.isSame ? name.agreement : 0, supportedAgreement(kinds)];
    const both = Math.max(0, Math.min(own, supported) - SUPPORTED_AGREEMENT.enough);
    const agreement = Math.max(own, supported) + INITIALS_SHARE * both;
    const variation = name.isSpeltByEmail || name.part ? 'partial' : (name.difference ?? 'typo');
    const supportedHalf = name.isSame ? {} : { supportedHalf: name.sharedHalf };
    return { ...name, ...supportedHalf, isSame: true, sharedHalf: null, agreement, variation };
  }
  const share = Math.max(0, (kinds - KINDS.some) / (KINDS.enough - KINDS.some));
  const raised = name.agreement + share * (UNSUPPORTED_AGREEMENT - name.agreement);
  return { ...name, agreement: Math.max(name.agreement, raised) };
}

function supportedAgreement(kinds: number): number {
  const { enough, most } = SUPPORTED_AGREEMENT;
  return enough + ((most - enough) * (kinds - KINDS.enough)) / (KINDS.most - KINDS.enough);
}

/** Returns the weighted number of contact types of an identity. A type counts less if many identities share its contact. */
function countKinds(contacts: readonly ContactEvidence[], id: number): number {
  const weightOfKind = new Map<string, number>();
  for (const { kind, agreements } of contacts)
    for (const { identity, share } of agreements)
      if (identity === id) weightOfKind.set(kind, Math.max(weightOfKind.get(kind) ?? 0, 2 / (1 + share)));
  let kinds = 0;
  for (const weight of weightOfKind.values()) kinds += weight;
  return kinds;
}
