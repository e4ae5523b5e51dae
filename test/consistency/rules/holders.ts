// Rules on sentences about the holders of the contacts: who they are, whose name they have, and when they were last seen.
import type { Story } from '../story.ts';
import { objections, type Rule } from '../rule.ts';

const wordsOf = (name: string) => name.toLowerCase().split(/[\s,.-]+/);
const onRecord = ({ contacts }: Story) => contacts.filter((row) => row.match_status !== 'Unverified');
const isSaid = ({ answer }: Story, text: RegExp) => answer.insights.some((sentence) => text.test(sentence));
const RELATIVE =
  /^The (?:family name agrees, the given name does not|patronymic is that of|name agrees, the suffix|address is on record for somebody of the same family)/;
const FORMER_NAME = /\bformer names?\b|\bany earlier one\b/;

export const HOLDERS: readonly Rule[] = [
  {
    name: 'newest-of-equals',
    clause:
      'Every sentence is true: “last seen on record 8 years ago” is not said of a contact that somebody of equal standing has today.',
    find: (story) => {
      const { answer, knowledge, person, request, texts } = story;
      const words = wordsOf(request.name);
      const rows = onRecord(story);
      const countOf = (id: number) => rows.filter((row) => knowledge.holds?.(id, row.kind, row.input)).length;
      const holders = [...knowledge.identities].filter(([id]) => countOf(id) > 0);
      const isLikeName = holders.some(
        ([, one]) => one.nameless || words.some((word) => one.words?.has(word)),
      );
      const last = answer.history.last_seen;
      if (person !== null || isLikeName || last === null) return null;
      const most = rows.filter((row) => row.matched_identity === answer.dominant_identity).length;
      const isNewer = holders.some(
        ([id, { last_seen: seen }]) => seen !== null && seen > last.slice(0, 10) && countOf(id) === most,
      );
      return (
        isNewer &&
        objections(texts, (sentence) => /\bidentity behind the contacts? was last seen\b/.test(sentence))
      );
    },
  },
  {
    name: 'one-band-in-a-sentence',
    clause: 'S2.3: score bands: beside VERIFIED no sentence says that the person is only likely real.',
    find: ({ answer, texts }) =>
      answer.trustworthiness_score >= 85 &&
      objections(texts, (sentence) =>
        /\blikely (?:real|who they say)\b|\bnot every point is settled\b|\bnot conclusively\b/i.test(
          sentence,
        ),
      ),
  },
  {
    name: 'other-suffix-is-another-name',
    clause:
      'C4: beside “whose name is not the submitted one” no sentence says that this identity has the same name.',
    find: ({ answer, texts }) => {
      const { email, phone, address } = answer.input_validation;
      const strangers = [email, phone, address].flatMap((block) => {
        const [, id] = /\bidentity (\d+), whose name is not/.exec(block?.match_message ?? '') ?? [];
        return id ?? [];
      });
      const isOfSameName = (sentence: string) =>
        strangers.some((id) => new RegExp(`identity ${id}\\b`).test(sentence)) &&
        /\banother person of the same name\b/.test(sentence);
      return [...answer.trust_score.reasons.filter(isOfSameName), ...objections(texts, isOfSameName)];
    },
  },
  {
    name: 'couple-is-not-one',
    clause: 'C3 law 18: beside a couple’s name no sentence says that the contacts are those of one identity.',
    find: (story) =>
      isSaid(story, /^The name is that of two people\b/) &&
      story.own.length > 0 &&
      objections(story.texts, (sentence) =>
        /(?<!^Not every detail )\bbelongs? to one identity\b|\bthe identity that bears the name\b/.test(
          sentence,
        ),
      ),
  },
  {
    name: 'relative-has-no-former-name',
    clause:
      'Advice must help: of a possible relative no sentence asks for a former name, or calls it a conflict.',
    find: (story) =>
      isSaid(story, RELATIVE) &&
      story.person === null &&
      objections(
        story.texts,
        (sentence) => FORMER_NAME.test(sentence) || /\bmismatch\b|\bconflict\b/.test(sentence),
      ),
  },
  {
    name: 'nameless-has-no-name',
    clause: 'Advice must help: no other form of a name is found in records without a name.',
    find: (story) =>
      isSaid(story, /^The matching records have no name\b/) &&
      objections(story.texts, (sentence) => FORMER_NAME.test(sentence)),
  },
  {
    name: 'behind-as-many',
    clause: 'Issue 11: right number: not “behind the contacts” if one contact is on record.',
    find: (story) =>
      onRecord(story).length === 1 &&
      objections(story.texts, (sentence) => /\bbehind the contacts\b/.test(sentence)),
  },
  {
    name: 'initial-is-told',
    clause: 'Every sentence is plain: an initial in place of a word of the name is said as such.',
    find: ({ request, known, person, texts }) => {
      const words = wordsOf(request.name).filter((word) => word !== '');
      const isInitial = [words[0], words.at(-1)].some(
        (word) => word !== undefined && /^\p{Ll}$/u.test(word) && known?.words?.has(word) !== true,
      );
      return (
        isInitial &&
        person !== null &&
        objections(texts, (sentence) => /\btwo forms of the name is longer\b/.test(sentence))
      );
    },
  },
  {
    name: 'whose-records',
    clause: 'Issue 11: right antecedent: not “the identity’s records” after two identities.',
    find: ({ answer: { summary } }) =>
      /; \d+ contacts? belongs? to\b.*\bThe identity's records\b/.test(summary) && `summary: “${summary}”`,
  },
  {
    name: 'secondary-of-the-person',
    clause: 'C4: no entry of a different person is listed as a secondary entry.',
    find: ({ answer, texts }) =>
      [answer.input_validation.email, answer.input_validation.phone].some((block) =>
        block.match_message?.startsWith('DIFFERENT PERSON'),
      ) && objections(texts, (sentence) => /^Secondary entries\b/.test(sentence)),
  },
  {
    name: 'at-least-if-unequal',
    clause: 'Every sentence is plain: “at least 8 identities” is not said of contacts that 8 have each.',
    find: ({ answer: { message }, others }) => {
      const [, number] = /\bat least ([\d,]+)\b/.exec(message) ?? [];
      const holders = others.map((row) => row.holders);
      return (
        number !== undefined &&
        holders.every((count) => count === Number(number.replaceAll(',', ''))) &&
        `“${message}”`
      );
    },
  },
  {
    name: 'old-is-told',
    clause: 'Law 17: if nobody was seen with the person’s contacts for years, an insight says so.',
    find: (story) => {
      const { nameFits, own, others } = story;
      const isOld = own.length > 0 && own.every((row) => (row.unseenYears ?? 0) > 4.1);
      return (
        nameFits &&
        others.length === 0 &&
        isOld &&
        !isSaid(story, /\byears? before the newest record\b/) &&
        'no insight tells how old the contacts are'
      );
    },
  },
  {
    name: 'part-is-on-record',
    clause:
      'Every sentence agrees with every other one: not “no identity bears the name” beside “only a part of the name on record”.',
    find: (story) =>
      isSaid(story, /^The submitted name is only a part of the name on record\b/) &&
      objections(story.texts, (sentence) => /\bname absent\b|\bNo identity behind\b/.test(sentence)),
  },
  {
    name: 'nobody-is-somebody-else',
    clause: 'Every sentence is true: whose name has a word of the submitted one may be the person.',
    find: ({ request, texts, contacts }) =>
      contacts.some(({ owner }) => wordsOf(request.name).some((word) => owner?.words?.has(word))) &&
      objections(texts, (sentence) => /\blast seen with somebody else\b/.test(sentence)),
  },
  {
    name: 'approved-is-not-finished',
    clause: 'Every sentence agrees with every other one: not “no further check” beside advice for one.',
    find: ({ texts }) => objections(texts, (sentence) => /\bno further check is called for\b/.test(sentence)),
  },
  {
    name: 'nameless-is-nobody',
    clause:
      'Every sentence is true: a record without a name is nobody else, and no person of a number of people.',
    find(story) {
      const { others, own, texts } = story;
      const isNameless = (row: (typeof others)[number]) => row.owner?.nameless === true;
      if (!others.some(isNameless) || others.some(({ holders }) => holders !== 1)) return null;
      const people = new Set(others.filter((row) => !isNameless(row)).map((row) => row.matched_identity))
        .size;
      return objections(
        texts.filter(({ block }) => block === 'base'),
        (sentence) => {
          const [, number] = /\bsplit among (\d+) people\b/.exec(sentence) ?? [];
          const [, id] = /\bresolves to a different identity \((\d+)\)/.exec(sentence) ?? [];
          return (
            Number(number ?? 0) > people + Number(own.length > 0) ||
            others.some((row) => isNameless(row) && row.matched_identity === Number(id ?? 0)) ||
            (people === 0 && /\bbelongs? to (?:another|other) identit/.test(sentence))
          );
        },
      );
    },
  },
  {
    name: 'one-name-may-be-one-person',
    clause:
      'Every sentence agrees with every other one: who may be one person is not counted as two, or told apart from the person.',
    find: (story) =>
      isSaid(story, /\bdo not tell whether both are one person\b/) &&
      objections(story.texts, (sentence) => /\bsplit among \d+ people\b/.test(sentence)),
  },
  {
    name: 'longer-by-which',
    clause: 'Every sentence is plain: which of two names has more words is said.',
    find: ({ texts }) =>
      objections(texts, (sentence) => /\bOne of the two (?:forms|names)\b.*\blonger\b/.test(sentence)),
  },
  {
    name: 'kinds-as-sent',
    clause: 'C3: `explanation` names the bound: not “one kind of contact” if two kinds are the person’s.',
    find: ({ answer, own }) =>
      new Set(own.map(({ kind }) => kind)).size > 1 &&
      objections(
        [{ block: 'base', place: 'explanation', text: answer.combined_trust_score.explanation }],
        (sentence) => /\ball the evidence comes from one kind\b/.test(sentence),
      ),
  },
  {
    name: 'relative-is-not-somebody-other',
    clause:
      'Every sentence agrees with every other one: not “somebody other than the person named” beside “may be a relative’s”.',
    find: (story) =>
      isSaid(story, RELATIVE) &&
      objections(story.texts, (sentence) => /\bsomebody other than the person named\b/.test(sentence)),
  },
];
