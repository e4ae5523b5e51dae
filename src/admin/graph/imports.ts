import type { BonafideError } from '../../errors.ts';
import type { ColumnMappingReport } from '../../import/input/plan.ts';
import { getSourceFromFileName } from '../../import/read.ts';
import type { RecordReadSettings } from '../../import/settings.ts';
import type { ImportProgress, ImportSummary, RejectedRecordOrValue } from '../../import/summary.ts';
import { toAuditedSources } from '../../people/erase/receipts.ts';

export interface ImportReadOptions extends Omit<RecordReadSettings, 'now'> {
  replace?: boolean | undefined;
  allowReturn?: boolean | undefined;
  /** True to import even if hardly any record has a name. */
  allowNameless?: boolean | undefined;
  /** True to import with `replace` even if most records of the source are removed. */
  allowRemoval?: boolean | undefined;
}

/** Names of the options that only an import has, not the reading of the file before it. */
const IMPORT_ONLY_OPTIONS: ReadonlySet<string> = new Set([
  'replace',
  'allowReturn',
  'allowNameless',
  'allowRemoval',
]);

/**
 * Returns the options of an import. A missing option is taken from the last reading, so that the file is imported as it was shown. Options that
 * only an import has are not repeated.
 */
export const mergeReadOptions = (last: ImportReadOptions, own: ImportReadOptions): ImportReadOptions => ({
  ...Object.fromEntries(Object.entries(last).filter(([name]) => !IMPORT_ONLY_OPTIONS.has(name))),
  ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)),
});

/** Record or value that cannot be used, or row that is left out, by its line (counted from 1). The value itself is not included. */
export type UnusableRecordOrValue = Pick<RejectedRecordOrValue, 'line' | 'whole' | 'reason'>;

/** Report on the content of a file, and on the changes that its import made. */
export interface ImportFileReport extends Pick<
  ImportSummary,
  'read' | 'rejected' | 'dropped' | 'others' | 'same'
> {
  companies: number;
  households: number;
  guests: number;
  totals: number;
  form: ImportSummary['forms'][number]['form'] | null;
  sources: { source: string; records: number }[];
  /** True if hardly any record has a name, so that the operator must confirm the import with `allowNameless`. */
  nameless: boolean;
  /** Sentences that warn about possible mistakes in usable records. */
  doubts: string[];
  /** Statistics of the file's records, as sentences. */
  learnt: string[];
  columns: ColumnMappingReport['columns'];
  map: string;
  /** Records and values of the file that cannot be used, up to a limit. */
  unusable: UnusableRecordOrValue[];
  /** Number of changed records, and size of the graph after the import; null if the file was only read. */
  became: Pick<ImportSummary, 'added' | 'replaced' | 'removed' | 'barred' | 'records' | 'identities'> | null;
}

export interface ImportState {
  id: string;
  name: string;
  bytes: number;
  state: 'reading' | 'ready' | 'importing' | 'done' | 'failed' | 'dropped';
  /** Progress of reading or importing; null before and afterwards. */
  progress: ImportProgress | null;
  found: ImportFileReport | null;
  failed: ImportRefusal | null;
  reading: ImportReadOptions;
}

export type ImportRefusal = Pick<BonafideError, 'code' | 'message'>;

export interface ImportList {
  items: ImportState[];
  /** Reason that this server cannot import files; null if it can. */
  refused: ImportRefusal | null;
}

/** Request of an operator for `ImportWorker.handle`. */
export type ImportRequest =
  | { act: 'add'; id: string; file: string; name: string; bytes: number }
  | { act: 'show'; id: string }
  | { act: 'drop'; id: string }
  | { act: 'read'; id: string; reading: ImportReadOptions }
  | { act: 'start'; id: string; reading: ImportReadOptions; actor: string };

/** Returns the audit log entry of an import: counts and sources, without the file name. */
export function toImportAuditTargetAndDetail({ name, reading, found }: ImportState) {
  const sources = (found?.sources ?? []).map(({ source }) => source);
  const ofFile = reading.source === undefined ? [getSourceFromFileName(name)] : [];
  const { target, detail } = toAuditedSources(sources, ofFile);
  return { target, detail: { ...found?.became, ...detail } };
}
