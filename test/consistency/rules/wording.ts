// Rules on what no text may contain: words, figures, wrong numbers of things, unclear antecedents,
// repetitions.
import type { Text } from '../story.ts';
import { negated, sentences } from '../story.ts';
import { objections } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { wordOf } from './numbers.ts';

const VERDICTS = /\b(?:VERIFIED(?! MATCH)|LIKELY REAL|SUSPICIOUS|HIGH RISK)\b/g;
const NEVER =
  /\b(?:invalid|suspicious|fake|unverifiable|(?:could|can) ?not be verified|failed|fraudulent|bogus)\b/;
const THINGS =
  'emails?|e-mails?|phones?|addresses|address|contacts?|values?|identity|identities|people|persons?|records?';
const ONE_OF_MANY = new RegExp(
  `\\b(?:1|one) (?:emails|e-mails|phones|addresses|contacts|values|identities|people|records|sources)\\b|(?<!\\bof )\\b(?:[2-9]|[1-9]\\d+|two|three|four|five) (?:email|e-mail|phone|contact|value|identity|person|record|source)\\b(?! address| number)`,
  'i',
);
const VERB_FOR_MANY = new RegExp(
  `(?<!\\band (?:the )?)\\b(?:1|one) (?:other )?(?:email|e-mail|phone|address|contact|value|identity|record)(?: address| number)? (?:are|have|match|belong|resolve|were|bear)\\b`,
  'i',
);
const VERB_FOR_ONE = new RegExp(
  `(?<!\\b(?:1|one|each|any|none) of (?:the )?)\\b(?:[2-9]|[1-9]\\d+|two|three|four|five) (?:other )?(?:${THINGS}) (?:is|has|matches|belongs|resolves|was|bears)\\b`,
  'i',
);
const KIND_PLURAL = {
  email: /\b(?:the|all|both|these) e-?mails\b/i,
  phone: /\b(?:the|all|both|these) phones\b/i,
  address: /\b(?:the|all|both|these) addresses\b/i,
};
const OTHERS = /\b(?:several (?:identities|people|persons)|identities that|people who)\b/i;
/** Sentences on how many identities have a value or a name: the graph tells it, the rows do not. */
const SHARED =
  /\bshare[sd]?\b|\bborne? by\b|\b(?:bears?|ha(?:s|ve)) (?:the|this) name\b|\bidentities have it\b|\b(?:that of|the) two people\b|\bmany\b|\balso\b/i;
/** Advice to send money, unless the sentence says not to, or before what. */
const SEND_MONEY =
  /(?<!\b(?:not|before you|before|without|never) )\b(?:send|transfer|pay) (?:a |an |some |the )?(?:small |first )?(?:amount|sum|money|deposit)\b/i;
const HOLD =
  /\bhold the (?:payment|case)\b|\bdo not (?:send money|meet|rely|pay)\b|\bpay no deposit\b|\bbreak off\b|\bwalk away\b/i;
const ACCUSATION =
  /\b(?:fraudsters?|scammers?|impost[eo]rs?|criminals?|liars?|thie(?:f|ves)|stolen|is lying|committed|guilty|trades under|refusal is an answer|report the profile)\b/i;
const ANTECEDENT = /^(?:Its|They|Them|Their|He|She|His|Her)\b/;

const prose = (texts: readonly Text[]) => texts.filter((text) => sentences(text.text).length > 0);
const bodyOf = (text: string): string =>
  text.replace(/^(?:VERIFIED|LIKELY REAL|SUSPICIOUS|HIGH RISK|NO RECORD|NAME ONLY): /, '');

export const WORDING: readonly Rule[] = [
  {
    name: 'verdict-words-agree',
    clause: 'S2.3: score bands; C3: `message` carries the band’s word: no text names another.',
    find: ({ answer, texts, nameOnly, noRecord }) =>
      objections(texts, (sentence) =>
        (sentence.match(VERDICTS) ?? []).some(
          (word) => word !== wordOf(answer.trustworthiness_score) || nameOnly || noRecord,
        ),
      ),
  },
  {
    name: 'no-record-never-bad',
    clause:
      'S3: clients render Unverified as no record, never as invalid, suspicious or could not be verified; C3: never fake or unverifiable.',
    find: ({ texts }) => objections(texts, (sentence) => NEVER.test(sentence)),
  },
  {
    name: 'scores-in-texts',
    clause: 'C3: one final score.',
    find: ({ answer: { trustworthiness_score: score }, texts }) =>
      objections(
        texts.filter((text) => text.place !== 'explanation' && text.block !== 'names'),
        (sentence) =>
          [
            ...sentence.matchAll(/\bscores? (?:of |is )?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) (?:out )?of 100\b/g),
          ].some((found) => Number(found[1] ?? found[2]) !== score),
      ),
  },
  {
    name: 'confidence-in-texts',
    clause: 'C3: `confidence_level` says how much evidence there was.',
    find: ({ answer: { confidence_level: level }, texts }) =>
      objections(
        texts.filter(({ block }) => block !== 'names' && block !== 'fraud'),
        (sentence) =>
          [...sentence.matchAll(/\b(high|medium|low) confidence\b|^Evidence: (high|medium|low)$/gi)].some(
            (found) => (found[1] ?? found[2] ?? '').toUpperCase() !== level,
          ),
      ),
  },
  {
    name: 'identities-in-texts',
    clause: 'C4: a text that names an identity names one that a value resolved to.',
    find: ({ name, contacts, texts, answer }) => {
      const known = new Set([name, ...contacts].map((row) => row.matched_identity));
      const reasons: Text[] = answer.trust_score.reasons.map((text) => ({
        block: 'base',
        place: 'reasons',
        text,
      }));
      return objections([...texts.filter(({ block }) => block !== 'names'), ...reasons], (sentence) =>
        [...sentence.matchAll(/\bidentit(?:y|ies) \(?(?:ID )?(\d+)\b/g)].some(
          (found) => !known.has(Number(found[1])),
        ),
      );
    },
  },
  {
    name: 'number-agrees',
    clause: 'Issue 11: right number.',
    find: ({ texts }) =>
      objections(
        texts,
        (sentence) =>
          ONE_OF_MANY.test(sentence) || VERB_FOR_MANY.test(sentence) || VERB_FOR_ONE.test(sentence),
      ),
  },
  {
    name: 'plural-of-one',
    clause: 'Issue 11: right number: no “emails”, “contacts” or “both” where one was sent.',
    find: ({ contacts, texts }) =>
      objections(
        texts.filter(({ block }) => block !== 'names'),
        (sentence) =>
          !negated(sentence) &&
          (Object.entries(KIND_PLURAL).some(
            ([kind, form]) => form.test(sentence) && contacts.filter((row) => row.kind === kind).length < 2,
          ) ||
            (/\b(?:the|all|both|these) (?:\d+ )?contacts\b/i.test(sentence) && contacts.length < 2)),
      ),
  },
  {
    name: 'others-of-one',
    clause: 'Issue 11: “other identities” for one.',
    find: ({ others, contacts, name, texts }) => {
      // A shared value is described in the plural, but its row names one holder.
      if (contacts.some((row) => row.validated && row.holders !== 1)) return null;
      const idsOf = (rows: { matched_identity: number | null }[]) =>
        new Set(rows.map((row) => row.matched_identity).filter((id) => id !== null)).size;
      const count = { others: idsOf(others), behind: idsOf(contacts), all: idsOf([name, ...contacts]) };
      return objections(
        texts.filter(({ block }) => block !== 'names'),
        (sentence) => miscounted(sentence, count),
      );
    },
  },
  {
    name: 'no-sentence-twice',
    clause: 'Issue 11: no sentence twice.',
    find: ({ texts }) => {
      const seen = new Map<string, string>();
      return prose(texts).flatMap(({ text, place }) =>
        sentences(bodyOf(text))
          .filter((sentence) => sentence.split(' ').length >= 4)
          .map((sentence) => {
            // A summary begins with the sentence of the message by design, so this pair is not a repetition.
            const key = sentence
              .toLowerCase()
              .replace(/[^\p{L}\d]+/gu, ' ')
              .trim();
            const before = seen.get(key);
            seen.set(key, before ?? place);
            const pair = new Set([before, place]);
            return (
              before !== undefined &&
              !(pair.has('summary') && pair.has('message')) &&
              `${before} and ${place}: “${sentence}”`
            );
          }),
      );
    },
  },
  {
    name: 'antecedent',
    clause: 'Issue 11: right antecedent: “Its records” after a contact.',
    find: ({ texts }) =>
      texts.flatMap(({ text, place }) => {
        const all = sentences(bodyOf(text));
        return all.map((sentence, i) => {
          if (i === 0) return ANTECEDENT.test(sentence) && `${place} begins with “${sentence}”`;
          const [before = ''] = all.slice(i - 1, i);
          const contactLast = /\b(?:e-?mails?|phones?|address(?:es)?|contacts?)[^,;]*$/i.test(before);
          const identityNamed = /\bidentity\b|\bperson\b|\bsomebody\b|\bsomeone\b/i.test(before);
          return (
            /^Its (?:records|history)\b/.test(sentence) &&
            contactLast &&
            !identityNamed &&
            `${place}: “${sentence}” after “${before}”`
          );
        });
      }),
  },
  {
    name: 'advice-by-score',
    clause:
      'Issue 27: every sentence agrees with the numbers: no advice to hold or refuse beside LIKELY REAL, and never one to send money.',
    find: ({ answer: { trustworthiness_score: score }, texts }) =>
      objections(texts, (sentence) => SEND_MONEY.test(sentence) || (score >= 65 && HOLD.test(sentence))),
  },
  {
    name: 'accuses-nobody',
    clause: 'Issue 27: no sentence accuses anybody.',
    find: ({ texts }) => objections(texts, (sentence) => ACCUSATION.test(sentence)),
  },
  {
    name: 'no-machine-words',
    clause: 'Issue 11: texts like a careful analyst’s.',
    find: ({ texts }) =>
      objections(texts, (sentence) =>
        /\b(?:undefined|NaN|null|true|false)\b|\[object|\{|\}|[A-Z]+_[A-Z]+/.test(sentence),
      ),
  },
  {
    name: 'sentences-in-number',
    clause:
      'C3: `message`: a colon and one sentence; `summary` is one or two; S2.4: `ai_trust_analysis.summary` one sentence; `overview` 1–2.',
    find: ({ answer: { message, summary, ai_insights: insights } }) => {
      const trust = insights?.trust_enhancement?.ai_trust_analysis?.summary;
      const overview = insights?.overview?.overview;
      const count = (text: string) => sentences(bodyOf(text)).length;
      return [
        count(message) !== 1 && `message: “${message}”`,
        (count(summary) < 1 || count(summary) > 2) && `summary: “${summary}”`,
        trust !== undefined && count(trust) !== 1 && `trust summary: “${trust}”`,
        overview !== undefined && (count(overview) < 1 || count(overview) > 2) && `overview: “${overview}”`,
      ];
    },
  },
];

/** True if a sentence speaks of several others, or of a number of identities, that do not exist. */
function miscounted(sentence: string, count: { others: number; behind: number; all: number }): boolean {
  if (SHARED.test(sentence.replace(/\bdo(?:es)? not (?:bear|have)\b[^,.;]*/i, ''))) return false;
  const number = numberOf(/\b(\w+) (?:other |different )?(?:identities|people)\b/i.exec(sentence)?.[1]);
  // Two identities with the same name may be one person, and a record without a name may be anybody's. `at least` therefore allows fewer people.
  if (number !== null && /\bat least\b/.test(sentence)) return number > count.all;
  if (number !== null && number > 1)
    return number !== count.behind && number !== count.all && number !== count.others;
  if (negated(sentence.replace(/\bdo(?:es)? not (?:bear|have)\b|\bwithout (?:the|a|this)\b/gi, '')))
    return false;
  if (/\bother (?:identities|people|persons)\b/i.test(sentence)) return count.others < 2;
  return OTHERS.test(sentence) && count.behind < 2;
}

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
export function numberOf(word: string | undefined): number | null {
  if (word === undefined) return null;
  if (/^\d+$/.test(word)) return Number(word);
  const at = NUMBER_WORDS.indexOf(word.toLowerCase());
  return at < 0 ? null : at;
}
