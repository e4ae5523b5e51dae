// Dependencies of `validate`.
import type { Config } from '../config.ts';
import { openFeatures } from '../features/open.ts';
import type { ValidateDeps } from '../validate.ts';
import { getCalibration } from './calibrations.ts';
import type { AppParts } from './parts.ts';

/** Returns the dependencies of `validate` for calls of API keys. */
export function createValidateDeps(config: Config, parts: AppParts): ValidateDeps {
  const { graph, engine, calls, probes, features } = parts;
  const { earlierCalls, idempotency } = calls;
  const disclosesRecordNames = config.nameMatching?.disclose === 'record';
  const insights = { features, earlierCalls, disclosesRecordNames };
  const calibration = getCalibration(config);
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

/**
 * Returns the dependencies of `validate` for warm-up calls: not recorded, and explained by the built-in rules
 * only, so that no plugin or model of the operator sees them.
 */
export async function toWarmUpDeps(work: ValidateDeps): Promise<ValidateDeps> {
  const features = await openFeatures({ settingsFile: NO_SETTINGS });
  return { ...work, ...NOT_RECORDED, insights: work.insights && { ...work.insights, features } };
}

/** Empty file name: gives the default feature settings. */
const NO_SETTINGS = '';
export const NOT_RECORDED = { insights: null, recorder: null, idempotency: null, probes: null };
