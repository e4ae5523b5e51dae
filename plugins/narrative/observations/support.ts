// What there is to say where values are the person's.
import { type Known, nameMatched, type Observation, resolved, shared } from '../known.ts';
import { capital, KINDS, list, phrase } from '../phrases.ts';

export function agreement(known: Known): Observation | undefined {
  const { matches } = known;
  const part = shared(known);
  if (part)
    return {
      id: 'agreement',
      factor: `The name is on record, and so ${matches.of_bearers === 1 ? 'is' : 'are'} ${part.own} with it.`,
      signal: `On record under the name: ${part.own}`,
    };
  const found = phrase(matches, 'matched');
  if (!found || !nameMatched(known)) return undefined;
  const involved = KINDS.filter((kind) => matches[kind].matched > 0);
  const resolves = `${capital(found.text)} ${found.many ? 'resolve' : 'resolves'} to the identity that bears the name`;
  const several = involved.length > 1;
  return {
    id: 'agreement',
    factor: several ? `${resolves}, and separate kinds of contact seldom agree by chance.` : `${resolves}.`,
    signal: several
      ? `Agreement across ${list(involved)}`
      : `${capital(found.text)} on record under the name`,
  };
}

export function name(known: Known): Observation | undefined {
  const { matches } = known;
  if (matches.contacts.submitted === 0) {
    return nameMatched(known) ? { id: 'name', signal: 'Name on record' } : undefined;
  }
  if (matches.name === 'primary') {
    return {
      id: 'name',
      factor:
        resolved(known) > 0
          ? 'The name is the primary one of the identity.'
          : 'Somebody of this name is on record.',
      signal: resolved(known) > 0 ? 'Primary name on record' : 'Name on record',
    };
  }
  if (matches.name !== 'secondary') return undefined;
  return {
    id: 'name',
    factor: 'The name is on record for the identity, though not as its primary one.',
    signal: 'Name on record as another of the identity’s names',
  };
}

export function primary(known: Known): Observation | undefined {
  const found = phrase(known.matches, 'primary');
  if (!found || !nameMatched(known)) return undefined;
  return { id: 'primary', signal: `Listed as primary: ${found.text}` };
}
