const LABEL = {
    email: ['e-mail', 'e-mails'],
    phone: ['phone', 'phones'],
    address: ['address', 'addresses'],
};
export const VERDICT = {
    HIGH: 'VERIFIED',
    MEDIUM: 'LIKELY REAL',
    LOW: 'SUSPICIOUS',
    VERY_LOW: 'HIGH RISK',
};
/** Score bands of the interface specification: 85, 65 and 40. */
export function bandOf(score) {
    if (score >= 85)
        return 'HIGH';
    if (score >= 65)
        return 'MEDIUM';
    return score >= 40 ? 'LOW' : 'VERY_LOW';
}
/** The band's verdict word, a colon and one sentence. */
export function message(score, sentence) {
    return `${VERDICT[bandOf(score)]}: ${sentence}`;
}
/** Whose the values are, in one sentence. */
export function headline(facts) {
    const { evidence, best, name, contacts } = facts;
    const { own, different: other } = facts.counts;
    if (contacts.length === 0)
        return nameOnly(evidence, name.status);
    if (own === 0 && other === 0)
        return contacts.length === 1
            ? 'The contact has no matching record in the identity graph.'
            : `None of the ${contacts.length} contacts has a matching record in the identity graph.`;
    if (bears(facts)) {
        if (own === 0)
            return 'The name is in the identity graph, but the contacts that have a record belong to other identities.';
        if (other === 0)
            return `The name and ${counted(own, contacts.length)} belong to one identity.`;
        return `The name and ${counted(own, contacts.length)} belong to one identity, ${other} to ${other === 1 ? 'another identity' : 'other identities'}.`;
    }
    if (best.identity !== null && evidence.names.get(best.identity)?.givenSame)
        return `${capital(counted(own, contacts.length))} ${verb(own)} to an identity with the same given name, but not the whole name.`;
    if (best.identity !== null && evidence.names.get(best.identity)?.nameless)
        return `${capital(counted(own, contacts.length))} ${verb(own)} to one identity, whose records carry no name.`;
    return 'The contacts that have a record belong to identities that do not bear this name.';
}
function nameOnly({ bearers }, status) {
    if (status === 'unverified')
        return 'The name does not appear in the identity graph.';
    if (bearers > 1)
        return `The name appears in the identity graph, borne by ${bearers} identities.`;
    return 'The name appears in the identity graph.';
}
/** One or two sentences: the headline, and what weighs most beside it. */
export function summary(facts, sentence) {
    const second = facts.contacts.length > 0 ? secondSentence(facts) : null;
    return second ? `${sentence} ${second}` : sentence;
}
function secondSentence({ catfish, contacts, counts, best, evidence }) {
    if (catfish)
        return 'Check who is really behind these contacts before you rely on the name.';
    const { none } = counts;
    if (none > 0 && none < contacts.length)
        return `For ${plural(none, 'value')} there is no matching record, which counts neither for nor against.`;
    const years = span(evidence, best.identity);
    return years !== null && years >= 1 ? `Its records span ${plural(years, 'year')}.` : null;
}
/** Observations a person can act on, most important first. */
export function insights(facts) {
    const { evidence, best, name, contacts, counts } = facts;
    if (contacts.length === 0)
        return [nameOnly(evidence, name.status)];
    const found = [];
    if (facts.catfish)
        found.push('The contacts point to somebody other than the person named.');
    found.push(...nameInsights(facts));
    for (let i = 0; i < contacts.length; i++)
        contactInsights(facts, i, found);
    const { none } = counts;
    if (none > 0)
        found.push(`${plural(none, 'value')} ${none === 1 ? 'has' : 'have'} no matching record.`);
    const years = span(evidence, best.identity);
    if (years !== null && best.kinds > 0)
        found.push(years >= 1
            ? `The identity's records span ${plural(years, 'year')}.`
            : "The identity's records span less than a year.");
    return found;
}
function contactInsights({ evidence, contacts }, index, found) {
    const { status, identity } = contacts[index];
    if (status === 'unverified')
        return;
    const { agreements } = evidence.contacts[index];
    if (status === 'different')
        found.push(`${ordinal(evidence, index)} resolves to a different identity (${identity}).`);
    const share = agreements.find((one) => one.identity === identity)?.share ?? 1;
    if (share > 5)
        found.push(`${ordinal(evidence, index)} is shared by ${share} identities, so it says little about any one of them.`);
    if (agreements[0].type === 'typo')
        found.push(`${ordinal(evidence, index)} is a slip away from one on record.`);
}
function nameInsights({ evidence, best, name, counts }) {
    const agreement = best.identity === null ? undefined : evidence.names.get(best.identity);
    if (name.status === 'different')
        return [`The name is borne by another identity (${name.identity}) than the contacts'.`];
    if (name.status === 'unverified') {
        if (agreement?.givenSame)
            return [
                'The identity has the same given name, but not the whole name: a family name may be missing or have changed.',
            ];
        return counts.own + counts.different > 0 && !agreement?.nameless
            ? ['No identity behind the contacts bears this name.']
            : ['The name has no matching record.'];
    }
    const found = [];
    if (agreement && agreement.variation !== 'exact')
        found.push(`The name matches in another form (${agreement.variation.replace('_', ' ')}).`);
    if (name.status === 'secondary')
        found.push("The name is one of the identity's other names.");
    if (evidence.bearers > 10)
        found.push(`The name is common here: ${evidence.bearers} identities bear it.`);
    return found;
}
/** A sentence for each reason of the fold, with its weight; the same pass that gave the score. */
export function reasonTexts({ best, evidence }) {
    return best.reasons
        .toSorted((a, b) => Math.abs(b.bits) - Math.abs(a.bits))
        .map((reason) => `${signed(reason.bits)} bits: ${because(reason, best, evidence)}`);
}
function because({ code }, best, evidence) {
    switch (code) {
        case 'name':
            return `identity ${best.identity} bears the name, as ${Math.max(1, evidence.bearers)} of ${evidence.total} do`;
        case 'history':
            return `the records of identity ${best.identity} span ${plural(span(evidence, best.identity) ?? 0, 'year')}`;
        case 'foreign':
            return 'a contact belongs to somebody who does not bear the name';
        case 'split':
            return best.identity === null
                ? 'contacts belong to other people'
                : `contacts belong to others than identity ${best.identity}`;
        default: {
            let count = 0;
            for (const { kind, agreements } of evidence.contacts)
                if (kind === code && agreements.some((one) => one.identity === best.identity))
                    count++;
            return `${count === 1 ? `the ${LABEL[code][0]} belongs` : `${count} ${LABEL[code][1]} belong`} to identity ${best.identity}`;
        }
    }
}
function bears({ evidence, best }) {
    return best.identity !== null && (evidence.names.get(best.identity)?.same ?? false);
}
/** "The phone", or "Phone 2" where several were sent. */
function ordinal({ contacts }, index) {
    const { kind } = contacts[index];
    let all = 0;
    let place = 0;
    for (let i = 0; i < contacts.length; i++) {
        if (contacts[i].kind !== kind)
            continue;
        all++;
        if (i <= index)
            place++;
    }
    return all === 1 ? `The ${LABEL[kind][0]}` : `${capital(LABEL[kind][0])} ${place}`;
}
function span(evidence, identity) {
    const known = identity === null ? undefined : evidence.identities.get(identity);
    if (!known || known.firstSeen === null || known.lastSeen === null)
        return null;
    return Math.floor((known.lastSeen - known.firstSeen) / (365.25 * 86_400_000));
}
function counted(own, all) {
    if (own === all)
        return ['', 'the one contact', 'both contacts'][all] ?? `all ${all} contacts`;
    return `${own} of ${all} contacts`;
}
function verb(count) {
    return count === 1 ? 'belongs' : 'belong';
}
function plural(count, noun) {
    return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
function capital(text) {
    return text[0].toUpperCase() + text.slice(1);
}
function signed(bits) {
    return `${bits < 0 ? '-' : '+'}${Math.abs(bits).toFixed(2)}`;
}
