// Interfaces of the services that administrative routes need in addition to the store. They are implemented in src/app/admin.
import type { Caller } from '../accounts/model.ts';
import type { BonafideError } from '../errors.ts';
import type { JobJson } from '../jobs/job.ts';
import type { JobUpload } from '../jobs/read.ts';
import type { StoredJob } from '../store/serving/jobs.ts';
import type { EvaluationComparison } from '../evaluate/compare.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { CaseFileColumn } from '../evaluate/cases.ts';
import type { ModelChoice, FeatureAndPluginList } from '../features/administer.ts';
import type { FeatureTestResult } from '../features/diagnose.ts';
import type { FailedModelCall } from '../features/metrics.ts';
import type { ImportList, ImportRequest, ImportState } from './graph/imports.ts';
import type {
  PeopleOperationInput,
  PeopleOperationName,
  PeopleOperationResult,
} from './graph/people-operations.ts';
import type { PeopleOperationCallOptions } from './graph/people-worker.ts';
import type { GraphReportWorker } from './graph/report-worker.ts';
import type { UploadLocation } from './graph/uploads.ts';
import type { ListPage, PageRequest } from './paging.ts';
import type { StoreWorker } from './store-worker.ts';

/** Operations for the operator that run only in the main thread. `actor` is the API key or user that the audit log names. */
export interface OperatorService extends Pick<StoreWorker, 'run'>, Pick<GraphReportWorker, 'makeReport'> {
  /** Runs an operation on the people on record, and adds it to the audit log. Errors: those of the operation and of `PeopleOperationWorker`. */
  runOnPeople<Name extends PeopleOperationName>(
    name: Name,
    input: PeopleOperationInput<Name>,
    caller: PeopleOperationCallOptions,
  ): Promise<PeopleOperationResult<Name>>;
  /**
   * Adds lines of records to the graph, or replaces and removes records. Errors: overloaded, graph_unavailable, forbidden in a demo folder,
   * those of the graph's files.
   */
  putRecords(records: SubmittedRecordLines, actor: string): Promise<PutRecordsResult>;
  /** Handles a request about an import. Errors: those of `ImportWorker`; graph_unavailable if this server stores no records. */
  handleImport(request: ImportRequest): Promise<ImportState>;
  listImports(): Promise<ImportList>;
  /** Handles a request about an evaluation. Errors: not_found; overloaded while another evaluation is running. */
  handleEvaluation(request: EvaluationRequest): Promise<EvaluationState>;
  /** Returns a finished evaluation as one HTML page. Errors: not_found; invalid_arguments if the evaluation is not done. */
  getEvaluationHtml(id: string): Promise<string>;
  /** Returns one page of the backups, newest first. Errors: invalid_arguments. */
  listBackups(paging: PageRequest): Promise<BackupPage>;
  /** Starts a backup. Null if no folder for backups is configured. Errors: overloaded while another backup runs. */
  startBackup(now: number, actor: string): Promise<RequestedBackupJson | null>;
  /** Returns the last diagnosis. If `startsRun` is true, starts a new one unless one is running. */
  diagnose(startsRun: boolean): Promise<DoctorReportJson>;
  /**
   * Reads and stores a job. If a job with the same Idempotency-Key exists, returns that job. Errors: invalid_request, invalid_json,
   * idempotency_mismatch, overloaded, rate_limited if the owner has too many jobs.
   */
  createJob(request: JobRequest): Promise<{ job: StoredJob; isReplay: boolean }>;
  /** Adds a failure of an AI feature, if `added` is given. Returns the last failures, newest first. */
  recordFeatureFailure(added?: AiFeatureFailure): Promise<AiFeatureFailure[]>;
}

/** Services for administrative routes: those of the main thread, and those of each serving thread. */
export interface AdminService extends OperatorService {
  features: AiFeatureService;
  /** Creates the id and the path for an uploaded file. Errors: those of the file system. */
  createUploadIdAndFilePath(): UploadLocation;
  /** Creates a secret for the signatures of a webhook endpoint, and encrypts it. Errors: those of the secret file. */
  createAndEncryptWebhookEndpointSecret(): { text: string; sealed: Uint8Array };
}

/** Settings and tests of the AI features. */
export interface AiFeatureService {
  list(): Promise<FeatureAndPluginList>;
  /** Turns a feature on or off. Errors: not_found, invalid_arguments, overloaded while another change or test is running. */
  setFeatureEnabled(feature: string, on: boolean, actor: string): Promise<FeatureAndPluginList>;
  chooseModel(feature: string, choice: ModelChoice, actor: string): Promise<FeatureAndPluginList>;
  /** Tests the named features; without names, all features that are on. Errors: those of `setFeatureEnabled`. */
  testFeatures(features?: readonly string[]): Promise<FeatureTestResult[]>;
}

export interface AiFeatureFailure extends FailedModelCall {
  /** Time of the failure in milliseconds since 1970. */
  time: number;
}

interface FindingJson {
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  /** Advice to the operator; null if there is nothing to do. */
  todo: string | null;
}

export interface DoctorReportJson {
  /** True while a diagnosis is running. */
  at_work: boolean;
  /** Last diagnosis since the server started, with its ISO 8601 time; null if there is none. */
  last: { time: string; items: FindingJson[] } | null;
}

/** Records to add to the graph, as JSON Lines in UTF-8. */
interface SubmittedRecordLines {
  lines: Uint8Array;
  /** Default source of the records; may be empty. */
  source: string;
}

/** Problem in one line of records. `line` is counted from 1; the submitted value is not included. */
interface LineReport {
  line: number;
  /** JSON Pointer of an unknown field in the line. */
  pointer?: string;
  reason: string;
}

/** Result of adding records to the graph: number of lines by their effect. */
export interface PutRecordsResult {
  put: number;
  deleted: number;
  /** Number of lines that were not stored because their record is on the suppression list. */
  barred: number;
  refused: LineReport[];
  /** Unusable values that were left out of stored records. */
  leftOut: LineReport[];
  /** True if checks already use the records. */
  linked: boolean;
  /** Revision of the graph with these records; null if no record changed. */
  revision: string | null;
}

interface BackupJson {
  name: string;
  time: string;
  bytes: number;
  encrypted: boolean;
}

export interface RequestedBackupJson {
  name: string;
  started: string;
  /** Time at which the backup ended; null while it runs. */
  ended: string | null;
  ok: boolean;
}

type BackupPage = ListPage<BackupJson> & { last: RequestedBackupJson | null };

/** Result of an evaluation, without the scores of the individual cases. */
interface EvaluationResult {
  /** Columns of the table of cases with their recognised fields; empty for JSON Lines. */
  columns: CaseFileColumn[];
  evaluation: Omit<Evaluation, 'answers'>;
  /** Comparison with an earlier evaluation; null if the request names none. */
  comparison: EvaluationComparison | null;
}

export interface EvaluationState {
  id: string;
  name: string;
  state: 'checking' | 'done' | 'failed' | 'dropped';
  /** Progress of the evaluation; null before the cases are read, and at the end. */
  progress: { done: number; cases: number } | null;
  found: EvaluationResult | null;
  failed: Pick<BonafideError, 'code' | 'message'> | null;
}

export interface EvaluationCaseFile {
  bytes: Uint8Array;
  name: string;
  /** Map from fields to columns of the table, such as `name=Kunde`. */
  map?: string | undefined;
  /** Default country of phone numbers and addresses. If it is missing, the setting `region` is used. */
  region?: string | undefined;
  /** Id of an earlier evaluation to compare with. */
  before?: string | undefined;
}

type EvaluationRequest =
  | ({ act: 'add'; actor: string } & EvaluationCaseFile)
  | { act: 'show'; id: string }
  | { act: 'drop'; id: string };

export interface JobRequest {
  caller: Caller;
  endpoint: StoredJob['endpoint'];
  upload: JobUpload;
  /** Idempotency-Key, with the path and query of the request; null without such a header. */
  idempotency: { key: string; target: string } | null;
}

/** Access of callers to their own jobs, in a serving thread. */
export interface JobService {
  /** Creates a job. Errors: those of `OperatorService.createJob`. */
  create(request: JobRequest): Promise<{ job: JobJson; isReplay: boolean }>;
  /** Returns one page of the caller's jobs, newest first. Errors: invalid_arguments for an invalid cursor. */
  list(caller: Caller, paging: PageRequest): Promise<ListPage<JobJson>>;
  /** Returns a job; null if the caller has no such job. */
  show(caller: Caller, id: string): Promise<JobJson | null>;
  /** Deletes a job, and returns it; null if the caller has no such job. */
  delete(caller: Caller, id: string): Promise<JobJson | null>;
  /** Yields the results of a job as batches of JSON lines. The caller must own the job. */
  results(caller: Caller, id: string): AsyncIterable<string[]>;
}
