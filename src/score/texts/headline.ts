import { VERDICT_WORDS, type Facts } from './facts.ts';
import { capital, counted, plural, verb } from './words.ts';

/** The verdict word, or that there is nothing to judge, a colon and one sentence. */
export function message(facts: Facts): string {
  return `${lead(facts)}: ${headline(facts)}`;
}

function lead({ band, contacts, none }: Facts): string {
  if (contacts.length === 0) return 'NAME ONLY';
  return none === contacts.length ? 'NO RECORD' : VERDICT_WORDS[band];
}

/** One or two sentences: the headline, and what weighs most beside it. */
export function summary(facts: Facts): string {
  const second = facts.contacts.length > 0 ? secondSentence(facts) : null;
  return second ? `${headline(facts)} ${second}` : headline(facts);
}

/** Whose the values are, in one sentence. */
function headline(facts: Facts): string {
  const { contacts, none, name, own } = facts;
  if (contacts.length === 0) return nameOnly(facts);
  if (none === contacts.length) return noRecord(facts);
  if (own > 0) return withOwn(facts);
  return name.identity === null ? ofNobody(facts) : elsewhere(facts);
}

function nameOnly({ name, evidence: { nameHolders: bearers } }: Facts): string {
  if (name.identity === null) return 'The name does not appear in the identity graph.';
  return bearers > 1
    ? `The name appears in the identity graph, borne by ${bearers} identities.`
    : 'The name appears in the identity graph.';
}

function noRecord({ contacts }: Facts): string {
  return contacts.length === 1
    ? 'The contact has no matching record in the identity graph.'
    : `None of the ${contacts.length} contacts has a matching record in the identity graph.`;
}

function withOwn({ own, others, strangers, contacts }: Facts): string {
  const first = `The name and ${counted(own, contacts.length)} belong to one identity`;
  if (others === 0) return `${first}.`;
  return `${first}, ${others} to ${verb(strangers, ['another identity', 'other identities'])}.`;
}

function elsewhere({ others, strangers }: Facts): string {
  const whose = verb(strangers, ['another identity', 'other identities']);
  return `The name is on record, but the ${verb(others, ['contact that has a record belongs', 'contacts that have a record belong'])} to ${whose}.`;
}

const PART = {
  given: 'with the same given name, but not the whole name',
  family: 'with the same family name, but another given name',
  both: 'whose name resembles the submitted one, but is not the same',
  nameless: 'whose records carry no name',
};

function ofNobody({ part, others, strangers, contacts }: Facts): string {
  const whose = part ? `an identity ${PART[part]}` : '';
  if (part && strangers === 1)
    return `${capital(counted(others, contacts.length))} ${verb(others, ['belongs', 'belong'])} to ${whose}.`;
  return `The ${verb(others, ['contact that has a record belongs', 'contacts that have a record belong'])} to ${verb(strangers, ['an identity that does not bear this name', 'identities that do not bear this name'])}.`;
}

function secondSentence({ catfish, contacts, none, years, name, dominant }: Facts): string | null {
  if (catfish)
    return `Check who is really behind ${verb(contacts.length, ['this contact', 'these contacts'])} before you rely on the name.`;
  if (none > 0 && none < contacts.length)
    return `For ${plural(none, 'value')} there is no matching record, which counts neither for nor against.`;
  // Of two identities nobody would know whose records are meant.
  const one = name.identity === null || name.identity === dominant;
  return years !== null && years >= 1 && none === 0 && one
    ? `The identity's records span ${plural(years, 'year')}.`
    : null;
}
