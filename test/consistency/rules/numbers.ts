// Rules on scores, bands, confidence and sums.
import type { Story } from '../story.ts';
import { near } from '../rule.ts';
import type { Rule } from '../rule.ts';

const WORDS = { HIGH: 'VERIFIED', MEDIUM: 'LIKELY REAL', LOW: 'SUSPICIOUS', VERY_LOW: 'HIGH RISK' } as const;

export function bandOf(score: number): keyof typeof WORDS {
  if (score >= 85) return 'HIGH';
  if (score >= 65) return 'MEDIUM';
  return score >= 40 ? 'LOW' : 'VERY_LOW';
}
export const wordOf = (score: number): string => WORDS[bandOf(score)];
/** Matches explanations that name a bound. */
const BOUND =
  /\bbound(?:s|ed)?\b|\bcap(?:s|ped)?\b|\bat most\b|\bnot (?:above|below|reach)\b|\bat least\b|\blimit/i;
const NO_BOUND = /\bno (?:bound|cap|limit)|\bwithout a bound/i;

export const NUMBERS: readonly Rule[] = [
  {
    name: 'one-final-score',
    clause:
      'C3: One final score: `trustworthiness_score` = `combined_trust_score.final` = `identity_score.final` = `trust_score.final`, an integer.',
    find: ({ answer }) => {
      const score = answer.trustworthiness_score;
      const finals = [
        score,
        answer.combined_trust_score.final,
        answer.identity_score.final,
        answer.trust_score.final,
      ];
      const fine = new Set(finals).size === 1 && Number.isInteger(score);
      return (!fine || score < 0 || score > 100) && finals.join(', ');
    },
  },
  {
    name: 'status-is-band',
    clause: 'C3: `status` is the band: HIGH 85 and above, MEDIUM 65–84, LOW 40–64, VERY_LOW below 40.',
    find: ({ answer: { status, trustworthiness_score: score } }) =>
      status !== bandOf(score) && `${status} at ${score}`,
  },
  {
    name: 'message-word',
    clause:
      'C3: `message` is the band’s verdict word, a colon and one sentence; where no contact has a record it begins with `NO RECORD:` (contacts were sent) or `NAME ONLY:` (none was).',
    find: (story) => {
      const wanted = leadOf(story);
      const { message } = story.answer;
      return !message.startsWith(`${wanted}: `) && `“${message}” where ${wanted} is due`;
    },
  },
  {
    name: 'confidence-words',
    clause:
      'C3: `confidence_level` says how much evidence there was: HIGH, MEDIUM, LOW. `combined_trust_score.confidence_level_label` is the same word in lower case.',
    find: ({ answer: { confidence_level: level, combined_trust_score: combined } }) =>
      (!['HIGH', 'MEDIUM', 'LOW'].includes(level) ||
        combined.confidence_level_label !== level.toLowerCase()) &&
      `${level} beside ${combined.confidence_level_label}`,
  },
  {
    name: 'confidence-without-evidence',
    clause: 'C3: `confidence_level` says how much evidence there was, not which way it points.',
    find: ({ answer: { confidence_level: level }, nameOnly, noRecord }) =>
      (nameOnly || noRecord) && level !== 'LOW' && `${level} although no contact has a record`,
  },
  {
    name: 'identity-score-adds-up',
    clause: 'C3: `raw` + `bonuses` + `penalties` + `fraud_risk_penalty` = `adjusted`.',
    find: ({ answer: { identity_score: it } }) => {
      const sum = it.raw + it.bonuses + it.penalties + it.fraud_risk_penalty;
      return !near(sum, it.adjusted, 0.021) && `${sum.toFixed(2)} is not ${it.adjusted}`;
    },
  },
  {
    name: 'identity-score-signs',
    clause: 'C3: `identity_score` counts in points of 0–100; bonuses add, penalties take away.',
    find: ({ answer: { identity_score: it } }) => [
      it.bonuses < 0 && `bonuses ${it.bonuses}`,
      it.penalties > 0 && `penalties ${it.penalties}`,
      it.fraud_risk_penalty > 0 && `fraud_risk_penalty ${it.fraud_risk_penalty}`,
      (it.raw < 0 || it.raw > 100) && `raw ${it.raw}`,
      (it.adjusted < 0 || it.adjusted > 100) && `adjusted ${it.adjusted}`,
    ],
  },
  {
    name: 'before-the-bounds',
    clause:
      'C3: `pre_capped` is the score before the bounds; `final` is `adjusted` after the bounds, rounded: so both are one figure.',
    find: ({ answer: { identity_score: it, combined_trust_score: combined } }) =>
      !near(it.adjusted, combined.pre_capped, 0.51) &&
      `adjusted ${it.adjusted}, pre_capped ${combined.pre_capped}`,
  },
  {
    name: 'bound-is-named',
    clause: 'C3: `explanation` names the bound that applied.',
    find: ({ answer: { combined_trust_score: it } }) => {
      const named = BOUND.test(it.explanation) && !NO_BOUND.test(it.explanation);
      const moved = !near(it.final, it.pre_capped, 0.511);
      if (moved && !named) return `${it.pre_capped} became ${it.final}: “${it.explanation}”`;
      return (
        !moved &&
        named &&
        it.pre_capped <= it.final &&
        `${it.pre_capped} stayed ${it.final}: “${it.explanation}”`
      );
    },
  },
  {
    name: 'reasons-add-up',
    clause:
      'C3: `trust_score.raw` is the sum in bits, and the bits of its `reasons`, the constant start included, add up to it.',
    find: ({ answer: { trust_score: it } }) => {
      const bits = it.reasons.map(bitsOf);
      const sum = bits.reduce<number>((all, one) => all + (one ?? 0), 0);
      return [
        ...it.reasons.map((reason, i) => bits[i] === null && `no bits in “${reason}”`),
        !near(sum, it.raw, 0.006 + 0.005 * bits.length) && `${sum.toFixed(2)} is not ${it.raw}`,
      ];
    },
  },
  {
    name: 'explanation-adds-up',
    clause:
      'C4: `raw.explanation` is the evidence, one object each (`code`, `field`, `index`, `key`, `weight`, `score_without`); C3: the bits add up.',
    find: ({ answer: { raw, trust_score: trust }, contacts }) => {
      if (!raw) return null;
      const list = raw.explanation;
      if (!Array.isArray(list)) return 'raw has no list `explanation`';
      const sum = list.reduce((all, one) => all + one.weight, 0);
      const start = bitsOf(trust.reasons.find((reason) => /\bstart/i.test(reason)) ?? '') ?? 0;
      const within = 0.006 + 0.005 * (list.length + 1);
      return [
        !near(sum, trust.raw, within) &&
          !near(sum + start, trust.raw, within) &&
          `${sum.toFixed(2)} is not ${trust.raw}`,
        ...list.map((one) => typeof one.code !== 'string' && `no code in ${JSON.stringify(one)}`),
        ...list.map((one) => outOfRange(one.score_without) && `${one.code}: without it ${one.score_without}`),
        ...list.map(
          (one) => pointsNowhere(one, contacts) && `${one.code} points at ${one.field} ${one.index}`,
        ),
      ];
    },
  },
];

function leadOf(story: Story): string {
  if (story.nameOnly) return 'NAME ONLY';
  return story.noRecord ? 'NO RECORD' : wordOf(story.answer.trustworthiness_score);
}

const outOfRange = (score: unknown): boolean =>
  typeof score === 'number' && (score < 0 || score > 100 || Number.isNaN(score));

function pointsNowhere(
  one: { field: string | null; index: number | null },
  contacts: Story['contacts'],
): boolean {
  if (one.index === null || one.index === undefined || !one.field) return false;
  const kind = one.field.replace(/(?:es|s)$/, '').replace(/^addr.*/, 'address');
  const rows = kind === 'name' ? 1 : contacts.filter((row) => row.kind === kind).length;
  return one.index < 0 || one.index >= rows;
}

/** Returns the signed bits of a reason text (`+2.63 bits`, `−0.4 bits`); null without bits. */
export function bitsOf(reason: string): number | null {
  const found = /([+\-−–]?)\s*(\d+(?:\.\d+)?)\s*bits?\b/.exec(reason);
  if (!found) return null;
  const size = Number(found[2]);
  return /[-−–]/.test(found[1] ?? '') ? -size : size;
}
