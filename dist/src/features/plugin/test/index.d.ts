export { featureProblems } from './feature.ts';
export { modelProblems } from './model.ts';
export type { ModelCase } from './model.ts';
export { factsOf, samplesOf } from './samples.ts';
export type { Sample } from './samples.ts';
export { PATTERNS } from './patterns.ts';
export type { Pattern } from './patterns.ts';
