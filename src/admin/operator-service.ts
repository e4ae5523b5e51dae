// What administrative routes need of a server beside the store: interfaces only. The server implements them in src/app/admin.
import type { BonafideError } from '../errors.ts';
import type { Comparison } from '../evaluate/compare.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { CaseColumn } from '../evaluate/run/cases.ts';
import type { Choice, FeatureList } from '../features/administer.ts';
import type { Diagnosis } from '../features/diagnose.ts';
import type { Failure } from '../features/metrics.ts';
import type { ImportList, ImportRequest, ImportView } from './graph/imports.ts';
import type {
  PeopleOperationInput,
  PeopleOperation,
  PeopleOperationResult,
} from './graph/people-operations.ts';
import type { PeopleCaller } from './graph/people-worker.ts';
import type { GraphReportWorker } from './graph/report-worker.ts';
import type { UploadSlot } from './graph/uploads.ts';
import type { Page, Paging } from './paging.ts';
import type { StoreWorker } from './store-worker.ts';

/**
 * Operations that a server does at one place for its operator, however many threads serve. Inputs and results can be cloned. `actor` is who
 * asks, for the audit log.
 */
export interface OperatorService extends Pick<StoreWorker, 'run'>, Pick<GraphReportWorker, 'makeReport'> {
  /** Runs an operation on people on record, and notes it in the audit log. Errors: those of the operation and of `PeopleWorker`. */
  runOnPeople<Name extends PeopleOperation>(
    name: Name,
    input: PeopleOperationInput<Name>,
    caller: PeopleCaller,
  ): Promise<PeopleOperationResult<Name>>;
  /** Applies lines of records to the graph. Errors: overloaded, graph_unavailable, forbidden in a demo folder, those of the graph's files. */
  feedRecords(records: RecordLines, actor: string): Promise<RecordFeedResult>;
  /** Handles a request about an import. Errors: those of `ImportWorker`, and of a folder that takes no records. */
  handleImport(request: ImportRequest): Promise<ImportView>;
  listImports(): Promise<ImportList>;
  /** Handles a request about an evaluation. Errors: not_found; overloaded while another evaluation is running. */
  handleEvaluation(request: EvaluationRequest): Promise<EvaluationView>;
  /** Returns a finished evaluation as one HTML page. Errors: not_found; invalid_arguments if the evaluation is not done. */
  getEvaluationHtml(id: string): Promise<string>;
  /** Errors: invalid_arguments. */
  listBackups(paging: Paging): Promise<BackupPage>;
  /** Starts a backup. Errors: not_found without a folder for backups, overloaded. */
  startBackup(now: number, actor: string): Promise<RequestedBackupJson>;
  /** Returns the last diagnosis; `startsRun` starts a new one unless one is running. */
  diagnose(startsRun: boolean): Promise<DoctorJson>;
  /** Adds a failure of a feature, if given, and returns the last failures, newest first. */
  recordFeatureFailure(added?: FeatureFailure): Promise<FeatureFailure[]>;
}

/** Everything that administrative routes use: the operator service, and what each serving thread does itself. */
export interface AdminService extends OperatorService {
  features: FeatureService;
  /** Creates the file that an upload is written to. Errors: those of the file system. */
  createUploadSlot(): UploadSlot;
}

/** Settings and tests of the AI features. Features are named as at the command line. */
export interface FeatureService {
  list(): Promise<FeatureList>;
  /** Turns a feature on or off. Errors: not_found, invalid_arguments, overloaded while another change or test is running. */
  switchFeature(feature: string, on: boolean, actor: string): Promise<FeatureList>;
  /** Chooses the model of a feature. Errors: those of `turn`. */
  chooseModel(feature: string, choice: Choice, actor: string): Promise<FeatureList>;
  /** Tests features; all that are on by default. Errors: those of `turn`. */
  testFeatures(features?: readonly string[]): Promise<Diagnosis[]>;
}

/** A call that the model of a feature did not answer. */
export interface FeatureFailure extends Failure {
  /** Milliseconds since 1970. */
  time: number;
}

/** One finding of a diagnosis. */
interface FindingJson {
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** What to do; null for nothing. */
  todo: string | null;
}

/** State of the diagnosis `doctor`. */
export interface DoctorJson {
  /** True while a diagnosis is running. */
  at_work: boolean;
  /** The last diagnosis since the server started, or null; the time is ISO 8601. */
  last: { time: string; items: FindingJson[] } | null;
}

/** Records as JSON Lines in UTF-8. */
export interface RecordLines {
  lines: Uint8Array;
  /** Source of records that name none; may be empty. */
  source: string;
}

/** A problem with one line, counted from 1; never a value. */
interface LineReport {
  line: number;
  reason: string;
}

/** Result of feeding records: numbers of lines by what was done with them. */
export interface RecordFeedResult {
  put: number;
  deleted: number;
  /** Lines whose record is on the suppression list. */
  barred: number;
  refused: LineReport[];
  /** Single values that were ignored, of records that were put. */
  leftOut: LineReport[];
  /** True if checks see all of the records already. */
  linked: boolean;
}

/** One backup file; times are ISO 8601. */
export interface BackupJson {
  name: string;
  time: string;
  bytes: number;
  encrypted: boolean;
}

/** A backup that was requested over HTTP; times are ISO 8601. */
export interface RequestedBackupJson {
  name: string;
  started: string;
  /** Null while the backup is running. */
  ended: string | null;
  ok: boolean;
}

export type BackupPage = Page<BackupJson> & { last: RequestedBackupJson | null };

/** Result of an evaluation, without the score of each case. */
interface EvaluationResult {
  /** Columns of a table and the fields they were read as; empty for JSON Lines. */
  columns: CaseColumn[];
  evaluation: Omit<Evaluation, 'answers'>;
  /** Comparison with the earlier evaluation that the request named; else null. */
  comparison: Comparison | null;
}

/** State of an evaluation of labelled cases. */
export interface EvaluationView {
  id: string;
  /** Name of the file. */
  name: string;
  state: 'checking' | 'done' | 'failed' | 'dropped';
  /** Null before the cases are read, and at the end. */
  progress: { done: number; cases: number } | null;
  found: EvaluationResult | null;
  failed: Pick<BonafideError, 'code' | 'message'> | null;
}

/** A file of labelled cases to be evaluated. */
export interface EvaluationCases {
  bytes: Uint8Array;
  name: string;
  /** Which columns hold which fields, such as `name=Kunde`. */
  map?: string | undefined;
  /** Country of numbers and addresses that name none; by default that of the settings. */
  region?: string | undefined;
  /** Id of an earlier evaluation to compare with. */
  before?: string | undefined;
}

/** A request of an operator about evaluations. */
export type EvaluationRequest =
  | ({ act: 'add'; actor: string } & EvaluationCases)
  | { act: 'show'; id: string }
  | { act: 'drop'; id: string };
