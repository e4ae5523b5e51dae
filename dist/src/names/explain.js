import { genderVariant } from './gender.js';
import { alignmentOf } from './judge.js';
const text = (tokens) => tokens.map((t) => t.raw).join(' ');
/** The alignment as pairs of words in the order of the first name, lone words last. */
export function describeAlignment(judgement, a, b) {
    const { links, onlyA, onlyB } = alignmentOf(judgement, a, b);
    const place = (t) => a.tokens.indexOf(t);
    const rows = [...links]
        .sort((x, y) => place(x.a[0]) - place(y.a[0]))
        .map((link) => ({
        a: text(link.a),
        b: text(link.b),
        relation: link.related.relation,
        quality: link.related.quality,
    }));
    for (const t of onlyA)
        rows.push({ a: t.raw, b: '', relation: 'missing', quality: 0 });
    for (const t of onlyB)
        rows.push({ a: '', b: t.raw, relation: 'missing', quality: 0 });
    return rows;
}
const isShortFor = (short, full) => short !== undefined && full !== undefined && short.formals.includes(full.id);
function nickname(a, b) {
    const [x, y] = [text(a), text(b)];
    if (isShortFor(a[0].info, b[0].info))
        return `${x} is a short form of ${y}`;
    if (isShortFor(b[0].info, a[0].info))
        return `${y} is a short form of ${x}`;
    return `${x} and ${y} are forms of one name`;
}
function phrase({ a, b, related }) {
    const [x, y] = [text(a), text(b)];
    switch (related.relation) {
        case 'equal':
            return undefined;
        case 'initial':
            return a[0].initial ? `${x} may stand for ${y}` : `${y} may stand for ${x}`;
        case 'nickname':
            return nickname(a, b);
        case 'cultural':
            return `${x} and ${y} are one name in two languages`;
        case 'spelling':
            return `${x} and ${y} are spellings of one name`;
        case 'script':
            return `${x} reads as ${y}`;
        case 'gendered':
            return `${x} and ${y} are the forms of one family name for men and women`;
        case 'slip':
            return related.quality < 0.3 ? `${x} and ${y} look alike` : `${x} and ${y} differ by a slip`;
        case 'part':
            return a[0].prefix === b[0].prefix
                ? `${x} and ${y} share their main part`
                : `a particle stands before ${x} on one side only`;
        case 'joined':
            return `${x} and ${y} differ in spacing`;
        default:
            return `${x} and ${y} differ`;
    }
}
const roleNames = { given: 'given name', middle: 'middle name', family: 'family name' };
function lone(alignment) {
    const { onlyA, onlyB } = alignment;
    if (onlyA.length > 0 && onlyB.length > 0)
        return [`${text(onlyA)} stands against ${text(onlyB)}`];
    return [...onlyA, ...onlyB].map((t) => `${t.soft ? 'the title or name' : roleNames[t.role]} ${t.raw} is missing on one side`);
}
/** Jr, Sr, III, as they are written. */
const suffixOf = (p) => /^[ivx]+$/i.test(p.suffix) ? p.suffix.toUpperCase() : p.suffix.charAt(0).toUpperCase() + p.suffix.slice(1);
function suffixes(a, b) {
    if (a.generation === b.generation)
        return [];
    if (a.generation && b.generation)
        return [`${suffixOf(a)} and ${suffixOf(b)} are two generations`];
    return [`${suffixOf(a.suffix ? a : b)} is missing on one side`];
}
const sentence = (parts) => `${parts[0][0].toUpperCase()}${parts.join('; ').slice(1)}.`;
/** What the comparison saw, as one sentence. */
export function explain(judgement, a, b) {
    if (a.tokens.length === 0 || b.tokens.length === 0)
        return 'One side holds no name.';
    const alignment = alignmentOf(judgement, a, b);
    const parts = alignment.links.map(phrase).filter((part) => part !== undefined);
    parts.push(...lone(alignment), ...suffixes(a, b));
    if (a.titles.length !== b.titles.length)
        parts.push('a title or degree is missing on one side');
    if (parts.length > 0)
        return sentence(parts);
    const order = a.canonical !== b.canonical;
    return order ? 'The same words in another order or division.' : 'The names are equal.';
}
function doubt(x, y) {
    if (x.role !== 'family' && genderVariant(x, y))
        return 'look like one name for men and one for women';
    return x.info && y.info ? 'are two names in their own right' : 'differ by more than a usual slip';
}
/** What speaks against one person, each as a sentence; empty when nothing does. */
export function concerns(judgement, a, b) {
    const alignment = alignmentOf(judgement, a, b);
    const { links, onlyA, onlyB } = alignment;
    const list = [];
    for (const { a: left, b: right, related } of links) {
        if (related.quality >= 0.5)
            continue;
        list.push(`${text(left)} and ${text(right)} ${doubt(left[0], right[0])}.`);
    }
    if (onlyA.length > 0 && onlyB.length > 0) {
        const role = [...onlyA, ...onlyB].some((t) => t.role === 'given') ? 'given names' : 'names';
        list.push(`Different ${role}: ${text(onlyA)} and ${text(onlyB)}.`);
    }
    else if ([...onlyA, ...onlyB].some((t) => t.role !== 'middle' && !t.soft)) {
        list.push(`Only part of the name can be compared: ${text([...onlyA, ...onlyB])} has nothing to stand against.`);
    }
    if (a.generation && b.generation && a.generation !== b.generation) {
        list.push(`${suffixOf(a)} and ${suffixOf(b)} are usually parent and child.`);
    }
    return list;
}
