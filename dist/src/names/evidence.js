import { sexOf } from './gender.js';
import { MALE } from './lexicon.js';
import { rarity } from './rarity.js';
function full(tokens) {
    return tokens.filter((t) => !t.initial && !t.soft);
}
/**
 * Likelihood 0-1 that two aligned names are one person's: every link and every lone word multiplies it down.
 */
export function evidence(a, b, { links, onlyA, onlyB }) {
    let product = 1;
    let whole = 0;
    let ends = 0;
    let initials = 1;
    for (const { related, a: left, b: right } of links) {
        product *= related.quality;
        if (left[0].initial || right[0].initial)
            initials *= left[0].role === right[0].role ? 1 : 0.8;
        else
            whole++;
        if (related.quality < 0.3)
            continue;
        for (const t of left)
            ends |= bit(t);
        for (const t of right)
            ends |= bit(t) << 2;
    }
    if (whole === 0)
        return links.length > 0 ? product * 0.15 : 0;
    if (lostGiven(links, onlyA) || lostGiven(links, onlyB))
        product *= 0.12;
    product *= initials * loneWords(onlyA, onlyB, a, b);
    if (whole === 1 && full(onlyA).length + full(onlyB).length + initialsOf(onlyA, onlyB) > 0)
        product *= single(a, b, links, onlyA.concat(onlyB));
    else if (onlyA.length + onlyB.length > 0 && !(covers(ends) && covers(ends >> 2)))
        product *= 0.8;
    if (whole > 1 && links.every((link) => link.related.quality > 0.9))
        product *= 0.985 + 0.015 * rarest(links);
    return product * (swapped(links, a, b) ? 0.96 : 1);
}
const bit = (t) => (t.role === 'given' ? 1 : t.role === 'family' ? 2 : 0);
const covers = (ends) => (ends & 3) === 3;
/** An initial agrees with the other side's given name while its own given name has no partner: Ann B Lee, Beth Lee. */
function lostGiven(links, lone) {
    if (!lone.some((t) => t.role === 'given' && !t.initial && !t.soft))
        return false;
    return links.some(({ a, b }) => a[0].initial !== b[0].initial && (a[0].role === 'given' || b[0].role === 'given'));
}
/** Initials without a partner. */
const initialsOf = (a, b) => [...a, ...b].filter((t) => t.initial).length;
/** Only one whole word agrees: `Smith` against `John Smith`, `J Smith` against `Ann J Smith`. */
function single(a, b, links, lone) {
    if (a.length === 1 && b.length === 1)
        return 1;
    if (links.length > 1)
        return lone.some((t) => t.role === 'given' && !t.initial) ? 0.35 : 0.7;
    return 0.22 + 0.14 * rarest(links);
}
/** How rare the rarest agreeing word is, 0-1. */
function rarest(links) {
    let most = 0;
    for (const { a } of links)
        if (!a[0].initial)
            most = Math.max(most, rarity(a[0]));
    return most;
}
/** A word missing on one side is common; words that stand against each other are two people's. */
function loneWords(onlyA, onlyB, a, b) {
    if (onlyA.length + onlyB.length === 0)
        return 1;
    // A word that may be a title is one only while nothing stands against it.
    const facing = onlyA.length > 0 && onlyB.length > 0;
    const wholeA = facing ? onlyA.filter((t) => !t.initial) : full(onlyA);
    const wholeB = facing ? onlyB.filter((t) => !t.initial) : full(onlyB);
    if (wholeA.length === 0 || wholeB.length === 0) {
        const clash = onlyA.length > 0 && onlyB.length > 0 ? (wholeA.length + wholeB.length ? 0.45 : 0.3) : 1;
        return clash * 0.98 ** (onlyA.length + onlyB.length);
    }
    const lone = [...wholeA, ...wholeB];
    if (lone.some((t) => t.role === 'given'))
        return 0.03;
    if (lone.some((t) => t.role === 'family'))
        return Math.min(a.length, b.length) > 2 ? 0.3 : givenOfMan(a) ? 0.1 : 0.16;
    return 0.35;
}
/** A man's family name seldom changes; a woman's may by marriage. */
const givenOfMan = (tokens) => tokens.some((t) => t.role === 'given' && sexOf(t) === MALE);
function swapped(links, a, b) {
    if (a.length < 2 || b.length < 2)
        return false;
    return links.some((link) => link.a[0].role === 'given' && link.b[0].role === 'family');
}
