// The features of a server, as its operator has them over HTTP, beside what the office does.
import { roomFor } from '../../admin/imports/uploads.ts';
import type { Machine, Office } from '../../admin/machine.ts';
import { BonafideError, invalidArgument } from '../../errors.ts';
import { isSetUp, slotOf, testFeatures, turnFeature, useModel } from '../../features/administer.ts';
import type { FeatureList } from '../../features/administer.ts';
import type { Features } from '../../features/open.ts';
import { readSettings } from '../../features/settings.ts';

/** Features are each thread's own, and files are written by the thread that they come to; the rest is the office's. */
export const machineOf = (
  { features, dataDir }: { features: Features; dataDir: string },
  { failures, ask, ...office }: Office,
): Machine => ({
  ...office,
  features: { ...featuresOf(features, ask), failures: () => failures() },
  graph: { look: office.look },
  uploads: { room: () => roomFor(dataDir) },
});

/** One change or test at a time: two that read the settings together would write over each other. */
function featuresOf(features: Features, ask: Office['ask']): Omit<Machine['features'], 'failures'> {
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
        await ask('note', { act: on ? 'features.on' : 'features.off', target: slot, detail: {} }, actor);
        return list();
      }),
    use: (feature, choice, actor) =>
      alone(async () => {
        const slot = slotOf(feature);
        const { model } = choice;
        if (!isSetUp(readSettings(installed.settingsFile), installed.plugins, model)) throw NO_MODEL;
        await useModel(installed, slot, choice);
        await ask('note', { act: 'features.use', target: slot, detail: { model } }, actor);
        return list();
      }),
    test: (features) => alone(() => testFeatures(installed, features?.map(slotOf))),
  };
}

const isWrongSetting = (error: unknown) => error instanceof BonafideError && error.code === 'invalid_config';
const NO_MODEL = invalidArgument(
  'There is no such model.',
  'model',
  'It must be a model that is set up, by its name in the list, or `rules`. Others are set up on the machine: bonafide features use.',
);
const NOT_LIKE_THIS = invalidArgument(
  'The features cannot be set up like this.',
  '',
  'The features cannot be set up like this, and nothing was changed. On the machine, bonafide features list says why.',
);
