// Raises the agreement of a name if contacts support it: an e-mail that spells the name, or contacts of
// several kinds of one identity.
import type { Contact, ContactEvidence, ContactMatch, NameMatch } from '../model.ts';
import { getLatinNamePartsByRole, prepareName, type PreparedName } from '../names/index.ts';

/** Spelling of a person's name in an e-mail: `whole` with the given and the family name, `initial` with an initial and the family name. */
export type NameSpellingInEmail = 'whole' | 'initial';

/** Returns how the part of an e-mail before the @ spells the name. Ignores digits and punctuation. Null if it does not spell the name. */
export function findNameSpellingInEmail(email: string, name: PreparedName): NameSpellingInEmail | null {
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
 * Marks the names of relatives whose e-mail contains their given name: margaret.doe@ of Margaret Doe, submitted with John Doe. The given name on record
 * is then no error of one record.
 */
export function markGivenNamesInEmails(
  names: Map<number, NameMatch>,
  { contacts, values }: { contacts: readonly Contact[]; values: readonly ContactMatch[][] },
): void {
  for (const [i, contact] of contacts.entries()) {
    if (contact.kind !== 'email') continue;
    const local = contact.standardized.slice(0, contact.standardized.lastIndexOf('@'));
    for (const { identity } of values[i] ?? []) {
      const name = names.get(identity);
      if (name?.sharedHalf !== 'family' || name.closestName === null) continue;
      const [given = ''] = getLatinNamePartsByRole(prepareName(name.closestName)).given;
      if (given.length >= MIN_GIVEN_NAME_IN_EMAIL && local.includes(given))
        names.set(identity, { ...name, isGivenNameInEmail: true });
    }
  }
}

/** Minimum number of letters of a given name in an e-mail. Shorter ones are in many words by chance. */
const MIN_GIVEN_NAME_IN_EMAIL = 3;

/**
 * Name agreements (0-100) to which an e-mail raises a recorded name that it contradicts, by spelling the submitted name: if the given or the family
 * name is equal (`halfShared`), and if neither is (`noHalfShared`).
 */
const SPELT_AGREEMENT = { noHalfShared: 30, halfShared: 45 };

/**
 * Name agreement (0-100) for a record that has only the initial of the submitted given name, if only this identity has an e-mail that spells the
 * name.
 */
export const INITIAL_WITH_EMAIL_AGREEMENT_PERCENT = 90;

/**
 * Returns the name agreement (0-100) of an identity, raised because an e-mail of the identity spells the submitted name.
 * @param share number of identities that have the e-mail
 */
export function raiseNameAgreementByEmail(
  agreement: number,
  { isHalfShared, share }: { isHalfShared: boolean; share: number },
): number {
  const most = isHalfShared ? SPELT_AGREEMENT.halfShared : SPELT_AGREEMENT.noHalfShared;
  return agreement >= most ? agreement : agreement + (most - agreement) / share;
}

/**
 * Returns the name matches, with a higher agreement where the name is doubtful and submitted contacts support the identity. A doubtful name counts as
 * the same if contacts of several types belong to the identity and to few others: another person would hardly have such a similar name.
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
 * True if the submitted name may be a misspelling of the recorded name. Three cases: given and family name differ only by typing errors; one of them
 * is equal and an e-mail spells the other one; the submitted name is one rare word of the recorded name.
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

/** Minimum agreement (0-100) from which a doubtful name can be raised. Names with a lower agreement may be similar by chance. */
const MIN_DOUBTFUL_AGREEMENT = 18;
/**
 * Weighted numbers of contact types that support a name: the agreement rises above `some`, the name counts as the same from `enough` on, `most` is
 * the maximum.
 */
const KINDS = { some: 1, enough: 1.5, most: 3 };
/** Agreement (0-100) of a name that contacts confirm: `enough` and `most` are for these numbers of contact types in `KINDS`. */
const SUPPORTED_AGREEMENT = { enough: 55, most: 75 };
/** Fraction (0-1) of the lower agreement's excess over `enough` that is added to the higher one, if both initials and contacts support a name. */
const INITIALS_SHARE = 0.05;
/** Agreement (0-100) that a doubtful name approaches, but does not reach, with fewer contact types than `enough`. */
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

/** Returns the number of contact types with a contact of the identity. A type counts less than 1 if several identities share its contact. */
function countKinds(contacts: readonly ContactEvidence[], id: number): number {
  const weightOfKind = new Map<string, number>();
  for (const { kind, agreements } of contacts)
    for (const { identity, share } of agreements)
      if (identity === id) weightOfKind.set(kind, Math.max(weightOfKind.get(kind) ?? 0, 2 / (1 + share)));
  let kinds = 0;
  for (const weight of weightOfKind.values()) kinds += weight;
  return kinds;
}
