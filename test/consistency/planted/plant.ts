// Helpers to plant a contradiction: parts of an answer by short names, and alterations that several rules
// need.
import type { Field, FieldSummary, Row } from '../answer.ts';
import type { Case } from '../good/build.ts';
import { must } from '../good/build.ts';

export type Plant = [rule: string, story: () => Case, alter: (it: Case) => void, ...others: string[]];

export const ai = ({ answer }: Case) => must(answer.ai_insights);
export const overview = (it: Case) => must(ai(it).overview);
export const trust = (it: Case) => must(ai(it).trust_enhancement?.ai_trust_analysis);
export const fraud = (it: Case) => must(ai(it).fraud_detection?.fraud_analysis);
export const stream = (it: Case) => must(ai(it).fraud_detection?.request_stream);
export const names = (it: Case) => must(ai(it).name_matching);
export const analysis = (it: Case) => must(names(it).name_analysis);
export const input = ({ answer }: Case) => answer.input_validation;
export const insight = (text: string) => (it: Case) => void it.answer.insights.push(text);
export function setScore({ answer }: Case, score: number): void {
  answer.trustworthiness_score = score;
  answer.identity_score.final = score;
  answer.trust_score.final = score;
  answer.combined_trust_score.final = score;
}
/** Changes the score with everything that depends on it. */
export function rescored(it: Case, score: number, [band, word]: [string, string]): void {
  const before = String(it.answer.trustworthiness_score);
  const text = JSON.stringify({ ...it.answer, input_validation: null })
    .replaceAll(new RegExp(`\\b${before} out of`, 'g'), `${score} out of`)
    .replaceAll(new RegExp(`score ${before}\\b`, 'g'), `score ${score}`)
    .replaceAll(/(VERIFIED|SUSPICIOUS|HIGH RISK|LIKELY REAL)(?=[:)])/g, word);
  Object.assign(it.answer, JSON.parse(text), { input_validation: it.answer.input_validation, status: band });
  setScore(it, score);
  const { identity_score: points, combined_trust_score: combined } = it.answer;
  points.raw = score - points.bonuses - points.penalties;
  points.adjusted = score;
  combined.pre_capped = score;
}
export const edit = (row: Row, change: Partial<Row>) => void Object.assign(row, change);
export const rowOf = (it: Case, field: Field, at: number): Row => must(input(it)[field]?.inputs[at]);
export const sumsOf = (it: Case, field: Field): FieldSummary => must(it.answer.field_summary[field]);
