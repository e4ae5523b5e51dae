// Chooses the sentences that explain a verdict.
import { nextStep } from './next-step.ts';
import {
  type ContactMatch,
  type ContactKind,
  formatVerdictWord,
  getContactLastSeen,
  type VerdictWord,
} from '../../model.ts';
import type { ScoreReason } from '../reason.ts';
import { getYearsOfLaterStrangerUse, type WeighedContact } from '../values.ts';
import { OLD_PHONE_YEARS } from '../weights.ts';
import {
  type VerdictFacts,
  countOtherHolders,
  findOtherHolderOfAllContacts,
  getYearsBetween,
  hasResidentOfFamily,
  isNamedPartner,
  MANY_SHARERS,
} from './facts.ts';
import {
  type ContactFact,
  formatCountOfNoun,
  formatCountOfOthers,
  formatContactLabel,
  fillSentenceTemplate,
  formatNumberWithCommas,
  NON_PERSON_NAME_DESCRIPTIONS,
  PARTIAL_NAME_DESCRIPTIONS,
} from './sentences.ts';

/**
 * Composes `message` (the verdict in capitals, a colon, and the headline) and `summary` (the headline, and a second sentence if there is another
 * important fact).
 */
export function composeMessageAndSummary(
  facts: VerdictFacts,
  verdict: VerdictWord,
): { message: string; summary: string } {
  const text = headline(facts);
  const isDoubtful = verdict === 'suspicious' || verdict === 'high-risk';
  const second = isDoubtful ? nextStep(facts) : facts.contacts.length > 0 ? secondSentence(facts) : null;
  return {
    message: `${formatVerdictWord(verdict)}: ${text}`,
    summary: second ? `${text} ${second}` : text,
  };
}

/** Returns one sentence that says to whom the submitted values belong. */
function headline(facts: VerdictFacts): string {
  const { name, own, others, otherIdentities, unknown, sharedPart, ofBest, sharers, evidence } = facts;
  // Each of the contacts that several people share belongs to other identities.
  const identities = Math.max(otherIdentities, sharers);
  const contacts = facts.contacts.length;
  const counts = { others, identities, contacts };
  const isNameOnRecord = name.identity !== null;
  if (contacts === 0)
    return name.identity === null
      ? fillSentenceTemplate('name_absent')
      : fillSentenceTemplate('name_present', { nameHolders: evidence.nameHolders });
  if (unknown === contacts) return fillSentenceTemplate('no_record', { contacts });
  if (own > 0 && hasPartnerContacts(facts))
    return fillSentenceTemplate('couple_contacts', { own, others, contacts });
  if (own > 0 && sharedPart)
    return fillSentenceTemplate('partial_name', { ...counts, part: sharedPart, own, countsAsSame: true });
  if (own > 0)
    return others === 0
      ? fillSentenceTemplate('own_contacts', { own, contacts, sort: evidence.nonPerson ?? null })
      : fillSentenceTemplate('own_and_other_contacts', { own, others, identities, contacts });
  if (isShared(facts) && (isNameOnRecord || !sharedPart))
    return fillSentenceTemplate('shared_contacts_of_others', {
      others,
      sharers,
      isNameOnRecord,
    });
  if (isNameOnRecord) return fillSentenceTemplate('other_contacts', { others, identities });
  const part = { own: ofBest, others: others - ofBest, identities, contacts, countsAsSame: false };
  return sharedPart && otherIdentities === 1 && ofBest > 0
    ? fillSentenceTemplate('partial_name', { part: sharedPart, ...part })
    : fillSentenceTemplate('other_name', { others, identities });
}

/** True if the submitted name is a couple's, and the partner of the matched person has submitted contacts too. */
const hasPartnerContacts = ({ contacts, name, evidence }: VerdictFacts) =>
  contacts.some(
    ({ identity }) => identity !== null && identity !== name.identity && isNamedPartner(evidence, identity),
  );

/** True if all contacts on record belong to other people, and several people share each of them. The texts then cannot speak of "the identity". */
const isShared = ({ own, others, sharers }: VerdictFacts) => own === 0 && others > 0 && sharers > 1;

function secondSentence(facts: VerdictFacts): string | null {
  const { contacts, unknown, years, name, dominant, otherIdentities, own, best } = facts;
  if (unknown > 0 && unknown < contacts.length) return fillSentenceTemplate('some_unknown', { unknown });
  // "The identity" would be ambiguous if name and contacts resolve to two identities.
  const isOneIdentity =
    !hasPartnerContacts(facts) &&
    (name.identity === null
      ? otherIdentities === 1 && !isShared(facts) && (!facts.sharedPart || best.identity === dominant)
      : name.identity === dominant && own > 0);
  return years !== null && years >= 1 && unknown === 0 && isOneIdentity
    ? fillSentenceTemplate('identity_years', { years })
    : null;
}

/** Number of identities with a name, above which the texts call the name common. */
const MANY_NAME_HOLDERS = 10;

/** Returns sentences that help a reviewer to decide, the most important first. Empty for a claim without contacts. */
export function composeInsights(facts: VerdictFacts): string[] {
  const { contacts, unknown, years, dominant } = facts;
  if (contacts.length === 0) return [];
  const { nonPerson } = facts.evidence;
  const sentences = nonPerson ? [fillSentenceTemplate('name_no_person', { sort: nonPerson })] : [];
  if (facts.evidence.hasMixedScripts) sentences.push(fillSentenceTemplate('name_mixed_scripts'));
  sentences.push(...flagInsights(facts), ...nameInsights(facts));
  for (let index = 0; index < contacts.length; index++) addContactInsights(facts, index, sentences);
  if (unknown > 0) sentences.push(fillSentenceTemplate('values_unknown', { unknown }));
  // The history of a name alone would be that of one of all people with this name.
  if (years !== null && dominant !== null && unknown < contacts.length)
    sentences.push(fillSentenceTemplate('history', { identity: dominant, years }));
  return sentences;
}

function flagInsights(facts: VerdictFacts): string[] {
  const { isCatfish, own, others, otherIdentities } = facts;
  if (!isCatfish) return [];
  const identity = own > 0 ? findOtherHolderOfAllContacts(facts) : null;
  if (identity !== null) return [fillSentenceTemplate('contacts_of_one', { identity })];
  return [
    own > 0 || otherIdentities > 1
      ? fillSentenceTemplate('contacts_split', { people: otherIdentities + (own > 0 ? 1 : 0) })
      : fillSentenceTemplate('contacts_elsewhere', { others }),
  ];
}

function nameInsights(facts: VerdictFacts): string[] {
  const { name, sharedPart: part, own, others, ofBest, evidence } = facts;
  const { identity } = name;
  const { nameHolders } = evidence;
  if (name.status === 'unverified') {
    if (part) return [fillSentenceTemplate('name_unknown', { part, contacts: ofBest })];
    return [
      others > 0
        ? fillSentenceTemplate('name_of_no_contact', { contacts: others })
        : fillSentenceTemplate('name_without_record'),
    ];
  }
  const sentences: string[] = [];
  if (name.status === 'different')
    sentences.push(
      own > 0
        ? fillSentenceTemplate('name_minority', { identity })
        : fillSentenceTemplate('name_elsewhere', { identity }),
    );
  const match = identity === null ? undefined : evidence.nameAgreements.get(identity);
  const variation = match?.variation;
  if (match?.hasOtherWord) sentences.push(fillSentenceTemplate('name_other_word'));
  else if (part && part !== 'both')
    sentences.push(fillSentenceTemplate('name_unknown', { part, contacts: own }));
  else if (variation !== undefined && variation !== 'exact' && !match?.differsOnlyByTitle)
    sentences.push(fillSentenceTemplate('name_form', { variation }));
  if (name.status === 'secondary') sentences.push(fillSentenceTemplate('name_secondary'));
  if (nameHolders > MANY_NAME_HOLDERS) sentences.push(fillSentenceTemplate('name_common', { nameHolders }));
  return sentences;
}

/** True for another identity with the submitted name that may be the same person, because no suffix or birth date distinguishes the two. */
function isOtherOfSameName({ evidence, name, best }: VerdictFacts, identity: number | null): boolean {
  if (identity === null || identity === name.identity || best.namesakes.has(identity)) return false;
  // Two people of one couple have its name.
  if (evidence.nonPerson) return false;
  return evidence.nameAgreements.get(identity)?.isSame ?? false;
}

/** Types of look-up keys that find addresses with another spelling. */
const MISSPELT_KEYS: ReadonlySet<ContactMatch['type']> = new Set(['core', 'typo', 'street']);

function addContactInsights(facts: VerdictFacts, index: number, sentences: string[]): void {
  const { evidence, contacts, name, isOwn } = facts;
  const contact = evidence.contacts[index];
  const resolution = contacts[index];
  if (!contact || !resolution) return;
  const contactFact = { contacts: evidence.contacts, index };
  const { identity } = resolution;
  const hasSameName = isOtherOfSameName(facts, identity);
  const isOfPartner = identity !== name.identity && identity !== null && isNamedPartner(evidence, identity);
  if (hasSameName) sentences.push(fillSentenceTemplate('contact_same_name', { ...contactFact, identity }));
  else if (isOfPartner)
    sentences.push(fillSentenceTemplate('contact_of_partner', { ...contactFact, identity }));
  else if (resolution.status === 'different') {
    const others = countOtherHolders(contact, identity);
    sentences.push(fillSentenceTemplate('contact_elsewhere', { ...contactFact, identity, others }));
    const hasSameGivenName = evidence.nameAgreements.get(identity ?? 0)?.sharedHalf === 'given';
    if (facts.best.hasName && hasSameGivenName && !isOwn[index])
      sentences.push(fillSentenceTemplate('contact_same_given', contactFact));
  }
  if (isOwn[index] && identity !== name.identity && !isOfPartner)
    sentences.push(fillSentenceTemplate('contact_also_own', { ...contactFact, identity: name.identity }));
  const { household, namesakes } = facts.best;
  if (identity !== null && namesakes.has(identity))
    sentences.push(fillSentenceTemplate('contact_namesake', { ...contactFact, identity }));
  else if (household.size > 0 && [...household].some((value) => value.index === index))
    sentences.push(
      fillSentenceTemplate('contact_household', {
        ...contactFact,
        identity,
        isParentOrChild: isParentOrChild(facts, identity),
      }),
    );
  else if (hasResidentOfFamily(facts, contact))
    sentences.push(fillSentenceTemplate('address_of_family', contactFact));
  const agreement = contact.agreements.find((candidate) => candidate.identity === identity);
  const yearsOf = (one: ContactMatch) => getYearsBetween(getContactLastSeen(one), evidence.newestSeen) ?? 0;
  if (!isOwn[index] && contact.kind === 'phone' && agreement) {
    const years = Math.min(...contact.agreements.map(yearsOf));
    if (years >= OLD_PHONE_YEARS)
      sentences.push(fillSentenceTemplate('phone_old', { ...contactFact, years }));
  }
  const own = facts.best.own.values.find((value) => value.index === index);
  const match = name.identity === null ? undefined : own?.holders.get(name.identity);
  if (own && match) addOwnContactAge({ own, match, fact: contactFact, years: yearsOf(match) }, sentences);
  const share = agreement?.share ?? 1;
  if (share > MANY_SHARERS) sentences.push(fillSentenceTemplate('contact_shared', { ...contactFact, share }));
  if (agreement && MISSPELT_KEYS.has(agreement.type))
    sentences.push(fillSentenceTemplate('contact_misspelt', contactFact));
  const { hasLookAlike, disguise } = contact;
  if (hasLookAlike) sentences.push(fillSentenceTemplate('contact_look_alike', contactFact));
  if (disguise && disguise !== 'similar_email')
    sentences.push(fillSentenceTemplate('contact_disguised', { ...contactFact, disguise }));
  if (contact.standardized !== null) sentences.push(fillSentenceTemplate('phone_foreign', contactFact));
  if (contact.hasExtension) sentences.push(fillSentenceTemplate('phone_extension', contactFact));
}

interface OwnContactAge {
  own: WeighedContact;
  /** Match with the identity of the name. */
  match: ContactMatch;
  fact: ContactFact;
  /** Years from the last record with the contact to the newest record of the graph. */
  years: number;
}

/** Adds a sentence if somebody else had the person's phone later, or if the person was last seen with the contact years before other contacts. */
function addOwnContactAge({ own, match, fact, years }: OwnContactAge, sentences: string[]): void {
  if (getYearsOfLaterStrangerUse(own, match.identity) >= OLD_PHONE_YEARS) {
    const later = getYearsBetween(getContactLastSeen(match), own.strangerSeen) ?? 0;
    sentences.push(fillSentenceTemplate('phone_passed_on', { ...fact, years: later }));
  } else if (match.contactLastSeen !== undefined && years >= OLD_PHONE_YEARS)
    sentences.push(fillSentenceTemplate('contact_old', { ...fact, years }));
}

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
    return `${contact} belongs to ${holder}, another person of the same name`;
  if (isOtherOfSameName(facts, identity)) return `${contact} belongs to ${holder}, which has the same name`;
  if (code !== `${value.kind}_household`)
    return `${contact} belongs to ${holder}${formatSharers(value, identity)}`;
  return isParentOrChild(facts, identity)
    ? `${contact} belongs to ${holder}, who may be a parent or child, by the patronymic`
    : `${contact} belongs to ${holder}, whose family name is the same and who may be a relative${formatSharers(value, identity, ', and to')}`;
}

/** Returns the number of a contact's other holders, as an addition to a sentence about one holder: " and 10 others". Empty if there are none. */
function formatSharers(value: WeighedContact, holder: number | null, and = ' and'): string {
  const others = countOtherHolders(value, holder);
  return others > 0 ? `${and} ${formatCountOfOthers(others)}` : '';
}

const isParentOrChild = ({ evidence }: VerdictFacts, identity: number | null): boolean =>
  identity !== null && (evidence.nameAgreements.get(identity)?.isParentOrChild ?? false);

const REASONS_WITHOUT_CONTACT: Record<
  Exclude<ScoreReason['code'], `${ContactKind}_${string}`>,
  (facts: VerdictFacts) => string
> = {
  start: () => 'every check starts here, before any evidence',
  name_borne: ({ best, evidence, sharedPart }) => {
    if (sharedPart) return `identity ${best.identity} counts as having this name, because of its contacts`;
    const { nameHolders, graphSize } = evidence;
    const match = best.identity === null ? undefined : evidence.nameAgreements.get(best.identity);
    const isExact = match?.variation === 'exact' || match?.differsOnlyByTitle;
    const holders = isExact ? Math.max(1, nameHolders) : nameHolders;
    const count = `${holders === 0 ? 'none' : formatNumberWithCommas(holders)} of ${formatCountOfNoun(graphSize, 'identity')} ${holders > 1 ? 'have' : 'has'}`;
    return isExact
      ? `identity ${best.identity} has this name; ${count} it`
      : `identity ${best.identity} has this name in another form; ${count} exactly this form`;
  },
  name_varies: ({ best, evidence, sharedPart }) =>
    sharedPart
      ? `the contacts belong to an identity ${PARTIAL_NAME_DESCRIPTIONS[sharedPart]}`
      : best.identity !== null && evidence.nameAgreements.get(best.identity)?.hasOtherWord
        ? `identity ${best.identity} has the name with another middle name or initial`
        : `identity ${best.identity} has another form of the name`,
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
    const years = getYearsBetween(known?.firstSeen ?? 0, known?.lastSeen ?? 0) ?? 0;
    return `the records of identity ${best.identity} span ${formatCountOfNoun(years, 'year')}`;
  },
};
