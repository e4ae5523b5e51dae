// Checks without a server, as commands make them: of requests as the API takes them, and nothing is counted.
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
 * Checks without a server, of requests as the API takes them; nothing is counted. The graph is openGraphOnce for the first claim that is in
 * order, so that what is wrong with a request is told first.
 *
 * Errors, of `check`: invalid_request, and what opening the graph raises.
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

/** The call that a command makes. */
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
 * One check without a server: opens the graph, checks a request as the API takes it, and closes again. Nothing is counted.
 *
 * Errors: invalid_request, and what `openApp` raises of the graph.
 */
export async function runLocalCheck(config: Config, value: Record<string, unknown>) {
  const checks = openLocalChecks(config);
  return checks.check(value).finally(checks.close);
}
