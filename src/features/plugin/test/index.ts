// Contract tests of plugins, published as `bonafide/plugin/test`. Each function returns a list of violations,
// empty if there are none, for any test runner. `bonafide plugins check` runs the same tests.
//
// expect(await modelProblems(myModel, { options: { url } })).toEqual([]);
export { featureProblems } from './feature.ts';
export { graphProblems } from './graph.ts';
export type { GraphCase } from './graph.ts';
export { modelProblems } from './model.ts';
export type { ModelCase } from './model.ts';
export { createSampleFacts, listFactSamples } from './samples.ts';
export type { FactSample } from './samples.ts';
export { FACT_PATTERNS } from './patterns.ts';
export type { FactPattern } from './patterns.ts';
