import type { Learnt } from './apply/learnt.ts';
import type { NoPerson } from './source/cells/persons.ts';
import type { Reject } from './rejects.ts';
import type { ColumnField } from './source/columns/columns.ts';
import type { SourceForm } from './source/source.ts';

export interface ImportProgress {
  phase: 'reading' | 'linking' | 'publishing';
  records: number;
  /** Share of this phase that is done, 0-1; null where the size of the input is unknown. */
  done: number | null;
}

/** What the columns of one CSV input were taken for; null where one is not used. */
export interface ReadColumns {
  input: string;
  columns: { header: string; field: ColumnField | null }[];
}

/** How often something was told, and where first. */
export interface Told {
  count: number;
  /** Whether the whole record is left out. */
  whole: boolean;
  lines: { input: string; line: number }[];
}

/** What became of the inputs. */
export interface Kept {
  read: number;
  /** Records that could not be used at all. */
  rejected: number;
  /** What the records are like. */
  learnt: Learnt;
  /** Rows that name somebody else too, whose name and contacts were left out. */
  others: number;
  /** Rows of tables that are no person's. */
  aside: Record<NoPerson, number>;
  /** Single values that could not be used, in records that were. */
  dropped: number;
  /** How many records of each source there are: of those that they name, or that they got. Of very many sources the first. */
  sources: Map<string, number>;
  /** Why something could not be used, and how often: of reasons by their words, without the place of a value in its list. */
  reasons: Map<string, Told>;
  /** Fields of records in the record format that are none of it. */
  unknown: { input: string; fields: string[] }[];
  /** One for each input. */
  forms: { input: string; form: SourceForm }[];
  /** One for each CSV input. */
  columns: ReadColumns[];
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
export interface SameIds {
  /** Rows that went into one record with others. */
  merged: number;
  /** Ids that stood for several people, each of whom has a record. */
  shared: number;
}

export interface ImportSummary extends Kept, AppliedCounts {
  same: SameIds;
  /** Records that `replace` left as they were: they are in the file, and what it says of them could not be used. */
  stayed: number;
  identities: number;
  records: number;
  rejectsFile: string | null;
  /** The first few of what could not be used. */
  firstRejects: Reject[];
  seconds: { reading: number; linking: number };
}
