import type { RecordStatistics } from './statistics.ts';
import type { NonPersonKind } from './columns/persons.ts';
import type { ColumnField } from './columns/columns.ts';
import type { InputForm } from './input/input.ts';
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { BonafideError } from '../errors.ts';

export interface ImportProgress {
  phase: 'reading' | 'linking' | 'publishing';
  records: number;
  /** Share of this phase that is done, 0-1; null where the size of the input is unknown. */
  done: number | null;
}

/** What the columns of one CSV input were taken for; null where one is not used. */
export interface InputColumns {
  input: string;
  columns: { header: string; field: ColumnField | null }[];
}

/** How often something was told, and where first. */
export interface ReasonCount {
  count: number;
  /** Whether the whole record is left out. */
  whole: boolean;
  lines: { input: string; line: number }[];
}

/** What became of the inputs. */
export interface ReadSummary {
  read: number;
  /** Records that could not be used at all. */
  rejected: number;
  /** What the records are like. */
  learnt: RecordStatistics;
  /** Rows that name somebody else too, whose name and contacts were left out. */
  others: number;
  /** Rows of tables that are no person's. */
  aside: Record<NonPersonKind, number>;
  /** Single values that could not be used, in records that were. */
  dropped: number;
  /** How many records of each source there are: of those that they name, or that they got. Of very many sources the first. */
  sources: Map<string, number>;
  /** Why something could not be used, and how often: of reasons by their words, without the place of a value in its list. */
  reasons: Map<string, ReasonCount>;
  /** Fields of records in the record format that are none of it. */
  unknown: { input: string; fields: string[] }[];
  /** One for each input. */
  forms: { input: string; form: InputForm }[];
  /** One for each CSV input. */
  columns: InputColumns[];
}

/** What became of the records in the graph. */
export interface AppliedCounts {
  added: number;
  replaced: number;
  /** Records that were taken out. */
  removed: number;
  /** Records of people who were forgotten: they are left out. */
  barred: number;
  /** Records that came in with an e-mail or a phone of somebody who was forgotten, under another name. */
  alike: number;
}

/** Rows that bore the record id of an earlier one in the same import. */
export interface SharedIdCounts {
  /** Rows that went into one record with others. */
  merged: number;
  /** Ids that stood for several people, each of whom has a record. */
  shared: number;
}

export interface ImportSummary extends ReadSummary, AppliedCounts {
  same: SharedIdCounts;
  /** Records that `replace` left as they were: they are in the file, and what it says of them could not be used. */
  stayed: number;
  identities: number;
  records: number;
  rejectsFile: string | null;
  /** The first few of what could not be used. */
  firstRejects: Reject[];
  seconds: { reading: number; linking: number };
}

/** One thing that an import could not use: never a value, only where it stands and why. */
export interface Reject {
  input: string;
  line: number;
  recordId: string | null;
  reason: string;
  /** The whole record, or one value of a record that was used otherwise. */
  whole: boolean;
}

export interface RejectsWriter {
  add(reject: Reject): void;
  /** The file, where something was written to it. */
  file(): string | null;
  /** The first few, for a summary. */
  first(): Reject[];
  end(): void;
}

const FIRST = 5;

/**
 * Writes rejects as JSON Lines; the file (mode 0600) is made with the first one. Without a file they are only counted.
 * Written at once: a stream would gather an endless queue in memory, and would tell a missing folder too late.
 *
 * Errors of `add`: `disk_full`, `read_only`.
 */
export function openRejectsWriter(file: string | undefined): RejectsWriter {
  let open: number | null = null;
  let used = false;
  const first: Reject[] = [];
  return {
    first: () => first,
    add(reject) {
      if (first.length < FIRST) first.push(reject);
      if (file === undefined) return;
      const { input, line, recordId, whole, reason } = reject;
      try {
        open ??= opened(file, used ? 'a' : 'w');
        used = true;
        writeSync(open, `${JSON.stringify({ input, line, record_id: recordId, whole, reason })}\n`);
      } catch (error) {
        throw cannotWrite(file, error);
      }
    },
    file: () => (used && file !== undefined ? file : null),
    end() {
      if (open !== null) closeSync(open);
      open = null;
    },
  };
}

/** One that is there already may be anybody's to read. */
function opened(file: string, flags: 'a' | 'w'): number {
  const open = openSync(file, flags, 0o600);
  if (fstatSync(open).isFile()) fchmodSync(open, 0o600);
  return open;
}

function cannotWrite(file: string, error: unknown): BonafideError {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
    return new BonafideError(
      'disk_full',
      `The disk that holds ${file} is full: free some space and run this again.`,
    );
  return new BonafideError(
    'read_only',
    `Cannot write what could not be used to ${file}: choose another with --rejects.`,
  );
}
