// One reported case: the request, the former answer, and what the contract requires.
import type { Answer, Body } from '../answer.ts';

/** Requirements on an answer. A status is the first word of a row's status, in the order of the request. */
export interface Wanted {
  score?: [from: number, to: number];
  flag?: boolean;
  message?: RegExp;
  explanation?: RegExp;
  /** Texts that the answer must contain somewhere, and texts that it must not contain. */
  says?: RegExp;
  not?: RegExp;
  name?: RegExp;
  emails?: string[];
  phones?: string[];
  addresses?: string[];
  /** Review priorities that the answer must not have. */
  neverPriority?: string[];
  risk?: string[];
  history?: boolean;
  names?: { skipped?: boolean; same?: boolean; matched?: RegExp; variation?: string; explanation?: RegExp };
}

export interface Seen {
  title: string;
  body: Body;
  /** Former answer; a dash for a case that only belongs to another one. */
  was: string;
  wants: Wanted;
}

type Found = string | false | undefined;

/** Returns the requirements that an answer does not meet. */
export function missing(answer: Answer, wants: Wanted): string[] {
  const score = answer.trustworthiness_score;
  const [from, to] = wants.score ?? [0, 100];
  const text = JSON.stringify({ ...answer, field_summary: null });
  const { explanation } = answer.combined_trust_score;
  const found: Found[] = [
    (score < from || score > to) && `score ${score}, wanted ${from} to ${to}`,
    differs('possible_catfish', answer.possible_catfish, wants.flag),
    differs('history', answer.history.first_seen !== null, wants.history),
    unlike('message', answer.message, wants.message),
    unlike('explanation', explanation, wants.explanation),
    unlike('answer', text, wants.says),
    wants.not?.test(text) && `says “${wants.not.exec(text)?.[0]}”`,
    ...rowsMissing(answer, wants),
    ...insightsMissing(answer, wants),
  ];
  return found.filter((one) => typeof one === 'string');
}

const differs = <T>(what: string, is: T, wanted: T | undefined): Found =>
  wanted !== undefined && is !== wanted && `${what} ${is}`;
const unlike = (what: string, is: string, wanted: RegExp | undefined): Found =>
  wanted !== undefined &&
  !wanted.test(is) &&
  `${what}: ${wanted.source} is missing${what === 'answer' ? '' : ` in “${is}”`}`;

export const FIELDS = { emails: 'email', phones: 'phone', addresses: 'address' } as const;

/** Returns the first word of each row's status, in the order of the request. */
export function statuses({ input_validation: rows }: Answer, kind: keyof typeof FIELDS): string {
  return (rows[FIELDS[kind]]?.inputs ?? []).map((row) => row.match_status.split(' ')[0]).join();
}

function rowsMissing(answer: Answer, wants: Wanted): Found[] {
  return [
    unlike('name', answer.input_validation.name.match_status ?? '', wants.name),
    ...(['emails', 'phones', 'addresses'] as const).map((kind) =>
      differs(kind, statuses(answer, kind), wants[kind]?.join()),
    ),
  ];
}

function insightsMissing({ ai_insights: ai }: Answer, wants: Wanted): Found[] {
  const names = ai?.name_matching;
  const priority = ai?.overview?.review_priority ?? '';
  const risk = ai?.fraud_detection?.fraud_analysis?.risk_level ?? '';
  return [
    wants.neverPriority?.includes(priority) && priority,
    wants.risk && !wants.risk.includes(risk) && `risk ${risk}`,
    differs('name matching skipped', names?.skipped, wants.names?.skipped),
    differs('same_person_likely', names?.name_analysis?.same_person_likely, wants.names?.same),
    differs('variation', names?.name_analysis?.variation_type, wants.names?.variation),
    unlike('matched_name', names?.matched_name ?? '', wants.names?.matched),
    unlike('name explanation', names?.name_analysis?.explanation ?? '', wants.names?.explanation),
  ];
}

/** Returns the new answer on one line, for comparison with the former one. */
export function told(answer: Answer): string {
  const { ai_insights: ai, input_validation: rows } = answer;
  const lists = (['emails', 'phones', 'addresses'] as const)
    .map((kind) => [kind, statuses(answer, kind)] as const)
    .filter(([, list]) => list !== '')
    .map(([kind, list]) => `${kind} ${list.replaceAll(',', ' ')}`);
  const parts = [
    `${answer.trustworthiness_score} ${answer.message.split(':')[0]}`,
    ai?.overview?.review_priority,
    `risk ${ai?.fraud_detection?.fraud_analysis?.risk_level}`,
    answer.possible_catfish ? 'flag' : 'no flag',
    `name ${rows.name.match_status}`,
    ...lists,
  ];
  return parts.join(', ');
}
