import {
  type NarrativeFacts,
  isNameMatched,
  type Observation,
  countContactsOnRecord,
  summariseNameHolderAndOtherContacts,
} from '../known.ts';
import { capitalise, CONTACT_KINDS, joinWords, createContactsPhrase } from '../phrases.ts';

export function observeMatchingContacts(known: NarrativeFacts): Observation | undefined {
  const { matches } = known;
  const part = summariseNameHolderAndOtherContacts(known);
  if (part)
    return {
      id: 'agreement',
      factor: `The name is on record, and so ${matches.of_bearers === 1 ? 'is' : 'are'} ${part.own} with it.`,
      signal: `On record under the name: ${part.own}`,
    };
  const matchedContacts = createContactsPhrase(matches, 'matched');
  if (!matchedContacts || !isNameMatched(known)) return undefined;
  const involved = CONTACT_KINDS.filter((kind) => matches[kind].matched > 0);
  const resolves = `${capitalise(matchedContacts.text)} ${matchedContacts.many ? 'resolve' : 'resolves'} to the identity that bears the name`;
  const several = involved.length > 1;
  // Matches prove little if many people share the contacts, or if another identity has contacts of the claim too.
  const isTelling =
    several &&
    matches.contacts.different === 0 &&
    known.score.confidence === 'HIGH' &&
    !known.score.limits.includes('other_kind');
  return {
    id: 'agreement',
    factor: isTelling ? `${resolves}, and separate kinds of contact seldom agree by chance.` : `${resolves}.`,
    signal: several
      ? `Agreement across ${joinWords(involved)}`
      : `${capitalise(matchedContacts.text)} on record under the name`,
  };
}

const NAME_FACTORS = {
  equal: 'The name agrees with the primary one of the identity.',
  other_form: 'The name agrees with the primary one of the identity, in another form.',
  similar: 'The name resembles the primary one of the identity.',
};

export function observeNameMatch(known: NarrativeFacts): Observation | undefined {
  const { matches } = known;
  if (matches.contacts.submitted === 0) {
    return isNameMatched(known) ? { id: 'name', signal: 'Name on record' } : undefined;
  }
  if (matches.name === 'primary') {
    return {
      id: 'name',
      factor:
        countContactsOnRecord(known) > 0
          ? NAME_FACTORS[matches.name_agreement ?? 'equal']
          : 'Somebody of this name is on record.',
      signal: countContactsOnRecord(known) > 0 ? 'Primary name on record' : 'Name on record',
    };
  }
  if (matches.name !== 'secondary') return undefined;
  return {
    id: 'name',
    factor: 'The name is on record for the identity, though not as its primary one.',
    signal: 'Name on record as another of the identity’s names',
  };
}

export function observePrimaryContacts(known: NarrativeFacts): Observation | undefined {
  const found = createContactsPhrase(known.matches, 'primary');
  if (!found || !isNameMatched(known)) return undefined;
  return { id: 'primary', signal: `Listed as primary: ${found.text}` };
}
