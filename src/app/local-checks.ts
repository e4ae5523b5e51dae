// Checks that commands make without a server. They are not counted or recorded.
import { OPERATOR_CALLER } from '../accounts/access.ts';
import type { Config } from '../config.ts';
import type { GraphQuery, IdentityGraph } from '../graph/graph.ts';
import { toCheckJson } from '../http/check/versions.ts';
import type { Check } from '../http/schema/check.ts';
import { createRequestId } from '../platform/request-id.ts';
import { validate } from '../validate.ts';
import type { ValidationCall } from '../validate.ts';
import { getCalibration } from './calibrations.ts';
import { openConfiguredGraph } from './graph/open.ts';
import { NOT_RECORDED } from './validate-deps.ts';

export type LocalChecks = ReturnType<typeof openLocalChecks>;

/**
 * Returns a function that checks requests without a server, in the format of the API, and records nothing. It
 * opens the graph at the first valid request, so that errors of a request are reported first.
 *
 * Errors of `check`: invalid_request, and those of opening the graph.
 */
export function openLocalChecks({ dataDir, region, ...rest }: Config) {
  let graph: Promise<IdentityGraph> | undefined;
  const openGraphOnce = () =>
    (graph ??= openConfiguredGraph({ dataDir, region, ...rest }, { log: SILENT, create: false }).catch(
      (error) => {
        graph = undefined;
        throw error;
      },
    ));
  const lazy = { resolve: async (query: GraphQuery) => (await openGraphOnce()).resolve(query) };
  const work = { graph: lazy, region, calibration: getCalibration({ dataDir, ...rest }), ...NOT_RECORDED };
  return {
    check: (value: Record<string, unknown>) => validate(createOperatorCall(value), work),
    close: async () => (await graph?.catch(() => undefined))?.close(),
  };
}

const SILENT = { info: () => undefined, warn: () => undefined };

/** Returns the validation call for the request of a command. */
function createOperatorCall(value: Record<string, unknown>): ValidationCall<Check> {
  const now = Date.now();
  const id = createRequestId(now);
  return {
    requestId: id,
    caller: OPERATOR_CALLER,
    now,
    started: performance.now(),
    endpoint: 'validate',
    responseVersion: 'v1',
    readBody: () => ({ value, issues: [] }),
    buildContent: (verdict, insights) =>
      JSON.parse(toCheckJson(verdict, { requestId: id, now, insights })) as Check,
    signal: AbortSignal.any([]),
  };
}

/**
 * Makes one check without a server, in the format of the API: opens the graph, checks, and closes the graph.
 * Nothing is recorded.
 *
 * Errors: invalid_request, and those of opening the graph.
 */
export async function runLocalCheck(config: Config, value: Record<string, unknown>) {
  const checks = openLocalChecks(config);
  return checks.check(value).finally(checks.close);
}
