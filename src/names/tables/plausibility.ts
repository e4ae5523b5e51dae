// How much a word looks like a name: letter triples of the names in the tables.
import { knownNames } from './lexicon.ts';

interface Letters {
  /** How often each letter follows each pair of letters, and how often the pair stands at all. */
  triples: Uint16Array;
  pairs: Uint32Array;
}

let learnt: Letters | undefined;

/** 1-26 for a letter, 0 for the outside of a word. */
function code(text: string, i: number): number {
  const c = text.charCodeAt(i) - 96;
  return c >= 1 && c <= 26 ? c : 0;
}

function learn(): Letters {
  const triples = new Uint16Array(27 * 27 * 27);
  const pairs = new Uint32Array(27 * 27);
  for (const name of knownNames()) {
    let two = 0;
    for (let i = 0; i <= name.length; i++) {
      const letter = code(name, i);
      triples[two * 27 + letter] = (triples[two * 27 + letter] ?? 0) + 1;
      pairs[two] = (pairs[two] ?? 0) + 1;
      two = (two % 27) * 27 + letter;
    }
  }
  return { triples, pairs };
}

/** Least probability of a letter after its two predecessors, as a negative logarithm: about 1 for names, 6 for typos. */
export function plausibility(word: string): number {
  const { triples, pairs } = (learnt ??= learn());
  let worst = 0;
  for (let i = 0; i <= word.length; i++) {
    const two = code(word, i - 2) * 27 + code(word, i - 1);
    const cost = -Math.log(((triples[two * 27 + code(word, i)] ?? 0) + 0.2) / ((pairs[two] ?? 0) + 5));
    if (cost > worst) worst = cost;
  }
  return worst;
}
