// Checks that commands make without a server. They are not counted or recorded.
import { COMMAND_LINE_CALLER } from '../accounts/access.ts';
import type { Config } from '../config.ts';
import type { GraphQuery, IdentityGraph } from '../graph/graph.ts';
import { toCheckV1JsonText } from '../http/check/versions.ts';
import type { CheckAnswer } from '../http/schema/check.ts';
import { createRequestId } from '../platform/request-id.ts';
import { validate, type ValidationCall } from '../validate.ts';
import { getConfiguredCalibration } from './calibrations.ts';
import { openConfiguredGraph } from './graph/open.ts';
import { DEPS_WITHOUT_RECORDING } from './validate-deps.ts';

export type CheckerWithoutServer = ReturnType<typeof createCheckerWithoutServer>;

/**
 * Creates a function that checks requests without a server, and records nothing. The graph is opened at the first valid request. Errors of
 * `check`: invalid_request, and those of opening the graph.
 */
export function createCheckerWithoutServer({ dataDir, region, ...rest }: Config) {
  let graph: Promise<IdentityGraph> | undefined;
  const openGraphOnce = () =>
    (graph ??= openConfiguredGraph({ dataDir, region, ...rest }, { log: SILENT, create: false }).catch(
      (error) => {
        graph = undefined;
        throw error;
      },
    ));
  const lazy = { resolve: async (query: GraphQuery) => (await openGraphOnce()).resolve(query) };
  const work = {
    graph: lazy,
    region,
    calibration: getConfiguredCalibration({ dataDir, ...rest }),
    ...DEPS_WITHOUT_RECORDING,
  };
  return {
    check: async (value: Record<string, unknown>) =>
      (await validate(createOperatorCall(value), work)).content,
    close: async () => (await graph?.catch(() => undefined))?.close(),
  };
}

const SILENT = { info: () => undefined, warn: () => undefined };

interface LocalCheck {
  verdict: Parameters<ValidationCall<unknown>['buildContent']>[0];
  content: CheckAnswer;
}

function createOperatorCall(value: Record<string, unknown>): ValidationCall<LocalCheck> {
  const now = Date.now();
  const id = createRequestId(now);
  return {
    requestId: id,
    caller: COMMAND_LINE_CALLER,
    now,
    started: performance.now(),
    endpoint: 'validate',
    responseVersion: 'v1',
    readBody: () => ({ value, issues: [] }),
    buildContent: (verdict, values) => ({
      verdict,
      content: JSON.parse(toCheckV1JsonText(verdict, values)) as CheckAnswer,
    }),
    signal: AbortSignal.any([]),
  };
}

/**
 * Runs one check without a server, and records nothing. Opens the graph before and closes it afterwards. Errors: invalid_request, and those of
 * opening the graph.
 */
export async function runCheckWithoutServer(config: Config, value: Record<string, unknown>) {
  const checks = createCheckerWithoutServer(config);
  return checks.check(value).finally(checks.close);
}
