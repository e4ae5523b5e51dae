import { isModelError, ModelError } from '../plugin/errors.js';
import { guard } from '../guard/guard.js';
function checked(question, answer) {
    const { feature, jsonSchema, facts, brief } = question;
    const result = guard({
        answer,
        schema: feature.answer,
        jsonSchema,
        advice: feature.advice ?? [],
        facts,
        brief,
    });
    if (!result.ok)
        return result;
    const problems = feature.check?.(result.value, brief) ?? [];
    return problems.length > 0 ? { ok: false, code: 'answer_rejected', problems } : result;
}
function askOf(question, signal) {
    const { feature, jsonSchema, brief, options } = question;
    const rules = feature.rules && (() => feature.rules?.(brief, options));
    return { system: feature.system(brief, options), facts: brief, schema: jsonSchema, signal, rules };
}
function shortText(answer) {
    return (typeof answer === 'string' ? answer : (JSON.stringify(answer) ?? '')).slice(0, 4_000);
}
/** Asks, checks, and on a bad answer asks once more with the list of what was wrong. */
async function askTwice(question, signal) {
    const ask = askOf(question, signal);
    const first = await question.model.generate(ask);
    const result = checked(question, first);
    if (result.ok)
        return result.value;
    if (question.model.instant)
        throw new ModelError(result.code, result.problems.join('; '));
    const repair = { answer: shortText(first), problems: result.problems };
    const second = checked(question, await question.model.generate({ ...ask, repair }));
    if (second.ok)
        return second.value;
    throw new ModelError(second.code, second.problems.join('; '));
}
/** Ends with the work or with the deadline, whichever is first, even when the model ignores its signal. */
async function withDeadline(question, work) {
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => controller.abort(new ModelError('model_timeout')), question.deadlineMs);
    const gone = () => controller.abort(new ModelError('cancelled'));
    question.signal.addEventListener('abort', gone, { once: true });
    const ended = new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
        return await Promise.race([work(signal), ended]);
    }
    finally {
        clearTimeout(timer);
        question.signal.removeEventListener('abort', gone);
    }
}
/** The place in the queue is given back when the model has really stopped, so that its bound holds. */
async function inTurn(question, signal) {
    const leave = await question.model.limiter.enter(signal);
    try {
        return await askTwice(question, signal);
    }
    finally {
        leave();
    }
}
function decide({ model: { breaker } }, error) {
    if (error.code === 'cancelled' || error.code === 'model_busy')
        breaker.undecided();
    else
        breaker.failed();
}
/**
 * The guarded answer of a model to a feature's question.
 * Errors: the code that the block will carry (a ModelError); see plugin/errors.ts.
 */
export async function answer(question) {
    const { model, signal } = question;
    if (signal.aborted)
        throw new ModelError('cancelled');
    if (model.instant)
        return askTwice(question, signal);
    if (!model.breaker.allows())
        throw new ModelError('model_skipped');
    try {
        const value = await withDeadline(question, (limited) => inTurn(question, limited));
        model.breaker.succeeded();
        return value;
    }
    catch (error) {
        const known = isModelError(error)
            ? error
            : new ModelError('model_unavailable', 'The model plugin stopped with an error.');
        decide(question, known);
        throw known;
    }
}
