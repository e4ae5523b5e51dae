// What calls are worked on with.
import type { Config } from '../config.ts';
import { openFeatures } from '../features/open.ts';
import type { ValidateDeps } from '../validate.ts';
import { getCalibration } from './calibrations.ts';
import type { AppParts } from './parts.ts';

/** For calls of the server's callers. */
export function createValidateDeps(config: Config, parts: AppParts): ValidateDeps {
  const { graph, engine, calls, probes, features } = parts;
  const { earlierCalls, idempotency } = calls;
  const insights = { features, earlierCalls };
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
 * For calls that nobody asked for: they are not counted, and no plugin or model of the operator's sees them. Bonafide's own rules explain
 * them, so that what explains is compiled as well.
 */
export async function toWarmUpDeps(work: ValidateDeps): Promise<ValidateDeps> {
  const features = await openFeatures({ settingsFile: NO_SETTINGS });
  return { ...work, ...NOT_RECORDED, insights: work.insights && { ...work.insights, features } };
}

/** No file has this name: the settings are those of a folder that has none. */
const NO_SETTINGS = '';
export const NOT_RECORDED = { insights: null, recorder: null, idempotency: null, probes: null };
