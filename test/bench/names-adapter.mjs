// The name engine in the form that a name evaluator loads: compare(a, b) -> { confidence, variation, same }.
import { compareNames } from '../../src/names/index.ts';

export const name = 'bonafide';
export const compare = compareNames;
