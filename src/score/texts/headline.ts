import type { Evidence, MatchStatus } from '../../model.ts';
import { nameOfBest, type TextFacts, yearsOnRecord } from './facts.ts';
import { capital, plural } from './words.ts';

/** Whose the values are, in one sentence. */
export function headline(facts: TextFacts): string {
  const { evidence, name, contacts } = facts;
  const borne = nameOfBest(facts);
  const { own, different: other } = facts.counts;
  if (contacts.length === 0) return nameOnly(evidence, name.status);
  if (own === 0 && other === 0)
    return contacts.length === 1
      ? 'The contact has no matching record in the identity graph.'
      : `None of the ${contacts.length} contacts has a matching record in the identity graph.`;
  if (borne?.same) {
    if (own === 0)
      return 'The name is in the identity graph, but the contacts that have a record belong to other identities.';
    if (other === 0) return `The name and ${counted(own, contacts.length)} belong to one identity.`;
    return `The name and ${counted(own, contacts.length)} belong to one identity, ${other} to ${other === 1 ? 'another identity' : 'other identities'}.`;
  }
  if (borne?.givenSame)
    return `${capital(counted(own, contacts.length))} ${verb(own)} to an identity with the same given name, but not the whole name.`;
  if (borne?.nameless)
    return `${capital(counted(own, contacts.length))} ${verb(own)} to one identity, whose records carry no name.`;
  return 'The contacts that have a record belong to identities that do not bear this name.';
}

/** Whether a name that was sent alone appears, and nothing else of it. */
export function nameOnly({ bearers }: Evidence, status: MatchStatus): string {
  if (status === 'unverified') return 'The name does not appear in the identity graph.';
  if (bearers > 1) return `The name appears in the identity graph, borne by ${bearers} identities.`;
  return 'The name appears in the identity graph.';
}

/** One or two sentences: the headline, and what weighs most beside it. */
export function summary(facts: TextFacts, sentence: string): string {
  const second = facts.contacts.length > 0 ? secondSentence(facts) : null;
  return second ? `${sentence} ${second}` : sentence;
}

function secondSentence(facts: TextFacts): string | null {
  const { contacts, counts } = facts;
  if (facts.catfish) return 'Check who is really behind these contacts before you rely on the name.';
  const { none } = counts;
  if (none > 0 && none < contacts.length)
    return `For ${plural(none, 'value')} there is no matching record, which counts neither for nor against.`;
  const years = yearsOnRecord(facts);
  return years !== null && years >= 1 ? `Its records span ${plural(years, 'year')}.` : null;
}

function counted(own: number, all: number): string {
  if (own === all) return ['', 'the one contact', 'both contacts'][all] ?? `all ${all} contacts`;
  return `${own} of ${all} contacts`;
}

function verb(count: number): string {
  return count === 1 ? 'belongs' : 'belong';
}
