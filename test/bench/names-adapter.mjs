// The name engine with the interface of a name evaluator: compare(a, b) -> { confidence, variation, same }.
import { compareNames } from '../../src/names/index.ts';

export const name = 'bonafide';
export const compare = compareNames;
