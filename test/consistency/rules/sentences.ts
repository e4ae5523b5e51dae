// Compares each sentence of the verdict with the rows of the records, the holders of the contacts, and the other sentences.
import type { Contact, Story } from '../story.ts';
import { isMatch, isOther } from '../story.ts';
import { objections } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { numberOf } from './wording.ts';

const KIND_TITLES = { email: 'e-mail', phone: 'phone', address: 'address' } as const;
const wordsOf = (name: string) => name.toLowerCase().split(/[\s,-]+/);

/** Returns the contact that a reason is about: “the phone belongs …”, “e-mail 2 belongs …”. */
const contactOf = (reason: string, contacts: readonly Contact[]): Contact | undefined => {
  const [, kind = '', number = '1'] =
    /: (?:the )?(e-mail|phone|address)(?: (\d))? belongs\b/.exec(reason) ?? [];
  return contacts.filter((row) => KIND_TITLES[row.kind] === kind)[Number(number) - 1];
};

/** Returns the number of contacts at the start of a sentence: “All 3 contacts”, “1 of 2 contacts”, “The contact”. */
function countAtStart(sentence: string, { contacts }: Story): number {
  if (/^(?:both|all)\b/i.test(sentence)) return contacts.length;
  return numberOf(/^(\d+) of\b/.exec(sentence)?.[1]) ?? 1;
}

/** True if the name counts as that of the identity only because of the contacts, as name matching tells. */
const isSupported = ({ answer }: Story): boolean =>
  /\bnames alone do not show\b/.test(answer.ai_insights?.name_matching?.name_analysis?.explanation ?? '');

/** True if the insights say that the name does not belong to one person. */
const isNoPerson = ({ answer }: Story): boolean =>
  answer.insights.some((text) => /^The name (?:is that of|only describes)\b/.test(text));

export const SENTENCES: readonly Rule[] = [
  {
    name: 'part-of-name-of-as-many',
    clause:
      'C3 law 14: evidence of two identities is never added up as one’s: “3 contacts belong to an identity with the same family name” is said of contacts of one such identity.',
    find: (story) => {
      const { knowledge, request, texts, contacts } = story;
      if (!knowledge.holds || knowledge.identities.size === 0) return null;
      const words = wordsOf(request.name);
      const counts = [...knowledge.identities]
        .filter(([, known]) => words.some((word) => known.words?.has(word)))
        .map(([id]) => contacts.filter((row) => knowledge.holds?.(id, row.kind, row.input)).length);
      return objections(
        texts.filter(({ place }) => place === 'message' || place === 'summary'),
        (sentence) => {
          const claim = sentence.replace(/^[A-Z ]+: /, '');
          return (
            /\bbelongs? to an identity with the same (?:given|family) name\b/.test(claim) &&
            counts.length > 0 &&
            Math.max(...counts) < countAtStart(claim, story)
          );
        },
      );
    },
  },
  {
    name: 'name-in-part-is-not-the-name',
    clause:
      'Every sentence agrees with every other one: beside “the names alone do not show that they are the same” no sentence says that the identity has the name.',
    find: (story) => {
      if (!isSupported(story)) return null;
      const reasons = story.answer.trust_score.reasons.filter((text) => /\bhas this name\b/.test(text));
      return [
        ...reasons,
        ...objections(
          story.texts.filter(({ block }) => block !== 'names'),
          (sentence) =>
            /\b(?:the name and|the name, the) .*\bbelong to one identity\.?(?: \(|$)/i.test(sentence) ||
            /\bbears? the name\b|\bname agrees with\b|^Primary name on record$|\bon record under the name\b/i.test(
              sentence,
            ),
        ),
      ];
    },
  },
  {
    name: 'no-person-in-the-headline',
    clause: 'C3 law 18: a company, a couple or a relation in the place of a name is said as such.',
    find: (story) =>
      isNoPerson(story) &&
      /: The name and [^;]*\bbelong to one identity\.$/.test(story.answer.message) &&
      `“${story.answer.message}” does not say why the score is at most 64`,
  },
  {
    name: 'all-holders-told',
    clause: 'C3 law 7: a value of several people is not told as that of one of them.',
    find: ({ answer, contacts }) =>
      answer.trust_score.reasons
        .filter((reason) => {
          const holders = contactOf(reason, contacts)?.holders ?? null;
          const isOne = /\bbelongs to identity \d+(?:, who(?:se)? [^[]*)? \[/.test(reason);
          return (
            isOne &&
            holders !== null &&
            holders > 1 &&
            !/\bthe same name\b|\bpatronymic\b|\bothers? \[/.test(reason)
          );
        })
        .map((reason) => `“${reason}”, which others have too`),
  },
  {
    name: 'bound-fits-the-score',
    clause:
      'Every sentence agrees with the numbers: a bound that is named is kept, and limits or raises the score as it says.',
    find: ({ answer: { trustworthiness_score: score, combined_trust_score: combined } }) => {
      const [, least] = /\bnot below (\d+)\b/.exec(combined.explanation) ?? [];
      const [, most] = /\bat most (\d+)\b/.exec(combined.explanation) ?? [];
      const wrong =
        (least !== undefined && score < Number(least)) ||
        (most !== undefined && score > Number(most)) ||
        (/\bscore is (?:limited|at most)\b/.test(combined.explanation) && score > combined.pre_capped) ||
        (/\bhigher than the sum\b/.test(combined.explanation) && score < combined.pre_capped);
      return wrong && `${combined.pre_capped} became ${score}: “${combined.explanation}”`;
    },
  },
  {
    name: 'one-phone-may-be-mistyped',
    clause: 'Every sentence is true: “a phone may be mistyped” is said of one phone, not of several.',
    find: ({ answer, others }) =>
      /\ba phone may be mistyped\b/.test(answer.combined_trust_score.explanation) &&
      others.filter(({ kind }) => kind === 'phone').length > 1 &&
      `“${answer.combined_trust_score.explanation}”`,
  },
  {
    name: 'kinds-of-contact-agree',
    clause:
      'Every sentence agrees with every other one: not “one kind of contact” and “separate kinds seldom agree by chance”.',
    find: ({ answer, texts }) =>
      /\bone kind of contact\b/.test(answer.combined_trust_score.explanation) &&
      objections(texts, (sentence) => /\bseparate kinds\b/.test(sentence)),
  },
  {
    name: 'family-at-the-address',
    clause:
      'C3 law 16: somebody of the same family name at a submitted address is told, if nobody has the name.',
    find: ({ answer, request, name, contacts, knowledge }) => {
      const [first, ...more] = wordsOf(request.name);
      const family = more.at(-1);
      if (name.match_status !== 'Unverified' || family === undefined || family === first) return null;
      const isTold = answer.insights.some((text) => /\bfamily name\b|\bpatronymic\b/.test(text));
      const isThere = contacts.some(
        (row) =>
          row.kind === 'address' &&
          row.validated &&
          (row.holders ?? 0) <= 5 &&
          [...knowledge.identities].some(
            ([id, { family: surname }]) =>
              surname === family && knowledge.holds?.(id, row.kind, row.input) === true,
          ),
      );
      return isThere && !isTold && `nobody tells of the family name “${family}” at the address`;
    },
  },
  {
    name: 'slip-is-confirmed-first',
    clause:
      'Every sentence agrees with every other one: beside “a phone may be mistyped or passed on” the case is not held before the one phone of somebody else is confirmed.',
    find: ({ answer, contacts, nameFits, own, texts }) => {
      const foreign = contacts.filter((row) => isOther(row.match_status));
      const isSlip = nameFits && own.length > 0 && foreign.length === 1 && foreign[0]?.kind === 'phone';
      if (!isSlip || !/\bmistyped\b/.test(answer.combined_trust_score.explanation)) return null;
      const isConfirmed = answer.ai_insights?.overview?.recommended_actions.some((text) =>
        /^Confirm\b.*\bfirst\b/.test(text),
      );
      return !isConfirmed && objections(texts, (sentence) => /^Hold the case\b/.test(sentence));
    },
  },
  {
    name: 'history-of-the-person',
    clause: 'The history in the findings is that of the person named, not of a stranger.',
    find: ({ nameFits, known, texts }) =>
      !nameFits &&
      known?.nameless !== true &&
      objections(texts, (sentence) => /^History: first seen\b/.test(sentence)),
  },
  {
    name: 'counts-of-one-sort',
    clause: 'No contact is counted as one of “without this name” beside one “for a different identity”.',
    find: ({ texts }) =>
      objections(texts, (sentence) =>
        /\bwithout this name\b.*\bon record for (?:a )?different identit/.test(sentence),
      ),
  },
  {
    name: 'not-only-if-all',
    clause:
      'Every sentence is true: “only the email resolves” is said if something else was sent that does not.',
    find: ({ contacts, texts }) =>
      contacts.every((row) => row.validated) &&
      objections(texts, (sentence) => /\bbeside the name, only\b/i.test(sentence)),
  },
  {
    name: 'plain-words',
    clause: 'The texts are plain: no code of a comparison, and “neither” of two.',
    find: ({ texts, contacts }) =>
      objections(
        texts,
        (sentence) =>
          /\banother form \(/.test(sentence) ||
          /(?<!at least )\b2 identities, (?:and )?none of\b/.test(sentence) ||
          /\b(?:someone|somebody) else (?:than|with the person)\b/.test(sentence) ||
          /\bfull name and suffix\b|\bideally an older\b|\bthose of the name, such as\b/.test(sentence) ||
          (/\bconflict in part\b/.test(sentence) && !contacts.some((row) => isMatch(row.match_status))),
      ),
  },
];
