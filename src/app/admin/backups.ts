// The backups of a server, as its operator asks for them over HTTP.
import { resolve } from 'node:path';
import type { Desk } from '../../admin/desk.ts';
import type { AskedView, Backups } from '../../admin/machine.ts';
import { pageOf, sliceOf } from '../../admin/page.ts';
import { parseDuration } from '../../config.ts';
import type { Config } from '../../config.ts';
import { notFoundError } from '../../errors.ts';
import { openAskedBackups } from '../../maintenance/asked.ts';
import type { AskedBackup, Kept } from '../../maintenance/asked.ts';
import type { Log } from '../../observe/log.ts';
import type { Opened } from '../closing.ts';

interface Given {
  config: Config;
  log: Log;
  desk: Pick<Desk, 'ask'>;
  opened: Opened;
}

const NO_FOLDER = 'There is no folder for backups: the setting `backup` names one.';

export function backupsOf({ config, log, desk, opened }: Given): Backups {
  const { dataDir, secret, backup } = config;
  const listing = { name: 'backups', filters: {}, like: [''] as [string] };
  const at = ({ name }: Kept): [string] => [name];
  const view = ({ time, ...one }: Kept) => ({ ...one, time: new Date(time).toISOString() });
  if (!backup)
    return {
      list: async (paging) => ({
        ...pageOf(listing, { rows: [], ...sliceOf(listing, paging), at, view }),
        last: null,
      }),
      start: async () => {
        throw notFoundError(NO_FOLDER, 'backup');
      },
    };
  const { every, to, ...rest } = backup;
  const backups = { ...rest, to: resolve(to), everyMs: parseDuration(every) ?? 0 };
  const asked = opened(openAskedBackups({ dataDir, secret, backups, log }), (asked) => asked.close());
  return {
    async list(paging) {
      const { limit, after: [after] = [''] } = sliceOf(listing, paging);
      const rows = asked.list().filter(({ name }) => after === '' || name < after);
      const last = asked.last();
      return { ...pageOf(listing, { rows, limit, at, view }), last: last && askedView(last) };
    },
    async start(now, actor) {
      const begun = asked.start(now, async ({ bytes, encrypted, secret }) => {
        await desk.ask(
          'note',
          { act: 'backup.create', target: '', detail: { bytes, encrypted, secret } },
          actor,
        );
      });
      return askedView(begun);
    },
  };
}

const askedView = ({ started, ended, ...one }: AskedBackup): AskedView => ({
  ...one,
  started: new Date(started).toISOString(),
  ended: ended === null ? null : new Date(ended).toISOString(),
});
