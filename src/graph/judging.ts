// What a person has judged about who is who: it stands above what linking finds and what sources say, until it is undone.
import type { Awaitable } from '../model.ts';

/** A judgement as it is made. */
export interface Judgement {
  kind: 'split' | 'join';
  /** Who judged: `command-line` and the system's user, or the id of an admin key. */
  who: string;
  why: string;
  /** Milliseconds since 1970. */
  time: number;
  /** Records by the hex of their own fingerprints: those of a group are one person, those of different groups are not. */
  groups: string[][];
}

export interface KnownJudgement extends Judgement {
  id: number;
  /** When it was undone; null while it stands. */
  undone: number | null;
}

/** Keeps judgements. A record that is put gets the label of the latest standing one about it; see `judgedLabel`. */
export interface GraphJudging {
  list(): Awaitable<KnownJudgement[]>;
  add(judgement: Judgement): Awaitable<number>;
  /** False where there is none of this number that stands. */
  undo(id: number, time: number): Awaitable<boolean>;
  /** Takes records out of all judgements, with the reasons of these: they may tell of them. */
  forget(keys: string[]): Awaitable<void>;
}

/** The label of a group. No source's own is the same, since what is imported has no such character. */
export const judgedLabel = (id: number, group: number): string => `\0${id}.${group}`;
