// Worker thread for a server's maintenance tasks (backup, integrity check, diagnostics), so that they do not block the event loop.
import { parentPort, workerData } from 'node:worker_threads';
import { BonafideError } from '../errors.ts';
import { createBackup, type BackupOptions } from './backup.ts';
import { runDoctor, type DoctorOptions } from './doctor/doctor.ts';
import { checkIntegrity } from './integrity.ts';

export type MaintenanceTask =
  | { task: 'backup'; options: BackupOptions }
  | { task: 'doctor'; options: DoctorOptions }
  | { task: 'integrity'; dataDir: string };
export type MaintenanceTaskOutcome = { result: unknown } | { failed: string };

if (parentPort === null) throw new Error('This module must run in a worker thread.');
const port = parentPort;
port.postMessage(await runTask(workerData as MaintenanceTask));

async function runTask(task: MaintenanceTask): Promise<MaintenanceTaskOutcome> {
  try {
    if (task.task === 'backup') return { result: await createBackup(task.options) };
    if (task.task === 'doctor') return { result: await runDoctor(task.options) };
    return { result: await checkIntegrity(task.dataDir, { slowly: true }) };
  } catch (error) {
    if (error instanceof BonafideError) return { failed: error.message };
    return { failed: `the task failed with ${error instanceof Error ? error.name : typeof error}` };
  }
}
