// Keeps the files that were sent to be imported, and has one at a time read or imported, in a thread of its own.
import { Worker } from 'node:worker_threads';
import { BonafideError, notFoundError, invalidArgument } from '../../errors.ts';
import { codeFile } from '../../platform/assets.ts';
import { valueOf } from '../outcome.ts';
import type { Found, ImportAsked, ImportView, Reading } from './import.ts';
import type { FromImport, ImportData } from './thread.ts';
import { removeStale, removeUpload, UPLOAD_MS } from './uploads.ts';

export interface ImportDesk {
  /**
   * Takes a file that lies in its room, which is read at once; tells how one stands; reads it in another way; imports it; drops it. What takes
   * long goes on when this answers.
   *
   * Errors: not_found; overloaded while another file is read or imported; invalid_arguments where it is imported already.
   */
  ask(asked: ImportAsked): Promise<ImportView>;
  /** All of them, the newest first. */
  list(): ImportView[];
  /** Drops files that nobody did anything with for an hour. To be called now and then. */
  tidy(): void;
  close(): Promise<void>;
}

export interface ImportDeskOptions extends Pick<
  ImportData,
  'dataDir' | 'secret' | 'graph' | 'region' | 'nameTables'
> {
  /** Told of an import that is done. */
  onDone(view: ImportView, actor: string): void;
  /** Told of a failure that is none of the file's. */
  onFailed(error: unknown): void;
}

interface Job {
  view: ImportView;
  file: string;
  touched: number;
}

/** Files that wait for what becomes of them; one more, and the oldest goes. */
const MOST_KEPT = 8;

export function openImportDesk({ onDone, onFailed, ...data }: ImportDeskOptions): ImportDesk {
  const jobs = new Map<string, Job>();
  let atWork: { id: string; thread: Worker } | null = null;
  tidy();

  function forget(id: string, job: Job): void {
    jobs.delete(id);
    removeUpload(job.file);
  }

  function tidy(): void {
    for (const [id, job] of jobs)
      if (atWork?.id !== id && job.touched < Date.now() - UPLOAD_MS) forget(id, job);
    removeStale(data.dataDir, new Set(jobs.keys()), Date.now());
  }

  /** Starts the thread; what it tells is in the view from then on. */
  function work(job: Job, { reading, actor }: { reading: Reading; actor: string | null }): ImportView {
    const { view, file } = job;
    const write = actor !== null;
    const workerData: ImportData = { ...data, file, name: view.name, bytes: view.bytes, reading, write };
    const thread = new Worker(codeFile('admin/imports/thread'), { workerData });
    atWork = { id: view.id, thread };
    Object.assign(view, { state: write ? 'importing' : 'reading', progress: null, failed: null, reading });
    const ended = (told: () => Partial<ImportView>) => {
      if (atWork?.thread !== thread) return;
      atWork = null;
      Object.assign(view, { progress: null }, told());
      if (view.state === 'done') removeUpload(file);
      if (view.state === 'done' && actor !== null) onDone(view, actor);
    };
    thread.on('message', (told: FromImport) => {
      if ('progress' in told) view.progress = told.progress;
      else ended(() => outcomeOf(told, { write, onFailed }));
    });
    const lost = () => ended(() => ({ state: 'failed', failed: ENDED }));
    thread.on('error', lost).on('exit', lost);
    return { ...view };
  }

  function jobOf(id: string): Job {
    const job = jobs.get(id);
    if (!job) throw notFoundError('There is no import of that id.', 'import');
    job.touched = Date.now();
    return job;
  }

  function requireIdle(): void {
    if (atWork) throw new BonafideError('overloaded', 'Another file is being read or imported. Try again.');
  }

  /** What was told to be imported may be in the graph by the time that its thread has ended: then it stays among those that are done. */
  async function drop(id: string, job: Job): Promise<ImportView> {
    const thread = atWork?.id === id ? atWork.thread : null;
    await thread?.terminate();
    if (thread && job.view.state === 'done') return { ...job.view };
    forget(id, job);
    return { ...job.view, state: 'dropped', progress: null, failed: null };
  }

  return {
    tidy,
    list: () => Array.from(jobs.values(), ({ view }) => ({ ...view })).toReversed(),
    async ask(asked) {
      if (asked.act === 'take') {
        const { id, file, name, bytes } = asked;
        if (atWork) removeUpload(file);
        requireIdle();
        for (const [old, job] of [...jobs].slice(0, Math.max(0, jobs.size + 1 - MOST_KEPT))) forget(old, job);
        const view: ImportView = {
          id,
          name,
          bytes,
          state: 'reading',
          progress: null,
          found: null,
          failed: null,
          reading: {},
        };
        const job = { view, file, touched: Date.now() };
        jobs.set(id, job);
        return work(job, { reading: {}, actor: null });
      }
      const job = jobOf(asked.id);
      if (asked.act === 'look') return { ...job.view };
      if (asked.act === 'drop') return drop(asked.id, job);
      requireIdle();
      if (job.view.state === 'done') throw IMPORTED;
      return work(job, { reading: asked.reading, actor: asked.act === 'start' ? asked.actor : null });
    },
    async close() {
      await atWork?.thread.terminate();
      for (const [id, job] of jobs) forget(id, job);
    },
  };
}

const ENDED = { code: 'graph_unavailable', message: 'The thread of the import ended.' } as const;
const FAILED = { code: 'internal_error', message: 'The import failed, and changed nothing.' } as const;
const IMPORTED = invalidArgument(
  'It is imported already.',
  '',
  'It is imported already: send the file again to import it again.',
);

function outcomeOf(
  told: Exclude<FromImport, { progress: unknown }>,
  { write, onFailed }: { write: boolean } & Pick<ImportDeskOptions, 'onFailed'>,
): Partial<ImportView> {
  try {
    return { state: write ? 'done' : 'ready', found: valueOf(told) as Found };
  } catch (error) {
    if (error instanceof BonafideError) {
      const failed = { code: error.code, message: error.message };
      return { state: 'failed', failed, ...('columns' in told && told.columns && { found: told.columns }) };
    }
    onFailed(error);
    return { state: 'failed', failed: FAILED };
  }
}
