// Sentences of the narrative that depend on the caller's intent. They contain no numbers: numbers come from facts.
import type { Facts } from 'bonafide/plugin';

type Intent = Facts['intent'];

/** Situation of the checked person, on which the sentences depend; see `classifySituation`. */
export type CheckSituation =
  | 'strong'
  | 'fair'
  | 'weak'
  | 'young'
  | 'conflict'
  | 'other_name'
  | 'namesake'
  | 'no_person'
  | 'nameless'
  | 'catfish'
  | 'nothing'
  | 'name_only';

/** Tone of the headline and the advice, from `go` (proceed) to `stop`. */
export type AdviceTone = 'go' | 'likely' | 'care' | 'stop' | 'unknown';

/** Beginnings of the summary sentence, which end before a colon. `mostly` is a conflict next to VERIFIED. */
export const SUMMARY_OPENINGS: Record<Intent, Record<CheckSituation | 'mostly', string>> = {
  'online-dating': {
    strong: 'Your contact’s details fit together well',
    mostly: 'Most of what your contact gave fits together well',
    fair: 'What your contact gave points to one person',
    weak: 'There is little to tie your contact to the name',
    young: 'Your contact’s details agree, but there is little past behind them',
    conflict: 'Not everything your contact gave belongs to one person',
    other_name: 'Nothing your contact gave is on record under this name',
    namesake: 'What is on record of your contact’s details belongs to another person of this name',
    no_person: 'The name your contact gave is not that of one person',
    nameless: 'The records do not say whose the details of your contact are',
    catfish: 'Your contact may not be the person they present',
    nothing: 'The records neither support nor contradict your contact',
    name_only: 'A name alone says little about who you are talking to',
  },
  'buying-or-selling': {
    strong: 'The other side of the deal is well corroborated',
    mostly: 'The other side of the deal is well corroborated, with a point open',
    fair: 'The other side of the deal is likely who they say',
    weak: 'The other side of the deal is thinly documented',
    young: 'The other side of the deal fits together, but has hardly any past',
    conflict: 'The other side of the deal gave details that do not all fit',
    other_name: 'The details of the other side of the deal are not on record under this name',
    namesake: 'What is on record of the other side’s details belongs to another person of this name',
    no_person: 'The other side of the deal gave a name that is not that of one person',
    nameless: 'The records do not say who the other side of the deal is',
    catfish: 'The other side of the deal may be using someone else’s details',
    nothing: 'The other side of the deal leaves no trace in the records',
    name_only: 'A name alone is not enough to judge the other side of a deal',
  },
  'sending-money': {
    strong: 'The recipient’s details all point the same way',
    mostly: 'Most of the recipient’s details point the same way',
    fair: 'The recipient is likely real',
    weak: 'Too little ties the recipient to the name for a payment',
    young: 'The recipient’s details agree, but they are young',
    conflict: 'The recipient’s details do not agree with each other',
    other_name: 'The records do not tie the name you would pay to these details',
    namesake: 'What is on record belongs to another person of the name you would pay',
    no_person: 'The name you would pay is not that of one person',
    nameless: 'The records do not say whom a payment would reach',
    catfish: 'Hold the payment',
    nothing: 'Nothing on record shows who would receive the money',
    name_only: 'A name alone does not show who would receive the money',
  },
  'suspected-scam': {
    strong: 'No red flag stands out in the identity data',
    mostly: 'Nearly all of the identity data fits together',
    fair: 'The identity data does not bear the suspicion out, nor does it settle it',
    weak: 'The identity data gives little to go on',
    young: 'The identity data fits together, but is young',
    conflict: 'Not every detail belongs to one identity, which alone is no red flag',
    other_name: 'The records do not tie the name to these details, which alone is no red flag',
    namesake: 'What is on record belongs to another person of this name, which alone is no red flag',
    no_person: 'The name is not that of one person, which alone is no red flag',
    nameless: 'The records name nobody, which is neither a red flag nor a reassurance',
    catfish: 'The details may belong to someone else',
    nothing: 'No red flag, and no reassurance either',
    name_only: 'A name alone can neither raise nor settle a suspicion',
  },
  reconnecting: {
    strong: 'These details fit the person named',
    mostly: 'Most of these details fit the person named',
    fair: 'These details lean towards the person named',
    weak: 'Only a little connects these details to the person named',
    young: 'These details fit together, but they are young for an old acquaintance',
    conflict: 'Some of these details lead away from the person named',
    other_name: 'None of these details is on record under this name',
    namesake: 'What is on record of these details belongs to another person of this name',
    no_person: 'These details came with a name that is not that of one person',
    nameless: 'The records do not say whether these details are those of the person you knew',
    catfish: 'The person behind these details may not be the one you knew',
    nothing: 'The records do not show whose details these are',
    name_only: 'A name alone cannot show that this is the person you knew',
  },
  general: {
    strong: 'The identity is well corroborated',
    mostly: 'The identity is well corroborated, with a point open',
    fair: 'The identity is likely real',
    weak: 'The identity is corroborated only in part',
    young: 'The details agree, but there is little past behind them',
    conflict: 'The details do not all belong together',
    other_name: 'The records do not put these details and the name together',
    namesake: 'What is on record belongs to another person of this name',
    no_person: 'The name is not that of one person',
    nameless: 'The records do not say whose these details are',
    catfish: 'The details may belong to someone else',
    nothing: 'There is nothing on record to judge by',
    name_only: 'Only a name was sent',
  },
};

/** Beginnings of the summary sentence on a suspected scam, by the id of the observation with the first red flag. */
export const OPENINGS_BY_RED_FLAG: Readonly<Record<string, string>> = {
  catfish: 'The red flag is whose details these are',
  other_name: 'The red flag is the name',
  different: 'The red flag is what belongs to somebody else',
  disguise: 'The red flag is a value that only imitates a real one',
  thin: 'The red flag is a short past',
};

/** Subject of the claim that nothing speaks against the person, which precedes the headline for `likely` where it is true. */
export const CHECKED_PARTY: Record<Exclude<Intent, 'suspected-scam'>, string> = {
  'online-dating': 'the person',
  'buying-or-selling': 'the other side',
  'sending-money': 'the recipient',
  reconnecting: 'the person',
  general: 'the person',
};

/** Second sentence of the overview, by intent and tone. A suspected scam has sentences of its own. */
export const HEADLINES_BY_INTENT: Record<Exclude<Intent, 'suspected-scam'>, Record<AdviceTone, string>> = {
  'online-dating': {
    go: 'The identity data gives no reason to hold back, though it says nothing about character.',
    likely: 'A video call would settle what the records leave open.',
    care: 'Get to know more before meeting in private.',
    stop: 'Treat photos, name and stories with reserve until it is clear whose details these are.',
    unknown: 'Let the person show who they are before you rely on anything they have told you.',
  },
  'buying-or-selling': {
    go: 'The identity data supports going ahead on normal terms.',
    likely: 'Terms that protect both are enough.',
    care: 'Go ahead only on terms that protect both sides.',
    stop: 'Do not hand over goods or a deposit while the details disagree.',
    unknown: 'Use terms that do not depend on knowing the other side.',
  },
  'sending-money': {
    go: 'The identity data supports the recipient; confirm the account details themselves.',
    likely: 'Confirm the payment through a second channel all the same.',
    care: 'Settle the open points before any money moves.',
    stop: 'Money sent to the wrong person is rarely recovered, so do not send it yet.',
    unknown: 'Nothing here would justify a payment that cannot be reversed.',
  },
  reconnecting: {
    go: 'A shared memory would settle what records cannot.',
    likely: 'A shared memory would settle what the records leave open.',
    care: 'Ask for something only the two of you would know.',
    stop: 'Make sure who is writing before you pick up where you left off.',
    unknown: 'The records alone cannot show who is writing.',
  },
  general: {
    go: 'The identity data gives no reason for further steps.',
    likely: 'The records leave a point open.',
    care: 'The records leave a point open that should be settled first.',
    stop: 'Find out whose details these are before relying on them.',
    unknown: 'More details are needed for a judgement in either direction.',
  },
};

/** Placeholder for the advice that names what can raise the score to a higher band; see `findAdviceToRaiseScore`. */
export const RAISE_SCORE_ADVICE = 'RAISE_SCORE_ADVICE';
/** Advice in its place if nothing keeps the score below the next band. */
export const ANY_CONTACT_TIP = 'Ask for one more contact and run the check again.';

/** Recommended actions by intent and tone, the most useful first. */
export const ADVICE_BY_INTENT: Record<Intent, Record<AdviceTone, readonly string[]>> = {
  'online-dating': {
    go: [
      'Have a video call before the first meeting.',
      'Meet in a public place and tell a friend where you will be.',
    ],
    likely: [
      'Have a video call before the first meeting.',
      'Meet in a public place and tell a friend where you will be.',
    ],
    care: [
      'Ask for a video call in which the person uses the name they gave you.',
      'Keep the conversation on the dating platform for now.',
      'Meet only in public, and arrange your own way there and back.',
    ],
    stop: [
      'Do not meet, and share nothing private, until it is clear whose contacts these are.',
      'Ask for a live video call.',
      'Keep the conversation on the dating platform until then.',
    ],
    unknown: [
      RAISE_SCORE_ADVICE,
      'Have a video call before sharing anything private.',
      'Take your time: a genuine contact will not mind.',
    ],
  },
  'buying-or-selling': {
    go: [
      'Keep the messages and the receipt.',
      'Exchange goods and payment at the same moment, in a public place.',
    ],
    likely: [
      'Exchange goods and payment at the same moment, or pay through a service that holds the money.',
      'Keep the messages and the receipt.',
    ],
    care: [
      'Pay through a service that holds the money until the goods arrive.',
      'See the goods, or the payment, before you hand anything over.',
      RAISE_SCORE_ADVICE,
    ],
    stop: [
      'Pay no deposit and ship nothing until it is clear whose contacts these are.',
      RAISE_SCORE_ADVICE,
      'Walk away if you are being hurried.',
    ],
    unknown: [
      'Deal in person and in public, with goods and payment changing hands together.',
      RAISE_SCORE_ADVICE,
      'Avoid payments that cannot be reversed.',
    ],
  },
  'sending-money': {
    go: [
      'Confirm the account details through a second channel, such as a call to a number you already had.',
      'Agree on the amount and the purpose in writing before you pay.',
    ],
    likely: [
      'Confirm the account details through a second channel, such as a call to a number you already had.',
      'Agree on the amount and the purpose in writing before you pay.',
    ],
    care: [
      'Call the recipient on a number you already had before sending anything.',
      RAISE_SCORE_ADVICE,
      'Choose a method of payment that can be reversed.',
    ],
    stop: [
      'Do not send money until you have spoken to the recipient through a channel you already knew.',
      'If money has already gone, tell your bank today.',
      'Be wary of anyone who presses you to pay at once.',
    ],
    unknown: [
      'Speak to the recipient through a channel you already knew before sending anything.',
      RAISE_SCORE_ADVICE,
      'Do not use gift cards, crypto or wire transfers for this payment.',
    ],
  },
  'suspected-scam': {
    go: [
      'Ask the named person through a contact you find yourself whether the messages come from them.',
      'Look at what is being asked of you: urgency, secrecy and unusual payments matter more than a name.',
    ],
    likely: [
      'Ask the named person through a contact you find yourself whether the messages come from them.',
      'Look at what is being asked of you: urgency, secrecy and unusual payments matter more than a name.',
      'Keep the messages until the suspicion is settled.',
    ],
    care: [
      'Send nothing and agree to nothing until you are sure whom you are dealing with.',
      'Reach the named person through a contact you find yourself.',
      'Keep the messages; they help if you report the case.',
    ],
    stop: [
      'Send neither money nor codes until the named person confirms the contacts.',
      'Keep messages, names and numbers as they are.',
      'If you were asked for money, tell the platform, and your bank if you paid.',
    ],
    unknown: [
      'Send nothing until the person can be reached through a contact you find yourself.',
      RAISE_SCORE_ADVICE,
      'Keep the messages in case you need to report them.',
    ],
  },
  reconnecting: {
    go: ['Mention something that both of you lived through, and see whether the answer fits.'],
    likely: [
      'Mention something that both of you lived through, and see whether the answer fits.',
      'Ask a mutual acquaintance whether the contact details are right.',
    ],
    care: [
      'Ask a question that only the person you knew could answer.',
      'Ask a mutual acquaintance whether the contact details are right.',
    ],
    stop: [
      'Reach the person through family or friends you both know.',
      'Share no news about yourself or others until you are sure who is writing.',
      'Turn down any request for money or codes.',
    ],
    unknown: [RAISE_SCORE_ADVICE, 'Ask a mutual acquaintance how to reach the person.'],
  },
  general: {
    go: ['Keep the request identifier with your notes.'],
    likely: [RAISE_SCORE_ADVICE, 'Keep the request identifier with your notes.'],
    care: [RAISE_SCORE_ADVICE, 'Rely on what the records confirm, and on nothing beyond it.'],
    stop: [
      'Ask the person whose contacts these are before you rely on them.',
      'Reach the person through a contact that you found yourself.',
    ],
    unknown: [RAISE_SCORE_ADVICE, 'Until then, take this result as a sign in neither direction.'],
  },
};

/** Ids of the observations that matter most for each intent of the caller (why the person is checked), most important first. */
export const OBSERVATION_ORDER_BY_INTENT: Record<Intent, readonly string[]> = {
  'online-dating': ['catfish', 'nameless', 'name', 'agreement', 'history'],
  'buying-or-selling': ['different', 'nameless', 'agreement', 'one_kind', 'name'],
  'sending-money': ['catfish', 'nameless', 'other_name', 'thin', 'agreement'],
  'suspected-scam': ['catfish', 'nameless', 'different', 'other_name', 'thin'],
  reconnecting: ['nameless', 'name', 'history', 'dormant', 'agreement'],
  general: ['nameless', 'agreement', 'name', 'history'],
};
