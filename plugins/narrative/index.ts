// Narrative plugin: makes two blocks from one set of facts. A model may write everything except `review_priority`, which follows rules.
import { defineFeature, v, type Facts } from 'bonafide/plugin';
import {
  countContactsOnRecord,
  countForeignContacts,
  findAdviceToRaiseScore,
  isNameMatched,
  areAllContactsOfNamesakes,
  describeOtherIdentities,
  summariseNameHolderAndOtherContacts,
  type NarrativeFacts,
  type Observation,
} from './known.ts';
import { listNextSteps } from './next-steps.ts';
import { listObservations } from './observations/index.ts';
import { areDetailsDated } from './observations/past.ts';
import { formatTimeAgo, capitalise, joinWords, createContactsPhrase } from './phrases.ts';
import {
  composeNarrativeHeadline,
  classifySituation,
  composeNarrativeSummary,
  chooseAdviceTone,
} from './summary.ts';
import {
  ADVICE_BY_INTENT,
  ANY_CONTACT_TIP,
  OBSERVATION_ORDER_BY_INTENT,
  RAISE_SCORE_ADVICE,
  type AdviceTone,
} from './words.ts';

const sentence = (limit: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(limit));
const sentences = (count: number) => v.pipe(v.array(sentence(240)), v.maxLength(count));

const answer = v.object({
  summary: sentence(400),
  key_factors: sentences(3),
  red_flags: sentences(3),
  recommendations: sentences(3),
  overview: sentence(400),
  key_findings: sentences(5),
  positive_signals: sentences(5),
  risk_factors: sentences(5),
  recommended_actions: sentences(5),
});
type Answer = v.InferOutput<typeof answer>;

function briefOf(known: NarrativeFacts) {
  const situation = classifySituation(known);
  const {
    days_since_first_seen: first,
    days_since_last_seen: last,
    days_since_contacts_seen: contacts,
  } = known.history;
  const inWords =
    first === null || last === null
      ? {}
      : {
          first_seen: formatTimeAgo(first),
          last_seen: formatTimeAgo(last),
        };
  const seenWithContacts =
    contacts === null || contacts === last ? {} : { contacts_seen: formatTimeAgo(contacts) };
  const hasRedFlag = listObservations(known).some(({ flag }) => flag !== undefined);
  const priority = chooseReviewAction(known, hasRedFlag);
  const part = summariseNameHolderAndOtherContacts(known);
  const tone = chooseAdviceTone(situation, known);
  // Advice to agree to nothing would contradict the headline that there is no red flag.
  const isCalm = known.intent === 'suspected-scam' && tone === 'care' && !hasRedFlag;
  return {
    ...known,
    history: { ...known.history, ...inWords, ...seenWithContacts },
    ...(part ? { of_others: part.others } : {}),
    ...(isNameMatched(known)
      ? countForeignContacts(known) !== known.matches.contacts.different
        ? { not_matched: describeDifferentContacts(known) }
        : {}
      : { without_name: countContactsWithoutName(known) }),
    situation,
    // A case that a person should still look at, or an old contact, leaves a point open.
    tier:
      isCalm || (tone === 'go' && (priority !== 'AUTO_APPROVE' || areDetailsDated(known))) ? 'likely' : tone,
    review_priority: priority,
  };
}
type Brief = ReturnType<typeof briefOf>;

/** Moves the observations in `OBSERVATION_ORDER_BY_INTENT` to the front; the rest keep their order. */
function inOrder(found: readonly Observation[], intent: NarrativeFacts['intent']): Observation[] {
  const weight = ({ id }: Observation): number => {
    const at = OBSERVATION_ORDER_BY_INTENT[intent].indexOf(id);
    return at < 0 ? OBSERVATION_ORDER_BY_INTENT[intent].length : at;
  };
  return found.toSorted((a, b) => weight(a) - weight(b));
}

type Wording = 'factor' | 'flag' | 'risk' | 'signal' | 'action';

function worded(found: readonly Observation[], wording: Wording, count: number): string[] {
  return found
    .map((one) => one[wording])
    .filter((text) => text !== undefined)
    .slice(0, count);
}

/** Returns the finding about the name. Without a contact on record, there is no identity to compare the name with. */
function nameFinding({ matches: { name, name_agreement: agreement, contacts } }: NarrativeFacts): string {
  const known = contacts.matched + contacts.different > 0 || name === 'unverified';
  if (!known) return 'Name: borne by somebody in the records';
  if (name === 'different' || name === 'unverified') return NAME_FINDING[name];
  const whose = name === 'primary' ? 'the identity’s primary name' : 'another name of the identity';
  if (agreement === 'similar') return `Name: agrees only in part with ${whose}`;
  return `Name: agrees with ${whose}${agreement === 'other_form' ? ', in another form' : ''}`;
}

const NAME_FINDING = {
  different: 'Name: on record for a different identity',
  unverified: 'Name: no matching record',
};

function contactFinding(known: NarrativeFacts): string {
  const { contacts, nameless, of_bearers: own } = known.matches;
  if (contacts.submitted === 0) return 'Contacts: none sent';
  const part = summariseNameHolderAndOtherContacts(known);
  const counts =
    part &&
    ([
      [own, 'of the person named'],
      [part.others, 'of somebody else only'],
      [contacts.unverified, 'with no matching record'],
    ] as const);
  const parts =
    counts ??
    ([
      ...(isNameMatched(known)
        ? ([[contacts.matched, 'matched'], ...describeDifferentContacts(known)] as const)
        : ([
            [
              countContactsWithoutName(known),
              areAllContactsOfNamesakes(known)
                ? 'on record for another person of this name'
                : 'on record without this name',
            ],
            [nameless, 'on record without a name'],
          ] as const)),
      [contacts.unverified, 'with no matching record'],
    ] as const);
  const mentionedParts = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `Contacts: ${contacts.submitted} sent, ${joinWords(mentionedParts)}`;
}

/** Counts the contacts on record for identities that have a name, but not the submitted one. */
const countContactsWithoutName = (known: NarrativeFacts): number =>
  countContactsOnRecord(known) - known.matches.nameless;

/** Returns the counts of the contacts that the identity with the name lacks, with a phrase for each. */
function describeDifferentContacts(known: NarrativeFacts): [count: number, phrase: string][] {
  const { contacts, of_bearers: own } = known.matches;
  const elsewhere = `on record for ${describeOtherIdentities(known)}`;
  const foreign = Math.max(0, countForeignContacts(known));
  const ofPartner = own - contacts.matched;
  return [
    [ofPartner, 'of the other person named'],
    [contacts.different - foreign - ofPartner, 'on record without a name'],
    [foreign, elsewhere],
  ];
}

function findings(brief: Brief): string[] {
  const { matches, history, score } = brief;
  const { first_seen: first, last_seen: last } = history;
  const secondary = createContactsPhrase(matches, 'secondary');
  return [
    contactFinding(brief),
    nameFinding(brief),
    ...(secondary && matches.contacts.primary === 0 && isNameMatched(brief)
      ? [`Secondary entries: ${secondary.text}`]
      : []),
    ...(first && last && matches.contacts.matched > 0 && isNameMatched(brief)
      ? [`History: first seen ${first}, last seen ${last}`]
      : []),
    // Records without a name are no evidence about the named person.
    ...(brief.situation === 'nameless' ? [] : [`Evidence: ${score.confidence.toLowerCase()}`]),
  ];
}

/** Returns the advice on how to raise the score. In the highest band, it returns no advice to ask for a further contact. */
function adviseToSettle(brief: Brief): string[] {
  const tip = findAdviceToRaiseScore(brief)?.tip;
  if (tip) return [tip];
  return brief.score.verdict === 'VERIFIED' ? [] : [ANY_CONTACT_TIP];
}

function rules(brief: Brief): Answer {
  const { intent, situation, tier } = brief;
  const observations = inOrder(listObservations(brief), intent);
  return {
    summary: composeNarrativeSummary(situation, brief),
    key_factors: worded(observations, 'factor', 3),
    red_flags: worded(observations, 'flag', 3),
    recommendations: ADVICE_BY_INTENT[intent][tier].flatMap((advice) =>
      advice === RAISE_SCORE_ADVICE
        ? adviseToSettle(brief)
        : advice.replace('the named person', WHOM_TO_REACH[brief.matches.no_person ?? 'person']),
    ),
    overview: composeNarrativeHeadline(situation, tier, brief),
    key_findings: findings(brief),
    positive_signals: worded(observations, 'signal', 5),
    risk_factors: worded(observations, 'risk', 5),
    recommended_actions: listNextSteps(listObservations(brief), brief),
  };
}

/** Words for the named person in the advice, by the kind of the submitted name. */
const WHOM_TO_REACH = {
  person: 'the named person',
  company: 'the company or department',
  couple: 'each of the two people',
  family: 'the family or estate',
  relation: 'the relative',
};

const TONES: Record<AdviceTone, string> = {
  go: 'Be calm and brief.',
  likely: 'Be calm; say what would make it surer.',
  care: 'Be balanced; name the open points.',
  stop: 'Be plain about the conflict, without accusing anybody.',
  unknown: 'Say that too little is known, in either direction.',
};
const FOCUS: Record<NarrativeFacts['intent'], string> = {
  'online-dating': 'The reader is vetting a romantic interest.',
  'buying-or-selling': 'The reader is about to trade with this person.',
  'sending-money':
    'The reader is about to send money: advise confirming through a second channel before sending.',
  'suspected-scam':
    'The reader suspects a scam: lead the summary and the overview with red flags, and say so if there are none.',
  reconnecting: 'The reader has heard from someone who claims to be an old acquaintance.',
  general: 'The reader wants a balanced verdict.',
};

function system({ intent, tier }: Brief): string {
  return `You explain the result of an identity check, which says how far a person's contacts are corroborated as one identity. You never re-score it. ${FOCUS[intent]} ${TONES[tier]}
summary: one sentence on the trust level. overview: one or two sentences, safe to show to end users. key_factors: why the score is what it is. red_flags and risk_factors: only what contradicts the claim (contacts on record for a different identity, a name that the identity does not bear, the catfish flag, a disguised value, a history below 180 days); a value without a record is neither. positive_signals: verified facts. recommendations: for the reader's situation. recommended_actions: next steps for a reviewer. Where score.limits is not empty, it names what alone can lift the score, in place of further contacts. Say nothing twice.`;
}

/** Finds the problems of a model's answer that only this feature can detect. */
function check(modelAnswer: Answer, brief: Brief): string[] {
  const problems: string[] = [];
  const { contacts } = brief.matches;
  const contradicted = listObservations(brief).some(({ flag }) => flag !== undefined);
  if (!contradicted && modelAnswer.red_flags.length + modelAnswer.risk_factors.length > 0) {
    problems.push(
      'red_flags and risk_factors: nothing in the facts contradicts the claim, so both are empty',
    );
  }
  if (brief.score.possible_catfish && modelAnswer.red_flags.length === 0)
    problems.push('red_flags: the catfish flag is set and missing here');
  if (!isNameMatched(brief) && contacts.matched === 0 && modelAnswer.positive_signals.length > 0) {
    problems.push('positive_signals: nothing matched, so it is empty');
  }
  return problems;
}

export default defineFeature({
  name: 'narrative',
  version: '1.0.0',
  gives: 'trust_enhancement',
  facts: ['intent', 'score', 'matches', 'history'],
  answer,
  advice: ['recommendations', 'recommended_actions'],
  brief: briefOf,
  system,
  rules,
  check,
  finish: (modelAnswer, { brief }) => ({
    trust_enhancement: {
      intent: brief.intent,
      ai_trust_analysis: {
        summary: modelAnswer.summary,
        key_factors: modelAnswer.key_factors,
        red_flags: modelAnswer.red_flags,
        recommendations: modelAnswer.recommendations,
      },
    },
    overview: {
      overview: capitalise(modelAnswer.overview),
      key_findings: modelAnswer.key_findings,
      positive_signals: modelAnswer.positive_signals,
      risk_factors: modelAnswer.risk_factors,
      recommended_actions: modelAnswer.recommended_actions,
      review_priority: brief.review_priority,
    },
  }),
});

type ReviewPriority = 'AUTO_APPROVE' | 'MANUAL_REVIEW' | 'AUTO_REJECT';

/** Minimum number of e-mails and phones that belong only to other identities for AUTO_REJECT. */
const REJECTING = 2;

/** Number of days without a new record after which contact details may be outdated. */
const CURRENT_DAYS = 5 * 365.25;

/**
 * Chooses the suggested review action by rules, independent of the intent. AUTO_APPROVE: score 85 or more, high confidence, no sign against the
 * person, seen with a contact within five years, and no phone that has passed on to somebody else. AUTO_REJECT: score below 40, catfish flag, more than low confidence, and two e-mails or phones of
 * other identities. MANUAL_REVIEW: everything else.
 */
export function chooseReviewAction(
  { score: it, matches, history }: Pick<Facts, 'score' | 'matches'> & Partial<Pick<Facts, 'history'>>,
  redFlags: boolean,
): ReviewPriority {
  const { score, confidence, possible_catfish: catfish } = it;
  const isCurrent = (history?.days_since_contacts_seen ?? 0) <= CURRENT_DAYS && !history?.passed_on;
  const clear = isCurrent && !catfish && !redFlags && matches.contacts.different + matches.others_own === 0;
  if (score >= 85 && confidence === 'HIGH' && clear) return 'AUTO_APPROVE';
  if (score < 40 && catfish && confidence !== 'LOW' && matches.others_own >= REJECTING) return 'AUTO_REJECT';
  return 'MANUAL_REVIEW';
}
