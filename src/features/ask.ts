// Model call of a feature: concurrency queue, deadline, guard, and one repair attempt.
import type { Ask } from './plugin/define.ts';
import { isModelError, ModelError } from './plugin/errors.ts';
import { NOT_JSON_PROBLEM, parseAndTrimAnswer, listUnsupportedStatementProblems } from './guard/guard.ts';
import type { AnswerGuardResult } from './guard/guard.ts';
import { quoteSubmittedNameInAnswer } from './guard/names.ts';
import type { FeatureRunner, FeatureInput } from './running/runner.ts';
import type { ConfiguredModel } from './model.ts';

export interface ModelQuestion {
  feature: FeatureRunner;
  given: FeatureInput;
  system: string;
  model: ConfiguredModel;
  deadlineMs: number;
  /** Aborted if the client disconnects. */
  signal: AbortSignal;
  traceparent?: string | undefined;
}

async function checkAnswer({ feature, given }: ModelQuestion, answer: unknown): Promise<AnswerGuardResult> {
  const json = parseAndTrimAnswer(answer, feature.jsonSchema);
  if (json === undefined) return { ok: false, code: 'model_bad_answer', problems: [NOT_JSON_PROBLEM] };
  const parsed = await feature.parse(json);
  if (!parsed.ok) return { ok: false, code: 'model_bad_answer', problems: parsed.problems };
  const untrue = listUnsupportedStatementProblems(parsed.value, { ...given, advice: feature.advice });
  const problems = untrue.length > 0 ? untrue : await feature.check(parsed.value, given);
  return problems.length > 0
    ? { ok: false, code: 'answer_rejected', problems }
    : { ok: true, value: quoteSubmittedNameInAnswer(parsed.value, given.facts) };
}

function toModelRequest({ feature, given, system, traceparent }: ModelQuestion, signal: AbortSignal): Ask {
  const rules = feature.hasRules ? () => feature.rules(given) : undefined;
  const ask = { system, facts: given.brief, schema: feature.jsonSchema, signal };
  return { ...ask, ...(traceparent && { traceparent }), ...(rules && { rules }) };
}

function shortText(answer: unknown): string {
  return (typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')).slice(0, 4_000);
}

/** Asks the model, and checks its answer. If the answer is rejected, asks once more and sends the list of problems. */
async function askTwice(question: ModelQuestion, signal: AbortSignal): Promise<unknown> {
  const ask = toModelRequest(question, signal);
  const first = await question.model.generate(ask);
  const result = await checkAnswer(question, first);
  if (result.ok) return result.value;
  if (question.model.instant) throw new ModelError(result.code, result.problems.join('; '));
  const repair = { answer: shortText(first), problems: result.problems };
  const second = await checkAnswer(question, await question.model.generate({ ...ask, repair }));
  if (second.ok) return second.value;
  throw new ModelError(second.code, second.problems.join('; '));
}

/** Settles when the work ends or the deadline is reached, even if the model ignores its abort signal. */
async function withDeadline<T>(
  question: ModelQuestion,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(new ModelError('model_timeout')), question.deadlineMs);
  const cancelCall = (): void => controller.abort(new ModelError('cancelled'));
  question.signal.addEventListener('abort', cancelCall, { once: true });
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as ModelError), { once: true });
  });
  try {
    return await Promise.race([work(signal), ended]);
  } finally {
    clearTimeout(timer);
    question.signal.removeEventListener('abort', cancelCall);
  }
}

/**
 * Asks the model as soon as its queue permits. The place in the queue is released only when the model has really stopped, so that the
 * concurrency limit holds.
 */
async function askInQueue(question: ModelQuestion, signal: AbortSignal): Promise<unknown> {
  const leave = await question.model.limiter.acquire(signal);
  try {
    return await askTwice(question, signal);
  } finally {
    leave();
  }
}

function recordBreakerFailure({ model: { breaker } }: ModelQuestion, error: ModelError): void {
  if (error.code === 'cancelled' || error.code === 'model_busy') breaker.recordNoResult();
  else breaker.recordFailure();
}

/** Asks a model, and returns its answer if the guard accepts it. Otherwise throws a ModelError with the error code for the response. */
export async function askModel(question: ModelQuestion): Promise<unknown> {
  const { model, signal } = question;
  if (signal.aborted) throw new ModelError('cancelled');
  if (model.instant) return askTwice(question, signal);
  if (!model.breaker.tryBegin()) throw new ModelError('model_skipped');
  try {
    const value = await withDeadline(question, (limited) => askInQueue(question, limited));
    model.breaker.recordSuccess();
    return value;
  } catch (error) {
    const modelError = isModelError(error)
      ? error
      : new ModelError('model_unavailable', 'The model plugin stopped with an error.');
    recordBreakerFailure(question, modelError);
    throw modelError;
  }
}
