// `features test`: sends one question about an invented person to each feature's model and explains the result in plain words.
import type { Verdict } from '../model.ts';
import { askModel } from './ask.ts';
import { isModelError, ModelError, type FeatureErrorCode } from './plugin/errors.ts';
import { extractFacts, type FactSources } from './facts.ts';
import type { NameFacts, AiInsightsPartName } from './plugin/facts.ts';
import type { ConfiguredFeature } from './setup.ts';

export interface FeatureTestResult {
  feature: AiInsightsPartName;
  model: string;
  ok: boolean;
  ms: number;
  code?: FeatureErrorCode;
  /** Result in one or two sentences: what happened, and what to do. */
  says: string;
}

const ADVICE_BY_CODE: Partial<Record<FeatureErrorCode, string>> = {
  model_timeout: 'Raise deadline_ms, or choose a faster model.',
  model_unavailable: 'Is the server running, and is its address right?',
  model_rate_limited: 'Wait, or ask the provider for a higher limit.',
  model_key_refused: 'Check the key in the variable or file that key_env or key_file names.',
  model_not_found: 'Check the url (it usually ends in /v1) and the name of the model.',
  model_bad_request: 'The model may not take an option that is set, such as temperature or max_tokens_field.',
  model_redirected: 'Set the address that the redirect leads to.',
  model_bad_answer: 'The model may be too small to follow a JSON schema; try another.',
  model_answer_too_large: 'Lower max_tokens.',
  answer_rejected: 'It contradicted the facts twice in a row; a larger model usually does not.',
};

const NO_CALLS = { second: [0], minute: [0], hour: [0], minutes: [], ten_minutes: [] };
const DAY_MS = 86_400_000;

function samplePerson(now: number): FactSources {
  const primaryMatch = { status: 'primary', identity: 1 } as const;
  const text = { input: '', standardized: '', keys: [], signature: null };
  const verdict: Verdict = {
    name: { ...text, ...primaryMatch },
    contacts: [
      { kind: 'email', ...text, ...primaryMatch },
      { kind: 'email', ...text, status: 'unverified', identity: null },
      { kind: 'phone', ...text, ...primaryMatch },
    ],
    reasonCodes: [],
    score: {
      value: 88,
      band: 'HIGH',
      verdict: 'verified',
      confidence: 'HIGH',
      isPossibleCatfish: false,
      summary: '',
      message: '',
      insights: [],
      dominantIdentity: 1,
      matchedName: 'Robert Sample',
      nameConfidence: 97,
      nameVariation: 'exact',
      dominantHasName: true,
      nonPerson: null,
      sharedNamePart: null,
      identityScore: { final: 88, raw: 88, adjusted: 88, penalties: 0, bonuses: 0, fraudRiskPenalty: 0 },
      trustScore: { final: 88, raw: 88, reasons: [] },
      combined: { final: 88, preCapped: 88, explanation: '' },
      history: {
        firstSeen: now - 2000 * DAY_MS,
        lastSeen: now - 20 * DAY_MS,
        contactsLastSeen: now - 20 * DAY_MS,
      },
      identityCount: 1,
      nameHolderContacts: 2,
      otherHasAllContacts: false,
      namesakeContacts: 0,
      sameNameContacts: 0,
      householdContacts: 0,
      exclusiveOtherContacts: 0,
      oldContacts: 0,
      passedOnPhones: 0,
      hasNegativeReason: false,
      disguises: [],
      namelessContacts: 0,
      limits: [],
      scoringModel: 1,
    },
  };
  const comparison: NameFacts['comparison'] = {
    confidence: 93,
    variation: 'nickname',
    same: true,
    concerns: [],
    explanation: 'Bob is a short form of Robert.',
  };
  return {
    intent: 'general',
    verdict,
    names: () => ({ provided: 'Bob Sample', matched: 'Robert Sample', comparison }),
    stream: () => ({ records: [], pace: NO_CALLS }),
    now,
  };
}

/** Sends one test question to a feature's model, in the same way as for a request. Never rejects. */
export async function testFeatureModel(ready: ConfiguredFeature, now: number): Promise<FeatureTestResult> {
  const { slot, plugin, options, model } = ready;
  const started = performance.now();
  const toSummary = (): Pick<FeatureTestResult, 'feature' | 'model' | 'ms'> => ({
    feature: slot,
    model: model.name,
    ms: Math.round(performance.now() - started),
  });
  try {
    const facts = await extractFacts(plugin.facts, samplePerson(now));
    const { brief, system } = await plugin.prepare(facts, options);
    const given = { facts, brief, options };
    const { signal } = new AbortController();
    const modelAnswer = await askModel({ ...ready, feature: plugin, given, system, signal });
    await plugin.finish(modelAnswer, given);
    return {
      ...toSummary(),
      ok: true,
      says: `${model.label} answered in the right form and kept to the facts.`,
    };
  } catch (error) {
    const modelError = isModelError(error) ? error : new ModelError('feature_failed');
    const says = [modelError.message, modelError.hint, ADVICE_BY_CODE[modelError.code] ?? '']
      .filter((part) => part !== '')
      // A hint about an answer lists problems without a full stop.
      .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
      .join(' ');
    return { ...toSummary(), ok: false, code: modelError.code, says };
  }
}
