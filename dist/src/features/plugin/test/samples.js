// The facts that a plugin is tried with: every pattern under every intent, as a check of an invented person would give them.
import { INTENTS } from '../../../intents.js';
import { VERDICT_WORDS } from '../facts.js';
import { PATTERNS } from './patterns.js';
const STATUS_OF = {
    p: 'primary',
    s: 'secondary',
    d: 'different',
    u: 'unverified',
};
/** When the sample calls were made. */
const NOW = Date.UTC(2026, 10, 20, 12);
const KNOWN = {
    provided: 'Zebulon Markworth',
    matched: 'Zeb Markworth',
    comparison: {
        confidence: 91,
        variation: 'nickname',
        same: true,
        concerns: [],
        explanation: 'Zeb is a short form of Zebulon.',
    },
};
const UNKNOWN = { provided: 'Zebulon Markworth', matched: null, comparison: null };
/** The band of a score from 0 to 100, by the thresholds of the interface. */
export function bandOf(score) {
    if (score >= 85)
        return 'HIGH';
    if (score >= 65)
        return 'MEDIUM';
    return score >= 40 ? 'LOW' : 'VERY_LOW';
}
function fieldOf(letters) {
    const count = (letter) => letters.split(letter).length - 1;
    const primary = count('p');
    const secondary = count('s');
    return {
        submitted: letters.length,
        matched: primary + secondary,
        primary,
        secondary,
        different: count('d'),
        unverified: count('u'),
    };
}
/** All facts of one pattern, with an empty stream. */
export function factsOf(pattern, intent) {
    const { score, email = '', phone = '', address = '', history } = pattern;
    const letters = email + phone + address;
    const band = bandOf(score);
    const identities = (/[ps]/.test(letters) ? 1 : 0) + (letters.includes('d') ? 1 : 0);
    return {
        intent,
        score: {
            score,
            band,
            verdict: VERDICT_WORDS[band],
            confidence: pattern.confidence,
            possible_catfish: pattern.catfish ?? false,
        },
        matches: {
            name: STATUS_OF[pattern.name],
            email: fieldOf(email),
            phone: fieldOf(phone),
            address: fieldOf(address),
            contacts: fieldOf(letters),
            identities: pattern.identities ?? identities,
        },
        history: {
            days_since_first_seen: history?.[0] ?? null,
            days_since_last_seen: history?.[1] ?? null,
        },
        stream: { now: NOW, records: [] },
        names: pattern.name === 'u' ? UNKNOWN : KNOWN,
    };
}
/** The declared facts of every pattern under every intent: 252 samples. */
export function samplesOf(declared) {
    return PATTERNS.flatMap((pattern) => INTENTS.map((intent) => {
        const all = factsOf(pattern, intent);
        const facts = Object.fromEntries(declared.map((name) => [name, structuredClone(all[name])]));
        return { title: `${pattern.title}, ${intent}`, facts: facts };
    }));
}
