// Runs `doctor` in a worker thread, one run at a time, for operators without access to the machine.
import type { OperatorService, DoctorJson } from '../../admin/operator-service.ts';
import { parseDuration } from '../../config.ts';
import type { Config } from '../../config.ts';
import { listUnusedDatabases } from '../../graph/engines.ts';
import { runTaskInThread } from '../../maintenance/background.ts';
import type { RunningMaintenanceTask } from '../../maintenance/background.ts';
import type { DoctorFinding } from '../../maintenance/doctor/finding.ts';
import type { Log } from '../../observe/log.ts';
import type { RegisterForClosing } from '../closer.ts';

interface DoctorServiceDeps {
  config: Pick<Config, 'dataDir' | 'secret' | 'backup' | 'store' | 'graph' | 'webhook'>;
  log: Pick<Log, 'error'>;
  closeLater: RegisterForClosing;
}

export function createDoctorService({
  config,
  log,
  closeLater,
}: DoctorServiceDeps): OperatorService['diagnose'] {
  const { dataDir, secret, backup } = config;
  const backups = backup && { ...backup, everyMs: parseDuration(backup.every) ?? 0 };
  const elsewhere = listUnusedDatabases(config);
  let running: RunningMaintenanceTask | null = null;
  let last: DoctorJson['last'] = null;
  closeLater({}, () => running?.stop().then(() => undefined));

  async function examine(now: number): Promise<void> {
    running = runTaskInThread({
      task: 'doctor',
      options: { dataDir, secret, backups, hasWebhook: config.webhook !== undefined, elsewhere, now },
    });
    const outcome = await running.outcome;
    running = null;
    if ('failed' in outcome) return log.error(`doctor ended: ${outcome.failed}`);
    const items = (outcome.result as DoctorFinding[]).map((one) => hideDataDir(one, dataDir));
    last = { time: new Date(now).toISOString(), items };
  }
  return async (begins) => {
    if (begins && !running) void examine(Date.now());
    return { at_work: running !== null, last };
  };
}

/** Returns a finding without the path of the data folder, which remote operators must not see. */
function hideDataDir(
  { says, todo, ...rest }: DoctorFinding,
  dataDir: string,
): NonNullable<DoctorJson['last']>['items'][number] {
  const hidePath = (text: string) =>
    text.replaceAll(`${dataDir}/`, '').replaceAll(dataDir, 'the data folder');
  return { ...rest, says: hidePath(says), todo: todo === null ? null : hidePath(todo) };
}
