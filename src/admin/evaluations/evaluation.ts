// An evaluation of a file of labelled cases that was sent: how it is asked for, and how it is told.
import type { BonafideError } from '../../errors.ts';
import type { Comparison } from '../../evaluate/compare.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { CaseColumn } from '../../evaluate/run/cases.ts';

export type EvaluationState = 'checking' | 'done' | 'failed' | 'dropped';

/** What came of it. Scores of single cases are compared, and not told. */
export interface Evaluated {
  /** What the columns of a table were taken for; none where lines say it themselves. */
  columns: CaseColumn[];
  evaluation: Omit<Evaluation, 'answers'>;
  /** Against the one that was named with it. */
  comparison: Comparison | null;
}

export interface EvaluationView {
  id: string;
  /** As the file was called. */
  name: string;
  state: EvaluationState;
  /** Cases that are checked, of how many; null before they are read, and at the end. */
  progress: { done: number; cases: number } | null;
  found: Evaluated | null;
  failed: Pick<BonafideError, 'code' | 'message'> | null;
}

export interface SentCases {
  /** The file as it is. */
  bytes: Uint8Array;
  name: string;
  /** Which columns hold what. */
  map?: string | undefined;
  /** Country of numbers and addresses that name none; else that of the settings. */
  region?: string | undefined;
  /** An earlier evaluation, to compare with. */
  before?: string | undefined;
}

/** What an operator asks about evaluations. */
export type EvaluationAsked =
  | ({ act: 'take'; actor: string } & SentCases)
  | { act: 'look'; id: string }
  | { act: 'drop'; id: string };

/** What is asked about evaluations. Errors: not_found; overloaded while another one is at work. */
export interface Evaluations {
  ask(asked: EvaluationAsked): Promise<EvaluationView>;
  /** One that is done, as a page that opens from disk. Errors: not_found, invalid_arguments where it is not done. */
  report(id: string): Promise<string>;
}
