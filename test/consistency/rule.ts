import type { Story, Text } from './story.ts';
import { sentences } from './story.ts';

/** One clause of the contract (C) or the specification (S), with a check for contradictions. */
export interface Rule {
  name: string;
  /** Text of the clause. */
  clause: string;
  /** Returns contradictions with the clause; nothing if there are none. */
  find(story: Story): Found;
}
export type Found = string | false | null | undefined | (string | false | null | undefined)[];

export const near = (a: number, b: number, within = 0.011): boolean => Math.abs(a - b) <= within;

/** Returns the sentences that a rule rejects, with their place in the answer. */
export function objections(
  texts: readonly Text[],
  objects: (sentence: string, text: Text) => boolean,
): string[] {
  return texts.flatMap((text) =>
    sentences(text.text)
      .filter((sentence) => objects(sentence, text))
      .map((sentence) => `${text.place}: “${sentence}”`),
  );
}
