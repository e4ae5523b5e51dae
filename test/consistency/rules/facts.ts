// Sentences that state a fact about an identity, a value or its holders: the fact is that of the graph.
import type { Story } from '../story.ts';
import { objections, type Rule } from './rule.ts';

const YEAR_MS = 365.25 * 86_400_000;
const yearsBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / YEAR_MS;
const KINDS = { 'e-mail': 'email', email: 'email', phone: 'phone', address: 'address' } as const;

/** Returns the contact that a sentence is about: “The phone …”, “Phone 2 …”; undefined if it is about none. */
function subjectOf(sentence: string, contacts: Story['contacts']) {
  const [, kind = '', number = '1'] = /^(?:The )?(e-?mail|phone|address)(?: (\d))?\b/i.exec(sentence) ?? [];
  const rows = contacts.filter((row) => row.kind === KINDS[kind.toLowerCase() as keyof typeof KINDS]);
  return rows[Number(number) - 1];
}

export const FACTS: readonly Rule[] = [
  {
    name: 'split-among-as-many',
    clause: 'Issue 27: “split among 2 people” is said of the contacts of as many people, and never of one.',
    find: ({ texts, own, others }) =>
      objections(texts, (sentence) => {
        const [, number] = /\bsplit among (\d+) people/.exec(sentence) ?? [];
        const people = new Set(others.map((row) => row.matched_identity)).size + (own.length > 0 ? 1 : 0);
        return number !== undefined && Number(number) !== people;
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
      'Law 17: “last seen with somebody else years ago” is said only if nobody was seen with the phone since then.',
    find: ({ texts, contacts }) =>
      objections(texts, (sentence) => {
        const [, number] = /\bwas last seen with somebody else (\d+) years?\b/.exec(sentence) ?? [];
        const years = subjectOf(sentence, contacts)?.unseenYears ?? null;
        return number !== undefined && years !== null && Math.abs(Number(number) - years) > 1.01;
      }),
  },
  {
    name: 'household-shares-a-name',
    clause: 'Law 16: “somebody of the same family name” is the identity of a record with a word of the name.',
    find: ({ texts, contacts, request }) =>
      objections(texts, (sentence) => {
        if (!/\bon record for somebody of the same family name \(/.test(sentence)) return false;
        const words = subjectOf(sentence, contacts)?.owner?.words;
        return (
          words !== undefined &&
          !request.name
            .toLowerCase()
            .split(/[\s,-]+/)
            .some((word) => words.has(word))
        );
      }),
  },
];
