// One feature of one request, from its declared facts to the blocks of the response.
import * as v from 'valibot';
import { answer } from './ask.ts';
import { errorOf, isModelError, ModelError, type FeatureErrorCode } from './plugin/errors.ts';
import { factsFor, type FactSource, type StreamWindow } from './facts.ts';
import type { Counters, Outcome } from './metrics.ts';
import type { Model } from './model.ts';
import type { Ready, Setup } from './setup.ts';
import { BLOCK_SCHEMAS } from './plugin/blocks.ts';
import { speaks } from './guard/names.ts';
import { waitForFreeTurn } from '../platform/turn.ts';
import type { Facts, NameFacts, Slot } from './plugin/facts.ts';
import type { Claim, Intent, Verdict } from '../model.ts';

export interface FeatureResult {
  /** True where there is no answer: the analysis failed or is turned off. */
  failed: boolean;
  /** By key of `ai_insights`. */
  blocks: Record<string, object>;
}
export interface Tools {
  now: () => number;
  counters: Counters;
  log: { warn(line: string, requestId?: string): void };
}
type Request = Omit<FactSource, 'now'> & {
  signal: AbortSignal;
  requestId?: string;
  traceparent?: string | undefined;
};

interface Answered {
  block: object;
  label: string;
  outcome: Outcome;
}

async function answered(ready: Ready, request: Request, tools: Tools): Promise<Answered> {
  const { plugin, options } = ready;
  const { signal, traceparent } = request;
  const facts = await factsFor(plugin.facts, { ...request, now: tools.now() });
  const { brief, system, needsModel } = await plugin.prepare(facts, options);
  const given = { facts, brief, options };
  const put = (model: Model): Promise<unknown> =>
    answer({ ...ready, feature: plugin, model, given, system, signal, traceparent });
  const finished = async (value: unknown): Promise<object> => {
    const made = v.safeParse(BLOCK_SCHEMAS[ready.slot], await plugin.finish(value, given));
    if (made.success) return made.output;
    throw new ModelError(
      'feature_failed',
      `The plugin's block is not as specified: ${v.getDotPath(made.issues[0]) ?? 'it'}.`,
    );
  };
  const model = plugin.hasRules && (!needsModel || saysSomething(facts)) ? ready.rules : ready.model;
  try {
    return { block: await finished(await put(model)), label: model.label, outcome: 'ok' };
  } catch (error) {
    if (!ready.fallback || model.instant || codeOf(error) === 'cancelled') throw error;
    warn(ready, error, { request, tools });
    const label = `${ready.rules.label} (fallback for ${model.label})`;
    return { block: await finished(await put(ready.rules)), label, outcome: 'fallback' };
  }
}

/** A name that says something is for no model to repeat, whichever of the two it is. */
function saysSomething({ names }: Partial<Facts>): boolean {
  return names !== undefined && (speaks(names.provided) || speaks(names.matched ?? ''));
}

function codeOf(error: unknown): FeatureErrorCode {
  return isModelError(error) ? error.code : 'feature_failed';
}

/** Neither code nor hint holds a submitted value. */
function warn(
  { slot, model }: Ready,
  error: unknown,
  { request, tools }: { request: Request; tools: Tools },
) {
  tools.log.warn(`feature ${slot}, model ${model.name}: ${codeOf(error)}${hintOf(error)}`, request.requestId);
}

/** For the log: what a model got wrong, in the guard's words and never its own. */
function hintOf(error: unknown): string {
  return isModelError(error) && error.hint ? ` (${error.hint})` : '';
}

/** The envelope around a block. The narrative's answer is two blocks: one with the envelope, one without. */
function blocksOf({ slot, plugin }: Ready, { block, label }: Answered): Record<string, object> {
  const envelope = { ai_enabled: true, feature: slot, model: label };
  if (plugin.gives !== 'trust_enhancement') return { [slot]: { ...envelope, ...block } };
  const { trust_enhancement: trust, overview } = block as { trust_enhancement: object; overview: object };
  return { trust_enhancement: { ...envelope, ...trust }, overview };
}

function allOf(slot: Ready['slot'], block: (feature: string) => object): Record<string, object> {
  const keys = slot === 'trust_enhancement' ? ['trust_enhancement', 'overview'] : [slot];
  return Object.fromEntries(keys.map((key) => [key, block(key)]));
}

/** Runs a feature. Never rejects. Trouble is logged by code and hint, neither of which holds a submitted value. */
export async function runFeature(ready: Ready, request: Request, tools: Tools): Promise<FeatureResult> {
  const { slot, model, on } = ready;
  if (!on) return { failed: true, blocks: allOf(slot, () => ({ ai_enabled: false, reason: 'Disabled' })) };
  const started = performance.now();
  const count = (outcome: Outcome): void =>
    tools.counters.record({
      feature: slot,
      model: model.name,
      outcome,
      seconds: (performance.now() - started) / 1000,
    });
  try {
    // Many calls come from their checks at once, and to explain one takes longer than to check it.
    await waitForFreeTurn();
    const result = await answered(ready, request, tools);
    count(result.outcome);
    return { failed: false, blocks: blocksOf(ready, result) };
  } catch (error) {
    const code = codeOf(error);
    count(code);
    if (code !== 'cancelled') warn(ready, error, { request, tools });
    const failure = (feature: string): object => ({
      ai_enabled: true,
      feature,
      model: model.label,
      error: errorOf(code),
    });
    return { failed: true, blocks: allOf(slot, failure) };
  }
}

// `ai_insights` of one request: the features side by side, each on its own facts, none able to hold up or change the rest.
export interface FeatureRequest {
  endpoint: 'validate_ai' | 'enhanced';
  intent: Intent;
  include: Claim['include'];
  verdict: Verdict;
  /** The two names and the name engine's view of them; called only when name matching runs. */
  names: () => NameFacts;
  /** The caller's calls before this one, oldest first; read only when the fraud analysis runs. */
  stream: () => StreamWindow | Promise<StreamWindow>;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** For the log. */
  requestId?: string;
  /** W3C trace context, for whom models are asked at. */
  traceparent?: string | undefined;
}

const NOT_REQUESTED = { ai_enabled: false, reason: 'Not requested' };

/** The whole value. Never rejects. The narrative always runs, since `overview` cannot be left out; the others only where they are asked for. */
export async function insightsOf(request: FeatureRequest, setup: Setup, tools: Tools): Promise<object> {
  const run = (slot: Slot): Promise<FeatureResult> => runFeature(setup.features[slot], request, tools);
  if (request.endpoint === 'validate_ai') {
    const { failed, blocks } = await run('trust_enhancement');
    return {
      ai_enabled: !failed,
      trust_enhancement: failed ? null : blocks.trust_enhancement,
      overview: failed ? null : blocks.overview,
      fraud_detection: null,
      name_matching: null,
    };
  }
  const { include } = request;
  const [narrative, fraud, names] = await Promise.all([
    run('trust_enhancement'),
    include.fraud_detection ? run('fraud_detection') : undefined,
    include.name_matching ? run('name_matching') : undefined,
  ]);
  const asked = [narrative, fraud, names].filter((result) => result !== undefined);
  return {
    ai_enabled: asked.some((result) => !result.failed),
    trust_enhancement: include.trust_enhancement ? narrative.blocks.trust_enhancement : NOT_REQUESTED,
    overview: narrative.blocks.overview,
    fraud_detection: fraud?.blocks.fraud_detection ?? NOT_REQUESTED,
    name_matching: names?.blocks.name_matching ?? NOT_REQUESTED,
  };
}
