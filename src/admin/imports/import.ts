// An import of a file that was sent: how it is asked for, and how it is told.
import type { BonafideError } from '../../errors.ts';
import type { ImportProgress, ImportSummary } from '../../import/summary.ts';
import type { DateOrder } from '../../import/columns/dates.ts';
import type { ColumnPlan } from '../../import/input/plan.ts';

/** How a file is to be read; see `ImportOptions`. */
export interface Reading {
  map?: string | undefined;
  source?: string | undefined;
  region?: string | undefined;
  dates?: DateOrder | undefined;
  keepCompanies?: boolean | undefined;
  replace?: boolean | undefined;
  allowReturn?: boolean | undefined;
}

/** Something that could not be used: a line counted from 1, and never a value. */
export interface Unusable {
  line: number;
  /** The whole record, or one value of it. */
  whole: boolean;
  reason: string;
}

/** What was found in a file, and what became of it in the graph where it was imported. */
export interface Found extends Pick<
  ImportSummary,
  'read' | 'rejected' | 'dropped' | 'aside' | 'others' | 'same'
> {
  form: ImportSummary['forms'][number]['form'] | null;
  sources: { source: string; records: number }[];
  /** What the records are like, a sentence each. */
  learnt: string[];
  columns: ColumnPlan['columns'];
  map: string;
  /** The first of what could not be used. */
  unusable: Unusable[];
  /** Null where it was only read. */
  became: Pick<ImportSummary, 'added' | 'replaced' | 'removed' | 'barred' | 'records' | 'identities'> | null;
}

export type ImportState = 'reading' | 'ready' | 'importing' | 'done' | 'failed' | 'dropped';

export interface ImportView {
  id: string;
  /** As the file was called. */
  name: string;
  bytes: number;
  state: ImportState;
  /** While it is read or imported. */
  progress: ImportProgress | null;
  /** When it was read last. */
  found: Found | null;
  failed: Refusal | null;
  /** How it was read last, or is read. */
  reading: Reading;
}

export type Refusal = Pick<BonafideError, 'code' | 'message'>;

/** The files that were sent. */
export interface SentFiles {
  /** The newest first. */
  items: ImportView[];
  /** Why none of them can be imported; null where they can. */
  refused: Refusal | null;
}

/** What an operator asks about an import. */
export type ImportAsked =
  | { act: 'take'; id: string; file: string; name: string; bytes: number }
  | { act: 'look'; id: string }
  | { act: 'drop'; id: string }
  | { act: 'read'; id: string; reading: Reading }
  | { act: 'start'; id: string; reading: Reading; actor: string };
