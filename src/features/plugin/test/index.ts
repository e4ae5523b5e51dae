// Contract tests of plugins, published as `bonafide/plugin/test`. Each function returns a list of violations, empty if there are none, for
// any test runner. `bonafide plugins check` runs the same tests.
//
// expect(await modelProblems(myModel, { options: { url } })).toEqual([]);
export { featureProblems } from './feature.ts';
export { graphProblems } from './graph.ts';
export type { GraphCase } from './graph.ts';
export { modelProblems } from './model.ts';
export type { ModelCase } from './model.ts';
export { factsOf, samplesOf } from './samples.ts';
export type { Sample } from './samples.ts';
export { PATTERNS } from './patterns.ts';
export type { Pattern } from './patterns.ts';
