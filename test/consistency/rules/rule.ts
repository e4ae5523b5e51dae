import type { Story, Text } from '../story.ts';
import { sentences } from '../story.ts';

/** One clause of the contract (C) or the specification (S), and what of an answer contradicts it. */
export interface Rule {
  name: string;
  /** The clause, in its own words. */
  clause: string;
  /** What contradicts it; nothing where all is well. */
  find(story: Story): Found;
}
export type Found = string | false | null | undefined | (string | false | null | undefined)[];

export const near = (a: number, b: number, within = 0.011): boolean => Math.abs(a - b) <= within;

/** Sentences that a rule objects to, with their place. */
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
