import { createUploadIdAndFilePath } from '../../admin/graph/uploads.ts';
import type { AdminService, AiFeatureService, OperatorService } from '../../admin/operator-service.ts';
import { BonafideError, invalidArgumentError } from '../../errors.ts';
import { loadOrCreateSecret } from '../../graph/encryption/secret.ts';
import {
  isKnownModel,
  listConfiguredModels,
  parseFeatureNameOrAlias,
  runFeatureTests,
  toFeatureAuditDetail,
  setFeatureEnabled,
  chooseModel,
} from '../../features/administer.ts';
import type { FeatureAndPluginList } from '../../features/administer.ts';
import type { AiFeatures } from '../../features/open.ts';
import { readFeatureSettings } from '../../features/settings.ts';
import { createAndEncryptWebhookEndpointSecret } from '../../watches/watch.ts';

/** Creates the admin service of one serving thread: the operator service, the thread's AI features, and storage for uploaded files. */
export const createAdminService = (
  { features, dataDir, secret }: { features: AiFeatures; dataDir: string; secret?: string | undefined },
  service: OperatorService,
): AdminService => ({
  ...service,
  features: createFeatureService(features, service.run),
  createUploadIdAndFilePath: () => createUploadIdAndFilePath(dataDir),
  createAndEncryptWebhookEndpointSecret: () =>
    createAndEncryptWebhookEndpointSecret(loadOrCreateSecret(dataDir, secret)),
});

/** Creates the feature service. Changes and tests run one after the other, because concurrent changes would overwrite each other. */
function createFeatureService(features: AiFeatures, run: OperatorService['run']): AiFeatureService {
  const { installed } = features;
  let busy = false;
  async function runExclusively<T>(work: () => Promise<T>): Promise<T> {
    if (busy)
      throw new BonafideError(
        'overloaded',
        'Another request is changing or testing the features. Send this request again.',
      );
    busy = true;
    try {
      return await work();
    } catch (error) {
      throw isWrongSetting(error) ? WRONG_SETTINGS : error;
    } finally {
      busy = false;
    }
  }
  /** Reloads the settings file, and returns the features in use. */
  const list = async (): Promise<FeatureAndPluginList> => {
    await features.reload().catch(() => undefined);
    return {
      features: features.list(),
      models: listConfiguredModels(installed),
      plugins: installed.plugins.loaded.map(({ kind, name, version }) => ({ kind, name, version })),
    };
  };
  return {
    list,
    setFeatureEnabled: (feature, on, actor) =>
      runExclusively(async () => {
        const slot = parseFeatureNameOrAlias(feature);
        const detail = toFeatureAuditDetail(await setFeatureEnabled(installed, slot, on), slot);
        await run('note', { act: on ? 'features.on' : 'features.off', target: slot, detail }, actor);
        return list();
      }),
    chooseModel: (feature, choice, actor) =>
      runExclusively(async () => {
        const slot = parseFeatureNameOrAlias(feature);
        const { model } = choice;
        if (!isKnownModel(readFeatureSettings(installed.settingsFile), installed.plugins, model))
          throw UNKNOWN_MODEL;
        const detail = toFeatureAuditDetail(await chooseModel(installed, slot, choice), slot);
        await run('note', { act: 'features.use', target: slot, detail }, actor);
        return list();
      }),
    testFeatures: (features) =>
      runExclusively(() => runFeatureTests(installed, features?.map(parseFeatureNameOrAlias))),
  };
}

const isWrongSetting = (error: unknown) => error instanceof BonafideError && error.code === 'invalid_config';
const UNKNOWN_MODEL = invalidArgumentError(
  'No configured model has this name.',
  'model',
  'It must be `rules` or the name of a configured model in the list. Configure another model on the machine of the server: bonafide features use.',
);
const WRONG_SETTINGS = invalidArgumentError(
  'The features cannot be set up with these settings.',
  '',
  'The features cannot be set up with these settings, so nothing was changed. On the machine of the server, bonafide features list says why.',
);
