import type { Facts } from './facts.ts';
import { label, plural, subject, verb } from './words.ts';

/** So many who share a value are worth a word. */
const MANY = 5;
/** A name that more identities bear is called common. */
const COMMON = 10;

/** Observations a person can act on, most important first. Of a name alone the headline says all there is. */
export function insights(facts: Facts): string[] {
  if (facts.contacts.length === 0) return [];
  const found = [...flagged(facts), ...aboutName(facts)];
  for (let index = 0; index < facts.contacts.length; index++) aboutContact(facts, index, found);
  return [...found, ...withoutRecord(facts), ...aboutHistory(facts)];
}

function flagged({ catfish, own, others, strangers }: Facts): string[] {
  if (!catfish) return [];
  return own > 0 || strangers > 1
    ? ['The contacts are split among several people.']
    : [
        `${verb(others, ['The contact points', 'The contacts point'])} to somebody other than the person named.`,
      ];
}

function aboutName({ name, part, own, others, evidence }: Facts): string[] {
  if (name.status === 'unverified') return [whyUnknown(part, others)];
  const found: string[] = [];
  if (name.status === 'different') {
    found.push(
      own > 0
        ? `Most values belong to another identity than the one that bears the name (${name.identity}).`
        : `The name is borne by another identity (${name.identity}).`,
    );
  }
  const variation =
    name.identity === null ? undefined : evidence.nameAgreements.get(name.identity)?.variation;
  if (variation !== undefined && variation !== 'exact')
    found.push(`The name matches in another form (${variation.replace('_', ' ')}).`);
  if (name.status === 'secondary') found.push("The name is one of the identity's other names.");
  if (evidence.nameHolders > COMMON)
    found.push(`The name is common here: ${evidence.nameHolders} identities bear it.`);
  return found;
}

const WHY = {
  given: 'The given name agrees, the family name does not: it may be missing or have changed.',
  family: 'The family name agrees, the given name does not: a relative may have it, or the record be wrong.',
  both: 'The name on record is written so differently that it may be another one.',
  nameless: 'On record with no name beside it, a contact says nothing about whose it is.',
};

function whyUnknown(part: Facts['part'], others: number): string {
  if (part) return WHY[part];
  return others > 0 ? 'No identity behind the contacts bears this name.' : 'The name has no matching record.';
}

/** Adds what is to be said of one contact; of most nothing is. */
function aboutContact({ evidence, contacts, name, ofNamed }: Facts, index: number, found: string[]): void {
  const one = evidence.contacts[index];
  const row = contacts[index];
  if (!one || !row) return;
  const who = () => subject(evidence.contacts, index);
  if (row.status === 'different') found.push(`${who()} resolves to a different identity (${row.identity}).`);
  if (ofNamed[index] && row.identity !== name.identity)
    found.push(`${who()} is on record for the identity that bears the name, too (${name.identity}).`);
  const agreement = one.agreements.find(({ identity }) => identity === row.identity);
  const share = agreement?.share ?? 1;
  if (share > MANY)
    found.push(`${who()} is shared by ${share} identities, so it says little about any one of them.`);
  if (agreement && MISSPELT.has(agreement.type)) found.push(`${who()} is written otherwise than on record.`);
  if (one.hasLookAlike) found.push(lookAlike(label(evidence.contacts, index)));
  if (one.standardized !== null)
    found.push(`${who()} was read as a number of the country of a submitted address.`);
  if (one.hasExtension) found.push(`${who()} was sent with an extension, which is no part of the number.`);
}

const MISSPELT: ReadonlySet<string> = new Set(['core', 'typo', 'street']);

function lookAlike(what: string): string {
  const sent = what === 'e-mail' ? 'the one that was sent' : `${what} as it was sent`;
  return `A very similar e-mail is on record for a person of this name, but not ${sent}.`;
}

function withoutRecord({ none }: Facts): string[] {
  return none > 0 ? [`${plural(none, 'value')} ${verb(none, ['has', 'have'])} no matching record.`] : [];
}

function aboutHistory({ years, dominant }: Facts): string[] {
  if (years === null || dominant === null) return [];
  return [
    years >= 1
      ? `The records of identity ${dominant} span ${plural(years, 'year')}.`
      : `The records of identity ${dominant} span less than a year.`,
  ];
}
