// What a text says of the score, the confidence and the verdict.
import type { Facts } from '../plugin/facts.ts';

type Score = Facts['score'];

/** A clause with one of these claims nothing. */
export const UNSURE =
  /\b(if|whether|when|unless|should|would|may|might|could|ask|check|compare|confirm that)\b/i;
export const NEGATION =
  /\b(no|not|none|never|neither|nor|without|nothing|missing|mismatch\w*|unverified|differ\w*|another|other|separate|elsewhere|few|cannot|\w+n't)\b/i;

const FIGURES = [
  /\bscor(?:e|es|ed|ing)\b(?: (?:of|is|at|was|stands at|comes to))?:? (\d+)/gi,
  /\b(\d+) ?(?:\/|out of|of) ?100\b/gi,
];
const BORROWED =
  /\b(catfish\w*|impersonat\w*|pretend\w*|posing as|(stolen|borrowed|false) (identity|name)|identity theft)\b/i;

function figureProblems(text: string, { score }: Score): string[] {
  const said = FIGURES.flatMap((figure) => Array.from(text.matchAll(figure), (match) => Number(match[1])));
  return said.some((number) => number !== score) ? [`the score is ${score}`] : [];
}

function riskProblems(text: string, { verdict, score, possible_catfish: catfish }: Score): string[] {
  const problems: string[] = [];
  if (/\bhigh[- ]risk\b/i.test(text) && verdict !== 'HIGH RISK' && !catfish)
    problems.push(`the verdict is ${verdict}, not high risk`);
  if (/\blow[- ]risk\b/i.test(text) && (score < 65 || catfish))
    problems.push(`the verdict is ${verdict}, not low risk`);
  return problems;
}

function saysBorrowed(text: string): boolean {
  const sentences = text.split(/[.;!?]/);
  return sentences.some((one) => BORROWED.test(one) && !NEGATION.test(one) && !UNSURE.test(one));
}

/** What a text gets wrong about the score: one entry each. */
export function scoreProblems(text: string, { score }: Partial<Facts>): string[] {
  if (!score) return [];
  const problems = figureProblems(text, score);
  const confidence = /\b(high|medium|low)[- ]confidence\b/i.exec(text)?.[1]?.toUpperCase();
  if (confidence && confidence !== score.confidence) problems.push(`the confidence is ${score.confidence}`);
  problems.push(...riskProblems(text, score));
  if (!score.possible_catfish && saysBorrowed(text)) problems.push('the catfish flag is not set');
  return problems;
}
