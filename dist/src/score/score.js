import { agreementBits, percent, weigh } from './fold.js';
import { bandOf, headline, insights, message, reasonTexts, summary } from './texts.js';
import { CATFISH_BITS, NO_CONTACT_CAP, PRIOR } from './weights.js';
/**
 * Score, verdicts and reasons of one check, from one pass over the evidence. Pure: the same evidence gives the same answer.
 */
export function score(evidence) {
    const ranked = weigh(evidence);
    const best = ranked[0];
    const name = nameStatus(evidence, ranked);
    const contacts = evidence.contacts.map(({ agreements }) => contactStatus(agreements, ranked));
    const preCapped = percent(best.bits);
    const final = Math.round(best.score);
    const known = best.identity === null ? undefined : evidence.identities.get(best.identity);
    const catfish = isCatfish(best);
    const facts = { evidence, best, name, contacts, counts: countOf(contacts), catfish };
    const sentence = headline(facts);
    return {
        score: final,
        band: bandOf(final),
        confidence: confidenceOf(evidence),
        catfish,
        summary: summary(facts, sentence),
        message: message(final, sentence),
        insights: insights(facts),
        dominant: best.identity,
        matchedName: known?.names[0] ?? null,
        identityScore: identityScore(best),
        trustScore: { final: Math.round(preCapped), raw: round(best.bits), reasons: reasonTexts(facts) },
        combined: { final, preCapped: round(preCapped), explanation: explanation(preCapped, best.cap) },
        history: { firstSeen: known?.firstSeen ?? null, lastSeen: known?.lastSeen ?? null },
        identities: identitiesOf(contacts),
        name,
        contacts,
    };
}
/** How many values are the person's own, somebody else's, and nobody's. */
function countOf(contacts) {
    const counts = { own: 0, different: 0, none: 0 };
    for (const { status } of contacts) {
        if (status === 'different')
            counts.different++;
        else if (status === 'unverified')
            counts.none++;
        else
            counts.own++;
    }
    return counts;
}
function identitiesOf(contacts) {
    const found = new Set();
    for (const { identity } of contacts)
        if (identity !== null)
            found.add(identity);
    return found.size;
}
/** The contacts belong, with weight, to people who do not bear the name: more than half as much as they belong to the person. */
function isCatfish(best) {
    return best.foreign >= CATFISH_BITS && best.foreign > (best.support * best.credit) / 2;
}
function confidenceOf({ contacts }) {
    const kinds = [];
    let bits = 0;
    for (const { kind, agreements, repeats } of contacts) {
        if (repeats || agreements.length === 0)
            continue;
        if (!kinds.includes(kind))
            kinds.push(kind);
        let most = 0;
        for (const one of agreements)
            most = Math.max(most, agreementBits(one));
        bits += most;
    }
    if (kinds.length >= 2 && bits >= 12)
        return 'HIGH';
    return bits >= 5 ? 'MEDIUM' : 'LOW';
}
function contactStatus(agreements, ranked) {
    if (agreements.length === 0)
        return { status: 'unverified', identity: null };
    const own = agreements.find((one) => one.identity === ranked[0].identity);
    if (own)
        return { status: own.primary ? 'primary' : 'secondary', identity: own.identity };
    const rank = ({ identity }) => {
        const at = ranked.findIndex((one) => one.identity === identity);
        return at < 0 ? ranked.length : at;
    };
    const first = agreements.reduce((a, b) => (rank(a) - rank(b) || agreementBits(b) - agreementBits(a) || a.identity - b.identity) > 0 ? b : a);
    return { status: 'different', identity: first.identity };
}
function nameStatus(evidence, ranked) {
    for (const { identity } of ranked) {
        const name = identity === null ? undefined : evidence.names.get(identity);
        if (!name?.same)
            continue;
        if (identity !== ranked[0].identity)
            return { status: 'different', identity };
        return { status: name.primary ? 'primary' : 'secondary', identity };
    }
    return { status: 'unverified', identity: null };
}
function identityScore(best) {
    let bonuses = 0;
    let mismatch = 0;
    let split = 0;
    for (const { code, bits } of best.reasons) {
        if (bits > 0)
            bonuses += bits;
        if (code === 'foreign')
            mismatch += bits;
        if (code === 'split')
            split += bits;
    }
    return {
        final: Math.round(percent(best.bits)),
        raw: round(percent(PRIOR + bonuses)),
        adjusted: round(percent(PRIOR + bonuses + mismatch)),
        penalties: round(mismatch),
        bonuses: round(bonuses),
        fraudRiskPenalty: round(split),
    };
}
function explanation(preCapped, cap) {
    if (preCapped <= cap)
        return 'The score is the sum of the evidence; no bound applied.';
    if (cap === NO_CONTACT_CAP)
        return `Without a contact that resolves to a person of this name the score is at most ${cap}.`;
    return `Without a matching name, contacts of one kind alone reach at most ${cap}.`;
}
function round(value) {
    return Math.round(value * 100) / 100;
}
