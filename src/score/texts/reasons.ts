// Texts of the reasons of a score.
import type { CheckEvidence, ContactKind } from '../../model.ts';
import type { ScoreReason } from '../reason.ts';
import type { WeighedContact } from '../values.ts';
import {
  countOtherHolders,
  getYearsBetween,
  hasOtherSuffix,
  isOtherOfSameName,
  isOfOtherFamilyName,
  isParentOrChild,
  type VerdictFacts,
} from './facts.ts';
import {
  formatContactLabel,
  formatCountOfNoun,
  formatCountOfOthers,
  formatNumberWithCommas,
} from './phrases.ts';
import { NON_PERSON_NAME_DESCRIPTIONS, OTHER_SUFFIX, PARTIAL_NAME_DESCRIPTIONS } from './names.ts';

/** Returns a text for each reason with its bits and code, by descending weight. The reason `start` is last. */
export function composeReasonTexts(facts: VerdictFacts): string[] {
  return facts.best.reasons
    .toSorted((a, b) => rank(b) - rank(a))
    .map(
      (reason) => `${formatBits(reason.millibits)} bits: ${describeReason(reason, facts)} [${reason.code}]`,
    );
}

const rank = ({ code, millibits }: ScoreReason) => (code === 'start' ? -1 : Math.abs(millibits));

/** Formats thousandths of a bit (a multiple of ten) as bits with a sign and two decimals: "+1.25", "-0.40". */
function formatBits(millibits: number): string {
  const hundredths = Math.round(Math.abs(millibits) / 10);
  const [bits, rest] = [Math.floor(hundredths / 100), hundredths % 100];
  return `${millibits < 0 ? '-' : '+'}${bits}.${rest < 10 ? '0' : ''}${rest}`;
}

function describeReason({ code, value }: ScoreReason, facts: VerdictFacts): string {
  const { best, evidence, contacts } = facts;
  if (!value) return REASONS_WITHOUT_CONTACT[code as keyof typeof REASONS_WITHOUT_CONTACT](facts);
  const contact = formatContactLabel({ contacts: evidence.contacts, index: value.index });
  if (code === `${value.kind}_own`)
    return `${contact} belongs to ${best.hasName ? `identity ${best.identity}` : 'the same identity'}${formatSharers(value, best.identity)}`;
  if (code === `${value.kind}_in_part`)
    return `${contact} belongs to an identity that matches only part of the name`;
  const identity = contacts[value.index]?.identity ?? null;
  const holder = `identity ${identity}`;
  if (identity !== null && best.namesakes.has(identity))
    return `${contact} belongs to ${holder}, ${hasOtherSuffix(facts, identity) ? OTHER_SUFFIX : 'another person of the same name'}${formatSharers(value, identity, ', and to')}`;
  if (isOtherOfSameName(facts, identity)) return `${contact} belongs to ${holder}, which has the same name`;
  if (code !== `${value.kind}_household`)
    return `${contact} belongs to ${holder}${formatSharers(value, identity)}`;
  if (isParentOrChild(facts, identity))
    return `${contact} belongs to ${holder}, who may be a parent or child, by the patronymic`;
  const who = !value.isOfFamily
    ? 'whose address on record is the same'
    : isOfOtherFamilyName(facts, identity)
      ? 'whose family name is that of another name of the person and who may be a relative'
      : 'whose family name is the same and who may be a relative';
  return `${contact} belongs to ${holder}, ${who}${formatSharers(value, identity, ', and to')}`;
}

/** Returns the number of a contact's other holders, as an addition to a sentence about one holder: " and 10 others". Empty if there are none. */
function formatSharers(value: WeighedContact, holder: number | null, and = ' and'): string {
  const others = countOtherHolders(value, holder);
  return others > 0 ? `${and} ${formatCountOfOthers(others)}` : '';
}

function describeNameForm(identity: number | null, { nameAgreements }: CheckEvidence): string {
  const match = nameAgreements.get(identity ?? 0);
  if (match?.hasInitial) return `the name has only an initial for a word of the name of identity ${identity}`;
  return match?.isInitialOnRecord
    ? `the name of identity ${identity} has only an initial for a word of the submitted name`
    : `identity ${identity} has another form of the name`;
}

const REASONS_WITHOUT_CONTACT: Record<
  Exclude<ScoreReason['code'], `${ContactKind}_${string}`>,
  (facts: VerdictFacts) => string
> = {
  start: () => 'every check starts here, before any evidence',
  name_borne: ({ best, evidence, sharedPart, contacts }) => {
    if (contacts.length === 0) return 'the name appears in the identity graph';
    if (sharedPart) return `identity ${best.identity} counts as having this name, because of its contacts`;
    const { nameHolders, graphSize } = evidence;
    const match = best.identity === null ? undefined : evidence.nameAgreements.get(best.identity);
    const isExact = match?.variation === 'exact' || match?.differsOnlyByTitle;
    const holders = isExact ? Math.max(1, nameHolders) : nameHolders;
    const count = `${holders === 0 ? 'none' : formatNumberWithCommas(holders)} of ${formatCountOfNoun(graphSize, 'identity')} ${holders > 1 ? 'have' : 'has'}`;
    return isExact
      ? `identity ${best.identity} has this name; ${count} it`
      : `identity ${best.identity} has this name in another form; ${count} ${holders === 0 ? 'exactly this form' : 'the submitted form or a spelling of it'}`;
  },
  name_varies: ({ best, evidence, sharedPart, contacts }) =>
    contacts.length === 0
      ? 'a name alone is compared with the nearest name on record'
      : sharedPart
        ? `the contacts belong to an identity ${PARTIAL_NAME_DESCRIPTIONS[sharedPart]}`
        : best.identity !== null && evidence.nameAgreements.get(best.identity)?.hasOtherWord
          ? `identity ${best.identity} has the name with another middle name or initial`
          : describeNameForm(best.identity, evidence),
  name_of_household: ({ sharedPart }) =>
    sharedPart === 'patronymic'
      ? 'the contacts belong to a possible parent or child, by the patronymic'
      : sharedPart === 'suffix'
        ? 'the contacts belong to somebody of the same name with another suffix, who may be a relative'
        : 'the contacts belong to somebody with the same family name, who may be a relative',
  name_no_person: ({ evidence }) =>
    `the name ${NON_PERSON_NAME_DESCRIPTIONS[evidence.nonPerson ?? 'company']}`,
  name_in_part: () => 'the contacts belong to an identity that matches only part of the name',
  name_unknown: () => 'the matching records have no name',
  history: ({ best, evidence }) => {
    const known = best.identity === null ? undefined : evidence.identities.get(best.identity);
    const years = getYearsBetween(known?.firstSeen ?? null, known?.lastSeen ?? evidence.newestSeen) ?? 0;
    return `the records of identity ${best.identity} span ${years < 1 ? 'less than a year' : formatCountOfNoun(years, 'year')}`;
  },
};
