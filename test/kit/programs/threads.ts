// Threads of the test process. They run the bundle of launcher.ts, which starts in half the time of up to 500 source files.
import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { Worker, type Transferable, type WorkerOptions } from 'node:worker_threads';
import { SOURCE_LAUNCHER } from './launcher.ts';

const SOURCE_FOLDER = dirname(SOURCE_LAUNCHER) + sep;
const BUILT_FOLDER = join(process.env.TESTS_FOLDER ?? '', 'program/src');
/** True if the program was built before this process began. All threads of a process run the same code. */
const IS_BUILT = process.env.TESTS_FOLDER !== undefined && existsSync(BUILT_FOLDER);

/** Returns the program's file of a module of the source. Returns any other file unchanged, and the source if the program is not built. */
function toBuiltModule<File>(file: File): File | string {
  if (!IS_BUILT || typeof file !== 'string' || !file.startsWith(SOURCE_FOLDER)) return file;
  const built = join(BUILT_FOLDER, file.slice(SOURCE_FOLDER.length).replace(/\.ts$/, '.js'));
  return existsSync(built) ? built : file;
}

export class ProgramThread extends Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(toBuiltModule(file), options);
  }

  /** Translates the module name in a task of a pool. */
  override postMessage(message: unknown, moved?: readonly Transferable[]): void {
    const isTask = typeof message === 'object' && message !== null && 'file' in message;
    super.postMessage(isTask ? { ...message, file: toBuiltModule(message.file) } : message, moved);
  }
}
