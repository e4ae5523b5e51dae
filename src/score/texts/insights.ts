import type { Evidence, Resolution } from '../../model.ts';
import { nameOfBest, type TextFacts, yearsOnRecord } from './facts.ts';
import { nameOnly } from './headline.ts';
import { capital, LABEL, plural } from './words.ts';

/** Observations a person can act on, most important first. */
export function insights(facts: TextFacts): string[] {
  const { evidence, best, name, contacts, counts } = facts;
  if (contacts.length === 0) return [nameOnly(evidence, name.status)];
  const found: string[] = [];
  if (facts.catfish) found.push('The contacts point to somebody other than the person named.');
  found.push(...nameInsights(facts));
  for (const [i, resolution] of contacts.entries()) found.push(...contactInsights(evidence, i, resolution));
  const { none } = counts;
  if (none > 0) found.push(`${plural(none, 'value')} ${none === 1 ? 'has' : 'have'} no matching record.`);
  const years = yearsOnRecord(facts);
  if (years !== null && best.kinds > 0)
    found.push(
      years >= 1
        ? `The identity's records span ${plural(years, 'year')}.`
        : "The identity's records span less than a year.",
    );
  return found;
}

function contactInsights(evidence: Evidence, index: number, { status, identity }: Resolution): string[] {
  const agreements = evidence.contacts[index]?.agreements ?? [];
  if (status === 'unverified') return [];
  const which = ordinal(evidence, index);
  const found: string[] = [];
  if (status === 'different') found.push(`${which} resolves to a different identity (${identity}).`);
  const share = agreements.find((one) => one.identity === identity)?.share ?? 1;
  if (share > 5)
    found.push(`${which} is shared by ${share} identities, so it says little about any one of them.`);
  if (agreements[0]?.type === 'typo') found.push(`${which} is a slip away from one on record.`);
  return found;
}

function nameInsights(facts: TextFacts): string[] {
  const { evidence, name, counts } = facts;
  const agreement = nameOfBest(facts);
  if (name.status === 'different')
    return [`The name is borne by another identity (${name.identity}) than the contacts'.`];
  if (name.status === 'unverified') {
    if (agreement?.givenSame)
      return [
        'The identity has the same given name, but not the whole name: a family name may be missing or have changed.',
      ];
    return counts.own + counts.different > 0 && !agreement?.nameless
      ? ['No identity behind the contacts bears this name.']
      : ['The name has no matching record.'];
  }
  const found: string[] = [];
  if (agreement && agreement.variation !== 'exact')
    found.push(`The name matches in another form (${agreement.variation.replace('_', ' ')}).`);
  if (name.status === 'secondary') found.push("The name is one of the identity's other names.");
  if (evidence.bearers > 10) found.push(`The name is common here: ${evidence.bearers} identities bear it.`);
  return found;
}

/** "The phone", or "Phone 2" where several were sent. */
function ordinal({ contacts }: Evidence, index: number): string {
  const kind = contacts[index]?.kind;
  if (kind === undefined) return '';
  const [label] = LABEL[kind];
  const ofKind = (list: Evidence['contacts']) => list.filter((one) => one.kind === kind).length;
  return ofKind(contacts) === 1
    ? `The ${label}`
    : `${capital(label)} ${ofKind(contacts.slice(0, index + 1))}`;
}
