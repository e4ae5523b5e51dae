// Backups and diagnoses that an operator requests over HTTP.
import { resolve } from 'node:path';
import type { OperatorService, RequestedBackupJson, DoctorReportJson } from '../../admin/operator-service.ts';
import { readListPage, type PageRequest } from '../../admin/paging.ts';
import { toSnakeCaseJson } from '../../admin/wire.ts';
import { parseDuration } from '../../config.ts';
import { listUnconfiguredDatabaseFiles } from '../../graph/engines.ts';
import {
  createRequestedBackupRunner,
  type RequestedBackup,
  type BackupFile,
} from '../../maintenance/requested-backups.ts';
import { runMaintenanceTaskInThread, type RunningMaintenanceTask } from '../../maintenance/background.ts';
import type { DoctorCheckResult } from '../../maintenance/doctor/finding.ts';
import type { OperatorServiceDeps } from './service-deps.ts';

export function createBackupService({
  config,
  log,
  storeWorker,
  closeLater,
}: OperatorServiceDeps): Pick<OperatorService, 'listBackups' | 'startBackup'> {
  const { dataDir, secret, backup } = config;
  const listPage = (files: readonly BackupFile[], paging: PageRequest) =>
    readListPage(paging, {
      name: 'backups',
      filters: {},
      like: [''],
      read: ({ limit, after: [after] = [''] }) =>
        files.filter(({ name }) => after === '' || name < after).slice(0, limit),
      at: ({ name }) => [name],
      view: (file) => toSnakeCaseJson(file, 'time'),
    });
  if (!backup)
    return {
      listBackups: async (paging) => ({ ...listPage([], paging), last: null }),
      startBackup: async () => null,
    };
  const { every, to, ...rest } = backup;
  const backups = { ...rest, to: resolve(to), everyMs: parseDuration(every) ?? 0 };
  const requested = closeLater(
    createRequestedBackupRunner({
      dataDir,
      secret,
      backups,
      elsewhere: listUnconfiguredDatabaseFiles(config),
      log,
    }),
  );
  return {
    async listBackups(paging) {
      const last = requested.last();
      return { ...listPage(requested.list(), paging), last: last && toBackupJson(last) };
    },
    async startBackup(now, actor) {
      const started = requested.start(now, async ({ bytes, encrypted, secret }) => {
        const detail = { bytes, encrypted, secret };
        await storeWorker.run('note', { act: 'backup.create', target: '', detail }, actor);
      });
      return toBackupJson(started);
    },
  };
}

const toBackupJson = (backup: RequestedBackup): RequestedBackupJson =>
  toSnakeCaseJson(backup, 'started', 'ended');

/** Creates the function that runs `doctor` in a worker thread for remote operators. Only one diagnosis runs at the same time. */
export function createDiagnosisRunner({
  config,
  log,
  closeLater,
}: OperatorServiceDeps): OperatorService['diagnose'] {
  const { dataDir, secret, backup } = config;
  const backups = backup && { ...backup, everyMs: parseDuration(backup.every) ?? 0 };
  const elsewhere = listUnconfiguredDatabaseFiles(config);
  let running: RunningMaintenanceTask | null = null;
  let last: DoctorReportJson['last'] = null;
  closeLater({}, () => running?.stop().then(() => undefined));

  async function examine(now: number): Promise<void> {
    running = runMaintenanceTaskInThread({
      task: 'doctor',
      options: { dataDir, secret, backups, hasWebhook: config.webhook !== undefined, elsewhere, now },
    });
    const outcome = await running.outcome;
    running = null;
    if ('failed' in outcome) return log.error(`doctor ended: ${outcome.failed}`);
    const items = (outcome.result as DoctorCheckResult[]).map((one) => hideDataDir(one, dataDir));
    last = { time: new Date(now).toISOString(), items };
  }
  return async (begins) => {
    if (begins && !running) void examine(Date.now());
    return { at_work: running !== null, last };
  };
}

/** Removes the path of the data folder from a finding, because remote operators must not see it. */
function hideDataDir(
  { says, todo, ...rest }: DoctorCheckResult,
  dataDir: string,
): NonNullable<DoctorReportJson['last']>['items'][number] {
  const hidePath = (text: string) =>
    text.replaceAll(`${dataDir}/`, '').replaceAll(dataDir, 'the data folder');
  return { ...rest, says: hidePath(says), todo: todo === null ? null : hidePath(todo) };
}
