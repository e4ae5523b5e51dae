// Rules on the dominant identity, the history, the flag, and the laws that one answer alone can break.
import type { Known, Story } from '../story.ts';
import { isMatch } from '../story.ts';
import { near } from '../rule.ts';
import type { Rule } from '../rule.ts';

/** Number of holders from which on a value is nobody's own. */
const MANY = 5;
const DAY = 86_400_000;

/**
 * Returns the number of values of each identity, the name included. With `once`, two spellings of one phone
 * count once.
 */
function votes({ name, contacts }: Story, { once }: { once: boolean }): Map<number, number> {
  const seen = new Set<string>();
  const count = new Map<number, number>();
  for (const row of [{ ...name, kind: 'name' }, ...contacts]) {
    const key = `${row.kind} ${JSON.stringify(row.standardized)}`;
    if (row.matched_identity === null || (once && seen.has(key))) continue;
    seen.add(key);
    count.set(row.matched_identity, (count.get(row.matched_identity) ?? 0) + 1);
  }
  return count;
}

function outvoted(story: Story, once: boolean): string | false {
  const { dominant_identity: dominant } = story.answer;
  if (dominant === null) return false;
  const count = votes(story, { once });
  const own = count.get(dominant) ?? 0;
  for (const [id, number] of count)
    if (number > own || (number === own && id === story.person && id !== dominant))
      return `identity ${id} has ${number} values, dominant ${dominant} has ${own}`;
  return false;
}

/** True if a word of the name is on record for the identity, or the family name at the start of a Chinese or Japanese name. */
const agreesInPart = (name: string, { words }: Known): boolean =>
  words !== undefined &&
  name
    .toLowerCase()
    .split(/[\s-]+/)
    .some(
      (word) =>
        words.has(word) || (HAN.test(word) && [...words].some((one) => one.startsWith(word.slice(0, 2)))),
    );
const HAN = /^\p{Script=Han}/u;

const sameDay = (a: string | null, b: string | null): boolean =>
  (a?.slice(0, 10) ?? null) === (b?.slice(0, 10) ?? null);

export const VERDICT: readonly Rule[] = [
  {
    name: 'dominant-by-number',
    clause:
      'C4: the dominant identity is the one that most submitted values, the name included, resolved to; ties go to the one whose name matches.',
    find: (story) => outvoted(story, true) && outvoted(story, false),
  },
  {
    name: 'dominant-where-resolved',
    clause: 'C3: `dominant_identity` and `matched_identity` are null only where no value resolved.',
    find: ({ answer, name, contacts }) => {
      const any = [name, ...contacts].some((row) => row.match_status !== 'Unverified');
      return any !== (answer.dominant_identity !== null) && `dominant ${answer.dominant_identity}`;
    },
  },
  {
    name: 'history-of-the-dominant',
    clause:
      'C3: `history`’s four fields are null where no value resolved and for a name alone, and are the dominant identity’s own otherwise (null where its records carry no date).',
    find: ({ answer: { history, dominant_identity: dominant }, nameOnly, known }) => {
      const values = Object.values(history);
      const count = values.filter((value) => value !== null).length;
      return [
        count > 0 && nameOnly && 'history for a name alone',
        count > 0 && dominant === null && 'history of nobody',
        known !== null && !nameOnly && !sameDay(history.first_seen, known.first_seen) && 'not its first_seen',
        known !== null && !nameOnly && !sameDay(history.last_seen, known.last_seen) && 'not its last_seen',
        (history.first_seen === null) !== (history.days_since_first_seen === null) && 'first_seen by half',
        (history.last_seen === null) !== (history.days_since_last_seen === null) && 'last_seen by half',
      ];
    },
  },
  {
    name: 'history-in-order',
    clause:
      'S2.3: `first_seen`, `last_seen` (ISO 8601 UTC), `days_since_…` (integers): of one and the same span.',
    find: ({ answer: { history: it } }) => {
      if (it.first_seen === null || it.last_seen === null) return null;
      const [first, last] = [Date.parse(it.first_seen), Date.parse(it.last_seen)];
      const gap = (it.days_since_first_seen ?? 0) - (it.days_since_last_seen ?? 0);
      return [
        !(first <= last) && 'first seen after last seen',
        !near(gap, (last - first) / DAY, 1.01) && `${gap} days between ${it.first_seen} and ${it.last_seen}`,
        ![it.days_since_first_seen, it.days_since_last_seen].every(Number.isInteger) && 'no whole days',
      ];
    },
  },
  {
    name: 'flag-has-a-cause',
    clause:
      'C3: `possible_catfish`: the contacts resolve, with weight, to an identity that does not bear the submitted name, or are split among several people.',
    find: ({ answer, others }) =>
      answer.possible_catfish && others.length === 0 && 'no contact is another person’s',
  },
  {
    name: 'flag-not-by-addresses',
    clause: 'C3 law 10: addresses alone raise no flag.',
    find: ({ answer, others }) =>
      answer.possible_catfish &&
      others.length > 0 &&
      others.every((row) => row.kind === 'address') &&
      'only addresses are other people’s',
  },
  {
    name: 'flag-not-by-shared-values',
    clause: 'C3: shared values raise no flag.',
    find: ({ answer, others }) =>
      answer.possible_catfish &&
      others.some((row) => row.kind !== 'address') &&
      others.every((row) => row.kind === 'address' || (row.holders ?? 1) >= MANY) &&
      'all e-mails and phones of others are shared by many',
  },
  {
    name: 'flag-is-due',
    clause:
      'C3: the contacts resolve, with weight, to an identity that does not bear the submitted name; law 11: in proportion to how much of the name agrees.',
    find: ({ answer, request, own, others, known, nameFits }) =>
      !answer.possible_catfish &&
      !answer.insights.some((text) => /^The name (?:is that of|only describes)\b/.test(text)) &&
      !nameFits &&
      own.length === 0 &&
      known?.nameless === false &&
      !agreesInPart(request.name, known) &&
      others.filter(
        (row) =>
          row.kind !== 'address' && row.holders === 1 && row.matched_identity === answer.dominant_identity,
      ).length >= 2 &&
      'two e-mails or phones of one other person, unshared, and nothing of the one who was named',
  },
  {
    name: 'flag-not-by-a-minority',
    clause: 'C3: shared values, and a minority beside the person’s own, raise no flag.',
    find: ({ answer, own, others, nameFits }) => {
      const weighty = (rows: { kind: string }[]) => rows.filter((row) => row.kind !== 'address').length;
      return (
        answer.possible_catfish &&
        nameFits &&
        others.length > 0 &&
        own.length >= 2 * others.length &&
        weighty(own) >= 2 * weighty(others) &&
        `${others.length} of ${own.length + others.length} contacts are another person’s`
      );
    },
  },
  {
    name: 'law-6-name-alone',
    clause: 'C3 law 6: a name alone scores at most 64.',
    find: ({ answer, nameOnly }) =>
      nameOnly && answer.trustworthiness_score > 64 && `${answer.trustworthiness_score}`,
  },
  {
    name: 'law-8-one-kind',
    clause: 'C3 law 8: one kind of contact alone, however many values, does not reach 85.',
    find: ({ answer, contacts }) => {
      const kinds = new Set(contacts.filter((row) => row.validated).map((row) => row.kind));
      return (
        kinds.size <= 1 &&
        answer.trustworthiness_score >= 85 &&
        `${answer.trustworthiness_score} by ${[...kinds].join() || 'nothing'} alone`
      );
    },
  },
  {
    name: 'law-9-without-the-bearer',
    clause:
      'C3 law 9: without a contact that belongs to somebody who bears the name the score is at most 64.',
    find: ({ answer: { trustworthiness_score: score }, name, contacts }) =>
      score > 64 &&
      (name.match_status === 'Unverified' || !contacts.some((row) => row.validated)) &&
      `${score}, name ${name.match_status}`,
  },
  {
    name: 'law-10-addresses',
    clause:
      'C3 law 10: whose other contacts fit or have no record does not fall below 40 (25 where the name is nowhere on record) by addresses alone that others live at.',
    find: ({ answer: { trustworthiness_score: score }, name, others }) => {
      const floor = name.match_status === 'Unverified' ? 25 : 40;
      return (
        score < floor &&
        others.length > 0 &&
        others.every((row) => row.kind === 'address') &&
        `${score} although only addresses are other people’s`
      );
    },
  },
  {
    name: 'law-12-bound-of-84',
    clause:
      'C3 law 12: beside an e-mail or phone that belongs to somebody else and not to the person of the name, the score is at most 84.',
    find: ({ answer: { trustworthiness_score: score }, request, others }) =>
      score > 84 &&
      others.some(
        ({ kind, holders, owner }) =>
          kind !== 'address' &&
          holders === 1 &&
          owner !== null &&
          !owner.nameless &&
          !agreesInPart(request.name, owner),
      ) &&
      `${score} beside a contact of another person`,
  },
  {
    name: 'law-13-flag-below-65',
    clause: 'C3 law 13: `possible_catfish` is never true at 65 or more.',
    find: ({ answer }) =>
      answer.possible_catfish &&
      answer.trustworthiness_score >= 65 &&
      `the flag at ${answer.trustworthiness_score}`,
  },
  {
    name: 'no-record-is-not-against',
    clause:
      'S3: Unverified is not a failed check and not a negative finding; C3 law 3: it never lowers the score.',
    find: ({ answer, nameOnly, noRecord }) =>
      (nameOnly || noRecord) && [
        answer.trustworthiness_score < 25 && `${answer.trustworthiness_score} with nothing on record`,
        answer.identity_score.penalties < 0 &&
          `penalties ${answer.identity_score.penalties} with nothing on record`,
      ],
  },
  {
    name: 'penalty-has-a-cause',
    clause:
      'C3 law 5: only values of other people, or a name that is not borne by whom the contacts belong to, lower the score.',
    find: ({ answer: { identity_score: it }, others, contacts, name }) =>
      (it.penalties < 0 || it.fraud_risk_penalty < 0) &&
      others.length === 0 &&
      name.match_status === 'Primary Match' &&
      contacts.every((row) => row.match_status === 'Unverified' || isMatch(row.match_status)) &&
      `penalties ${it.penalties}, fraud risk ${it.fraud_risk_penalty}, and nothing is another person’s`,
  },
];
