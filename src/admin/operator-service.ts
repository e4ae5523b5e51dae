// Interfaces of the services that administrative routes need in addition to the store. They are implemented in src/app/admin.
import type { Caller } from '../accounts/model.ts';
import type { BonafideError } from '../errors.ts';
import type { JobJson } from '../jobs/job.ts';
import type { JobUpload } from '../jobs/read.ts';
import type { StoredJob } from '../store/serving/jobs.ts';
import type { EvaluationComparison } from '../evaluate/compare.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { CaseColumn } from '../evaluate/cases.ts';
import type { ModelChoice, FeatureList } from '../features/administer.ts';
import type { FeatureDiagnosis } from '../features/diagnose.ts';
import type { FeatureFailureReport } from '../features/metrics.ts';
import type { ImportList, ImportRequest, ImportState } from './graph/imports.ts';
import type {
  PeopleOperationInput,
  PeopleOperation,
  PeopleOperationResult,
} from './graph/people-operations.ts';
import type { PeopleOperationCaller } from './graph/people-worker.ts';
import type { GraphReportWorker } from './graph/report-worker.ts';
import type { UploadSlot } from './graph/uploads.ts';
import type { ListPage, PageRequest } from './paging.ts';
import type { StoreWorker } from './store-worker.ts';

/**
 * Operations for the operator that run in the main thread only, however many threads serve requests. Inputs and results can be sent between
 * threads. `actor` is the key or user that the audit log names.
 */
export interface OperatorService extends Pick<StoreWorker, 'run'>, Pick<GraphReportWorker, 'makeReport'> {
  /** Runs an operation on people on record, and adds it to the audit log. Errors: those of the operation and of `PeopleOperationWorker`. */
  runOnPeople<Name extends PeopleOperation>(
    name: Name,
    input: PeopleOperationInput<Name>,
    caller: PeopleOperationCaller,
  ): Promise<PeopleOperationResult<Name>>;
  /**
   * Puts lines of records into the graph. Errors: overloaded, graph_unavailable, forbidden in a demo folder, those of the graph's files.
   */
  feedRecords(records: SubmittedRecordLines, actor: string): Promise<RecordFeedResult>;
  /** Handles a request about an import. Errors: those of `ImportWorker`; those of a data folder whose graph takes no records. */
  handleImport(request: ImportRequest): Promise<ImportState>;
  listImports(): Promise<ImportList>;
  /** Handles a request about an evaluation. Errors: not_found; overloaded while another evaluation is running. */
  handleEvaluation(request: EvaluationRequest): Promise<EvaluationState>;
  /** Returns a finished evaluation as one HTML page. Errors: not_found; invalid_arguments if the evaluation is not done. */
  getEvaluationHtml(id: string): Promise<string>;
  /** Returns one page of the backups, newest first. Errors: invalid_arguments. */
  listBackups(paging: PageRequest): Promise<BackupPage>;
  /** Starts a backup. Errors: not_found without a folder for backups, overloaded while another backup is running. */
  startBackup(now: number, actor: string): Promise<RequestedBackupJson>;
  /** Returns the last diagnosis. If `startsRun` is true, starts a new one unless a diagnosis is already running. */
  diagnose(startsRun: boolean): Promise<DoctorJson>;
  /**
   * Reads and stores a job. A job that was stored with the same Idempotency-Key is returned in its place.
   *
   * Errors: invalid_request, invalid_json, idempotency_mismatch, rate_limited if the owner has too many jobs, overloaded.
   */
  createJob(request: JobRequest): Promise<{ job: StoredJob; isReplay: boolean }>;
  /** Adds a failure of an AI feature to the list, if `added` is given. Returns the last failures, newest first. */
  recordFeatureFailure(added?: FeatureFailure): Promise<FeatureFailure[]>;
}

/** Services that administrative routes use: the operator service of the main thread, and the services of each serving thread. */
export interface AdminService extends OperatorService {
  features: FeatureService;
  /** Returns id and path of a file for an upload. Errors: those of the file system. */
  createUploadSlot(): UploadSlot;
  /** Returns a new secret for the signatures of an endpoint, and its encrypted form. Errors: those of the file of the secret. */
  createEndpointSecret(): { text: string; sealed: Uint8Array };
}

/** Settings and tests of the AI features. Features have the same names as on the command line. */
export interface FeatureService {
  list(): Promise<FeatureList>;
  /** Turns a feature on or off. Errors: not_found, invalid_arguments, overloaded while another change or test is running. */
  switchFeature(feature: string, on: boolean, actor: string): Promise<FeatureList>;
  chooseModel(feature: string, choice: ModelChoice, actor: string): Promise<FeatureList>;
  /** Tests features; without a list, all features that are on. Errors: those of `switchFeature`. */
  testFeatures(features?: readonly string[]): Promise<FeatureDiagnosis[]>;
}

export interface FeatureFailure extends FeatureFailureReport {
  /** Time of the failure in milliseconds since 1970. */
  time: number;
}

interface FindingJson {
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** Advice to the operator; null if nothing needs to be done. */
  todo: string | null;
}

export interface DoctorJson {
  /** True while a diagnosis is running. */
  at_work: boolean;
  /** Last diagnosis since the server started, with its ISO 8601 time; null before the first diagnosis. */
  last: { time: string; items: FindingJson[] } | null;
}

/** Records to be put into the graph, as JSON Lines in UTF-8. */
export interface SubmittedRecordLines {
  lines: Uint8Array;
  /** Source of the records that have no source of their own; may be empty. */
  source: string;
}

/** Problem of one line of records, counted from 1; it never contains a value. */
interface LineReport {
  line: number;
  /** JSON Pointer of an unknown field in the line. */
  pointer?: string;
  reason: string;
}

/** Result of putting records into the graph: numbers of lines by the effect of their record. */
export interface RecordFeedResult {
  put: number;
  deleted: number;
  /** Number of lines whose record was not stored, because it is on the suppression list. */
  barred: number;
  refused: LineReport[];
  /** Values that were left out of records that were stored. */
  leftOut: LineReport[];
  /** True if checks already use all records that were sent. */
  linked: boolean;
  /** Revision of the graph with these records; null if no record changed. */
  revision: string | null;
}

export interface BackupJson {
  name: string;
  time: string;
  bytes: number;
  encrypted: boolean;
}

export interface RequestedBackupJson {
  name: string;
  started: string;
  /** Time at which the backup ended; null while it is running. */
  ended: string | null;
  ok: boolean;
}

export type BackupPage = ListPage<BackupJson> & { last: RequestedBackupJson | null };

/** Result of an evaluation, without the scores of the single cases. */
interface EvaluationResult {
  /** Columns of the table of cases, with the field that each was read as; empty if the cases are JSON Lines. */
  columns: CaseColumn[];
  evaluation: Omit<Evaluation, 'answers'>;
  /** Comparison with the earlier evaluation that the request names; null if it names none. */
  comparison: EvaluationComparison | null;
}

export interface EvaluationState {
  id: string;
  name: string;
  state: 'checking' | 'done' | 'failed' | 'dropped';
  /** Progress of the evaluation; null before the cases are read, and after the end. */
  progress: { done: number; cases: number } | null;
  found: EvaluationResult | null;
  failed: Pick<BonafideError, 'code' | 'message'> | null;
}

export interface EvaluationCaseFile {
  bytes: Uint8Array;
  name: string;
  /** Fields and their columns in the table of cases, such as `name=Kunde`. */
  map?: string | undefined;
  /** Country of phone numbers and addresses that have no country; by default that of the settings. */
  region?: string | undefined;
  /** Id of an earlier evaluation that the result is compared with. */
  before?: string | undefined;
}

export type EvaluationRequest =
  | ({ act: 'add'; actor: string } & EvaluationCaseFile)
  | { act: 'show'; id: string }
  | { act: 'drop'; id: string };

export interface JobRequest {
  caller: Caller;
  endpoint: StoredJob['endpoint'];
  upload: JobUpload;
  /** Idempotency-Key, with the path and query of the request; null without one. */
  idempotency: { key: string; target: string } | null;
}

/** Jobs, as a serving thread answers its callers about them. A caller sees its own jobs only. */
export interface JobService {
  /** Errors: those of `OperatorService.createJob`. */
  create(request: JobRequest): Promise<{ job: JobJson; isReplay: boolean }>;
  /** Returns a page of the caller's jobs, the newest first. Errors: invalid_arguments if the cursor is of another list. */
  list(caller: Caller, paging: PageRequest): Promise<ListPage<JobJson>>;
  /** Returns a job; null if the caller has no such job. */
  show(caller: Caller, id: string): Promise<JobJson | null>;
  /** Deletes a job, and returns it; null if the caller has no such job. */
  delete(caller: Caller, id: string): Promise<JobJson | null>;
  /** Yields the results of a job, several lines of JSON at a time. The caller must already have been checked to own the job. */
  results(id: string): AsyncIterable<string[]>;
}
