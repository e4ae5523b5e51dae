import { ESTABLISHED, FOREIGN_PENALTY, KEY_BITS, GIVEN_CAP, GIVEN_CREDIT, HALF_GAIN, HISTORY_GAIN, HOUSEHOLD, HOUSEHOLD_SHARE, KIND_GAIN, LEAST_BITS, NAME_GAIN, NAMELESS_CREDIT, NAMESAKES, NO_CONTACT_CAP, ONE_KIND_CAP, PRIOR, SPLIT_PENALTY, } from './weights.js';
/** Bits that an agreement says: its form's, less what sharing takes away. */
export function agreementBits({ type, share }) {
    return Math.max(LEAST_BITS, KEY_BITS[type] - Math.log2(Math.max(1, share)));
}
/**
 * Weighs the evidence for every identity that something resolved to, and for nobody. The best corroborated one comes first: the
 * highest score, then most bits, most contact support, the one that bears the name, the lower number. Because the score is the highest
 * that any of them reaches, one more value for the first can never lower it.
 *
 * The form of the sum is Fellegi and Sunter's (1969): independent agreements add up in log2. Agreements of one kind come together
 * rather than independently, so within a kind they approach a bound.
 */
export function weigh(evidence) {
    const contacts = weighContacts(evidence);
    const bears = (id) => Number(id !== null && (evidence.names.get(id)?.same ?? false));
    const all = [];
    for (const id of candidates(evidence, contacts))
        all.push(hypothesis(evidence, contacts, id));
    if (all.length === 0)
        all.push(hypothesis(evidence, contacts, null));
    if (all.length === 1)
        return all;
    return all.sort((a, b) => b.score - a.score ||
        b.bits - a.bits ||
        b.support - a.support ||
        bears(b.identity) - bears(a.identity) ||
        (a.identity ?? 0) - (b.identity ?? 0));
}
function weighContacts({ bearers, names, contacts }) {
    const weighed = [];
    for (const { kind, agreements, repeats } of contacts) {
        if (repeats || agreements.length === 0)
            continue;
        const bits = agreements.map(agreementBits);
        let strongest = 0;
        let doubt = 1;
        let borne = false;
        // A street that names no town is found in many: who lives at another one says nothing about the name.
        let vague = true;
        for (let i = 0; i < bits.length; i++) {
            const { identity, type } = agreements[i];
            const name = names.get(identity);
            strongest = Math.max(strongest, bits[i]);
            doubt = Math.min(doubt, otherName(name));
            borne ||= name?.same ?? false;
            vague &&= type === 'street';
        }
        if (vague)
            doubt = 0;
        const fragment = vague || (borne && bearers <= NAMESAKES);
        weighed.push({ kind, agreements, bits, strongest, doubt, fragment });
    }
    return weighed;
}
/** Place of an identity's agreement; -1 where there is none. */
function placeOf(agreements, identity) {
    for (let i = 0; i < agreements.length; i++)
        if (agreements[i].identity === identity)
            return i;
    return -1;
}
/**
 * Who may be the person. A shared address makes nobody the person: without the name, an identity needs a contact that is nearly its own.
 */
function candidates({ names }, contacts) {
    const found = new Set();
    for (const { agreements, bits } of contacts)
        for (let i = 0; i < bits.length; i++) {
            const { identity } = agreements[i];
            if (bits[i] >= ESTABLISHED || names.get(identity)?.givenSame)
                found.add(identity);
        }
    names.forEach((name, id) => {
        if (name.same)
            found.add(id);
    });
    return found;
}
function hypothesis(evidence, contacts, identity) {
    const name = identity === null ? undefined : evidence.names.get(identity);
    const credit = nameCredit(name);
    // Whoever shares it, a value of an identity of another name is held against that identity: its next one must be no news (law 4).
    const stranger = otherName(name);
    const perKind = [];
    const foreign = [];
    const split = [];
    let worst = 0;
    let slipsOnly = true;
    for (const contact of contacts) {
        const { kind, agreements, strongest } = contact;
        const at = placeOf(agreements, identity);
        if (at >= 0) {
            const known = perKind.find((one) => one.kind === kind);
            if (known)
                known.each.push(contact.bits[at]);
            else
                perKind.push({ kind, each: [contact.bits[at]], bits: 0 });
            // Written as on record: not all are slips away.
            slipsOnly &&= agreements[at].type === 'typo';
        }
        // Nobody has no values of his own that others' could be split from.
        else if (identity !== null && !contact.fragment)
            split.push(strongest);
        const doubt = at >= 0 ? stranger : doubtOf(contact, contacts, identity, name);
        if (doubt === 0)
            continue;
        foreign.push(doubt * strongest);
        worst = Math.max(worst, doubt * Math.min(1, strongest / ESTABLISHED));
    }
    for (const one of perKind)
        one.bits = sum(one.each);
    const reasons = reasonsFor({ evidence, identity, credit, perKind });
    // The worst value counts, not their sum: once somebody else is established, more of his values are no further news (law 4).
    if (worst > 0)
        reasons.push({ code: 'foreign', bits: -FOREIGN_PENALTY * worst });
    if (split.length > 0)
        reasons.push({ code: 'split', bits: -SPLIT_PENALTY * sum(split) });
    const said = reasons.map((one) => one.bits);
    said.push(PRIOR);
    const bits = sum(said);
    const cap = capOf(name, perKind.length, slipsOnly);
    return {
        identity,
        bits,
        cap,
        score: Math.min(cap, percent(bits)),
        reasons,
        support: sum(perKind.map((one) => one.bits)),
        foreign: sum(foreign),
        kinds: perKind.length,
        credit,
    };
}
/**
 * Smallest first, so that the order of the submitted values cannot change the last bit. Sorts the given list, by insertion: of so few
 * numbers a call of `sort` costs more than all the rest.
 */
function sum(bits) {
    for (let i = 1; i < bits.length; i++) {
        const one = bits[i];
        let at = i;
        for (; at > 0 && bits[at - 1] > one; at--)
            bits[at] = bits[at - 1];
        bits[at] = one;
    }
    let total = 0;
    for (let i = 0; i < bits.length; i++)
        total += bits[i];
    return total;
}
/**
 * Laws 6 and 8: no contact resolved to a bearer of the name, or contacts of one kind only without the name. Nor do slips alone verify
 * anybody.
 */
function capOf(name, kinds, slipsOnly) {
    if (kinds === 0)
        return NO_CONTACT_CAP;
    if (name?.same)
        return slipsOnly ? ONE_KIND_CAP : 100;
    if (name?.givenSame)
        return GIVEN_CAP;
    return kinds === 1 ? ONE_KIND_CAP : 100;
}
/** Odds of 2^bits as a share of 100. */
export function percent(bits) {
    return 100 / (1 + 2 ** -bits);
}
/** What lets an identity's contacts count: the name it bears, as far as the engine is sure of it. */
function nameCredit(name) {
    if (!name)
        return 0;
    if (name.nameless)
        return NAMELESS_CREDIT;
    if (name.same)
        return Math.min(1, Math.max(0.4, (name.confidence - 40) / 50));
    return name.givenSame ? GIVEN_CREDIT : 0;
}
function reasonsFor(from) {
    const { evidence, identity, credit, perKind } = from;
    const reasons = [];
    if (identity !== null && evidence.names.get(identity)?.same) {
        const rarity = Math.log2(Math.max(1, evidence.total) / Math.max(1, evidence.bearers));
        const gain = Math.min(NAME_GAIN.most, Math.max(NAME_GAIN.least, rarity * NAME_GAIN.perBit));
        reasons.push({ code: 'name', bits: gain * credit });
    }
    if (credit > 0)
        for (const { kind, bits } of perKind)
            reasons.push({ code: kind, bits: credit * KIND_GAIN[kind] * (1 - 2 ** (-bits / HALF_GAIN)) });
    const known = identity === null ? undefined : evidence.identities.get(identity);
    if (credit > 0 && perKind.length > 0 && known && known.firstSeen !== null && known.lastSeen !== null) {
        const years = (known.lastSeen - known.firstSeen) / (365.25 * 86_400_000);
        reasons.push({
            code: 'history',
            bits: credit * Math.min(HISTORY_GAIN.most, years * HISTORY_GAIN.perYear),
        });
    }
    return reasons;
}
/** 0-1: how surely somebody else's value contradicts the name, if `identity` is the person. */
function doubtOf(contact, contacts, identity, name) {
    if (contact.doubt === 0 || !name?.same)
        return contact.doubt;
    return sharesHousehold(contacts, contact, identity) ? contact.doubt * HOUSEHOLD : contact.doubt;
}
/**
 * 0-1: how surely an identity bears another name. Below a confidence of 25 it is beyond doubt, as it is of one whose names were not read
 * because no key of the name points to it: which of them are read depends on the other values, and must not matter (law 4).
 */
function otherName(name) {
    if (!name)
        return 1;
    if (name.same || name.givenSame || name.nameless)
        return 0;
    return Math.max(0, Math.min(1, (50 - name.confidence) / 25));
}
/** Do an owner of this value and the identity have another submitted value in common, one that few share? */
function sharesHousehold(contacts, value, identity) {
    for (const { agreements } of contacts) {
        const at = placeOf(agreements, identity);
        if (at < 0 || agreements[at].share > HOUSEHOLD_SHARE)
            continue;
        if (agreements.some((one) => placeOf(value.agreements, one.identity) >= 0))
            return true;
    }
    return false;
}
