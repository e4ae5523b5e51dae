// The features, the graph and the backups of a server, as its operator has them over HTTP.
import { resolve } from 'node:path';
import type { Desk } from '../../admin/desk.ts';
import { openGraphDesk } from '../../admin/graph/desk.ts';
import type { AskedView, Machine } from '../../admin/machine.ts';
import { pageOf, sliceOf } from '../../admin/page.ts';
import { milliseconds } from '../../config.ts';
import type { Config } from '../../config.ts';
import { BonafideError, notThere, wrongChoice } from '../../errors.ts';
import { isSetUp, slotOf, testFeatures, turnFeature, useModel } from '../../features/administer.ts';
import type { FeatureList } from '../../features/administer.ts';
import type { Features } from '../../features/open.ts';
import { readSettings } from '../../features/settings.ts';
import { openAskedBackups } from '../../keep/asked.ts';
import type { AskedBackup, Kept } from '../../keep/asked.ts';
import type { Log } from '../../observe/log.ts';
import type { Opened } from '../closing.ts';

interface Given {
  config: Config;
  log: Log;
  features: Features;
  desk: Pick<Desk, 'ask'>;
  opened: Opened;
}

export function openMachine(given: Given): Machine {
  const { dataDir, secret, nameTables } = given.config;
  const graph = given.opened(openGraphDesk({ dataDir, secret, nameTables }), (graph) => graph.close());
  return { graph, features: featuresOf(given), backups: backupsOf(given) };
}

/** One change or test at a time: two that read the settings together would write over each other. */
function featuresOf({ features, desk }: Given): Machine['features'] {
  const { installed } = features;
  let busy = false;
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    if (busy) throw new BonafideError('overloaded', 'The features are being changed or tested. Ask again.');
    busy = true;
    try {
      return await work();
    } catch (error) {
      throw isWrongSetting(error) ? NOT_LIKE_THIS : error;
    } finally {
      busy = false;
    }
  }
  /** As they are in use, once the settings are read anew. */
  const list = async (): Promise<FeatureList> => {
    await features.reload().catch(() => undefined);
    return {
      features: features.list(),
      plugins: installed.plugins.loaded.map(({ kind, name, version }) => ({ kind, name, version })),
    };
  };
  return {
    list,
    turn: (feature, on, actor) =>
      alone(async () => {
        const slot = slotOf(feature);
        await turnFeature(installed, slot, on);
        await desk.ask('note', { act: on ? 'features.on' : 'features.off', target: slot, detail: {} }, actor);
        return list();
      }),
    use: (feature, choice, actor) =>
      alone(async () => {
        const slot = slotOf(feature);
        const { model } = choice;
        if (!isSetUp(readSettings(installed.settingsFile), installed.plugins, model)) throw NO_MODEL;
        await useModel(installed, slot, choice);
        await desk.ask('note', { act: 'features.use', target: slot, detail: { model } }, actor);
        return list();
      }),
    test: (features) => alone(() => testFeatures(installed, features?.map(slotOf))),
  };
}

const isWrongSetting = (error: unknown) => error instanceof BonafideError && error.code === 'invalid_config';
const NO_MODEL = wrongChoice(
  'There is no such model.',
  'model',
  'It must be a model that is set up, by its name in the list, or `rules`. Others are set up on the machine: bonafide features use.',
);
const NOT_LIKE_THIS = wrongChoice(
  'The features cannot be set up like this.',
  '',
  'The features cannot be set up like this, and nothing was changed. On the machine, bonafide features list says why.',
);

const NO_FOLDER = 'There is no folder for backups: the setting `backup` names one.';

function backupsOf({ config, log, desk, opened }: Given): Machine['backups'] {
  const { dataDir, secret, backup } = config;
  const listing = { name: 'backups', filters: {}, like: [''] as [string] };
  const at = ({ name }: Kept): [string] => [name];
  const view = ({ time, ...one }: Kept) => ({ ...one, time: new Date(time).toISOString() });
  if (!backup)
    return {
      list: (paging) => ({
        ...pageOf(listing, { rows: [], ...sliceOf(listing, paging), at, view }),
        last: null,
      }),
      start: () => {
        throw notThere(NO_FOLDER, 'backup');
      },
    };
  const { every, to, ...rest } = backup;
  const backups = { ...rest, to: resolve(to), everyMs: milliseconds(every) ?? 0 };
  const asked = opened(openAskedBackups({ dataDir, secret, backups, log }), (asked) => asked.close());
  return {
    list(paging) {
      const { limit, after: [after] = [''] } = sliceOf(listing, paging);
      const rows = asked.list().filter(({ name }) => after === '' || name < after);
      const last = asked.last();
      return { ...pageOf(listing, { rows, limit, at, view }), last: last && askedView(last) };
    },
    start(now, actor) {
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
