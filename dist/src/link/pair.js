import { birthEvidence } from './births.js';
import { contactEvidence } from './contacts.js';
import { RECORDS_PER_PERSON, round, } from './evidence.js';
import { nameEvidence } from './names.js';
import { sameAddress } from './likeness.js';
import { NO_NOISE } from './noise.js';
import { personKey } from './record.js';
import { bothRecur } from './sighting.js';
/** From this sum on two records are one person, unless something else forbids it: odds of 8 to 1. */
export const LINK_BITS = 3;
/** The most that a name and an address can say together: at one address in some fifty live two people of one name. */
const NAMESAKE_MOST = 5.5;
/** What an address in common and the prior come to, where nothing has been measured: log2 of the odds that it is one person's. */
const HOME_ODDS = -2;
/** Compares two records: a list of weighed evidence and its sum (Fellegi and Sunter 1969, in log2). */
export function comparePair(one, two, context) {
    // Always the same way round: the partition must not depend on the order of import.
    const [a, b] = one.key < two.key ? [one, two] : [two, one];
    if (a.label !== null && b.label !== null) {
        const one = a.label === b.label;
        const what = one
            ? 'both records carry the same identity label'
            : 'the records carry different identity labels';
        return {
            bits: one ? 1000 : -1000,
            evidence: [{ code: 'label', what, bits: one ? 1000 : -1000 }],
            conflict: !one,
        };
    }
    const noise = bothRecur(a, b, context) ? NO_NOISE : context.noise;
    const births = birthEvidence(a, b, { ...context, noise });
    const name = nameEvidence(a, b, { ...context, noise }, births.some(({ bits }) => bits > 0));
    const evidence = [...name.evidence, ...births];
    // Differently named as they are, the two count for one among those who share a value: whether they are one is the question.
    const spare = personKey(a) === personKey(b) ? 0 : 1;
    const others = { ...context, sharers: (key) => Math.max(1, context.sharers(key) - spare) };
    for (const kind of ['email', 'phone', 'address'])
        for (const one of contactEvidence(kind, a, b, others))
            evidence.push(one.bits > 0 ? { ...one, bits: round(one.bits * name.credit) } : one);
    const blind = -Math.log2(context.records / RECORDS_PER_PERSON);
    evidence.push({
        code: 'prior',
        what: `two of ${context.records} records picked blindly`,
        bits: round(blind),
    });
    const alone = noise.address !== null && odds(noise.address) >= LINK_BITS;
    if (alone && sameAddress(a, b))
        evidence.push(homeEvidence(evidence, noise.address));
    const doubt = namesakeDoubt(evidence, noise);
    if (doubt < 0)
        evidence.push({
            code: 'name',
            what: 'nothing but name and address agree: it may be a namesake of the household',
            bits: doubt,
        });
    evidence.push(...householdDoubt(evidence, noise));
    const bits = sumOf(evidence);
    return {
        bits,
        evidence,
        // Where records err and hardly anybody shares an address, one person's records contradict each other.
        conflict: name.suffixes || (!alone && (name.conflict || births.some(({ bits }) => bits <= -7))),
    };
}
/** What an address in common says, where it has been measured that it nearly always means one person. */
function homeEvidence(evidence, share) {
    const assumed = sumOf(evidence.filter(({ code }) => code === 'address' || code === 'prior'));
    const what = `of the pairs here that share an address ${Math.round(share * 100)} % are one person's`;
    return { code: 'address', what, bits: round(Math.max(0, odds(share) - assumed)) };
}
/**
 * Two records differ in name or birth date: what all but the e-mail says beyond the odds that have been measured of such pairs at one
 * address is taken back, since the members of a household share the rest.
 */
function householdDoubt(evidence, { name, birth, address }) {
    const bits = (code) => evidence.find((one) => one.code === code)?.bits ?? 0;
    const doubt = (limit, what) => {
        const excess = round(limit - sumOf(evidence.filter(({ code }) => code !== 'email')));
        return excess < 0 ? [{ code: 'name', what: `they may be ${what}`, bits: excess }] : [];
    };
    const often = (share) => `as ${Math.round(share * 100)} % of such pairs here are`;
    if (bits('name') > 0)
        return birth !== null && bits('birth') < 0
            ? doubt(odds(1 - birth.others), `namesakes, ${often(birth.others)}`)
            : [];
    if (name === null || address === null || bits('name') === 0)
        return [];
    if (bits('birth') > 0)
        return doubt(odds(1 - name.others), `twins, ${often(name.others)}`);
    return doubt(odds(address) + bits('name') + bits('birth'), 'two of a household');
}
function sumOf(evidence) {
    return evidence.reduce((sum, { bits }) => sum + bits, 0);
}
function odds(share) {
    return Math.log2(share / (1 - share));
}
/**
 * What name and address say beyond `NAMESAKE_MOST` is taken back, where no e-mail, phone or birth date agrees. The limit rises where
 * addresses have been measured to mean one person oftener than is assumed.
 */
function namesakeDoubt(evidence, { address }) {
    const own = (code) => code === 'email' || code === 'phone' || code === 'birth';
    if (evidence.some(({ code, bits }) => own(code) && bits > 0))
        return 0;
    const limit = NAMESAKE_MOST + (address === null ? 0 : Math.max(0, odds(address) - HOME_ODDS));
    return round(Math.min(0, limit - sumOf(evidence.filter(({ code }) => !own(code)))));
}
