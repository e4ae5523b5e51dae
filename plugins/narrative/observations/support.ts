import {
  type NarrativeFacts,
  isNameMatched,
  type Observation,
  countContactsOnRecord,
  summariseNameHolderAndOtherContacts,
} from '../known.ts';
import { capitalise, CONTACT_KINDS, joinWords, createContactsPhrase, THE_COUPLE } from '../phrases.ts';

export function observeMatchingContacts(known: NarrativeFacts): Observation | undefined {
  const { matches } = known;
  const part = summariseNameHolderAndOtherContacts(known);
  const isInPart = matches.name_agreement === 'similar';
  if (part && isInPart)
    return { id: 'agreement', factor: `An identity with a similar name has ${part.own}.` };
  if (part)
    return {
      id: 'agreement',
      factor: `The name is on record, and so ${matches.of_bearers === 1 ? 'is' : 'are'} ${part.own} with it.`,
      signal: `On record under the name: ${part.own}`,
    };
  const matchedContacts = createContactsPhrase(matches, 'matched');
  if (!matchedContacts || !isNameMatched(known)) return undefined;
  const involved = CONTACT_KINDS.filter((kind) => matches[kind].matched > 0);
  const holder = isInPart
    ? 'an identity whose name agrees only in part'
    : matches.no_person === 'couple'
      ? THE_COUPLE
      : 'the identity that bears the name';
  const contacts = capitalise(matchedContacts.text);
  const resolve = matchedContacts.many ? 'resolve' : 'resolves';
  return {
    id: 'agreement',
    factor: `${contacts} ${resolve} to ${holder}.`,
    signal:
      involved.length > 1
        ? `Agreement across ${joinWords(involved)}`
        : `${contacts} on record${isInPart ? '' : ' under the name'}`,
  };
}

const NAME_FACTORS = {
  equal: ' agrees with the primary one of the identity.',
  other_form: ' agrees with the primary one of the identity, in another form.',
  similar: ' agrees only in part with the primary one of the identity.',
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
          ? `${matches.no_person === 'couple' ? 'One of the two names' : 'The name'}${NAME_FACTORS[matches.name_agreement ?? 'equal']}`
          : 'Somebody of this name is on record.',
      ...(matches.name_agreement === 'similar'
        ? {}
        : { signal: countContactsOnRecord(known) > 0 ? 'Primary name on record' : 'Name on record' }),
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
