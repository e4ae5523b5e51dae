import type { Facts } from 'bonafide/plugin';

export type CheckedPersonFacts = Pick<Facts, 'intent' | 'score' | 'matches'>;
export type RiskLevel = 'LOW' | 'MEDIUM' | 'HIGH';
export const RISK_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const satisfies readonly RiskLevel[];

const KINDS = ['email', 'phone', 'address'] as const;
const PLURALS = { email: 'emails', phone: 'phones', address: 'addresses' };

const named = ({ matches: { name } }: CheckedPersonFacts): boolean =>
  name === 'primary' || name === 'secondary';
const resolved = ({ matches: { contacts } }: CheckedPersonFacts): number =>
  contacts.matched + contacts.different;

/**
 * Counts the contacts of somebody else. If the name is matched, it leaves out the contacts of the person named (for a couple's name, of both
 * people) and of records without a name.
 */
const countForeignContacts = (known: CheckedPersonFacts): number =>
  named(known)
    ? resolved(known) - known.matches.of_bearers - known.matches.nameless
    : known.matches.contacts.different;
/** Returns who has all contacts of others, if they may be the person or a relative; null for anybody else. */
function describePossibleHolder(known: CheckedPersonFacts): string | null {
  const { same_name: sameName, household, of_bearers: own, namesakes } = known.matches;
  const foreign = countForeignContacts(known);
  if (!named(known) || own === 0 || foreign === 0 || namesakes > 0) return null;
  if (sameName === foreign) return 'another identity of this name';
  return household === foreign ? 'somebody who may be a relative or share the home' : null;
}
const hasForeignContacts = (known: CheckedPersonFacts): boolean =>
  !named(known) || countForeignContacts(known) > 0;

/**
 * Returns the risk level of the checked person. HIGH: the catfish flag. MEDIUM: an e-mail or phone that belongs only to another identity, or no
 * contact of an identity with the name. LOW: everything else.
 */
export function assessRisk(known: CheckedPersonFacts): RiskLevel {
  const { of_bearers: ofBearers, others_own: othersOwn } = known.matches;
  if (known.score.possible_catfish) return 'HIGH';
  return othersOwn > 0 || (resolved(known) > 0 && ofBearers === 0) ? 'MEDIUM' : 'LOW';
}

/** Returns the confidence in the risk level, 0 to 1: n/(n+2) for n values on record, by Laplace's rule of succession. */
export function computeRiskConfidence(known: CheckedPersonFacts): number {
  const n = resolved(known) + (known.matches.name === 'unverified' ? 0 : 1);
  return Math.round((n / (n + 2)) * 100) / 100;
}

const DISGUISES: Record<Facts['matches']['disguises'][number], string> = {
  similar_email: 'An email that only resembles that of a person of this name',
  look_alike_letters: 'Letters that only look like others',
  similar_provider: 'An email domain that only resembles that of a large provider',
  impossible_number: 'A phone that is no number of a subscriber',
};

/** Describes patterns in the submitted values, one sentence each; empty if no value is on record. */
export function describeSubmittedValuePatterns(known: CheckedPersonFacts): string[] {
  const { matches } = known;
  const contacts = resolved(known) === 1 ? 'contact' : 'contacts';
  const patterns: string[] = matches.disguises.map((disguise) => DISGUISES[disguise]);
  if (matches.of_bearers > 0 && matches.other_has_all && hasForeignContacts(known))
    patterns.push('All contacts on record for another identity, also those of the person named');
  else if (matches.identities > 1 && hasForeignContacts(known) && describePossibleHolder(known) === null)
    // Several identities may share one contact, so the sentence does not say how many there are.
    patterns.push('Contacts spread over more than one identity');
  if (matches.name === 'different' && matches.of_bearers > 0) {
    patterns.push('Contacts of the person named beside contacts of somebody else');
  } else if (resolved(known) > 0 && matches.nameless === resolved(known)) {
    patterns.push(`The records behind the ${contacts} carry no name`);
  } else if (resolved(known) > 0 && !named(known)) {
    patterns.push(
      matches.namesakes === resolved(known)
        ? `Record of another person of the same name behind the ${contacts}`
        : matches.name_part === 'part'
          ? `Record of a longer name than the submitted one behind the ${contacts}`
          : `No identity behind the ${contacts} bears the submitted name`,
    );
  } else if (named(known) && matches.contacts.different > 0 && matches.contacts.matched === 0) {
    patterns.push('A name on record, sent with contacts of someone else only');
  }
  const sent = KINDS.filter((kind) => matches[kind].submitted > 0);
  const [only] = sent;
  if (sent.length === 1 && only && matches[only].matched + matches[only].different > 0) {
    patterns.push(
      matches.contacts.submitted === 1
        ? `Evidence of one contact only: the ${only}`
        : `Evidence of one kind only: ${PLURALS[only]}`,
    );
  }
  return patterns;
}

/** Describes submitted values that contradict each other, one sentence each. */
export function describeInconsistencies(known: CheckedPersonFacts): string[] {
  const { matches } = known;
  const inconsistencies: string[] = [];
  // If nothing else resolved, there are no other details to compare with.
  const rest = matches.contacts.matched === 1 ? 'contact' : 'contacts';
  const beside = named(known)
    ? ', not for the person named'
    : matches.contacts.matched > 0
      ? ` than the other ${rest}`
      : '';
  if (!hasForeignContacts(known)) return inconsistencies;
  const conflicting = KINDS.filter((kind) => matches[kind].different > 0);
  const foreign = countForeignContacts(known);
  // The facts do not tell which contacts of a kind lack a name or are a partner's.
  const areAllForeign = foreign === matches.contacts.different;
  if (conflicting.length > 0) {
    const who = areAllForeign
      ? list(conflicting.map((kind) => some(kind, matches[kind].different, matches[kind].submitted)))
      : `${foreign} of ${matches.contacts.submitted} contacts`;
    const { contacts, identities, of_bearers: ofBearers } = matches;
    const partners = Number(ofBearers > contacts.matched);
    const nameless = named(known) ? Math.min(1, matches.nameless) : 0;
    const others = identities - Math.min(1, contacts.matched) - partners - nameless;
    const elsewhere = foreign > 1 && others > 1 ? 'different identities' : 'a different identity';
    const holder = describePossibleHolder(known);
    inconsistencies.push(`On record for ${holder ?? `${elsewhere}${beside}`}: ${who}.`);
  }
  if (matches.name === 'different')
    inconsistencies.push(
      matches.of_bearers > 0
        ? 'The name leads to one identity, and more values to another.'
        : 'The name leads to one identity and the contacts to another.',
    );
  return inconsistencies;
}

const list = (parts: readonly string[]): string =>
  parts.length < 3 ? parts.join(' and ') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

function some(kind: (typeof KINDS)[number], count: number, of: number): string {
  return of === 1 ? `the ${kind}` : `${count} of ${of} ${PLURALS[kind]}`;
}

const SETTLED: Record<Facts['intent'], string> = {
  'online-dating': 'No fraud pattern stands in the way of getting to know each other.',
  'buying-or-selling': 'No fraud pattern stands in the way of the deal.',
  'sending-money':
    'No fraud pattern was found; confirm the account details through a second channel all the same.',
  'suspected-scam':
    'No fraud pattern was found in the identity data; judge what is being asked of you on its own.',
  reconnecting: 'No fraud pattern was found in the details of this contact.',
  general: 'No fraud pattern was found.',
};
/** Beginnings of the advice for findings that are no sign of fraud. */
const NARROW = 'What was found is a narrow basis rather than a sign of fraud';
const COMMON = 'Only shared contacts or addresses lead to others, which is common and no sign of fraud';
const SLIGHT: Record<Facts['intent'], string> = {
  'online-dating': 'let the person show more before you meet',
  'buying-or-selling': 'deal on terms that protect both sides',
  'sending-money': 'confirm through a second channel before sending',
  'suspected-scam': 'judge what is being asked of you',
  reconnecting: 'ask about something you both remember',
  general: 'weigh it with what else you know',
};
const OPEN: Record<Facts['intent'], string> = {
  'online-dating': 'Have the open points explained before you meet or share anything private.',
  'buying-or-selling': 'Have the open points explained, and use a payment that protects both sides.',
  'sending-money': 'Have the open points explained through a second channel before sending anything.',
  'suspected-scam': 'Have the open points explained before you agree to anything.',
  reconnecting: 'Have the open points explained before you trust that this is the person you knew.',
  general: 'Have the open points explained before relying on these details.',
};
const GRAVE: Record<Facts['intent'], string> = {
  'online-dating': 'Do not meet or share anything private until the identity is settled by other means.',
  'buying-or-selling': 'Hand over neither goods nor a deposit until the identity is settled by other means.',
  'sending-money': 'Do not send money to this person until the identity is settled by other means.',
  'suspected-scam':
    'Agree to nothing until the named person confirms the contacts through a channel you find yourself; keep the messages.',
  reconnecting: 'Reach the person you knew by another way before you answer again.',
  general: 'Do not rely on these details until the identity is settled by other means.',
};

/** Minimum score of the verdict LIKELY REAL. */
const LIKELY = 65;

export function describeRecommendedAction(known: CheckedPersonFacts, risk: RiskLevel): string {
  if (resolved(known) === 0 && known.matches.disguises.length === 0)
    return 'There is too little on record to look for fraud patterns; send further contacts for a fuller analysis.';
  const isDisguised = known.matches.disguises.length > 0;
  if (
    risk === 'LOW' &&
    !isDisguised &&
    describeSubmittedValuePatterns(known).length + describeInconsistencies(known).length > 0
  )
    return `${known.matches.contacts.different > 0 && hasForeignContacts(known) ? COMMON : NARROW}; ${SLIGHT[known.intent]}.`;
  // An answer that calls the person likely real must not advise to break off contact.
  const grave = risk === 'HIGH' && known.score.score < LIKELY;
  const isSettled = risk === 'LOW' && !isDisguised;
  return (grave ? GRAVE : isSettled ? SETTLED : OPEN)[known.intent];
}
