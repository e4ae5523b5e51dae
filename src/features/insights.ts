// Execution of the AI features for one request: from the declared facts to the blocks of the response.
import * as v from 'valibot';
import { askModel } from './ask.ts';
import { toResponseError, isModelError, ModelError, type FeatureErrorCode } from './plugin/errors.ts';
import { extractFacts, type FactSources } from './facts.ts';
import type { FeatureCounters, FeatureRunOutcome } from './metrics.ts';
import type { ConfiguredModel } from './model.ts';
import type { ConfiguredFeature, FeatureSetup } from './setup.ts';
import { RESPONSE_BLOCK_SCHEMAS } from './plugin/blocks.ts';
import { listSchemaIssueSentences } from './plugin/issues.ts';
import { isNameUnsafeForModels } from './guard/names.ts';
import { waitForEventLoopTurn } from '../platform/turn.ts';
import type { Facts } from './plugin/facts.ts';
import type { Claim } from '../model.ts';

interface FeatureResponseBlocks {
  /** True if the feature failed or is off, so that it has no answer. */
  failed: boolean;
  blocks: Record<string, object>;
}
export interface FeatureRunContext {
  counters: FeatureCounters;
  log: { warn(line: string, requestId?: string): void };
}
type Request = Omit<AiInsightsRequest, 'endpoint' | 'include'>;

interface CompletedFeature {
  block: object;
  label: string;
  outcome: FeatureRunOutcome;
}

async function runSteps(
  ready: ConfiguredFeature,
  request: Request,
  tools: FeatureRunContext,
): Promise<CompletedFeature> {
  const { plugin, options } = ready;
  const { signal, traceparent } = request;
  const facts = await extractFacts(plugin.facts, request);
  const { brief, system, needsModel } = await plugin.prepare(facts, options);
  const given = { facts, brief, options };
  const put = (model: ConfiguredModel): Promise<unknown> =>
    askModel({ ...ready, feature: plugin, model, given, system, signal, traceparent });
  const finished = async (value: unknown): Promise<object> => {
    const parsedBlock = v.safeParse(RESPONSE_BLOCK_SCHEMAS[ready.slot], await plugin.finish(value, given));
    if (parsedBlock.success) return parsedBlock.output;
    const [problem] = listSchemaIssueSentences(RESPONSE_BLOCK_SCHEMAS[ready.slot], parsedBlock.issues);
    throw new ModelError('feature_failed', `The result of the plugin does not match its schema: ${problem}.`);
  };
  const model = plugin.hasRules && (!needsModel || hasNameUnsafeForModels(facts)) ? ready.rules : ready.model;
  try {
    return { block: await finished(await put(model)), label: model.label, outcome: 'ok' };
  } catch (error) {
    if (!ready.fallback || model.instant || toErrorCode(error) === 'cancelled') throw error;
    warn(ready, error, { request, tools });
    const label = `${ready.rules.label} (fallback for ${model.label})`;
    return { block: await finished(await put(ready.rules)), label, outcome: 'fallback' };
  }
}

/** True if the submitted or the matched name is unsafe for models, so that no model receives it and no text repeats it. */
function hasNameUnsafeForModels({ names }: Partial<Facts>): boolean {
  return (
    names !== undefined &&
    (isNameUnsafeForModels(names.provided) || isNameUnsafeForModels(names.matched ?? ''))
  );
}

function toErrorCode(error: unknown): FeatureErrorCode {
  return isModelError(error) ? error.code : 'feature_failed';
}

/** Logs the failure of a feature, without submitted values. */
function warn(
  { slot, model }: ConfiguredFeature,
  error: unknown,
  { request, tools }: { request: Request; tools: FeatureRunContext },
) {
  tools.log.warn(
    `feature ${slot}, model ${model.name}: ${toErrorCode(error)}${formatHint(error)}`,
    request.requestId,
  );
}

/** Returns the log text for a failure: the guard's description of the problem, never the model's text. */
function formatHint(error: unknown): string {
  return isModelError(error) && error.hint ? ` (${error.hint})` : '';
}

/** Returns the parts of the response that one feature creates. The narrative creates two: `trust_enhancement` and `overview`. */
function toBlocks(
  { slot, plugin }: ConfiguredFeature,
  { block, label }: CompletedFeature,
): Record<string, object> {
  const envelope = { ai_enabled: true, feature: slot, model: label };
  if (plugin.gives !== 'trust_enhancement') return { [slot]: { ...envelope, ...block } };
  const { trust_enhancement: trust, overview } = block as { trust_enhancement: object; overview: object };
  return { trust_enhancement: { ...envelope, ...trust }, overview };
}

/** Runs one feature. Never rejects: failures are logged without submitted values. */
async function runFeature(
  ready: ConfiguredFeature,
  request: Request,
  tools: FeatureRunContext,
): Promise<FeatureResponseBlocks> {
  const { slot, model, on } = ready;
  if (!on) return { failed: true, blocks: { [slot]: { ai_enabled: false, reason: 'Disabled' } } };
  const started = performance.now();
  const count = (outcome: FeatureRunOutcome): void =>
    tools.counters.record({
      feature: slot,
      model: model.name,
      outcome,
      seconds: (performance.now() - started) / 1000,
    });
  try {
    // Bursts of calls finish their checks together, and an explanation takes longer than a check: let other checks run in between.
    await waitForEventLoopTurn(request.group);
    const result = await runSteps(ready, request, tools);
    count(result.outcome);
    return { failed: false, blocks: toBlocks(ready, result) };
  } catch (error) {
    const code = toErrorCode(error);
    count(code);
    if (code !== 'cancelled') warn(ready, error, { request, tools });
    const failure = { ai_enabled: true, feature: slot, model: model.label, error: toResponseError(code) };
    return { failed: true, blocks: { [slot]: failure } };
  }
}

export interface AiInsightsRequest extends FactSources {
  endpoint: 'validate_ai' | 'enhanced';
  include: Claim['include'];
  /** Caller that the call belongs to: the id of its account, or else of its key. Callers get equal time. */
  group?: string;
  /** Aborted if the client disconnects. */
  signal: AbortSignal;
  requestId?: string;
  /** W3C trace context for the request to the model's server. */
  traceparent?: string | undefined;
}

const NOT_REQUESTED = { ai_enabled: false, reason: 'Not requested' };

/**
 * Creates the response field `ai_insights`. Never rejects. For an enhanced check, `overview` is always present; without a narrative, rules write it.
 */
export async function createAiInsights(
  request: AiInsightsRequest,
  setup: FeatureSetup,
  tools: FeatureRunContext,
): Promise<object> {
  const { features } = setup;
  const run = (ready: ConfiguredFeature): Promise<FeatureResponseBlocks> => runFeature(ready, request, tools);
  if (request.endpoint === 'validate_ai') {
    const { failed, blocks } = await run(features.trust_enhancement);
    return {
      ai_enabled: !failed,
      trust_enhancement: failed ? null : blocks.trust_enhancement,
      overview: failed ? null : blocks.overview,
      fraud_detection: null,
      name_matching: null,
    };
  }
  const { include } = request;
  const writeOverview = async (narrative?: Promise<FeatureResponseBlocks>): Promise<object | undefined> => {
    let result = await narrative;
    for (const writer of setup.overviews) if (result?.failed !== false) result = await run(writer);
    return result?.blocks.overview;
  };
  const running = include.trust_enhancement ? run(features.trust_enhancement) : undefined;
  const [narrative, overview, fraud, names] = await Promise.all([
    running,
    writeOverview(running),
    include.fraud_detection ? run(features.fraud_detection) : undefined,
    include.name_matching ? run(features.name_matching) : undefined,
  ]);
  return {
    ai_enabled: [narrative, fraud, names].some((result) => result?.failed === false),
    trust_enhancement: narrative?.blocks.trust_enhancement ?? NOT_REQUESTED,
    overview,
    fraud_detection: fraud?.blocks.fraud_detection ?? NOT_REQUESTED,
    name_matching: names?.blocks.name_matching ?? NOT_REQUESTED,
  };
}
