// Dependencies of `validate`, for calls of a server, checks without a server and warm-up calls.
import { createApiKeyRecentCallsFinder } from '../accounts/time.ts';
import type { Config } from '../config.ts';
import { openFeatures } from '../features/open.ts';
import type { ValidateDeps } from '../validate.ts';
import { getConfiguredCalibration } from './calibrations.ts';
import type { AppComponents } from './parts.ts';

/** Returns the dependencies of `validate` for the calls of a server. */
export function createValidateDeps(config: Config, parts: AppComponents): ValidateDeps {
  const { graph, engine, calls, probes, features } = parts;
  const { earlierCalls, idempotency } = calls;
  const disclosesRecordNames = config.nameMatching?.disclose === 'record';
  const findEarlierCalls = createApiKeyRecentCallsFinder(earlierCalls);
  const insights = { features, findEarlierCalls, disclosesRecordNames };
  const calibration = getConfiguredCalibration(config);
  return {
    graph,
    region: config.region,
    calibration,
    insights,
    recorder: engine.recorder,
    idempotency,
    probes,
  };
}

/** Returns the dependencies of `validate` for warm-up calls: nothing is recorded, and no plugin or model of the operator is used. */
export async function createWarmUpValidateDeps(work: ValidateDeps): Promise<ValidateDeps> {
  const features = await openFeatures({ settingsFile: NO_SETTINGS });
  return { ...work, ...DEPS_WITHOUT_RECORDING, insights: work.insights && { ...work.insights, features } };
}

/** Path of the feature settings file for warm-up calls: empty, so that the default settings apply. */
const NO_SETTINGS = '';
/** Dependencies of `validate` for checks that are not counted or recorded. */
export const DEPS_WITHOUT_RECORDING = { insights: null, recorder: null, idempotency: null, probes: null };
