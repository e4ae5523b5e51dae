// What an operator may have done and look up from afar that is not in the store.
import type { Choice, FeatureList } from '../features/administer.ts';
import type { Diagnosis } from '../features/diagnose.ts';
import type { Failure } from '../features/metrics.ts';
import type { Desk } from './desk.ts';
import type { Evaluations } from './evaluations/evaluation.ts';
import type { GraphDesk } from './graph/desk.ts';
import type { ImportAsked, ImportView, SentFiles } from './imports/import.ts';
import type { Room } from './imports/uploads.ts';
import type { Page, Paging } from './page.ts';
import type { AskedBy } from './people/desk.ts';
import type { PeopleWork, WorkAsked, WorkDone } from './people/work.ts';

/** `actor` is who asks, for the audit log; a feature is named as at the command line. */
export interface Machine {
  features: {
    list(): Promise<FeatureList>;
    /** Errors: not_found, invalid_arguments, overloaded while another change or test is at work. */
    turn(feature: string, on: boolean, actor: string): Promise<FeatureList>;
    /** Errors: those of `turn`. */
    use(feature: string, choice: Choice, actor: string): Promise<FeatureList>;
    /** Errors: those of `turn`. */
    test(features?: readonly string[]): Promise<Diagnosis[]>;
    /** The last ones, the newest first. */
    failures(): Promise<FeatureFailure[]>;
  };
  graph: Pick<GraphDesk, 'look'>;
  people: People;
  backups: Backups;
  records: Records;
  /** Room for a file, and what becomes of it there. */
  uploads: { room(): Room };
  imports: Imports;
  evaluations: Evaluations;
  sent: Sent;
  doctor: Doctor;
}

/** A call that the model of a feature did not answer. */
export interface FeatureFailure extends Failure {
  /** Milliseconds since 1970. */
  time: number;
}

/** Keeps one more, if there is one; gives the last ones, the newest first. */
export type Failures = (more?: FeatureFailure) => Promise<FeatureFailure[]>;

/** What is said of one thing that was looked at. */
export interface FindingView {
  check: string;
  state: 'ok' | 'warning' | 'bad';
  says: string;
  todo: string | null;
}

export interface DoctorView {
  at_work: boolean;
  /** Null where nobody looked since the server began; the time is ISO 8601. */
  last: { time: string; items: FindingView[] } | null;
}

/** Begins a look where that is wanted and none is at work, and tells what the last one found. */
export type Doctor = (begins: boolean) => Promise<DoctorView>;

/** What is asked about files that were sent to be imported. Errors: those of `ImportDesk`, and of a folder that takes no records. */
export type Imports = (asked: ImportAsked) => Promise<ImportView>;

/** The files that were sent to be imported, and what became of them. */
export type Sent = () => Promise<SentFiles>;

/** Does work about people on record, and notes it. Errors: those of the work and of `PeopleDesk`. */
export type People = <W extends PeopleWork>(
  work: W,
  asked: WorkAsked<W>,
  by: AskedBy,
) => Promise<WorkDone<W>>;

export interface Records {
  /** Takes lines of records in. Errors: overloaded, graph_unavailable, forbidden in the demo's folder, those of the graph's files. */
  take(lines: SentLines, actor: string): Promise<TakenLines>;
}

export interface Backups {
  /** Errors: invalid_arguments. */
  list(paging: Paging): Promise<BackupPage>;
  /** Errors: not_found without a folder for them, overloaded. */
  start(now: number, actor: string): Promise<AskedView>;
}

/** What a server does at one place for an operator, however many threads serve. What is asked and answered are plain values. */
export interface Office {
  ask: Desk['ask'];
  look: GraphDesk['look'];
  people: People;
  backups: Backups;
  records: Records;
  imports: Imports;
  evaluations: Evaluations;
  sent: Sent;
  doctor: Doctor;
  failures: Failures;
}

/** Lines of JSON in UTF-8, and the source of records that name none: an empty text where nobody named one. */
export interface SentLines {
  lines: Uint8Array;
  source: string;
}

/** A line, counted from 1, and what about it: never a value. */
interface ToldLine {
  line: number;
  reason: string;
}

export interface TakenLines {
  put: number;
  deleted: number;
  barred: number;
  refused: ToldLine[];
  leftOut: ToldLine[];
  linked: boolean;
}

/** A backup for programs; times are ISO 8601. */
export interface BackupView {
  name: string;
  time: string;
  bytes: number;
  encrypted: boolean;
}

export interface AskedView {
  name: string;
  started: string;
  ended: string | null;
  ok: boolean;
}

export type BackupPage = Page<BackupView> & { last: AskedView | null };
