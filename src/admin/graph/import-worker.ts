// Keeps uploaded files, and reads or imports one file at a time in a worker thread.
import { BonafideError, invalidArgumentError, notFoundError } from '../../errors.ts';
import { createLazyWorkerThread, type WorkerThread } from '../../platform/threads/calls.ts';
import type { ImportThreadOperations, ImportThreadData } from './import-thread.ts';
import {
  type ImportFileReport,
  type ImportRequest,
  type ImportState,
  type ImportReadOptions,
  mergeReadOptions,
} from './imports.ts';
import { removeStaleUploads, removeUpload, UPLOAD_LIFETIME_MS } from './uploads.ts';

export interface ImportWorker {
  /**
   * Handles a request: `add` stores an uploaded file and reads it, `show` returns the state of an import, `read` reads the file again, `start`
   * imports it, `drop` removes it. Reading and importing continue after the promise has resolved. Errors: not_found; overloaded while another
   * file is read or imported; invalid_arguments for a file already imported.
   */
  handle(request: ImportRequest): Promise<ImportState>;
  list(): ImportState[];
  /** Removes uploaded files that were not used for an hour. Must be called regularly. */
  removeStale(): void;
  close(): Promise<void>;
}

export interface ImportWorkerOptions extends Pick<
  ImportThreadData,
  'dataDir' | 'secret' | 'graph' | 'region' | 'nameTables'
> {
  onDone(view: ImportState, actor: string): void;
  /** Called with each error that has another cause than the content of the file. */
  onFailed(error: unknown): void;
}

interface Job {
  view: ImportState;
  file: string;
  /** Time of the last request, in milliseconds since 1970. It can be later than now if the clock was set back. */
  lastUsed: number;
}

/** Memory limits (MiB) of a thread: `READING_MB` if it only reads a file, `IMPORTING_MB` if it also imports and links the records. */
const READING_MB = 1024;
const IMPORTING_MB = 4096;

/** Maximum number of uploaded files that are kept. The next upload removes the oldest. */
const MAX_FILES = 8;

/** Creates the import worker of a data folder, and removes uploaded files that an earlier server left there. */
export function openImportWorker({ onDone, onFailed, ...data }: ImportWorkerOptions): ImportWorker {
  const jobs = new Map<string, Job>();
  let running: { id: string; thread: WorkerThread<ImportThreadOperations> } | null = null;
  removeStale();

  function forget(id: string, job: Job): void {
    jobs.delete(id);
    removeUpload(job.file);
  }

  function removeStale(): void {
    for (const [id, job] of jobs)
      if (running?.id !== id && Math.abs(Date.now() - job.lastUsed) > UPLOAD_LIFETIME_MS) forget(id, job);
    removeStaleUploads(data.dataDir, new Set(jobs.keys()), Date.now());
  }

  /**
   * Starts a thread that reads the file of a job, or imports it if `actor` is not null. Returns the state of the import, which the thread
   * updates.
   */
  function start(job: Job, reading: ImportReadOptions, actor: string | null): ImportState {
    const { view, file } = job;
    const write = actor !== null;
    const thread = createLazyWorkerThread<ImportThreadOperations>({
      file: 'admin/graph/import-thread',
      workerData: {
        ...data,
        file,
        name: view.name,
        bytes: view.bytes,
        reading,
        write,
      } satisfies ImportThreadData,
      onEvent: (progress: ImportState['progress']) => (view.progress = progress),
      memoryMb: write ? IMPORTING_MB : READING_MB,
      toEndedError: (isOutOfMemory) =>
        isOutOfMemory
          ? new BonafideError(
              'out_of_memory',
              `${view.name} needs more than ${write ? IMPORTING_MB : READING_MB} MiB of memory, the limit of this server. Nothing was changed. Split the file, or import it with: bonafide graph import`,
            )
          : new BonafideError(
              'graph_unavailable',
              'The import stopped because its thread ended. Start it again.',
            ),
    });
    running = { id: view.id, thread };
    Object.assign(view, { state: write ? 'importing' : 'reading', progress: null, failed: null, reading });
    void finish(job, actor, thread);
    return { ...view };
  }

  async function finish(
    { view, file }: Job,
    actor: string | null,
    thread: WorkerThread<ImportThreadOperations>,
  ): Promise<void> {
    const isDone = actor === null ? 'ready' : 'done';
    const result = await thread.call('import', null).then(
      (found): Partial<ImportState> => ({ state: isDone, found }),
      (error: unknown) => toFailure(error, onFailed),
    );
    if (running?.thread !== thread) return;
    running = null;
    Object.assign(view, { progress: null }, result);
    void thread.close();
    if (view.state !== 'done' || actor === null) return;
    removeUpload(file);
    onDone(view, actor);
  }

  function jobOf(id: string): Job {
    const job = jobs.get(id);
    if (!job) throw notFoundError('There is no import with this id. Upload the file again.', 'import');
    job.lastUsed = Date.now();
    return job;
  }

  function requireIdle(): void {
    if (running)
      throw new BonafideError('overloaded', 'A file is being read or imported. Try again when it is done.');
  }

  function add({ id, file, name, bytes }: Extract<ImportRequest, { act: 'add' }>): ImportState {
    if (running) removeUpload(file);
    requireIdle();
    const oldest = [...jobs].slice(0, Math.max(0, jobs.size + 1 - MAX_FILES));
    for (const [oldId, job] of oldest) forget(oldId, job);
    const empty = { state: 'reading', progress: null, found: null, failed: null, reading: {} } as const;
    const job = { view: { id, name, bytes, ...empty }, file, lastUsed: Date.now() };
    jobs.set(id, job);
    return start(job, {}, null);
  }

  /** Stops an import and removes its file. If the import was completed before it could be stopped, it counts as done. */
  async function drop(id: string, job: Job): Promise<ImportState> {
    const isRunning = running?.id === id;
    if (isRunning) await running?.thread.close();
    if (isRunning && job.view.state === 'done') return { ...job.view };
    forget(id, job);
    return { ...job.view, state: 'dropped', progress: null, failed: null };
  }

  return {
    removeStale,
    list: () => Array.from(jobs.values(), ({ view }) => ({ ...view })).toReversed(),
    async handle(request) {
      if (request.act === 'add') return add(request);
      const job = jobOf(request.id);
      if (request.act === 'show') return { ...job.view };
      if (request.act === 'drop') return drop(request.id, job);
      requireIdle();
      if (job.view.state === 'done') throw IMPORTED;
      if (request.act === 'read') return start(job, request.reading, null);
      return start(job, mergeReadOptions(job.view.reading, request.reading), request.actor);
    },
    async close() {
      await running?.thread.close();
      for (const [id, job] of jobs) forget(id, job);
    },
  };
}

const FAILED = { code: 'internal_error', message: 'The import failed, and changed nothing.' } as const;
const IMPORTED = invalidArgumentError(
  'The file is already imported. To import it again, upload it again.',
  '',
  'The file is imported already: send it again to import it again.',
);

/**
 * Returns the changed members of the state after an import failed. If the error has columns, the operator can map them. `onFailed` is called
 * unless the content of the file caused the error.
 */
function toFailure(error: unknown, onFailed: (error: unknown) => void): Partial<ImportState> {
  if (error instanceof BonafideError) {
    const { code, message, details } = error;
    const fileReport = details.columns as ImportFileReport | undefined;
    return { state: 'failed', failed: { code, message }, ...(fileReport && { found: fileReport }) };
  }
  onFailed(error);
  return { state: 'failed', failed: FAILED };
}
