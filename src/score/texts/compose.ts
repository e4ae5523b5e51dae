// Chooses the sentences that explain a verdict.
import { askAboutContactsOfOthers, askForNextStep } from './next-step.ts';
import { formatVerdictWord, type NameMatch, type VerdictWord } from '../../model.ts';
import { MISSPELT_KEYS } from '../statuses.ts';
import { OLD_PHONE_YEARS } from '../weights.ts';
import {
  type VerdictFacts,
  countOtherHolders,
  findAgeOfOwnContact,
  findOtherHolderOfAllContacts,
  getYearsUnseen,
  hasOtherSuffix,
  hasResidentOfFamily,
  isNameless,
  isNamedPartner,
  isOtherOfSameName,
  isOfOtherFamilyName,
  isParentOrChild,
  MANY_SHARERS,
} from './facts.ts';
import { NAME_FORMS, type NameForm } from './names.ts';
import { fillSentenceTemplate } from './sentences.ts';

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
  const second = isDoubtful ? askForNextStep(facts) : secondSentence(facts);
  return {
    message: `${formatVerdictWord(verdict)}: ${text}`,
    summary: second ? `${text} ${second}` : text,
  };
}

/** Returns one sentence that says to whom the submitted values belong. */
function headline(facts: VerdictFacts): string {
  const { name, own, others, nameless, otherIdentities, sameName, sharedPart, ofBest, sharers, evidence } =
    facts;
  // Each of the contacts that several people share belongs to other identities.
  const identities = Math.max(otherIdentities, sharers.least);
  const contacts = facts.contacts.length;
  const isSameName = sameName > 0 && sameName === others - nameless;
  const counts = { others, nameless, identities, isSameName, contacts };
  const isNameOnRecord = name.identity !== null;
  if (contacts === 0) return fillSentenceTemplate(name.identity === null ? 'name_absent' : 'name_present');
  if (facts.unknown === contacts) return fillSentenceTemplate('no_record', { contacts });
  if (own > 0 && evidence.nonPerson === 'couple')
    return fillSentenceTemplate('couple_contacts', { own, others, contacts });
  if (own > 0 && sharedPart)
    return fillSentenceTemplate('partial_name', { ...counts, part: sharedPart, own, countsAsSame: true });
  const match = evidence.nameAgreements.get(name.identity ?? 0);
  const isDoubtful = facts.band === 'LOW' || facts.band === 'VERY_LOW';
  if (own > 0 && others === 0 && isDoubtful && (match?.hasInitial || match?.isInitialOnRecord))
    return fillSentenceTemplate('own_contacts_of_initial', {
      own,
      contacts,
      isOnRecord: match.isInitialOnRecord === true,
    });
  if (own > 0 && others === 0)
    return fillSentenceTemplate('own_contacts', { own, contacts, sort: evidence.nonPerson ?? null });
  if (own > 0)
    return findOtherHolderOfAllContacts(facts) === null
      ? fillSentenceTemplate('own_and_other_contacts', { ...counts, own })
      : fillSentenceTemplate('own_among_all_of_other', { own, all: own + others, contacts });
  if (isShared(facts) && nameless === 0 && (isNameOnRecord || !sharedPart))
    return fillSentenceTemplate('shared_contacts_of_others', { others, contacts, sharers, isNameOnRecord });
  if (isNameOnRecord) return fillSentenceTemplate('other_contacts', counts);
  const part = { ...counts, own: ofBest, others: others - ofBest, countsAsSame: false };
  return sharedPart && sharedPart !== 'nameless' && otherIdentities === 1 && nameless === 0 && ofBest > 0
    ? fillSentenceTemplate('partial_name', { part: sharedPart, ...part })
    : fillSentenceTemplate('other_name', counts);
}

/** True if all contacts on record belong to other people, and several people share each of them. The texts then cannot speak of "the identity". */
const isShared = ({ own, others, sharers }: VerdictFacts) => own === 0 && others > 0 && sharers.least > 1;

function secondSentence(facts: VerdictFacts): string | null {
  const { contacts, unknown, years, name, dominant, otherIdentities, own, others, best, evidence } = facts;
  if (contacts.length === 0) return null;
  if (unknown === contacts.length) return fillSentenceTemplate('ask_for_older_contact');
  if (own > 0 && others > 0) return askAboutContactsOfOthers(facts);
  if (unknown > 0) return fillSentenceTemplate('some_unknown', getUnknownContacts(facts));
  // "The identity" would be ambiguous if name and contacts resolve to two identities.
  const isOneIdentity =
    evidence.nonPerson !== 'couple' &&
    (name.identity === null
      ? otherIdentities === 1 && !isShared(facts) && (!facts.sharedPart || best.identity === dominant)
      : name.identity === dominant && own > 0 && others === 0);
  return years !== null && years >= 1 && unknown === 0 && isOneIdentity
    ? fillSentenceTemplate('identity_years', { years })
    : null;
}

const getUnknownContacts = ({ contacts, evidence, unknown }: VerdictFacts) => ({
  contacts: evidence.contacts,
  index: contacts.findIndex(({ identity }) => identity === null),
  unknown,
});

/** Number of identities with a name, above which the texts call the name common. */
const MANY_NAME_HOLDERS = 10;

/** Returns sentences that help a reviewer to decide, the most important first. Empty for a claim without contacts. */
export function composeInsights(facts: VerdictFacts): string[] {
  const { contacts, unknown, years, yearsUnseen, dominant } = facts;
  if (contacts.length === 0) return [];
  const { nonPerson } = facts.evidence;
  const sentences = nonPerson ? [fillSentenceTemplate('name_no_person', { sort: nonPerson })] : [];
  if (facts.evidence.hasMixedScripts) sentences.push(fillSentenceTemplate('name_mixed_scripts'));
  sentences.push(...flagInsights(facts), ...nameInsights(facts));
  for (let index = 0; index < contacts.length; index++) addContactInsights(facts, index, sentences);
  if (unknown > 0) sentences.push(fillSentenceTemplate('values_unknown', getUnknownContacts(facts)));
  // The history of a name alone would be that of one of all people with this name.
  if (years !== null && dominant !== null && unknown < contacts.length && mayBeOfPerson(facts))
    sentences.push(fillSentenceTemplate('history', { identity: dominant, years, yearsUnseen }));
  return sentences;
}

/** True if the dominant identity may be the person named: it has the name or a part of it. */
const mayBeOfPerson = ({ name, dominant, sharedPart, best }: VerdictFacts) =>
  name.identity === null ? sharedPart !== null && best.identity === dominant : name.identity === dominant;

function flagInsights(facts: VerdictFacts): string[] {
  const { isCatfish, own, others, nameless, otherIdentities, otherPeople, sameName, sharers } = facts;
  if (!isCatfish) return [];
  const identity = own > 0 ? findOtherHolderOfAllContacts(facts) : null;
  if (identity !== null) return [fillSentenceTemplate('contacts_of_one', { identity })];
  if (own > 0 || otherIdentities > 1) {
    // The others of a shared contact are not counted, and who has the name of the person may be the person.
    const people = otherPeople + (own > 0 || sameName > 0 ? 1 : 0);
    if (people < 2 && sharers.greatest <= 1) return [];
    const isLeast = sameName + nameless > 0;
    return [
      fillSentenceTemplate('contacts_split', { people: sharers.greatest > 1 ? null : people, isLeast }),
    ];
  }
  return mayBeOfRelative(facts) ? [] : [fillSentenceTemplate('contacts_elsewhere', { others })];
}

/** True if the answer says that the contacts may be those of a relative or of the person under another name, or that their records have no name. */
const mayBeOfRelative = ({ name, sharedPart, best, others, nameless }: VerdictFacts) =>
  (name.status === 'unverified' && sharedPart !== null) || best.household.size > 0 || nameless === others;

function nameInsights(facts: VerdictFacts): string[] {
  const { name, sharedPart: part, own, others, ofBest, evidence, dominant } = facts;
  const { identity } = name;
  const { nameHolders } = evidence;
  if (name.status === 'unverified') {
    const of = evidence.nameAgreements.get(facts.best.identity ?? 0);
    if (part === 'both' && of?.longer === 'submitted')
      return [fillSentenceTemplate('name_form', { form: 'submitted_longer' })];
    if (part === 'both' && evidence.hasMixedScripts) return [];
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
        ? fillSentenceTemplate('name_minority', { identity, isNameless: isNameless(evidence, dominant) })
        : fillSentenceTemplate('name_elsewhere', { identity }),
    );
  const match = identity === null ? undefined : evidence.nameAgreements.get(identity);
  const variation = match?.variation;
  if (match?.hasOtherWord) sentences.push(fillSentenceTemplate('name_other_word'));
  else if (part && part !== 'both')
    sentences.push(fillSentenceTemplate('name_unknown', { part, contacts: own }));
  else if (match && variation !== 'exact' && !match.differsOnlyByTitle && !evidence.nonPerson)
    sentences.push(fillSentenceTemplate('name_form', { form: findNameForm(match) }));
  else if (name.status === 'secondary') sentences.push(fillSentenceTemplate('name_secondary'));
  if (nameHolders > MANY_NAME_HOLDERS) sentences.push(fillSentenceTemplate('name_common', { nameHolders }));
  return sentences;
}

/** Returns how the submitted name differs from the name on record; null for a difference without a sentence of its own. */
function findNameForm({ hasInitial, isInitialOnRecord, variation, longer }: NameMatch): NameForm | null {
  if (hasInitial) return 'initial';
  if (isInitialOnRecord) return 'initial_on_record';
  if (variation === 'partial' && longer) return `${longer}_longer`;
  return variation in NAME_FORMS ? (variation as NameForm) : null;
}

function addContactInsights(facts: VerdictFacts, index: number, sentences: string[]): void {
  const { evidence, contacts, name, isOwn } = facts;
  const contact = evidence.contacts[index];
  const resolution = contacts[index];
  if (!contact || !resolution) return;
  const contactFact = { contacts: evidence.contacts, index };
  const { identity } = resolution;
  const hasSameName = isOtherOfSameName(facts, identity);
  const isOfPartner = identity !== name.identity && identity !== null && isNamedPartner(evidence, identity);
  const { household, namesakes } = facts.best;
  const ofHousehold = [...household].find((value) => value.index === index);
  const isOfNamesake = identity !== null && namesakes.has(identity);
  if (hasSameName)
    sentences.push(
      fillSentenceTemplate('contact_same_name', {
        ...contactFact,
        identity,
        hasInitial: evidence.nameAgreements.get(name.identity ?? 0)?.hasInitial === true,
      }),
    );
  else if (isOfPartner)
    sentences.push(fillSentenceTemplate('contact_of_partner', { ...contactFact, identity }));
  else if (isNameless(evidence, identity) && resolution.status === 'different')
    sentences.push(fillSentenceTemplate('contact_nameless', { ...contactFact, identity }));
  else if (resolution.status === 'different') {
    const others = countOtherHolders(contact, identity);
    // The sentence about a relative or namesake says it.
    if (others > 0 || !(ofHousehold || isOfNamesake))
      sentences.push(fillSentenceTemplate('contact_elsewhere', { ...contactFact, identity, others }));
    const hasSameGivenName = evidence.nameAgreements.get(identity ?? 0)?.sharedHalf === 'given';
    if (facts.best.hasName && hasSameGivenName && !isOwn[index])
      sentences.push(fillSentenceTemplate('contact_same_given', contactFact));
  }
  if (isOwn[index] && identity !== name.identity && !isOfPartner)
    sentences.push(fillSentenceTemplate('contact_also_own', { ...contactFact, identity: name.identity }));
  if (isOfNamesake)
    sentences.push(
      fillSentenceTemplate('contact_namesake', {
        ...contactFact,
        identity,
        hasOtherSuffix: hasOtherSuffix(facts, identity),
      }),
    );
  else if (ofHousehold)
    sentences.push(
      fillSentenceTemplate(ofHousehold.isOfFamily ? 'contact_household' : 'contact_home', {
        ...contactFact,
        identity,
        isParentOrChild: isParentOrChild(facts, identity),
        isOfOtherName: isOfOtherFamilyName(facts, identity),
      }),
    );
  else if (hasResidentOfFamily(facts, contact))
    sentences.push(fillSentenceTemplate('address_of_family', contactFact));
  const agreement = contact.agreements.find((candidate) => candidate.identity === identity);
  if (!isOwn[index] && contact.kind === 'phone' && agreement) {
    const years = Math.min(...contact.agreements.map((one) => getYearsUnseen(one, evidence)));
    if (years >= OLD_PHONE_YEARS)
      sentences.push(fillSentenceTemplate('phone_old', { ...contactFact, years }));
  }
  const age = findAgeOfOwnContact(facts, index);
  if (age) sentences.push(fillSentenceTemplate(age.code, { ...contactFact, years: age.years }));
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
