// Rules on the fraud analysis: it tells about the subject only what the answer shows, and about the caller
// only the cadence.
import type { Fraud } from '../answer.ts';
import type { Story } from '../story.ts';
import { objections, type Rule } from '../rule.ts';

type Analysis = NonNullable<Fraud['fraud_analysis']>;
const withFraud =
  (
    find: (analysis: Analysis, story: Story, block: Fraud) => string | false | undefined | (string | false)[],
  ) =>
  (story: Story) => {
    const block = story.answer.ai_insights?.fraud_detection;
    return block?.fraud_analysis ? find(block.fraud_analysis, story, block) : null;
  };

const subjectTexts = (it: Analysis): string[] => [
  ...it.patterns_detected,
  ...it.consistency_issues,
  it.recommendation,
];

export const FRAUD: readonly Rule[] = [
  {
    name: 'risk-high-by-flag',
    clause: 'C5: `risk_level` by rules: `HIGH` with the flag.',
    find: withFraud(
      ({ risk_level: risk }, { answer }) =>
        (risk === 'HIGH') !== answer.possible_catfish && `${risk}, flag ${answer.possible_catfish}`,
    ),
  },
  {
    name: 'risk-medium-by-values',
    clause:
      'C5: `MEDIUM` with an unshared e-mail or phone of another identity, or with contacts only of identities that do not bear the name; else `LOW`.',
    find: withFraud(({ risk_level: risk }, { answer, name, contacts, others, own }) => {
      if (answer.possible_catfish) return false;
      const any = contacts.some((row) => row.validated);
      const mayBeMedium = others.some((row) => row.kind !== 'address') || (any && own.length === 0);
      return [
        risk === 'MEDIUM' && !mayBeMedium && 'MEDIUM without a cause',
        risk === 'LOW' &&
          others.some((row) => row.kind !== 'address' && row.holders === 1 && !row.owner?.nameless) &&
          'LOW with an unshared e-mail or phone of another identity',
        risk === 'LOW' && any && name.match_status === 'Unverified' && 'LOW with contacts only of others',
      ];
    }),
  },
  {
    name: 'fraud-reads-no-history',
    clause:
      'C5: the fraud analysis sees scores and match flags of this request …, nothing else: no history dates, no earlier scores.',
    find: withFraud((it) =>
      subjectTexts(it)
        .filter((text) =>
          /\b(?:first|last) seen\b|\b(?:years?|months?|days?) (?:ago|old)\b|\brecent(?:ly)? record|\byoung identity|\bspan\b|\bearlier score|\bprevious score/i.test(
            text,
          ),
        )
        .map((text) => `“${text}”`),
    ),
  },
  {
    name: 'scope-note',
    clause:
      'S2.5: `scope_note`: that `fraud_analysis` describes the subject and `request_stream` the caller’s traffic.',
    find: withFraud(
      (_it, _story, { scope_note: note = '' }) =>
        !(
          /fraud_analysis/.test(note) &&
          /request_stream/.test(note) &&
          /subject/.test(note) &&
          /caller/.test(note)
        ) && `“${note}”`,
    ),
  },
  {
    name: 'all-clear-beside-risk',
    clause: 'S2.5: `recommendation` (about the subject), of one story with `risk_level` and patterns.',
    find: withFraud(
      ({ risk_level: risk, patterns_detected: patterns, consistency_issues: issues, recommendation }) => {
        const clear = /\bno fraud pattern\b|\bnothing stands\b/i.test(recommendation);
        return [
          clear &&
            (risk !== 'LOW' || patterns.length > 0) &&
            `“${recommendation}” at ${risk}: ${patterns.join(' ')}`,
          risk === 'HIGH' && patterns.length + issues.length === 0 && 'HIGH without a pattern or an issue',
        ];
      },
    ),
  },
  {
    name: 'patterns-by-rows',
    clause: 'S2.5: patterns and issues are about the submitted subject: what the rows show.',
    find: withFraud((it, { others, nameFits, name }) =>
      subjectTexts(it)
        .filter(
          (text) =>
            (nameFits &&
              others.length === 0 &&
              /\bdifferent identity|\bspread|\bsplit|\bdoes not bear|\bdisagree|\bleads to one identity/i.test(
                text,
              )) ||
            (name.match_status === 'Unverified' && /\bname leads to\b/i.test(text)),
        )
        .map((text) => `“${text}”`),
    ),
  },
  {
    name: 'stream-figures',
    clause: 'S2.5: `request_stream`: counts and a time span of the caller’s own recent traffic.',
    find: withFraud((it, _story, { request_stream: stream, history_analyzed: analysed }) => {
      if (!stream) return 'no request_stream';
      const {
        records_in_window: records,
        catfish_flag_count: flags,
        earliest_timestamp: first,
        latest_timestamp: last,
      } = stream;
      return [
        flags > records && `${flags} flags in ${records} calls`,
        (records === 0) !== (first === null) && 'a span without calls, or calls without a span',
        first !== null && last !== null && Date.parse(first) > Date.parse(last) && 'earliest after latest',
        analysed !== undefined && analysed > records && `${analysed} analysed of ${records}`,
        it.velocity_concerns && it.stream_observations.length === 0 && 'velocity concerns and no observation',
        (it.confidence < 0 || it.confidence > 1) && `confidence ${it.confidence}`,
      ];
    }),
  },
  {
    name: 'same-name-is-no-red-flag',
    clause:
      'Every sentence agrees with every other one: who may be the person is not “a different identity, not the person named”.',
    find({ answer, others, texts }) {
      const said = answer.insights.filter((text) => /\bdo not tell whether both are one person\b/.test(text));
      return (
        said.length > 0 &&
        said.length === others.length &&
        objections(
          texts.filter(({ block }) => block !== 'base' && block !== 'names'),
          (sentence) =>
            /\bnot for the person named\b|\bon record for (?:a different identity|someone else)\b/.test(
              sentence,
            ),
        )
      );
    },
  },
  {
    name: 'accept-or-reject',
    clause: 'S2.4: the recommended action is that of `review_priority`, and names what is open.',
    find({ answer: { ai_insights: ai }, unknown }) {
      const actions = ai?.overview?.recommended_actions ?? [];
      return [
        unknown.length > 0 &&
          actions.some((text) => /\bleaves no point open\b/.test(text)) &&
          'no point open',
        ai?.overview?.review_priority === 'AUTO_REJECT' &&
          actions.some((text) => /^Hold the case until\b/.test(text)) &&
          'held, and rejected',
      ];
    },
  },
];
