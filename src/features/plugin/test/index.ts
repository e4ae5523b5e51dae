// The contract as a test, published as `bonafide/plugin/test`: each function gives a list of broken clauses, empty when
// all is well, so that any test runner can use it. `bonafide plugins check` runs the same.
//     expect(await modelProblems(myModel, { options: { url } })).toEqual([]);
export { featureProblems } from './feature.ts';
export { graphProblems } from './graph.ts';
export type { GraphCase } from './graph.ts';
export { modelProblems } from './model.ts';
export type { ModelCase } from './model.ts';
export { factsOf, samplesOf } from './samples.ts';
export type { Sample } from './samples.ts';
export { PATTERNS } from './patterns.ts';
export type { Pattern } from './patterns.ts';
