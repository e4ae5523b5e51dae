import { resolve } from 'node:path';
import type { StoreWorker } from '../../admin/store-worker.ts';
import type { OperatorService, RequestedBackupJson } from '../../admin/operator-service.ts';
import { readListPage, type PageRequest } from '../../admin/paging.ts';
import { toWireFormat } from '../../admin/wire.ts';
import { parseDuration } from '../../config.ts';
import type { Config } from '../../config.ts';
import { notFoundError } from '../../errors.ts';
import { listUnusedDatabases } from '../../graph/engines.ts';
import { openRequestedBackups } from '../../maintenance/requested-backups.ts';
import type { RequestedBackup, BackupFile } from '../../maintenance/requested-backups.ts';
import type { Log } from '../../observe/log.ts';
import type { RegisterForClosing } from '../closer.ts';

interface BackupServiceDeps {
  config: Config;
  log: Log;
  storeWorker: Pick<StoreWorker, 'run'>;
  closeLater: RegisterForClosing;
}

const NO_FOLDER = 'There is no folder for backups: the setting `backup` names one.';

export function createBackupService({
  config,
  log,
  storeWorker,
  closeLater,
}: BackupServiceDeps): Pick<OperatorService, 'listBackups' | 'startBackup'> {
  const { dataDir, secret, backup } = config;
  const listPage = (files: readonly BackupFile[], paging: PageRequest) =>
    readListPage(
      {
        name: 'backups',
        filters: {},
        like: [''],
        read: ({ limit, after: [after] = [''] }) =>
          files.filter(({ name }) => after === '' || name < after).slice(0, limit),
        at: ({ name }) => [name],
        view: (file) => toWireFormat(file, 'time'),
      },
      paging,
    );
  if (!backup)
    return {
      listBackups: async (paging) => ({ ...listPage([], paging), last: null }),
      startBackup: async () => {
        throw notFoundError(NO_FOLDER, 'backup');
      },
    };
  const { every, to, ...rest } = backup;
  const backups = { ...rest, to: resolve(to), everyMs: parseDuration(every) ?? 0 };
  const requested = closeLater(
    openRequestedBackups({ dataDir, secret, backups, elsewhere: listUnusedDatabases(config), log }),
    (asked) => asked.close(),
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
  toWireFormat(backup, 'started', 'ended');
