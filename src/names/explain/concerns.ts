// What a reviewer should look at.
import { genderVariant } from '../traditions/western/gender.ts';
import type { PreparedName, Token } from '../types.ts';
import { DOUBTFUL, suffixOf, textOf } from './explain.ts';
import { alignmentOf, type Judgement } from '../compare/judge.ts';

function doubt(x: Token, y: Token): string {
  if (x.role !== 'family' && genderVariant(x, y)) return 'look like one name for men and one for women';
  return x.info && y.info ? 'are two names in their own right' : 'differ by more than a usual slip';
}

/** What speaks against one person, each as a sentence; empty when nothing does. */
export function concerns(judgement: Judgement, a: PreparedName, b: PreparedName): string[] {
  const alignment = alignmentOf(judgement, a, b);
  const { links, onlyA, onlyB } = alignment;
  const list: string[] = [];
  for (const { a: left, b: right, comparison } of links) {
    if (comparison.quality >= DOUBTFUL) continue;
    list.push(`${textOf(left)} and ${textOf(right)} ${doubt(left[0], right[0])}.`);
  }
  if (onlyA.length > 0 && onlyB.length > 0) {
    const role = [...onlyA, ...onlyB].some((t) => t.role === 'given') ? 'given names' : 'names';
    list.push(`Different ${role}: ${textOf(onlyA)} and ${textOf(onlyB)}.`);
  } else if ([...onlyA, ...onlyB].some((t) => t.role !== 'middle' && !t.maybeTitle)) {
    list.push(
      `Only part of the name can be compared: ${textOf([...onlyA, ...onlyB])} has nothing to stand against.`,
    );
  }
  if (a.generation && b.generation && a.generation !== b.generation) {
    list.push(`${suffixOf(a)} and ${suffixOf(b)} are usually parent and child.`);
  }
  return list;
}
