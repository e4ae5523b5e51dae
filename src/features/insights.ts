// `ai_insights` of one request: the features side by side, each on its own facts, none able to hold up or change the rest.
import type { Claim, Intent, Verdict } from '../model.ts';
import type { StreamWindow } from './facts.ts';
import { runFeature } from './feature.ts';
import type { FeatureResult } from './feature.ts';
import type { Counters } from './metrics.ts';
import type { NameFacts, Slot } from './plugin/facts.ts';
import type { Setup } from './setup.ts';

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

interface Tools {
  now: () => number;
  counters: Counters;
  log: { warn(line: string, requestId?: string): void };
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
