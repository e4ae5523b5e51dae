// The judgement on two names: the best of their readings, its confidence, and what explains the difference.
import { align } from './align.js';
import { calibrate } from './calibrate.js';
import { evidence } from './evidence.js';
export const SAME_AT = 50;
/** Another reading of a name has to be clearly better than the first. */
const margin = 0.03;
const enough = 0.85;
const nothing = { links: [], onlyA: [], onlyB: [] };
/** Equal names need no alignment to be judged; an initial on both sides leaves room for two people. */
function alike(a, b) {
    if (a.canonical !== b.canonical || a.generation !== b.generation || a.script !== b.script)
        return 0;
    if (a.others.length + b.others.length > 0 || a.tokens.every((t) => t.initial))
        return 0;
    if (a.titles.length !== b.titles.length)
        return 0.98;
    return a.tokens.some((t) => t.initial && t.role === 'given') ? 0.88 : 1;
}
/** Judges two prepared names. Symmetric up to the sides of the alignment. */
export function judge(a, b) {
    if (a.tokens.length === 0 || b.tokens.length === 0) {
        return { confidence: 0, variation: 'no_match', same: false, alignment: nothing };
    }
    const equal = alike(a, b);
    if (equal > 0) {
        return { confidence: calibrate(equal), variation: equal === 0.98 ? 'partial' : 'exact', same: true };
    }
    const simple = a.others.length + b.others.length === 0;
    const { alignment, raw } = simple ? read(a.tokens, b.tokens) : bestReading(a, b);
    const confidence = calibrate(raw * generations(a, b) * (simple ? 1 : byOtherName(alignment)));
    const same = confidence >= SAME_AT;
    return { confidence, variation: same ? variation(a, b, alignment) : 'no_match', same, alignment };
}
/** An undivided name is cut when the other has several words; else its whole could hide a part that differs. */
function readings(p, other) {
    const divided = p.tokens.length === 1 && p.others.length > 0 && other.tokens.length > 1;
    return divided && p.script === 'han' ? p.others : [p.tokens, ...p.others];
}
function read(x, y) {
    const alignment = align(x, y);
    return { alignment, raw: evidence(x, y, alignment) };
}
/** Tries every reading of one name with every reading of the other, and stops at a good one. */
function bestReading(a, b) {
    let best = { alignment: nothing, raw: -1 };
    for (const x of readings(a, b)) {
        for (const y of readings(b, a)) {
            const found = read(x, y);
            if (found.raw > best.raw + (best.raw < 0 ? 0 : margin))
                best = found;
            if (best.raw > enough)
                return best;
        }
    }
    return best;
}
/** The alignment of a judgement; that of equal names is worked out here. */
export function alignmentOf(judgement, a, b) {
    return judgement.alignment ?? align(a.tokens, b.tokens);
}
/** A name that matches only by its birth name or by what stands in brackets is a little less sure. */
function byOtherName({ links }) {
    return links.some(({ a: [x], b: [y] }) => x.aside || y.aside || x.birth || y.birth) ? 0.94 : 1;
}
function generations(a, b) {
    if (a.generation === b.generation)
        return 1;
    return a.generation && b.generation ? 0.08 : 0.97;
}
function variation(a, b, { links, onlyA, onlyB }) {
    const seen = (relation) => links.some((link) => link.related.relation === relation);
    if (seen('nickname'))
        return 'nickname';
    if (seen('script'))
        return 'transliteration';
    if (seen('cultural'))
        return 'cultural';
    if (seen('spelling') || seen('gendered'))
        return 'transliteration';
    if (seen('slip'))
        return 'typo';
    if (links.some((link) => link.a[0].aside || link.b[0].aside))
        return 'nickname';
    const birth = links.some((link) => link.a[0].birth || link.b[0].birth);
    const asides = birth || a.generation !== b.generation || a.titles.length !== b.titles.length;
    if (onlyA.length || onlyB.length || seen('initial') || asides)
        return 'partial';
    return 'exact';
}
