// Rules on name matching, compared with the name row.
import { findOnlyNameRole } from '../../../src/names/index.ts';
import type { NameMatching } from '../answer.ts';
import type { Story } from '../story.ts';
import { isMatch, isOther } from '../story.ts';
import { objections, type Rule } from '../rule.ts';

type Analysis = NonNullable<NameMatching['name_analysis']>;
const withNames =
  (
    find: (
      it: NameMatching & { name_analysis: Analysis },
      story: Story,
    ) => string | false | undefined | (string | false)[],
  ) =>
  (story: Story) => {
    const block = story.answer.ai_insights?.name_matching;
    return block?.name_analysis ? find({ ...block, name_analysis: block.name_analysis }, story) : null;
  };
const KINDS = ['exact', 'nickname', 'cultural', 'transliteration', 'typo', 'partial', 'no_match'];
/** Returns the letters of a name, without accents, case, apostrophes, hyphens and order. */
const letters = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, '')
    .split('')
    .toSorted()
    .join('');

const fold = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const words = (name: string) => fold(name).split(/[\s,-]+/);

export const NAMES: readonly Rule[] = [
  {
    name: 'name-as-sent',
    clause: 'S2.5: `provided_name`: the submitted name.',
    find: withNames(
      ({ provided_name: provided }, { request }) =>
        provided !== request.name.normalize('NFC').trim() && `“${provided}”`,
    ),
  },
  {
    name: 'skipped-says-nothing',
    clause:
      'C5: `skipped` true comes with `matched_name` null, `match_confidence` 0 and `variation_type` `no_match`.',
    find: withNames(
      ({ skipped, matched_name: matched, name_analysis: it }) =>
        skipped === true &&
        (matched !== null ||
          it.match_confidence !== 0 ||
          it.variation_type !== 'no_match' ||
          it.same_person_likely) &&
        'skipped, and yet a finding',
    ),
  },
  {
    name: 'name-analysis-by-row',
    clause:
      'C5: `matched_name` is the name on record that the submitted one matched, and `name_analysis` never contradicts the name row. C4: a name resolves to an identity when the name engine calls it the same name.',
    find: withNames(({ skipped, matched_name: matched, name_analysis: it }, { name }) => {
      if (!isMatch(name.match_status)) return false;
      return [
        skipped === true && `${name.match_status}, and skipped`,
        !matched && `${name.match_status}, and no matched_name`,
        it.variation_type === 'no_match' && `${name.match_status}, and no_match`,
        !it.same_person_likely && `${name.match_status}, and not likely the same person`,
        it.match_confidence < 50 && `${name.match_status} at ${it.match_confidence}`,
      ];
    }),
  },
  {
    name: 'other-bearer-is-a-match',
    clause:
      'C5: `name_analysis` never contradicts the name row: a name that resolved to another identity has matched a name.',
    find: withNames(({ skipped, matched_name: matched }, { name }) => {
      const elsewhere = isOther(name.match_status);
      return elsewhere && (skipped === true || !matched) && `${name.match_status}, and nothing matched`;
    }),
  },
  {
    name: 'no-row-no-likeness',
    clause:
      'C5: `name_analysis` never contradicts the name row: where that is Unverified no name on record is the same.',
    find: withNames(
      ({ name_analysis: it }, { name }) =>
        name.match_status === 'Unverified' &&
        it.same_person_likely &&
        `Unverified, and likely the same person (${it.variation_type}, ${it.match_confidence})`,
    ),
  },
  {
    name: 'name-figures',
    clause: 'S2.5: `match_confidence` 0-100; `variation_type` one of seven; `same_person_likely`.',
    find: withNames(({ name_analysis: it }) => [
      !(Number.isInteger(it.match_confidence) && it.match_confidence >= 0 && it.match_confidence <= 100) &&
        `confidence ${it.match_confidence}`,
      !KINDS.includes(it.variation_type) && it.variation_type,
      it.variation_type === 'no_match' && it.same_person_likely && 'no_match, and the same person',
      it.variation_type === 'no_match' && it.match_confidence >= 50 && `no_match at ${it.match_confidence}`,
      it.variation_type === 'exact' && it.match_confidence < 85 && `exact at ${it.match_confidence}`,
    ]),
  },
  {
    name: 'exact-is-exact',
    clause: 'S2.5: `variation_type` `exact`; issue 11: a typo labelled transliteration.',
    find: withNames(({ provided_name: a, matched_name: b, name_analysis: it }) => {
      if (!a || !b) return false;
      const latin = (text: string) => /^[\p{Script=Latin}\P{L}]+$/u.test(text);
      return [
        it.variation_type === 'exact' && letters(a) !== letters(b) && `“${a}” and “${b}” are called exact`,
        it.variation_type !== 'exact' &&
          a.normalize('NFC') === b.normalize('NFC') &&
          // The answer shows the submitted words alone if the name on record has more, or if no contact was sent.
          !/^Only the submitted words\b|\bis not shown for a name alone\b/.test(it.explanation) &&
          `one name is called ${it.variation_type}`,
        it.variation_type === 'typo' && latin(a) !== latin(b) && 'a typo across scripts',
      ];
    }),
  },
  {
    name: 'name-words-known',
    clause:
      'Every sentence is true: a name part is called a family name only if it is nothing else, and a middle name only between two other words; “were compared” is not denied beside a comparison; two scripts have no short forms of each other.',
    find: withNames(({ provided_name: sent = '', matched_name: record, name_analysis: it }) => {
      const { explanation } = it;
      const [, family] = /\bfamily name (\S+) is missing\b/.exec(explanation) ?? [];
      const [, middle, of] = /\bmiddle name (\S+) is missing(?: in the (submitted))?/.exec(explanation) ?? [];
      const inner = words((of ? record : sent) ?? '').slice(1, -1);
      return [
        middle !== undefined &&
          (!inner.includes(fold(middle)) || findOnlyNameRole(fold(middle)) === 'family') &&
          `“${explanation}”`,
        family !== undefined && findOnlyNameRole(fold(family)) !== 'family' && `“${explanation}”`,
        /\bno names were compared\b/.test(explanation) && `“${explanation}”`,
        /\bis a short form of \P{Script=Latin}/u.test(explanation) && `“${explanation}”`,
        /\bone of the names is the name of two people\b/i.test(explanation) && `“${explanation}”`,
      ];
    }),
  },
  {
    name: 'name-words-of-the-right-side',
    clause:
      'Every sentence is true: a word is missing in the name that lacks it, the written form is read as the Latin one, and a short form is not longer.',
    find: withNames(({ provided_name: sent = '', matched_name: record, name_analysis: it }) =>
      [it.explanation, ...it.concerns].map((text) => {
        const [, missing = '', where] =
          / (\S+) is missing in the (submitted name|name on record)\b/.exec(text) ?? [];
        const [, short = '', full = short] = /(\S+) is a short form of ([^\s;.]+)/.exec(text) ?? [];
        const lacking = (where === 'submitted name' ? sent : record) ?? '';
        return (
          ((where !== undefined && words(lacking).includes(fold(missing))) ||
            fold(short).length > fold(full).length ||
            /\bcan be read as \P{Script=Latin}/u.test(text) ||
            /\bgiven name (?:Thị|Văn) is\b/.test(text) ||
            /(?<!\bprefix or )\binitial O is\b/.test(text) ||
            /: \S+ .+ has no counterpart/.test(text)) &&
          `“${text}”`
        );
      }),
    ),
  },
  {
    name: 'same-name-without-contacts',
    clause:
      'C3 law 11: a spelling of the same name: a match that the names alone show is not said to rest on the contacts.',
    find: withNames(
      ({ name_analysis: { match_confidence: confidence, explanation } }) =>
        confidence > 75 &&
        /\bnames alone do not show\b/.test(explanation) &&
        `“${explanation}” at ${confidence}`,
    ),
  },
  {
    name: 'name-concerns',
    clause:
      'Issue 11: “forms of one name” with the concern “two names in their own right”; “missing on one side” without which.',
    find: withNames(({ name_analysis: { concerns, explanation, same_person_likely: same } }) => [
      /\b(?:forms?|spellings?) of (?:one|the same) name\b/i.test(explanation) &&
        concerns.some((text) =>
          /\bin their own right\b|\btwo (?:different )?names\b|\bdifferent (?:given |family )?names\b/i.test(
            text,
          ),
        ) &&
        'forms of one name, and two names',
      ...[explanation, ...concerns].map((text) => /\bon one side\b/i.test(text) && `which side: “${text}”`),
      same &&
        concerns.some((text) => /\bdifferent (?:people|persons)\b/i.test(text)) &&
        'likely one person, and different people',
      !same &&
        /\b(?:names are equal|same name)\b/i.test(explanation) &&
        `“${explanation}”, and not the same person`,
    ]),
  },
  {
    name: 'hyphen-of-the-record',
    clause: 'C5: `matched_name` is the name on record: no hyphen joins words that the record does not join.',
    find({ answer, request, knowledge, name }) {
      const matched = answer.ai_insights?.name_matching?.matched_name ?? '';
      const names = knowledge.identities.get(name.matched_identity ?? answer.dominant_identity ?? 0)?.names;
      const known = fold([request.name, ...(names ?? [])].join(' '));
      const joined = fold(matched)
        .split(' ')
        .filter((word) => word.includes('-'));
      return names !== undefined && joined.some((word) => !known.includes(word)) && `“${matched}”`;
    },
  },
  {
    name: 'one-name-is-no-concern',
    clause: 'Every sentence agrees with the numbers: no concern about a missing word beside confidence 95.',
    find: ({ texts, answer }) =>
      (answer.ai_insights?.name_matching?.name_analysis?.match_confidence ?? 0) >= 95 &&
      objections(texts, (sentence) => /\bOnly part of the name can be compared\b/.test(sentence)),
  },
];
