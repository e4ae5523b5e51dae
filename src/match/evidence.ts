// Compares a claim with the answer of the graph: contact by contact, and the name with the names of every
// identity. This file assigns no weights.
import type {
  ContactMatch,
  Contact,
  ContactEvidence,
  CheckEvidence,
  Identity,
  LookupKey,
  NameMatch,
  WeighedEvidence,
} from '../model.ts';
import { findNonPersonNameType, type PreparedName } from '../names/index.ts';
import {
  findNameSpellingInEmail,
  markGivenNamesInEmails,
  raiseNameAgreementByEmail,
  INITIAL_WITH_EMAIL_AGREEMENT_PERCENT,
  raiseNameAgreementsByContacts,
} from './contact-support.ts';
import { findAddressCountry } from '../normalise/address.ts';
import { isRoleMailbox } from '../normalise/email.ts';
import { findDisguisedContactSign, hasMixedScripts } from './disguise.ts';
import {
  interpretPhonesInAddressCountries,
  LOOSE_KEYS,
  type PhoneInterpretation,
  removeMatchesWithOtherUnits,
} from './graph-query.ts';
import { raiseAgreementsOfUndecidedNames } from './undecided-names.ts';
import { createGivenNameOnlyMatch, createNameComparer } from './name.ts';
import { findNamesOfRelatives, findOtherGenerationNames, findRelativesByOtherName } from './relatives.ts';
import { raiseNamesOfPartners, raiseNamesOfResidents } from './residents.ts';

export interface EvidenceInput {
  name: PreparedName;
  contacts: readonly Contact[];
  /** Submitted phones without a country code, as numbers of the countries of submitted addresses; see `buildGraphQuery`. */
  readings: readonly PhoneInterpretation[];
  /** Answer of the graph to the query of `buildGraphQuery`. */
  answer: {
    total: number;
    newest: number | null;
    values: ContactMatch[][];
    name: { bearers: number; given: number[]; differentPeople?: number[][]; housemates?: number[][] };
    identities: Map<number, Identity>;
  };
}

/** Returns a copy of the input without the contacts at some indexes, as if the claim did not contain them. */
export function removeContactsFromInput(
  { contacts, readings, answer, ...rest }: EvidenceInput,
  removed: ReadonlySet<number>,
): EvidenceInput {
  const oldIndexes = [...contacts.keys()].filter((index) => !removed.has(index));
  const otherContacts = contacts.filter((_, index) => !removed.has(index));
  const otherReadings = interpretPhonesInAddressCountries(otherContacts);
  const values = oldIndexes.map((index) => answer.values[index] ?? []);
  for (const { contact, standardized } of otherReadings) {
    const at = readings.findIndex(
      (reading) => reading.contact === oldIndexes[contact] && reading.standardized === standardized,
    );
    values.push(answer.values[contacts.length + at] ?? []);
  }
  return { ...rest, contacts: otherContacts, readings: otherReadings, answer: { ...answer, values } };
}

/** Collects the evidence of a check: matches of every contact, and matches of the submitted name with every identity in the graph's answer. */
export function collectEvidence(input: EvidenceInput): CheckEvidence {
  const { name, contacts, readings, answer } = input;
  const nonPerson = findNonPersonNameType(name.text);
  const names = compareNames(name, nonPerson === 'company', answer);
  for (const [id, match] of findOtherGenerationNames(names, name)) names.set(id, match);
  const areNear = (one: number, other: number) =>
    answer.name.housemates?.some(([id, holder]) => id === one && holder === other) ?? false;
  if (nonPerson === null)
    for (const [id, match] of findNamesOfRelatives(names, name, answer.name.bearers, areNear))
      names.set(id, match);
  for (const [id, match] of findRelativesByOtherName(names, answer)) names.set(id, match);
  raiseNamesSpeltByEmail(names, name, { contacts, values: answer.values });
  raiseNamesOfPartners(names, { contacts, values: answer.values });
  raiseNamesOfResidents(names, { contacts, values: answer.values });
  markGivenNamesInEmails(names, { contacts, values: answer.values });
  const readContacts = contacts.map((contact, i) => readContact(contact, answer.values[i] ?? [], names));
  const phoneAddresses = readings.length > 0 ? choosePhoneReadings(readContacts, input, names) : NO_INDEXES;
  const contactEvidence = markRepeats(readContacts).map((contact, i) =>
    addContactSigns(contact, contacts[i], name),
  );
  return {
    graphSize: answer.total,
    nonPerson,
    hasMixedScripts: hasMixedScripts(name.text),
    nameHolders: answer.name.bearers,
    differentPeople: answer.name.differentPeople ?? [],
    housemates: answer.name.housemates ?? [],
    newestSeen: answer.newest,
    nameAgreements: raiseAgreementsOfUndecidedNames(
      raiseNameAgreementsByContacts(names, contactEvidence),
      name,
      answer.identities,
    ),
    identities: answer.identities,
    contacts: contactEvidence,
    ...(phoneAddresses.size > 0
      ? { withoutPhoneAddresses: collectEvidence(removeContactsFromInput(input, phoneAddresses)) }
      : {}),
  };
}

/** Compares the submitted name with the names of every identity in the graph's answer. Identities with the same given name are first. */
function compareNames(
  name: PreparedName,
  isCompany: boolean,
  { name: { given }, identities }: EvidenceInput['answer'],
): Map<number, NameMatch> {
  const names = new Map<number, NameMatch>();
  const compareWith = createNameComparer(name, isCompany);
  let givenNameOnly: NameMatch | undefined;
  for (const id of given) {
    const identity = identities.get(id);
    names.set(id, identity ? compareWith(identity) : (givenNameOnly ??= createGivenNameOnlyMatch(name)));
  }
  for (const [id, identity] of identities) if (!names.has(id)) names.set(id, compareWith(identity));
  return names;
}

const NO_INDEXES: ReadonlySet<number> = new Set();

/** Adds to the evidence what the text of the contact shows: a disguise, or a mailbox that several people of a company share. */
function addContactSigns(
  evidence: ContactEvidence,
  contact: Contact | undefined,
  name: PreparedName,
): ContactEvidence {
  if (!contact) return evidence;
  if (isSharedRoleMailbox(contact, evidence)) return { ...evidence, isSharedRoleMailbox: true };
  const disguise = findDisguisedContactSign(contact, evidence, name);
  return disguise === null ? evidence : { ...evidence, disguise };
}

/**
 * Returns the matches in the graph's answer that do not count as evidence. Codes: `similar_value` (only a similar value is on record, for a person
 * with another name), `other_unit` (another unit of the building), `other_reading` (the phone, read as a number of another country).
 */
export function findUncountedMatches(
  { contacts, answer }: EvidenceInput,
  evidence: CheckEvidence,
): WeighedEvidence[] {
  return contacts.flatMap((contact, i) => {
    const { kind } = contact;
    const { agreements = [], standardized = null } = evidence.contacts[i] ?? {};
    const counted = new Set(agreements.map(({ identity }) => identity));
    const all = answer.values[i] ?? [];
    const ofUnit = new Set(removeMatchesWithOtherUnits(all, contact));
    const index = contacts.slice(0, i).filter((other) => other.kind === kind).length;
    return all.flatMap((agreement): WeighedEvidence[] => {
      const { identity, type: key } = agreement;
      if (counted.has(identity)) return [];
      const isOtherReading = kind === 'phone' && standardized !== null;
      const code = isOtherReading ? 'other_reading' : ofUnit.has(agreement) ? 'similar_value' : 'other_unit';
      return [{ code, field: kind, index, key, weight: 0, score_without: null }];
    });
  });
}

/** Evidence of a submitted contact, with its look-up keys. The keys of a phone are those of its number in the country that was chosen for it. */
interface ReadContact extends Omit<ContactEvidence, 'isRepeat'> {
  keys: readonly LookupKey[];
}

type Names = ReadonlyMap<number, NameMatch>;

const hasNameHolder = (agreements: readonly ContactMatch[], names: Names) =>
  agreements.some(({ identity }) => names.get(identity)?.isSame);

/**
 * Evaluates one contact. An e-mail on record that is only similar is no match, because impostors use similar e-mails. A street with another spelling
 * is a match only with an identity whose name agrees, at least in part.
 */
function readContact(contact: Contact, agreements: ContactMatch[], names: Names): ReadContact {
  const { kind, keys } = contact;
  const isMatch = ({ type, identity }: ContactMatch) =>
    !LOOSE_KEYS.has(type) || (kind === 'address' && isLikelySamePerson(names.get(identity)));
  const ofUnit = removeMatchesWithOtherUnits(agreements, contact);
  const matches = ofUnit.every(isMatch) ? ofUnit : ofUnit.filter(isMatch);
  return {
    kind,
    keys,
    agreements: matches,
    hasLookAlike: kind === 'email' && matches.length === 0 && hasNameHolder(agreements, names),
    standardized: null,
    hasExtension: contact.kind === 'phone' && contact.hasExtension === true,
  };
}

const isSharedRoleMailbox = (contact: Contact, { agreements }: ContactEvidence) =>
  contact.kind === 'email' &&
  agreements.some(({ share }) => share > 1) &&
  isRoleMailbox(contact.standardized);

/** Minimum name agreement (0-100) of an identity that may be the person. An identity with less counts as a stranger. */
const MIN_LIKELY_AGREEMENT = 16;
const isLikelySamePerson = (name: NameMatch | undefined) =>
  name !== undefined && (name.isSame || name.agreement >= MIN_LIKELY_AGREEMENT);

/**
 * Replaces phones by their numbers in the countries of submitted addresses, where these are more likely. Returns the indexes of the person's own
 * addresses in the country of a phone that belongs to other people: this phone must not make these addresses lower the score.
 */
function choosePhoneReadings(
  contacts: ReadContact[],
  { contacts: sent, readings, answer }: EvidenceInput,
  names: Names,
): ReadonlySet<number> {
  const own = new Set<number>();
  for (const [i, domestic] of contacts.entries()) {
    if (domestic.kind !== 'phone') continue;
    const others = readings.flatMap((reading, at): ReadPhone[] => {
      if (reading.contact !== i) return [];
      const addresses = sent.flatMap((contact, index) =>
        contact.kind === 'address' && findAddressCountry(contact.standardized) === reading.country
          ? [index]
          : [],
      );
      const isPlaceKnown = addresses.some((index) => contacts[index]?.agreements.length);
      const agreements = answer.values[sent.length + at] ?? [];
      return [{ ...reading, agreements, addresses, isCertain: reading.isOnlyValid && isPlaceKnown }];
    });
    const chosen = choosePhoneReading(domestic, others, names);
    if (!chosen) continue;
    const { agreements, keys, standardized } = chosen;
    contacts[i] = { ...domestic, agreements, keys, standardized };
    if (agreements.length === 0 || hasNameHolder(agreements, names)) continue;
    for (const index of chosen.addresses)
      if (hasNameHolder(contacts[index]?.agreements ?? [], names)) own.add(index);
  }
  return own;
}

/** Submitted phone without country code, read as a number of the country of a submitted address, with its matches. */
interface ReadPhone extends PhoneInterpretation {
  agreements: ContactMatch[];
  /** Indexes of the submitted addresses in this country. */
  addresses: number[];
  /** True if the phone is valid only in `country` (see `isOnlyValid`) and one of `addresses` is on record. */
  isCertain: boolean;
}

/**
 * Chooses the country of a phone. Returns the phone as a number of an address's country; undefined if the default region stays. A certain number
 * (`isCertain`) with a record is chosen, even if it contradicts the claim. Any other number is chosen only if it supports the claim: an identity with
 * the name has it and not the number in the default region; or the number in the default region has no record, and an identity with part of the name
 * has this one.
 */
function choosePhoneReading(
  domestic: ReadContact,
  others: readonly ReadPhone[],
  names: Names,
): ReadPhone | undefined {
  if (hasNameHolder(domestic.agreements, names)) return undefined;
  const isPartialMatch = ({ agreements }: { agreements: ContactMatch[] }) =>
    domestic.agreements.length === 0 &&
    agreements.some(({ identity }) => isLikelySamePerson(names.get(identity)));
  return (
    others.find(({ agreements }) => hasNameHolder(agreements, names)) ??
    others.find(({ isCertain, agreements }) => isCertain && agreements.length > 0) ??
    others.find(isPartialMatch)
  );
}

/**
 * Raises the name agreement of identities that have a submitted e-mail which spells the submitted name, although their records spell the name
 * differently.
 */
function raiseNamesSpeltByEmail(
  names: Map<number, NameMatch>,
  name: PreparedName,
  { contacts, values }: { contacts: readonly Contact[]; values: readonly ContactMatch[][] },
): void {
  const isOtherName = ({ identity }: ContactMatch) => {
    const known = names.get(identity);
    return known?.isSame === false || known?.isInitialOnRecord === true;
  };
  for (let i = 0; i < contacts.length; i++) {
    const contact = contacts[i];
    if (contact?.kind !== 'email') continue;
    const agreements = values[i] ?? [];
    const spelling = agreements.some(isOtherName)
      ? findNameSpellingInEmail(contact.standardized, name)
      : null;
    if (spelling === null) continue;
    for (const { identity, share, type } of agreements) {
      const known = names.get(identity);
      if (known?.isInitialOnRecord && spelling === 'whole' && share === 1 && !LOOSE_KEYS.has(type))
        names.set(identity, {
          ...known,
          agreement: Math.max(known.agreement, INITIAL_WITH_EMAIL_AGREEMENT_PERCENT),
        });
      if (!known || known.isSame || known.isNameless || known.isOtherGeneration || LOOSE_KEYS.has(type))
        continue;
      // An initial fits many given names, so it supports only the family name. It counts if the records lack
      // the family name.
      if (spelling === 'initial' && known.sharedHalf !== 'given') continue;
      const isHalfShared = known.sharedHalf !== null;
      const agreement = raiseNameAgreementByEmail(known.agreement, { isHalfShared, share });
      names.set(identity, { ...known, agreement, isSpeltByEmail: isHalfShared && share === 1 });
    }
  }
}

/**
 * Marks contacts that are submitted twice, such as a phone with and without its country code. The one with the most look-up keys counts. Its repeats
 * get the same evidence, so that the order of the contacts does not matter.
 */
function markRepeats(contacts: readonly ReadContact[]): ContactEvidence[] {
  return contacts.map((contact) => {
    const counted = findRichestRepeat(contact, contacts);
    const { kind, agreements, hasLookAlike } = counted;
    const { standardized, hasExtension } = contact;
    return { kind, agreements, standardized, hasLookAlike, hasExtension, isRepeat: counted !== contact };
  });
}

/** Returns the contact with the most look-up keys among the contacts with the same exact key; the first of several. */
function findRichestRepeat(contact: ReadContact, contacts: readonly ReadContact[]): ReadContact {
  const { kind, keys } = contact;
  const [exact] = keys;
  if (!exact) return contact;
  let best: ReadContact | undefined;
  for (const other of contacts) {
    if (other !== contact && (other.kind !== kind || other.keys[0]?.text !== exact.text)) continue;
    if (!best || isRicher(other.keys, best.keys)) best = other;
  }
  return best ?? contact;
}

function isRicher(a: readonly LookupKey[], b: readonly LookupKey[]): boolean {
  const toText = (keys: readonly LookupKey[]) => keys.map(({ text }) => text).join('\n');
  return a.length === b.length ? toText(a) < toText(b) : a.length > b.length;
}
