import { answer } from './asking/ask.js';
import { isModelError, ModelError } from './plugin/errors.js';
import { factsFor } from './facts.js';
const REMEDIES = {
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
const DAY_MS = 86_400_000;
function samplePerson(now) {
    const row = (status) => ({
        input: '',
        standardized: '',
        status,
        identity: status === 'primary' ? 1 : null,
    });
    const verdict = {
        score: 88,
        band: 'HIGH',
        confidence: 'HIGH',
        catfish: false,
        summary: '',
        message: '',
        insights: [],
        name: row('primary'),
        emails: [row('primary'), row('unverified')],
        phones: [row('primary')],
        addresses: [],
        dominant: 1,
        matchedName: 'Robert Sample',
        identityScore: { final: 88, raw: 88, adjusted: 88, penalties: 0, bonuses: 0, fraudRiskPenalty: 0 },
        trustScore: { final: 88, raw: 88, reasons: [] },
        combined: { final: 88, preCapped: 88, explanation: '' },
        history: { firstSeen: now - 2000 * DAY_MS, lastSeen: now - 20 * DAY_MS },
        identities: 1,
    };
    const comparison = {
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
        stream: () => ({ records: [] }),
        now,
    };
}
/** Asks one feature's model one question, as a request would. Never rejects. */
export async function diagnose(ready, now) {
    const { slot, plugin, options, model } = ready;
    const started = performance.now();
    const about = () => ({
        feature: slot,
        model: model.name,
        ms: Math.round(performance.now() - started),
    });
    try {
        const facts = await factsFor(plugin.facts, samplePerson(now));
        const brief = plugin.brief(facts, options);
        const { signal } = new AbortController();
        const said = await answer({ ...ready, feature: plugin, facts, brief, signal });
        plugin.finish(said, { facts, brief, options: options });
        return { ...about(), ok: true, says: `${model.label} answered in the right form and kept to the facts.` };
    }
    catch (error) {
        const known = isModelError(error) ? error : new ModelError('feature_failed');
        const says = [known.message, known.hint, REMEDIES[known.code] ?? '']
            .filter((part) => part !== '')
            .join(' ');
        return { ...about(), ok: false, code: known.code, says };
    }
}
