// The thread in which a server keeps its data: a backup, a check of integrity or all that doctor looks at, so that none holds up the event loop.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { backup } from './backup.ts';
import type { BackupOptions } from './backup.ts';
import { examine } from './doctor/doctor.ts';
import type { DoctorOptions } from './doctor/doctor.ts';
import { findDamage } from './integrity.ts';

/** What a thread is started for. */
export type Task =
  | { task: 'backup'; options: BackupOptions }
  | { task: 'doctor'; options: DoctorOptions }
  | { task: 'integrity'; dataDir: string };
/** What comes of it. */
export type Outcome = { result: unknown } | { failed: string };

if (parentPort === null) throw new Error('Keeping runs in a thread of its own.');
const port = parentPort;
port.postMessage(await outcomeOf(workerData as Task));

async function outcomeOf(task: Task): Promise<Outcome> {
  try {
    if (task.task === 'backup') return { result: await backup(task.options) };
    if (task.task === 'doctor') return { result: await examine(task.options) };
    return { result: await findDamage(task.dataDir, { slowly: true }) };
  } catch (error) {
    if (error instanceof BonafideError) return { failed: error.message };
    return { failed: `it ended with ${error instanceof Error ? error.name : typeof error}` };
  }
}
