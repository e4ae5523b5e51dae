// What calls are worked on with.
import type { Spans, Window } from '../accounts/window.ts';
import type { Config } from '../config.ts';
import { callsWithin, countsOf } from '../store/sqlite/stream.ts';
import type { ValidateDeps } from '../validate.ts';
import { calibrationOf } from './calibrations.ts';
import type { Parts } from './parts.ts';

/** For calls of the server's callers. */
export function workOf(config: Config, parts: Parts): ValidateDeps {
  const { graph, store, recorder, retries, probes, features, usage } = parts;
  const earlierCalls = {
    within: (account: string, window: Window) => callsWithin(store, account, window),
    counts: (account: string, spans: Spans) => countsOf(store, account, spans),
  };
  const { standing } = usage;
  const insights = { features, earlierCalls };
  const calibration = calibrationOf(config);
  return { graph, region: config.region, calibration, insights, recorder, retries, probes, standing };
}

/** For calls that nobody asked for: they are not counted, and no plugin or model sees them. */
export const unasked = (work: ValidateDeps): ValidateDeps => ({ ...work, ...UNCOUNTED });
export const UNCOUNTED = { insights: null, recorder: null, standing: null, retries: null, probes: null };
