// Which word of one name belongs to which word of the other.
import { joinTokens } from './token.js';
import { relate } from './relate.js';
const worth = 0.05;
const firm = 0.6;
function cellsOf(a, b) {
    const cells = [];
    for (let i = 0; i < a.length; i++) {
        for (let j = 0; j < b.length; j++) {
            const related = relate(a[i], b[j]);
            if (related.quality <= worth)
                continue;
            const sameRole = a[i].role === b[j].role ? 0.02 : 0;
            cells.push({
                i,
                j,
                related,
                rank: related.quality + sameRole - (related.relation === 'initial' ? 0.3 : 0),
            });
        }
    }
    if (cells.length > 1)
        cells.sort((x, y) => y.rank - x.rank || Math.abs(x.i - x.j) - Math.abs(y.i - y.j) || x.i + x.j - y.i - y.j);
    return cells;
}
/** Words whose letters are just those of two neighbours on the other side: Maryann and Mary Ann. */
function writtenTogether(a, b, swapped) {
    for (let i = 0; i + 1 < a.length; i++) {
        const size = a[i].text.length + a[i + 1].text.length;
        for (let j = 0; j < b.length; j++) {
            const whole = b[j];
            if (whole.han || whole.prefix.length + whole.text.length < size)
                continue;
            const letters = a[i].text + a[i + 1].text;
            if (whole.text !== letters && whole.prefix + whole.text !== letters)
                continue;
            const rest = swapped
                ? align(without(b, j, 1), without(a, i, 2))
                : align(without(a, i, 2), without(b, j, 1));
            const pair = [a[i], a[i + 1]];
            rest.links.push({ a: swapped ? [whole] : pair, b: swapped ? pair : [whole], related: together });
            return rest;
        }
    }
    return undefined;
}
const together = { relation: 'joined', quality: 0.97 };
const without = (tokens, at, count) => tokens.filter((_, i) => i < at || i >= at + count);
/** Best pairs first; words that fit nothing stay alone. Joined and split words are tried on what is left. */
export function align(a, b) {
    const joinedUp = a.length === b.length
        ? undefined
        : a.length > b.length
            ? writtenTogether(a, b, false)
            : writtenTogether(b, a, true);
    if (joinedUp)
        return joinedUp;
    let takenA = 0;
    let takenB = 0;
    const links = [];
    const loose = [];
    for (const { i, j, related } of cellsOf(a, b)) {
        if (takenA & (1 << i) || takenB & (1 << j))
            continue;
        takenA |= 1 << i;
        takenB |= 1 << j;
        (related.quality >= firm ? links : loose).push({ a: [a[i]], b: [b[j]], related });
    }
    const free = (tokens, taken) => tokens.filter((_, i) => !(taken & (1 << i)));
    let onlyA = free(a, takenA);
    let onlyB = free(b, takenB);
    if (a.length !== b.length && (onlyA.length || onlyB.length)) {
        for (const link of loose) {
            onlyA.push(...link.a);
            onlyB.push(...link.b);
        }
        onlyA = a.filter((t) => onlyA.includes(t));
        onlyB = b.filter((t) => onlyB.includes(t));
        joinSplit(links, onlyA, onlyB, false);
        joinSplit(links, onlyB, onlyA, true);
        for (const link of loose) {
            const [i, j] = [onlyA.indexOf(link.a[0]), onlyB.indexOf(link.b[0])];
            if (i < 0 || j < 0)
                continue;
            onlyA.splice(i, 1);
            onlyB.splice(j, 1);
            links.push(link);
        }
    }
    else
        links.push(...loose);
    return { links, onlyA, onlyB };
}
/** `Mary Ann` against `Maryann`: one word of one side made of two neighbouring words of the other. */
function joinSplit(links, parts, wholes, swapped) {
    for (let k = 0; k < wholes.length; k++) {
        const whole = wholes[k];
        if (whole.initial)
            continue;
        for (let i = 0; i + 1 < parts.length; i++) {
            const related = joined(parts[i], parts[i + 1], whole);
            if (related.quality < firm)
                continue;
            const pair = [parts[i], parts[i + 1]];
            links.push({ a: swapped ? [whole] : pair, b: swapped ? pair : [whole], related });
            parts.splice(i, 2);
            wholes.splice(k--, 1);
            break;
        }
    }
}
function joined(one, two, whole) {
    const size = one.text.length + two.text.length;
    if (whole.text.length === 2 && whole.text === one.text[0] + two.text[0] && !whole.info)
        return { relation: 'initial', quality: 0.75 };
    if (whole.script === 'latin' &&
        one.script === 'latin' &&
        Math.abs(size + two.prefix.length - whole.text.length) > 3) {
        return { relation: 'different', quality: 0 };
    }
    const related = relate(joinTokens(one, two), whole);
    if (related.relation === 'equal')
        return { relation: 'joined', quality: 0.97 };
    return related;
}
