import { gatherEvidence } from './match/evidence.js';
import { givenKey } from './names/given.js';
import { nameKeys, prepareName } from './names/index.js';
import { normaliseAddress } from './normalise/address.js';
import { normaliseEmail } from './normalise/email.js';
import { normalisePhone } from './normalise/phone.js';
import { addressSignature, emailSignature } from './normalise/signature.js';
import { clean } from './normalise/text.js';
import { score } from './score/score.js';
/**
 * One check, top to bottom: normalise what was submitted, resolve it in the graph, compare, score, put the answer together.
 * The verdict is a function of the claim, what the graph holds, and the scoring model.
 *
 * Errors: those of the graph (`graph_unavailable`, `graph_bad_response`, `graph_timeout`).
 */
export async function check(claim, { graph, region }) {
    const asked = normalise(claim, region);
    const answer = await graph.resolve({
        nameKeys: nameKeys(asked.name),
        givenKey: givenKey(asked.name),
        values: asked.values,
    });
    const evidence = gatherEvidence({ name: asked.name, contacts: asked.values, answer });
    const scored = score(evidence);
    return assemble({ claim, asked, scored, answer });
}
function normalise(claim, region) {
    const emails = claim.emails.map((text) => normaliseEmail(text) ?? unknown(text));
    const phones = claim.phones.map((digits) => normalisePhone(digits, region) ?? unknown(digits));
    const addresses = claim.addresses.map((address) => normaliseAddress(address, region) ?? unknown(standard(address)));
    const values = [];
    for (const { keys, standardized } of emails)
        values.push({ kind: 'email', keys, signature: emailSignature(standardized) });
    for (const { keys } of phones)
        values.push({ kind: 'phone', keys, signature: null });
    for (const { keys, standardized } of addresses)
        values.push({ kind: 'address', keys, signature: addressSignature(standardized) });
    return { name: prepareName(claim.name), emails, phones, addresses, values };
}
/** A value that has no form to be looked up by: it comes back as sent, with no matching record. */
function unknown(standardized) {
    return { standardized, keys: [] };
}
function standard(address) {
    return { ...address, plus4: '' };
}
function assemble(from) {
    const { claim, asked, scored, answer } = from;
    const [afterEmails, afterPhones] = [asked.emails.length, asked.emails.length + asked.phones.length];
    const verdict = {
        score: scored.score,
        band: scored.band,
        confidence: scored.confidence,
        catfish: scored.catfish,
        summary: scored.summary,
        message: scored.message,
        insights: scored.insights,
        dominant: scored.dominant,
        matchedName: scored.matchedName,
        identityScore: scored.identityScore,
        trustScore: scored.trustScore,
        combined: scored.combined,
        history: scored.history,
        identities: scored.identities,
        name: judged(claim.name, clean(claim.name).toUpperCase(), scored.name),
        emails: asked.emails.map((one, i) => judged(claim.emails[i], one.standardized, scored.contacts[i])),
        phones: asked.phones.map((one, i) => judged(claim.phones[i], one.standardized, scored.contacts[afterEmails + i])),
        addresses: asked.addresses.map((one, i) => judged(claim.addresses[i], one.standardized, scored.contacts[afterPhones + i])),
    };
    if (claim.operation === 'raw')
        verdict.raw = rawAnswer(answer);
    return verdict;
}
function judged(input, standardized, { status, identity }) {
    return { input, standardized, status, identity };
}
/** The engine's answer as it gave it, without the names: they belong to people that the caller did not ask about. */
function rawAnswer({ total, values, name, identities }) {
    return {
        total,
        values,
        name,
        identities: [...identities.values()].map(({ names, ...identity }) => ({
            ...identity,
            names: names.length,
        })),
    };
}
