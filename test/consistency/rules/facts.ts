// Compares sentences on an identity, a value or its holders with the graph and with the other sentences.
import { isOther, type Story } from '../story.ts';
import { objections, type Rule } from '../rule.ts';

const YEAR_MS = 365.25 * 86_400_000;
const yearsBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / YEAR_MS;
const KINDS = { 'e-mail': 'email', email: 'email', phone: 'phone', address: 'address' } as const;

/** Returns the contact that a sentence is about: “The phone …”, “Phone 2 …”; undefined if it is about none. */
function subjectOf(sentence: string, contacts: Story['contacts']) {
  const [, kind = '', number = '1'] = /^(?:The )?(e-?mail|phone|address)(?: (\d))?\b/i.exec(sentence) ?? [];
  const rows = contacts.filter((row) => row.kind === KINDS[kind.toLowerCase() as keyof typeof KINDS]);
  return rows[Number(number) - 1];
}

const LAST_SEEN_WITH = /\bwas last seen (on record|with the person of this name) (\d+) years?\b/;
const SPLIT =
  /\bsplit among\b|\bdisagree: .* against\b|\b(?:lead to|contacts of|spread over) (?:\d+|two|more than one) (?:identit|people)/i;
/** Returns the letters of a word in alphabetical order, which swapped letters do not change. */
const lettersOf = (word: string) => [...word].toSorted().join('');
const onRecord = ({ contacts }: Story) => contacts.filter((row) => row.match_status !== 'Unverified');
const isOfCompany = ({ answer }: Story) =>
  answer.insights.some((text) => /^The name is that of a company\b/.test(text));

export const FACTS: readonly Rule[] = [
  {
    name: 'split-among-as-many',
    clause:
      'Issue 27: “split among 2 people” is said of the contacts of as many people, and never of one, or of a contact that several people share.',
    find: ({ texts, own, others }) =>
      objections(texts, (sentence) => {
        const [, number] = /\bsplit among (\d+) people/.exec(sentence) ?? [];
        const people = new Set(others.map((row) => row.matched_identity)).size + (own.length > 0 ? 1 : 0);
        const isShared = others.some(({ holders }) => (holders ?? 1) > 1);
        return number !== undefined && (isShared || Number(number) !== people);
      }),
  },
  {
    name: 'span-as-in-the-history',
    clause: 'Issue 27: “records span 6 years” is the time between first and last seen, wherever it is said.',
    find: ({ texts, answer: { history, dominant_identity: dominant } }) =>
      objections(texts, (sentence) => {
        const [, identity, number] =
          /\brecords (?:of identity (\d+) )?(?:span|reach back) (\d+) years?\b/.exec(sentence) ?? [];
        if (number === undefined || (identity !== undefined && Number(identity) !== dominant)) return false;
        if (history.first_seen === null || history.last_seen === null) return true;
        return Math.abs(Number(number) - yearsBetween(history.first_seen, history.last_seen)) > 1.01;
      }),
  },
  {
    name: 'sharers-as-on-record',
    clause: 'C3, law 10: “shared by 20 identities” is said of a value that as many people have.',
    find: ({ texts, contacts }) =>
      objections(texts, (sentence) => {
        const [, number] = /\bis shared by ([\d,]+) identities\b/.exec(sentence) ?? [];
        const holders = subjectOf(sentence, contacts)?.holders ?? null;
        return number !== undefined && holders !== null && Number(number.replaceAll(',', '')) !== holders;
      }),
  },
  {
    name: 'identity-of-the-name',
    clause: 'C4: “the name belongs to identity 7” is the identity of the name row.',
    find: ({ texts, name }) =>
      objections(texts, (sentence) => {
        const [, number] = /\bname belongs to another identity \((\d+)\)/.exec(sentence) ?? [];
        return number !== undefined && Number(number) !== name.matched_identity;
      }),
  },
  {
    name: 'long-ago-is-long-ago',
    clause:
      'Law 17: “last seen on record years ago” is said only if nobody was seen with the phone since then; with the person, if they were not.',
    find: ({ texts, contacts }) =>
      objections(texts, (sentence) => {
        const [, who, number] = LAST_SEEN_WITH.exec(sentence) ?? [];
        const years = subjectOf(sentence, contacts)?.unseenYears ?? null;
        if (number === undefined || years === null) return false;
        const difference = Number(number) - years;
        // Somebody else may have the person's contact now.
        return (who === 'on record' ? Math.abs(difference) : -difference) > 1.01;
      }),
  },
  {
    name: 'household-shares-a-name',
    clause: 'Law 16: “somebody of the same family name” is the identity of a record with a word of the name.',
    find: ({ texts, contacts, request }) =>
      objections(texts, (sentence) => {
        if (!/\bon record for somebody of the same family name \(/.test(sentence)) return false;
        const words = [...(subjectOf(sentence, contacts)?.owner?.words ?? [])].map(lettersOf);
        const isShared = request.name
          .toLowerCase()
          .split(/[\s,-]+/)
          .some((word) => words.includes(lettersOf(word)));
        return words.length > 0 && !isShared;
      }),
  },
  {
    name: 'not-split-if-one-has-all',
    clause:
      'Every sentence is true: contacts are not “split”, and kinds of contact do not “disagree”, if one identity has them all.',
    find: (story) => {
      const { knowledge, texts } = story;
      const rows = onRecord(story);
      const hasAll = [...knowledge.identities].some(
        ([id, { nameless }]) =>
          !nameless && rows.every((row) => knowledge.holds?.(id, row.kind, row.input) === true),
      );
      return rows.length > 1 && hasAll && objections(texts, (sentence) => SPLIT.test(sentence));
    },
  },
  {
    name: 'one-identity-if-one',
    clause:
      'Every sentence agrees with every other one: not “resolves to one identity” beside “identity 10 and 1 other”.',
    find: ({ contacts, texts }) =>
      contacts.some((row) => (row.holders ?? 1) > 1) &&
      objections(texts, (sentence) => /\bresolves? to one identity\b/.test(sentence)),
  },
  {
    name: 'details-on-record-if-all',
    clause: 'Every sentence is true: “these details are on record” only if each of them is on record.',
    find: ({ unknown, texts }) =>
      unknown.length > 0 &&
      objections(texts, (sentence) =>
        /(?:\bthese details are|(?<!\bnothing )\byour contact gave is) on record\b/i.test(sentence),
      ),
  },
  {
    name: 'namesake-has-the-name',
    clause:
      'Every sentence agrees with every other one: not “no identity bears the name” beside “another person of the same name”.',
    find: (story) => {
      const namesakes = story.answer.insights.filter((text) =>
        /\banother person of the same name\b/.test(text),
      );
      return (
        namesakes.length > 0 &&
        namesakes.length === onRecord(story).length &&
        objections(story.texts, (sentence) => /\bno identity behind\b|\bwithout this name\b/i.test(sentence))
      );
    },
  },
  {
    name: 'company-is-no-person',
    clause:
      'C3 law 18: the texts say that the name is that of a company, and do not call it a “named person”.',
    find: (story) =>
      isOfCompany(story) && objections(story.texts, (sentence) => /\bthe named person\b/.test(sentence)),
  },
  {
    name: 'not-little-if-all',
    clause: 'Every sentence agrees with every other one: not “only a little” beside “all 3 contacts belong”.',
    find: ({ answer, texts }) =>
      /\b(?:both|all \d) contacts belong\b/i.test(answer.message) &&
      objections(texts, (sentence) =>
        /\bonly a little\b|\blittle to tie\b|\btoo little ties\b|\bthinly documented\b/i.test(sentence),
      ),
  },
  {
    name: 'calm-without-red-flag',
    clause:
      'Every sentence agrees with every other one: not “agree to nothing” beside “there is no red flag”.',
    find: ({ texts }) =>
      texts.some(({ text }) => /\bno red flag in the identity data\b/.test(text)) &&
      objections(texts, (sentence) => /\bagree to nothing\b/i.test(sentence)),
  },
  {
    name: 'long-standing-is-long',
    clause: 'Every sentence agrees with the numbers: only records of five years or more are “long-standing”.',
    find: ({ answer: { history }, texts }) => {
      const span = Date.parse(history.last_seen ?? '') - Date.parse(history.first_seen ?? '');
      return span < 4.9 * YEAR_MS && objections(texts, (sentence) => /\blong-standing\b/i.test(sentence));
    },
  },
  {
    name: 'little-is-little',
    clause: 'Every sentence agrees with the numbers: no contact “says little” if it adds a bit or more.',
    find: ({ answer, texts }) =>
      objections(texts, (sentence) => {
        const [, contact] = /^(.+) is shared by .* says little\b/.exec(sentence) ?? [];
        return (
          contact !== undefined &&
          answer.trust_score.reasons.some((reason) => {
            const [, bits = '0', what] = /^\+(\d+\.\d+) bits: (.+) belongs\b/.exec(reason) ?? [];
            return what?.toLowerCase() === contact.toLowerCase() && Number(bits) >= 1;
          })
        );
      }),
  },
  {
    name: 'others-to-compare-with',
    clause: 'Every sentence is true: “than the other details” only if there are other details.',
    find: (story) =>
      onRecord(story).every((row) => isOther(row.match_status)) &&
      objections(story.texts, (sentence) => /\bthan the other (?:details|contacts?)\b/.test(sentence)),
  },
];
