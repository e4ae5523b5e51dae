// Rules on claims in sentences about the name and the contacts, compared with the rows.
import { KINDS } from '../answer.ts';
import type { Contact, Story, Text } from '../story.ts';
import { isMatch, isOther, negated } from '../story.ts';
import { objections } from '../rule.ts';
import type { Rule } from '../rule.ts';
import { numberOf } from './wording.ts';

const about = (texts: readonly Text[]) => texts.filter(({ block }) => block !== 'names');

const MISFIT =
  /\b(?:do(?:es)? not|don[’']t|doesn[’']t|none of .*|no identity .*|nobody .*) (?:bears?|ha(?:s|ve)) (?:the|this) (?:submitted )?name\b|\bname (?:does not|doesn[’']t) (?:fit|match|agree|go)|\b(?:without|no) (?:a |the )?(?:matching|submitted) name\b|\bnames? and (?:the )?contacts? (?:do|does) not\b|\bidentity without the submitted name\b|\bwhose name is not the submitted one\b|\b(?:somebody|someone) (?:else|other) than the person named\b/i;
const FITS =
  /\b(?:the|this) (?:submitted )?name (?:and .* )?(?:matches|agrees|fits|belongs?)\b|\bidentity (?:that bears the|with (?:this|the)) name\b|\bprimary name\b|\bname is the primary one\b|\bname and (?:all|the|every|both)\b.*\bbelong/i;
const ALL_FIT =
  /\b(?:everything|every (?:contact|value|detail)|all (?:of )?(?:the )?(?:\d+ )?(?:contacts|values|details))\b.*\b(?:match|agree|belong|fit|resolve|lead)/i;
const OTHER =
  /\bdifferent identit|\banother identity\b|\bother identities\b|\bsome(?:one|body) else\b|\bother people\b/i;
const KIND_WORDS: Record<string, Contact['kind'][]> = {
  email: ['email'],
  'e-mail': ['email'],
  phone: ['phone'],
  address: ['address'],
  contact: ['email', 'phone', 'address'],
  value: ['email', 'phone', 'address'],
};

interface Count {
  number: number;
  kinds: Contact['kind'][];
  of: number | null;
}

/** Returns the counts in a sentence: “2 of 3 emails”, “one phone”, “3 contacts”. */
function countsIn(sentence: string): Count[] {
  const form =
    /\b(\d+|no|one|two|three|four|five)(?: of (?:the )?(\d+))?(?: other)? (e-?mail|phone|address|contact|value)(?:e?s)?\b/gi;
  return [...sentence.matchAll(form)].flatMap(([, number, of, word = '']) => {
    const value = numberOf(number);
    const kinds = KIND_WORDS[word.toLowerCase()];
    return value === null || !kinds
      ? []
      : [{ number: value, kinds, of: of === undefined ? null : Number(of) }];
  });
}

const countOf = (rows: readonly Contact[], kinds: Contact['kind'][]) =>
  rows.filter((row) => kinds.includes(row.kind)).length;

/**
 * Returns the parts of a sentence that make one claim each, with the number that each starts with or
 * contains.
 */
function counted(sentence: string): { part: string; count: Count }[] {
  return sentence.split(/[,;:]\s|\s(?:and|while|but)\s/).flatMap((part) => {
    const counts = countsIn(part);
    const bare = numberOf(
      /^(\d+|one|two|three|four|five) (?:to|on record|with|is|are|belongs?|has|have)\b/.exec(part)?.[1],
    );
    if (counts.length === 0 && bare !== null)
      return [{ part, count: { number: bare, kinds: [...KINDS], of: null } }];
    const [count] = counts;
    return counts.length === 1 && count ? [{ part, count }] : [];
  });
}

export const CLAIMS: readonly Rule[] = [
  {
    name: 'name-misfit-denied-by-row',
    clause:
      'C4: the name row says whether the identity bears the name. Issue 11: “without a matching name” though it matched.',
    find: ({ nameFits, others, answer, texts }) => {
      if (!nameFits || others.length > 0) return null;
      const explanation = answer.combined_trust_score.explanation;
      return [
        ...objections(about(texts), (sentence) => MISFIT.test(sentence)),
        MISFIT.test(explanation) && `explanation: “${explanation}”`,
      ];
    },
  },
  {
    name: 'contacts-misfit-denied-by-row',
    clause:
      'Issue 11: “the contacts belong to identities that do not bear this name” beside a contact that does.',
    find: ({ own, texts }) =>
      own.length > 0 &&
      objections(
        about(texts),
        (sentence) =>
          (MISFIT.test(sentence) &&
            /^(?:the|all|none of the|no identity behind the|none of the identities behind the)?\s*contacts\b/i.test(
              sentence,
            ) &&
            !/\b(?:some|other|rest|of \d)\b/i.test(sentence)) ||
          /\bcontacts? (?:that (?:has|have)|with) a record belongs? to (?:another|other)\b|\bcontacts and the name do not go together\b/i.test(
            sentence,
          ),
      ),
  },
  {
    name: 'name-fit-denied-by-row',
    clause:
      'C4: a name resolves to an identity when the name engine calls it the same name as one of the identity’s names.',
    find: ({ name, texts }) =>
      name.match_status === 'Unverified' &&
      objections(about(texts), (sentence) => FITS.test(sentence) && !negated(sentence)),
  },
  {
    name: 'name-appears',
    clause: 'S1: a name alone yields only a statement about whether that name appears in the identity graph.',
    find: ({ name, texts }) =>
      objections(about(texts), (sentence) => {
        if (
          /\bname (?:does not|doesn[’']t) appear\b|\bname has no (?:matching )?record\b|\bno matching record for the name\b/i.test(
            sentence,
          )
        )
          return name.validated;
        return /\bname (?:appears|is on record)\b/i.test(sentence) && !negated(sentence) && !name.validated;
      }),
  },
  {
    name: 'name-alone-says-no-more',
    clause: 'C3: for a name alone the texts speak of the name only.',
    find: ({ nameOnly, texts }) =>
      nameOnly &&
      objections(
        texts.filter(({ place }) => ['summary', 'message'].includes(place) || place.startsWith('insights')),
        (sentence) =>
          /\b(?:contacts?|emails?|phones?|address(?:es)?|first seen|last seen|years?|histor)/i.test(sentence),
      ),
  },
  {
    name: 'all-fit-denied-by-rows',
    clause: 'C4, S3: one status a row: “all contacts belong to one identity” where a row says otherwise.',
    find: ({ contacts, nameFits, texts }) =>
      (!nameFits || contacts.some((row) => !isMatch(row.match_status))) &&
      objections(
        about(texts),
        (sentence) =>
          ALL_FIT.test(sentence) &&
          !negated(sentence) &&
          (contacts.some((row) => !isMatch(row.match_status)) || /\bname\b/.test(sentence)) &&
          !/\b(?:except|but|(?:that (?:has|have)|with) a record|on record|other|else)\b/i.test(sentence),
      ),
  },
  {
    name: 'no-record-count',
    clause: 'S2.3: `insights`: a count of values with no matching record.',
    find: ({ unknown, contacts, name, texts }) =>
      objections(about(texts), (sentence, { place }) =>
        counted(place.includes('key_findings') ? '' : sentence).some(({ part, count }) => {
          if (!/\bno (?:matching )?record\b/i.test(part) || count.number === 0) return false;
          const fine = countOf(unknown, count.kinds);
          const total = countOf(contacts, count.kinds);
          return (
            ![fine, fine + (name.validated ? 0 : 1)].includes(count.number) ||
            (count.of !== null && ![total, total + 1].includes(count.of))
          );
        }),
      ),
  },
  {
    name: 'other-identity-count',
    clause: 'S2.3: `insights`: a value resolving to a different identity.',
    find: ({ answer, contacts, others, texts }) =>
      // Several people may have the name of one person of a couple.
      !answer.insights.some((text) => text.startsWith('The name is that of two people')) &&
      objections(about(texts), (sentence, { place }) =>
        counted(place.includes('key_findings') ? '' : sentence).some(({ part, count }) => {
          if (!OTHER.test(part) || negated(part)) return false;
          // The rule part-of-name-of-as-many counts these.
          if (/\bto an identity (?:with the same|whose)\b/.test(sentence)) return false;
          const different = contacts.filter((row) => isOther(row.match_status));
          // A contact on record without a name may belong to the person.
          const strangers = others.filter(({ owner }) => owner?.nameless !== true);
          return ![others, strangers, different].some((rows) => countOf(rows, count.kinds) === count.number);
        }),
      ),
  },
  {
    name: 'nobody-on-record',
    clause: 'S3: Unverified means no matching record; a validated row has one.',
    find: ({ contacts, texts }) =>
      contacts.some((row) => row.validated) &&
      objections(about(texts), (sentence) =>
        /\b(?:nothing (?:is )?on record|none of the contacts (?:has|have)|no contact (?:that was sent )?has|no contacts? (?:is|are) on record)\b/i.test(
          sentence,
        ),
      ),
  },
  {
    name: 'value-and-identity',
    clause:
      'C4: `DIFFERENT IDENTITY: <Field> matches identity <n>`: a sentence that gives a value an identity gives it the row’s.',
    find: ({ contacts, texts }) =>
      objections(about(texts), (sentence) => {
        const found =
          /^(?:The )?(e-?mail|phone|address)(?: (\d))? (?:matches|resolves to|belongs to|is on record for)\b[^.]*\bidentity \(?(?:ID )?(\d+)/i.exec(
            sentence,
          );
        if (!found) return false;
        const rows = contacts.filter((row) => KIND_WORDS[(found[1] ?? '').toLowerCase()]?.includes(row.kind));
        const asked = found[2] === undefined ? rows : rows.slice(Number(found[2]) - 1, Number(found[2]));
        return !asked.some((row) => row.matched_identity === Number(found[3]));
      }),
  },
  {
    name: 'history-in-texts',
    clause:
      'C3: `history`’s four fields are the dominant identity’s own, null where its records carry no date.',
    find: ({ answer: { history }, texts }) =>
      objections(
        texts.filter(({ block, place }) => block !== 'names' && block !== 'fraud' && place !== 'explanation'),
        (sentence) => datedWrongly(sentence, history),
      ),
  },
  {
    name: 'basis-narrow-with-high-confidence',
    clause: 'Issue 11: “narrow basis, a further contact would widen it” where everything matched.',
    find: ({ answer, texts }) =>
      answer.confidence_level === 'HIGH' &&
      objections(about(texts), (sentence) =>
        /\bnarrow basis\b|\bthin basis\b|\btoo little\b|\bwiden\b|\brests on (?:little|one)\b/i.test(
          sentence,
        ),
      ),
  },
];

const UNIT = { day: 1, month: 30.44, year: 365.25 } as const;

/** True if a sentence gives dates that the history does not have, such as “first seen 12 years ago”. */
function datedWrongly(sentence: string, history: Story['answer']['history']): boolean {
  const told = [...sentence.matchAll(/\b(first|last) seen (\d+) (day|month|year)s? ago/gi)];
  const spans = /\brecords? (?:span|reach back|go back)/i.test(sentence);
  if (history.first_seen === null && history.last_seen === null) return told.length > 0 || spans;
  return told.some(([, which = '', number, unit = '']) => {
    const days =
      which.toLowerCase() === 'first' ? history.days_since_first_seen : history.days_since_last_seen;
    if (days === null) return true;
    return Math.abs(Number(number) - days / UNIT[unit.toLowerCase() as keyof typeof UNIT]) > 1.05;
  });
}
