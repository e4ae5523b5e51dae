// Imports of uploaded files: how an operator requests them, and how their state is reported.
import type { BonafideError } from '../../errors.ts';
import type { DateOrder } from '../../import/columns/dates.ts';
import type { ColumnPlan } from '../../import/input/plan.ts';
import { sourceFromFileName } from '../../import/read.ts';
import type { ImportProgress, ImportSummary } from '../../import/summary.ts';
import { sourcesNoted } from '../../people/erase/receipt.ts';

/** Options for reading a file; see `ImportOptions`. */
export interface ReadOptions {
  map?: string | undefined;
  source?: string | undefined;
  region?: string | undefined;
  dates?: DateOrder | undefined;
  keepCompanies?: boolean | undefined;
  replace?: boolean | undefined;
  allowReturn?: boolean | undefined;
}

/** A record or a value that cannot be used: its line, counted from 1, and never the value. */
export interface UnusableValue {
  line: number;
  /** True for the whole record, false for one value of it. */
  whole: boolean;
  reason: string;
}

/** Content of a file, and the effect of its import on the graph. */
export interface FileReport extends Pick<
  ImportSummary,
  'read' | 'rejected' | 'dropped' | 'aside' | 'others' | 'same'
> {
  form: ImportSummary['forms'][number]['form'] | null;
  sources: { source: string; records: number }[];
  /** Statistics of the records, one sentence each. */
  learnt: string[];
  columns: ColumnPlan['columns'];
  map: string;
  /** The first values that cannot be used. */
  unusable: UnusableValue[];
  /** Null if the file was only read. */
  became: Pick<ImportSummary, 'added' | 'replaced' | 'removed' | 'barred' | 'records' | 'identities'> | null;
}

/** State of one import. */
export interface ImportView {
  id: string;
  /** Name of the file. */
  name: string;
  bytes: number;
  state: 'reading' | 'ready' | 'importing' | 'done' | 'failed' | 'dropped';
  /** Null unless the file is being read or imported. */
  progress: ImportProgress | null;
  /** Report of the last reading. */
  found: FileReport | null;
  failed: ImportRefusal | null;
  /** Options of the last reading. */
  reading: ReadOptions;
}

/** Why an import failed, or is refused. */
export type ImportRefusal = Pick<BonafideError, 'code' | 'message'>;

/** Imports of uploaded files. */
export interface ImportList {
  /** Newest first. */
  items: ImportView[];
  /** Why no file can be imported here; null if files can be imported. */
  refused: ImportRefusal | null;
}

/** A request of an operator about imports. */
export type ImportRequest =
  | { act: 'add'; id: string; file: string; name: string; bytes: number }
  | { act: 'show'; id: string }
  | { act: 'drop'; id: string }
  | { act: 'read'; id: string; reading: ReadOptions }
  | { act: 'start'; id: string; reading: ReadOptions; actor: string };

/** Returns the entry of an import in the audit log: counts and sources, without the name of the file. */
export function toImportNote({ name, reading, found }: ImportView) {
  const sources = (found?.sources ?? []).map(({ source }) => source);
  const ofFile = reading.source === undefined ? [sourceFromFileName(name)] : [];
  const { target, detail } = sourcesNoted(sources, ofFile);
  return { target, detail: { ...found?.became, ...detail } };
}
