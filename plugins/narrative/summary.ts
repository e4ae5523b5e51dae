// Leading sentences of the narrative: the summary of the trust level, and the headline.
import {
  countForeignContacts,
  createForeignContactsPhrase,
  describeOtherIdentities,
  hasOnlyNamelessRecords,
  isAllOfAnother,
  isNameMatched,
  areAllContactsOfNamesakes,
  summariseNameHolderAndOtherContacts,
} from './known.ts';
import type { NarrativeFacts } from './known.ts';
import { listObservations, speaksAnythingAgainst } from './observations/index.ts';
import { isRecentIdentity } from './observations/past.ts';
import {
  THE_COUPLE,
  formatTimeAgo,
  createContactsPhrase,
  createMatchingContactsPhrase,
  describeUnrecordedContacts,
  formatContactCountOfTotal,
  uncapitalise,
} from './phrases.ts';
import { CHECKED_PARTY, HEADLINES_BY_INTENT, OPENINGS_BY_RED_FLAG, SUMMARY_OPENINGS } from './words.ts';
import type { CheckSituation, AdviceTone } from './words.ts';

/** Returns the situation that the facts describe: the most serious one, if several apply. */
export function classifySituation(known: NarrativeFacts): CheckSituation {
  const { score, matches } = known;
  const { contacts } = matches;
  if (contacts.submitted === 0) return 'name_only';
  if (score.possible_catfish) return 'catfish';
  if (contacts.matched + contacts.different === 0) return 'nothing';
  const named = isNameMatched(known);
  if (hasOnlyNamelessRecords(known)) return 'nameless';
  if (contacts.matched > 0 && !named && !summariseNameHolderAndOtherContacts(known))
    return areAllContactsOfNamesakes(known) ? 'namesake' : 'other_name';
  if (!named || countForeignContacts(known) > 0) return 'conflict';
  if (contacts.matched === 0) return 'nameless';
  if (isRecentIdentity(known)) return 'young';
  if (matches.no_person !== null) return 'no_person';
  if (score.verdict === 'VERIFIED') return 'strong';
  return score.verdict === 'LIKELY REAL' ? 'fair' : 'weak';
}

/** Minimum score of the verdict LIKELY REAL. */
const LIKELY = 65;

export function chooseAdviceTone(situation: CheckSituation, { score, matches }: NarrativeFacts): AdviceTone {
  if (situation === 'name_only' || situation === 'nothing' || situation === 'nameless') return 'unknown';
  // An answer that calls the person likely real must not advise to break off contact.
  if (situation === 'catfish') return score.score < LIKELY ? 'stop' : 'care';
  if (matches.disguises.length > 0 && score.score >= 40) return 'care';
  if (situation === 'fair' && score.limits.includes('middle_name')) return 'care';
  // An address is in a phone book, so it leaves more open than an e-mail or a phone.
  if (situation === 'fair' && matches.contacts.matched === matches.address.matched) return 'care';
  if (situation === 'strong') return 'go';
  if (situation === 'fair' || (situation === 'conflict' && score.verdict === 'VERIFIED')) return 'likely';
  const contradicted = situation === 'conflict' || situation === 'other_name' || situation === 'namesake';
  return contradicted && score.score < 40 ? 'stop' : 'care';
}

const IN_PART = ', whose name agrees only in part with the submitted one';

/** Describes the matching contacts. A name that does not belong to one person is mentioned by `openSummary`, not here. */
function together(known: NarrativeFacts): string {
  const isInPart = known.matches.name_agreement === 'similar';
  const found = createContactsPhrase(known.matches, 'matched', { withName: !isInPart });
  return `${found?.text} ${found?.many ? 'belong' : 'belongs'} to one identity${isInPart ? IN_PART : ''}${rest(known)}`;
}

function nameDoubt({ matches }: NarrativeFacts): string {
  if (matches.name_agreement === 'similar') return IN_PART;
  return matches.no_person === null ? '' : ', but the name is not that of one person';
}

function rest({ matches }: NarrativeFacts): string {
  const open = describeUnrecordedContacts(matches, { rest: true });
  return open ? `, while there is no matching record for ${open}` : '';
}

function little(known: NarrativeFacts): string {
  if (known.matches.contacts.unverified === 0) return together(known);
  const found = createContactsPhrase(known.matches, 'matched');
  const resolves = `only ${found?.text} ${found?.many ? 'resolve' : 'resolves'} to`;
  return known.matches.name_agreement === 'similar'
    ? `${resolves} an identity${IN_PART}${rest(known)}`
    : `beside the name, ${resolves} the identity${rest(known)}`;
}

function young(known: NarrativeFacts): string {
  const isInPart = known.matches.name_agreement === 'similar';
  const found = createContactsPhrase(known.matches, 'matched', { withName: !isInPart });
  const first = formatTimeAgo(known.history.days_since_first_seen ?? 0);
  const whose = `${found?.many ? 'belong' : 'belongs'}${isInPart ? `${IN_PART},` : ''}`;
  return `the identity to which ${found?.text} ${whose} first appears on record ${first}`;
}

function conflict(known: NarrativeFacts): string {
  const { matches } = known;
  const part = summariseNameHolderAndOtherContacts(known);
  if (part) {
    const belong = part.others === 1 ? 'belongs' : 'belong';
    return `${fitting(part)}, ${part.others} ${belong} to somebody else${rest(known)}`;
  }
  const differentContacts = createForeignContactsPhrase(known);
  const agreed = createMatchingContactsPhrase(matches);
  const foreign = `${differentContacts?.text} ${differentContacts?.many ? 'are' : 'is'} on record for ${describeOtherIdentities(known)}`;
  if (matches.no_person === 'couple') return `${foreign}, while ${ofCouple(matches)}`;
  // The opening on a suspected scam is about the red flag, which follows it.
  if (agreed?.many && known.score.score >= LIKELY && known.intent !== 'suspected-scam') {
    const isInPart = matches.name_agreement === 'similar';
    const own = createContactsPhrase(matches, 'matched', { withName: !isInPart });
    return `${own?.text} ${own?.many ? 'belong' : 'belongs'} to one identity${nameDoubt(known)}, but ${foreign}`;
  }
  return agreed?.many
    ? `${foreign}, while ${agreed.text} belong to one identity${nameDoubt(known)}`
    : foreign;
}

const fitting = ({ own }: { own: string }): string =>
  `${own} ${own.startsWith('1 ') ? 'fits' : 'fit'} the name`;

function otherName({ matches }: NarrativeFacts): string {
  const contacts = createContactsPhrase(matches, 'matched')?.text;
  // Several identities may share one contact, so the sentence does not say how many there are.
  return matches.name_part === 'part'
    ? `a name behind ${contacts} is longer than the submitted one`
    : `no identity with the submitted name has ${contacts}`;
}

function namesake(known: NarrativeFacts): string {
  const found = createContactsPhrase(known.matches, 'matched');
  return `the name behind ${found?.text} has another suffix${rest(known)}`;
}

function noPerson(known: NarrativeFacts): string {
  return known.matches.no_person === 'couple' ? `${ofCouple(known.matches)}${rest(known)}` : together(known);
}

/** Says how many contacts belong to the people of a couple's name. */
function ofCouple({ of_bearers: own, contacts: { submitted } }: NarrativeFacts['matches']): string {
  const contacts = submitted === 1 ? 'the contact' : formatContactCountOfTotal(own, submitted);
  return `${contacts} ${own === 1 ? 'belongs' : 'belong'} to ${THE_COUPLE}`;
}

function nameless({ matches }: NarrativeFacts): string {
  const found = createContactsPhrase(matches, 'matched') ?? createContactsPhrase(matches, 'different');
  return `${found?.text} ${found?.many ? 'lead' : 'leads'} to records that carry no name`;
}

function catfish(known: NarrativeFacts): string {
  const part = summariseNameHolderAndOtherContacts(known);
  if (isAllOfAnother(known))
    return `another identity has all contacts with a record${part ? `, and only ${fitting(part)}` : ''}`;
  const split = known.matches.identities > 1 ? 'the contacts lead to more than one identity' : '';
  if (part) return `${split}, and only ${fitting(part)}`;
  if (split && isNameMatched(known)) return split;
  return split
    ? `${split}, and ${known.matches.name === 'unverified' ? 'none of them bears the name' : 'the name does not fit the main one'}`
    : `the ${createContactsPhrase(known.matches, 'matched')?.many ? 'contacts lead' : 'contact leads'} to an identity without the submitted name`;
}

function nothing(known: NarrativeFacts): string {
  const open = describeUnrecordedContacts(known.matches);
  const named =
    known.matches.name === 'unverified' ? ', nor for the name' : ', though the name itself is on record';
  return `there is no matching record for ${open}${named}`;
}

function nameOnly({ matches }: NarrativeFacts): string {
  return matches.name === 'unverified'
    ? 'there is no matching record for the name'
    : 'the name appears in the records';
}

const evidence: Record<CheckSituation, (known: NarrativeFacts) => string> = {
  strong: together,
  fair: together,
  weak: little,
  young,
  conflict,
  other_name: otherName,
  namesake,
  no_person: noPerson,
  nameless,
  catfish,
  nothing,
  name_only: nameOnly,
};

/** Composes a sentence about the trust level: the focus of the caller's intent, the evidence, and the score. */
export function composeNarrativeSummary(situation: CheckSituation, known: NarrativeFacts): string {
  const { score, verdict } = known.score;
  const silent = situation === 'nothing' || situation === 'name_only';
  const figure = silent ? `score ${score}, for want of evidence` : `score ${score}, ${verdict}`;
  return `${openSummary(situation, known)}: ${evidence[situation](known)} (${figure}).`;
}

/** Returns the beginning of the summary. Where a scam is suspected, it names the first red flag. */
function openSummary(situation: CheckSituation, known: NarrativeFacts): string {
  const id = known.intent === 'suspected-scam' ? findRedFlag(known)?.id : undefined;
  // Next to LIKELY REAL or VERIFIED, the opening for a conflict would be too strong: it doubts all contacts.
  const isMinor = situation === 'conflict' && known.score.score >= LIKELY;
  const opening = isMinor ? (known.score.verdict === 'VERIFIED' ? 'mostly' : 'fair') : situation;
  return (id && OPENINGS_BY_RED_FLAG[id]) ?? SUMMARY_OPENINGS[known.intent][opening];
}

const findRedFlag = (known: NarrativeFacts) => listObservations(known).find(({ flag }) => flag !== undefined);

function redFlag(known: NarrativeFacts): string {
  const risk = findRedFlag(known)?.risk;
  return risk
    ? `Red flag: ${uncapitalise(risk).replace(': ', ', ')}.`
    : 'There is no red flag in the identity data.';
}

const JUDGED: Partial<Record<CheckSituation, string>> = {
  nothing: 'Too little is on record to judge',
  name_only: 'Too little is on record to judge',
  nameless: 'The records do not say whose the contacts are',
};

/** Composes one or two sentences that may be shown to anyone, even to the checked person. */
export function composeNarrativeHeadline(
  situation: CheckSituation,
  tone: AdviceTone,
  known: NarrativeFacts,
): string {
  const { score, verdict, confidence } = known.score;
  const judged = JUDGED[situation] ?? verdict;
  // Records without a name are no evidence about the named person, so the level of the evidence would mislead.
  const evidenceLevel =
    situation === 'nameless' ? '' : `, with ${confidence.toLowerCase()} confidence in the evidence`;
  const first = `${judged}: ${score} out of 100${evidenceLevel}.`;
  if (known.intent === 'suspected-scam') return `${redFlag(known)} ${first}`;
  const next = HEADLINES_BY_INTENT[known.intent][tone];
  return tone !== 'likely' || speaksAnythingAgainst(known)
    ? `${first} ${next}`
    : `${first} Nothing speaks against ${CHECKED_PARTY[known.intent]}; ${uncapitalise(next)}`;
}
