// The contract as a test, published as `bonafide/plugin/test`: each function gives a list of broken clauses, empty when
// all is well, so that any test runner can use it. `bonafide plugins check` runs the same.
//     expect(await modelProblems(myModel, { options: { url } })).toEqual([]);
export { featureProblems } from './feature.js';
export { modelProblems } from './model.js';
export { factsOf, samplesOf } from './samples.js';
export { PATTERNS } from './patterns.js';
