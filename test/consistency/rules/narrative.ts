// Rules on the narrative and the overview, compared with the verdict.
import type { Answer, Insights } from '../answer.ts';
import type { Story } from '../story.ts';
import { isOther, negated } from '../story.ts';
import { objections, type Rule } from '../rule.ts';
import { numberOf } from './wording.ts';

const INTENTS = [
  'online-dating',
  'buying-or-selling',
  'sending-money',
  'suspected-scam',
  'reconnecting',
  'general',
];

const trustOf = (answer: Answer) => answer.ai_insights?.trust_enhancement?.ai_trust_analysis;
const riskOf = (answer: Answer) => answer.ai_insights?.fraud_detection?.fraud_analysis?.risk_level;
const withOverview =
  (find: (overview: NonNullable<Insights['overview']>, story: Story) => string | false | null) =>
  (story: Story) => {
    const overview = story.answer.ai_insights?.overview;
    return overview ? find(overview, story) : null;
  };

/** Number of holders from which on a value is nobody's own. */
const MANY = 5;

/** True if the base answer meets the conditions of AUTO_APPROVE. */
const approvable = ({ answer, others }: Story): boolean =>
  answer.trustworthiness_score >= 85 &&
  answer.confidence_level === 'HIGH' &&
  !answer.possible_catfish &&
  others.length === 0;

const FIVE_YEARS = 5 * 365.25;
const OLD_CONTACT = /\bwas last seen with the person of this name\b/;

const PASSED_ON = /\bwas seen with somebody else\b/;
/** Insights that leave a point open, and reasons that count against the person. */
const POINT_OPEN =
  /\bwas (?:last seen with the person of this name|seen with somebody else)\b|\band end \d+ years before\b/;
const NOTHING_AGAINST = /\bnothing speaks against\b/i;
const NOTHING_OPEN = /\bleaves no point open\b|\bno reason (?:for further steps|to hold back)\b/;

export const NARRATIVE: readonly Rule[] = [
  {
    name: 'nothing-against-means-nothing',
    clause:
      'Every sentence agrees with every other one: “nothing speaks against the person” is said where no reason is negative and no detail is old.',
    find: ({ answer, texts }) => {
      const isOpen = answer.insights.some((text) => POINT_OPEN.test(text));
      const isNegative = answer.trust_score.reasons.some((reason) => reason.startsWith('-'));
      return objections(
        texts,
        (sentence) =>
          ((isOpen || isNegative) && NOTHING_AGAINST.test(sentence)) ||
          (isOpen && NOTHING_OPEN.test(sentence)),
      );
    },
  },
  {
    name: 'approve-no-phone-of-somebody-else',
    clause: 'C5: `AUTO_APPROVE` with no value of another identity, also if the person had it before.',
    find: withOverview(
      ({ review_priority: priority }, { answer }) =>
        priority === 'AUTO_APPROVE' &&
        answer.insights.some((text) => PASSED_ON.test(text)) &&
        'a phone has passed on',
    ),
  },
  {
    name: 'blocks-as-specified',
    clause:
      'S2.4, S2.5: each feature block carries `ai_enabled`, `feature` and `model`; C5: a feature that the caller left out: `{ "ai_enabled": false, "reason": "Not requested" }`.',
    find: ({ answer: { ai_insights: it }, request }) => {
      if (!it) return null;
      const parts = [
        ['trust_enhancement', it.trust_enhancement, request.include_trust_enhancement],
        ['fraud_detection', it.fraud_detection, request.include_fraud_detection],
        ['name_matching', it.name_matching, request.include_name_matching],
      ] as const;
      return parts.map(([name, block, include]) => {
        if (!block) return false;
        const off = JSON.stringify(block) === '{"ai_enabled":false,"reason":"Not requested"}';
        if (block.reason === 'Not requested') return (!off || include !== false) && `${name}: not requested?`;
        if (block.ai_enabled === false) return false;
        return (block.feature !== name || typeof block.model !== 'string') && `${name}: feature or model`;
      });
    },
  },
  {
    name: 'overview-always',
    clause: 'C5: `overview` has no flag and is always there on both variants.',
    find: ({ answer: { ai_insights: it } }) => it !== null && it.ai_enabled && !it.overview && 'no overview',
  },
  {
    name: 'intent-normalised',
    clause: 'S2.4: the intent after normalisation; unknown values resolve to `general`.',
    find: ({ answer: { ai_insights: it }, request: { intent = 'general' } }) => {
      const said = it?.trust_enhancement?.intent;
      const wanted = INTENTS.includes(intent) ? intent : 'general';
      return said !== undefined && said !== wanted && `${said} for ${wanted}`;
    },
  },
  {
    name: 'list-lengths',
    clause: 'S8: `trust_enhancement` lists 0-3 items each; `overview.positive_signals` at most 5 items.',
    find: ({ answer }) => {
      const trust = trustOf(answer);
      const lists = trust ? [trust.key_factors, trust.red_flags, trust.recommendations] : [];
      return [
        lists.some((list) => list.length > 3) && 'more than three in a list of trust_enhancement',
        (answer.ai_insights?.overview?.positive_signals.length ?? 0) > 5 && 'more than five positive signals',
      ];
    },
  },
  {
    name: 'approve-only-when-clear',
    clause:
      'C5: `AUTO_APPROVE` at 85 and above with `HIGH` confidence, no flag and no value of another identity.',
    find: withOverview(
      ({ review_priority: priority }, story) =>
        priority === 'AUTO_APPROVE' &&
        !approvable(story) &&
        `${story.answer.trustworthiness_score}, ${story.answer.confidence_level}, flag ${story.answer.possible_catfish}, ${story.others.length} values of others`,
    ),
  },
  {
    name: 'approve-beside-risk',
    clause: 'C5: never `AUTO_APPROVE` beside a risk above `LOW` or a red flag.',
    find: withOverview(({ review_priority: priority, risk_factors: risks }, { answer }) => {
      const red = [...(trustOf(answer)?.red_flags ?? []), ...risks];
      const risk = riskOf(answer) ?? 'LOW';
      return (
        priority === 'AUTO_APPROVE' &&
        (risk !== 'LOW' || red.length > 0) &&
        `risk ${risk}, flags: ${red.join(' ')}`
      );
    }),
  },
  {
    name: 'approve-when-clear',
    clause:
      'C5: `AUTO_APPROVE` at 85 and above with `HIGH` confidence …; else `MANUAL_REVIEW`. Law 17: no AUTO_APPROVE beyond five years.',
    find: withOverview(({ review_priority: priority, risk_factors: risks }, story) => {
      const red = trustOf(story.answer)?.red_flags ?? [];
      const unseenDays = story.answer.history.days_since_last_seen ?? 0;
      const clear =
        unseenDays <= FIVE_YEARS &&
        !story.answer.insights.some((text) => OLD_CONTACT.test(text) || PASSED_ON.test(text)) &&
        approvable(story) &&
        (riskOf(story.answer) ?? 'LOW') === 'LOW' &&
        red.length + risks.length === 0;
      return clear && priority !== 'AUTO_APPROVE' && `${priority} although nothing stands against it`;
    }),
  },
  {
    name: 'reject-only-with-cause',
    clause:
      'C5: `AUTO_REJECT` below 40 with the flag, confidence above `LOW`, and at least two e-mails or phones that are other people’s own.',
    find: withOverview(({ review_priority: priority }, { answer, others }) => {
      const count = others.filter((row) => row.kind !== 'address' && (row.holders ?? 1) < MANY).length;
      return (
        priority === 'AUTO_REJECT' &&
        (answer.trustworthiness_score >= 40 ||
          !answer.possible_catfish ||
          answer.confidence_level === 'LOW' ||
          count < 2) &&
        `${answer.trustworthiness_score}, ${answer.confidence_level}, flag ${answer.possible_catfish}, ${count} e-mails or phones of others`
      );
    }),
  },
  {
    name: 'reject-asks-for-no-new-check',
    clause: 'Every sentence agrees with every other one: no action asks to check a rejected case again.',
    find: withOverview(
      ({ review_priority: priority, recommended_actions: actions }) =>
        priority === 'AUTO_REJECT' &&
        actions.some((text) => /\bcheck again\b/i.test(text)) &&
        actions.join(' '),
    ),
  },
  {
    name: 'no-doubt-beside-likely-real',
    clause:
      'C3: `LIKELY REAL` from 65. Every sentence agrees with every other one: the summary of such a score does not doubt all details.',
    find: ({ answer }) => {
      const summary = trustOf(answer)?.summary ?? '';
      const isDoubted = /^Not every|\bdo not (?:all belong|all fit|agree)\b|\blead away from\b/.test(summary);
      return answer.trustworthiness_score >= 65 && isDoubted && `“${summary}”`;
    },
  },
  {
    name: 'nobody-gives-no-confidence',
    clause:
      'C3 law 9: the contacts of an identity without a name name nobody, so that no text has confidence in them.',
    find: withOverview(
      ({ overview: text }) => text.includes('name nobody') && text.includes('confidence') && `“${text}”`,
    ),
  },
  {
    name: 'no-record-is-no-risk',
    clause: 'S3: Unverified is not a failed check and not a negative finding.',
    find: ({ answer }) => {
      const trust = trustOf(answer);
      const bad = [...(trust?.red_flags ?? []), ...(answer.ai_insights?.overview?.risk_factors ?? [])];
      return bad
        .filter(
          (text) =>
            /\bno (?:matching )?record\b|\bnot on record\b|\bunverified\b/i.test(text) &&
            !/\bname\b/i.test(text),
        )
        .map((text) => `a risk: “${text}”`);
    },
  },
  {
    name: 'contact-counts',
    clause: 'S2.4: `key_findings` tell what the rows tell.',
    find: withOverview(({ key_findings: findings }, { contacts, unknown, others, own, nameFits }) => {
      const line = findings.find((text) => /^Contacts?:/.test(text));
      if (!line) return false;
      const figure = (form: RegExp) => numberOf(form.exec(line)?.[1]);
      const [sent, matched, none] = [
        figure(/(\w+) sent/),
        figure(/(\w+) (?:match|belong)/),
        figure(/(\w+) (?:with|has|have) no/),
      ];
      const validated = contacts.length - unknown.length;
      const different = contacts.filter((row) => isOther(row.match_status)).length;
      const matching = [validated - different, own.length, nameFits ? own.length : 0];
      const wrong =
        (sent !== null && sent > 0 && sent !== contacts.length) ||
        (matched !== null && !matching.includes(matched)) ||
        (none !== null && none !== unknown.length) ||
        (others.length > 0 && matched === contacts.length && nameFits);
      return wrong && `“${line}”`;
    }),
  },
  {
    name: 'stranger-called-matched',
    clause:
      'Issue 11: a stranger’s e-mail as “VERIFIED MATCH”; C4: a stranger’s value that is dominant by number is a different person’s.',
    find: withOverview(({ key_findings: findings, positive_signals: signals }, story) => {
      const { contacts, own, nameFits, known } = story;
      if (nameFits || own.length > 0 || known?.nameless || !contacts.some((row) => row.validated))
        return false;
      const said = [...findings, ...signals].find(
        (text) =>
          /\b\d+ matched\b|\bAgreement across\b|\bbelong together\b|\bunder the name\b/i.test(text) &&
          !negated(text),
      );
      return said !== undefined && `“${said}” though nobody bears the name`;
    }),
  },
  {
    name: 'good-news-in-risks',
    clause:
      'S2.4: `positive_signals`: verified facts raising confidence; `risk_factors`: empty when none are detected.',
    find: ({ answer, others }) => {
      const it = answer.ai_insights?.overview;
      const bad = [...(it?.risk_factors ?? []), ...(trustOf(answer)?.red_flags ?? [])];
      return [
        others.length === 0 &&
          bad.some((text) =>
            /\b(?:different identity|another identity|other identities|someone else|somebody else|other people|split)\b/i.test(
              text,
            ),
          ) &&
          `“${bad.join(' ')}” though no contact is another person’s`,
        bad.length === 0 && answer.possible_catfish && it && 'flagged, and neither risk nor red flag is told',
      ].filter((found) => typeof found === 'string');
    },
  },
];
