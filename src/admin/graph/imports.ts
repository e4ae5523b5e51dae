import type { BonafideError } from '../../errors.ts';
import type { DateOrder } from '../../import/columns/dates.ts';
import type { ColumnPlan } from '../../import/input/plan.ts';
import { sourceFromFileName } from '../../import/read.ts';
import type { ImportProgress, ImportSummary } from '../../import/summary.ts';
import { describeSourcesForAudit } from '../../people/erase/receipts.ts';

export interface ImportReadOptions {
  map?: string | undefined;
  source?: string | undefined;
  region?: string | undefined;
  encoding?: string | undefined;
  sheet?: string | undefined;
  dates?: DateOrder | undefined;
  keepCompanies?: boolean | undefined;
  replace?: boolean | undefined;
  allowReturn?: boolean | undefined;
  /** True to import the records even if hardly any record has a name. */
  allowNameless?: boolean | undefined;
}

/** Record or value that cannot be used, by its line (counted from 1). The value itself is never included. */
export interface UnusableValue {
  line: number;
  /** True if the whole record cannot be used, false if only one value of the record cannot be used. */
  whole: boolean;
  reason: string;
}

/** Report on the content of a file, and on the effect of its import on the graph. */
export interface ImportFileReport extends Pick<
  ImportSummary,
  'read' | 'rejected' | 'dropped' | 'aside' | 'others' | 'same'
> {
  form: ImportSummary['forms'][number]['form'] | null;
  sources: { source: string; records: number }[];
  /** True if the operator must confirm the import with `allowNameless`, because hardly any record has a name. */
  nameless: boolean;
  /** Sentences about possible errors in usable records. */
  doubts: string[];
  /** Statistics of the records of the file, as sentences. */
  learnt: string[];
  columns: ColumnPlan['columns'];
  map: string;
  /** The first records and values of the file that cannot be used. */
  unusable: UnusableValue[];
  /** Numbers of changed records, and size of the graph after the import; null if the file was only read. */
  became: Pick<ImportSummary, 'added' | 'replaced' | 'removed' | 'barred' | 'records' | 'identities'> | null;
}

export interface ImportState {
  id: string;
  name: string;
  bytes: number;
  state: 'reading' | 'ready' | 'importing' | 'done' | 'failed' | 'dropped';
  /** Progress while the file is being read or imported; else null. */
  progress: ImportProgress | null;
  found: ImportFileReport | null;
  failed: ImportRefusal | null;
  reading: ImportReadOptions;
}

export type ImportRefusal = Pick<BonafideError, 'code' | 'message'>;

export interface ImportList {
  items: ImportState[];
  /** Reason why this server cannot import files; null if it can. */
  refused: ImportRefusal | null;
}

/** Request of an operator about imports, as `ImportWorker.handle` takes it. */
export type ImportRequest =
  | { act: 'add'; id: string; file: string; name: string; bytes: number }
  | { act: 'show'; id: string }
  | { act: 'drop'; id: string }
  | { act: 'read'; id: string; reading: ImportReadOptions }
  | { act: 'start'; id: string; reading: ImportReadOptions; actor: string };

/** Returns the entry of an import for the audit log: counts and sources, without the name of the file. */
export function toImportAuditEntry({ name, reading, found }: ImportState) {
  const sources = (found?.sources ?? []).map(({ source }) => source);
  const ofFile = reading.source === undefined ? [sourceFromFileName(name)] : [];
  const { target, detail } = describeSourcesForAudit(sources, ofFile);
  return { target, detail: { ...found?.became, ...detail } };
}
