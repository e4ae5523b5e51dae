// One feature of one request, from its declared facts to the blocks of the response.
import * as v from 'valibot';
import { answer } from './asking/ask.js';
import { errorOf, isModelError, ModelError } from './plugin/errors.js';
import { factsFor } from './facts.js';
import { BLOCK_SCHEMAS } from './plugin/blocks.js';
async function answered(ready, request, tools) {
    const { plugin, options } = ready;
    const waiting = factsFor(plugin.facts, { ...request, now: tools.now() });
    const facts = waiting instanceof Promise ? await waiting : waiting;
    const brief = plugin.brief(facts, options);
    const put = (model) => answer({ ...ready, feature: plugin, model, facts, brief, signal: request.signal });
    const finished = (value) => {
        const made = v.safeParse(BLOCK_SCHEMAS[ready.slot], plugin.finish(value, { facts, brief, options: options }));
        if (made.success)
            return made.output;
        throw new ModelError('feature_failed', `The plugin's block is not as specified: ${v.getDotPath(made.issues[0]) ?? 'it'}.`);
    };
    const model = plugin.rules && plugin.needsModel?.(brief) === false ? ready.rules : ready.model;
    try {
        return { block: finished(await put(model)), label: model.label, outcome: 'ok' };
    }
    catch (error) {
        if (!ready.fallback || model.instant || codeOf(error) === 'cancelled')
            throw error;
        const label = `${ready.rules.label} (fallback for ${model.label})`;
        return { block: finished(await put(ready.rules)), label, outcome: 'fallback' };
    }
}
function codeOf(error) {
    return isModelError(error) ? error.code : 'feature_failed';
}
/** For the log: what a model got wrong, in the guard's words and never its own. */
function hintOf(error) {
    return isModelError(error) && error.hint ? ` (${error.hint})` : '';
}
/** The envelope around a block. The narrative's answer is two blocks: one with the envelope, one without. */
function blocksOf({ slot, plugin }, { block, label }) {
    const envelope = { ai_enabled: true, feature: slot, model: label };
    if (plugin.gives !== 'trust_enhancement')
        return { [slot]: { ...envelope, ...block } };
    const { trust_enhancement: trust, overview } = block;
    return { trust_enhancement: { ...envelope, ...trust }, overview };
}
function allOf(slot, block) {
    const keys = slot === 'trust_enhancement' ? ['trust_enhancement', 'overview'] : [slot];
    return Object.fromEntries(keys.map((key) => [key, block(key)]));
}
/** Runs a feature. Never rejects. Trouble is logged by code and hint, neither of which holds a submitted value. */
export async function runFeature(ready, request, tools) {
    const { slot, model, on } = ready;
    if (!on)
        return { failed: true, blocks: allOf(slot, () => ({ ai_enabled: false, reason: 'Disabled' })) };
    const started = performance.now();
    const count = (outcome) => tools.counters.record({
        feature: slot,
        model: model.name,
        outcome,
        seconds: (performance.now() - started) / 1000,
    });
    try {
        const result = await answered(ready, request, tools);
        count(result.outcome);
        return { failed: false, blocks: blocksOf(ready, result) };
    }
    catch (error) {
        const code = codeOf(error);
        count(code);
        if (code !== 'cancelled')
            tools.log.warn(`feature ${slot}, model ${model.name}: ${code}${hintOf(error)}`);
        const failure = (feature) => ({
            ai_enabled: true,
            feature,
            model: model.label,
            error: errorOf(code),
        });
        return { failed: true, blocks: allOf(slot, failure) };
    }
}
