// The alphabet of coarse sounds, and what it costs to read one as another or to leave one out.
//
// A base sound is a phoneme class. A symbol is what a letter of some script may stand for: a set of base sounds with a
// cost each, so that the `j` of Jorge, Jan and James, or the Arabic waw of Walid and Nur, is one symbol. The costs are
// judgements on how often two orthographies disagree in that way; they come from no corpus.
const bases = 'pbtdkgfvszSZCJThXmnNrlwyDaeiou';
const vowels = 'aeiou';
/** Consonants that orthographies confuse, with the cost of the confusion; every other pair costs 1. */
const confusions = {
    0.1: 'ZJ vw uw iy NnX',
    0.15: 'sz Dt ei ou',
    0.2: 'hX Tz DT',
    0.25: 'SZ CJ Ts Xk pf Ss Dd Ds bv ae ao gX',
    0.3: 'pb td kg Tt DJ Dz gh fv CS TC ZC',
    0.35: 'zJ zS Jy kh eo eu iu ow zZ',
    0.45: 'mn Jg rl Ct Ck au ai io fh Jd kC Df SX lw ey',
    0.6: 'dz wb dr lr ln nl gy hy kX',
};
/** symbol -> base sounds with costs; then the cost of leaving it out. */
const letters = {
    1: ['a0 e.25', 0.12],
    2: ['e0 i.1 a.2', 0.12],
    3: ['i0 e.1 y0', 0.1],
    4: ['o0 u.05', 0.12],
    5: ['u0 o.05 w0', 0.12],
    6: ['e0 a.15 i.15', 0.05],
    U: ['u0 o.1 e.2 a.2 i.2', 0.02],
    O: ['o0 a.15 u.15 e.2', 0.04],
    I: ['i0 e.1', 0.08],
    A: ['a0 e.05 o.05 i.1 u.1', 0.08],
    E: ['y0 i0 e.02 a.4', 0.45],
    V: ['w0 v0 u0 o0', 0.45],
    '@': ['o0 e.05 u.05 a.1', 0.3],
    c: ['s0.03 T.08 C.1 k.2', 0.8],
    K: ['C0.03 k.12 X.1 S.15 h.25', 0.8],
    j: ['J0.03 y.05 h.15 X.12 Z.05', 0.7],
    G: ['g0.03 J.05 h.2 X.15 Z.1', 0.8],
    Y: ['g0 X.1 h.2', 0.25],
    x: ['k.1 s.1 S.05 z.1 X.15 h.2 J.3', 0.8],
    q: ['k0 g.1 C.15', 0.8],
    H: ['h0 X.1', 0.25],
    R: ['r0 l0', 0.6],
    $: ['r0 l.35', 0.12],
    7: ['t0 d.25', 0.4],
    8: ['s0 z.1 S.2', 0.4],
    9: ['d0 t.15', 0.45],
    0: ['C0 T.03 s.2 J.15', 0.8],
    ';': ['t0 C.05', 0.8],
    '.': ['J.03 z.03 T.05 d.3', 0.8],
    B: ['b0 v.03', 0.8],
    F: ['f0 h.05 v.2', 0.7],
    P: ['p0 f.03', 0.8],
    L: ['l0 w.15 r.3', 0.4],
    M: ['n0 m.08 N0', 0.5],
    W: ['w0 v.05 u0', 0.2],
    '<': ['k0 g0 q.1', 0.8],
    '>': ['t0 d0 D.05', 0.8],
    '=': ['p0 b0 v.08 f.2', 0.8],
    '?': ['J0 C0.05 Z0 z.1 S.3', 0.8],
    '!': ['s0 S.03 D.08 z.1', 0.8],
    ':': ['S0 s.05', 0.8],
    '%': ['z0 J.1 D.08 s.1 d.2', 0.8],
    '^': ['t0 D0 s.15 d.15', 0.5],
    '~': ['d0 z.02 D0', 0.8],
    '&': ['k0 g.05 h.3', 0.8],
    '*': ['t.1 d.15 s.15 z.2 p.25', 0.3],
    '+': ['J.03 d.12 y.1 g.15 k.2', 0.8],
    '/': ['S0 h.1 X.1 s.05 C.15', 0.8],
    '(': ['h0 g.12 X0 k.25', 0.5],
    ')': ['T0 c0 z.05 s.1 C.12 t.2', 0.8],
    '"': ['b0 v.03 f.25 p.1', 0.8],
    "'": ['g0 h.08 X.1', 0.7],
    ',': ['r0 l0 e.1 a.2', 0.35],
    '-': ['N0 n0 m.1', 0.35],
};
/** Short vowels go unwritten; half a diphthong, like the letters for long vowels, seldom does. */
function bareDrop(symbol, vowel, drop) {
    if (/[1-5]/.test(symbol))
        return 0.45;
    return vowel && !/[EV]/.test(symbol) ? Math.min(drop, 0.04) : drop;
}
/** Letters that Latin spellings add and leave out freely. */
const latinDrop = {
    H: 0.2,
    1: 0.15,
    2: 0.15,
    3: 0.12,
    4: 0.15,
    5: 0.15,
    6: 0.3,
    W: 0.3,
    Y: 0.5,
};
const first = 33;
/** The vowel that the letters of India carry without writing it. */
const lastR = '$'.charCodeAt(0) - first;
const inherent = 'a'.charCodeAt(0) - first;
const span = 94;
const baseDrop = {
    h: 0.25,
    X: 0.6,
    w: 0.3,
    y: 0.2,
    N: 0.6,
    n: 0.6,
    r: 0.45,
    l: 0.6,
    a: 0.32,
    e: 0.28,
    i: 0.3,
    o: 0.3,
    u: 0.28,
};
function baseTable() {
    const plain = (x, y) => {
        if (x === y)
            return 0;
        if (vowels.includes(x) !== vowels.includes(y))
            return 1.1;
        return vowels.includes(x) ? 0.4 : 1;
    };
    const table = [...bases].map((x) => [...bases].map((y) => plain(x, y)));
    for (const [cost, pairs] of Object.entries(confusions)) {
        for (const pair of pairs.split(' ')) {
            const [x, y] = [bases.indexOf(pair[0]), bases.indexOf(pair[1])];
            table[x][y] = table[y][x] = Number(cost);
        }
    }
    return table;
}
function symbols() {
    const all = new Map();
    for (const base of bases) {
        const vowel = vowels.includes(base);
        const drop = baseDrop[base] ?? 0.8;
        all.set(base, {
            reads: [[bases.indexOf(base), 0]],
            drop,
            dropBare: vowel ? 0.04 : drop,
            dropLatin: vowel ? 0.4 : base === 'y' ? 0.2 : 0.8,
            weight: vowel ? 0.4 : 1,
        });
    }
    for (const [symbol, [reads, drop]] of Object.entries(letters)) {
        const list = reads.split(' ').filter((r) => bases.includes(r[0]));
        const vowel = /[1-6UOIAE@V]/.test(symbol);
        all.set(symbol, {
            reads: list.map((r) => [bases.indexOf(r[0]), Number(r.slice(1))]),
            drop,
            dropBare: bareDrop(symbol, vowel, drop),
            dropLatin: latinDrop[symbol] ?? Math.max(drop, vowel ? 0.2 : 0.7),
            weight: /[UOIA1-6]/.test(symbol) ? 0.2 : vowel ? 0.4 : Math.max(0.4, Math.min(1, drop + 0.2)),
        });
    }
    return all;
}
function build() {
    const table = baseTable();
    const all = [...symbols()].map(([letter, symbol]) => ({ at: letter.charCodeAt(0) - first, ...symbol }));
    const costs = {
        swap: new Float32Array(span * span).fill(1.1),
        drop: {
            full: new Float32Array(span).fill(0.8),
            eastern: new Float32Array(span).fill(0.8),
            bare: new Float32Array(span).fill(0.8),
            indic: new Float32Array(span).fill(0.8),
            latin: new Float32Array(span).fill(0.8),
        },
        weight: new Float32Array(span).fill(1),
    };
    for (let x = 0; x < all.length; x++) {
        const left = all[x];
        costs.drop.eastern[left.at] = left.drop;
        const spoken = left.at === lastR ? 0.45 : left.drop;
        costs.drop.full[left.at] = spoken;
        costs.drop.bare[left.at] = left.at === lastR ? spoken : left.dropBare;
        costs.drop.latin[left.at] = left.dropLatin;
        costs.drop.indic[left.at] = left.at === inherent ? 0.03 : spoken;
        costs.weight[left.at] = left.weight;
        costs.swap[left.at * span + left.at] = 0;
        for (let y = 0; y < x; y++) {
            const right = all[y];
            const least = nearest(left.reads, right.reads, table);
            costs.swap[left.at * span + right.at] = least;
            costs.swap[right.at * span + left.at] = least;
        }
    }
    return costs;
}
function nearest(a, b, table) {
    let least = 2;
    for (const p of a) {
        for (const q of b) {
            const cost = table[p[0]][q[0]] + p[1] + q[1];
            if (cost < least)
                least = cost;
        }
    }
    return least;
}
let built;
const longest = 48;
const rows = [new Float32Array(longest + 1), new Float32Array(longest + 1)];
/**
 * Distance of two sounds, 0 (alike) upwards; about 1 when nothing agrees. A difference in the first sound counts half as
 * much again. Of sounds further apart than `far` no more is told than that they are.
 */
export function soundDistance(a, b, mode, far = Infinity) {
    const { swap, drop, weight } = (built ??= build());
    const n = Math.min(a.length, longest);
    const m = Math.min(b.length, longest);
    if (n === 0 || m === 0)
        return 1;
    const leave = drop[mode];
    let [old, row] = rows;
    let total = 0;
    for (let j = 0; j < m; j++)
        total += weight[b.charCodeAt(j) - first];
    for (let i = 0; i < n; i++)
        total += weight[a.charCodeAt(i) - first];
    const most = (far * Math.max(total, 1.5)) / 2;
    old[0] = 0;
    for (let j = 1; j <= m; j++) {
        const y = b.charCodeAt(j - 1) - first;
        old[j] = old[j - 1] + leave[y] * (j === 1 ? 1.4 : 1);
    }
    for (let i = 1; i <= n; i++) {
        const x = a.charCodeAt(i - 1) - first;
        const out = leave[x] * (i === 1 ? 1.4 : 1);
        row[0] = old[0] + out;
        let least = row[0];
        for (let j = 1; j <= m; j++) {
            const y = b.charCodeAt(j - 1) - first;
            const change = swap[x * span + y] * (i === 1 && j === 1 ? 1.5 : 1);
            let cost = old[j - 1] + change;
            const without = old[j] + out;
            if (without < cost)
                cost = without;
            const lacking = row[j - 1] + leave[y] * (j === 1 ? 1.4 : 1);
            row[j] = lacking < cost ? lacking : cost;
            if (row[j] < least)
                least = row[j];
        }
        if (least > most)
            return Infinity;
        [old, row] = [row, old];
    }
    return (2 * old[m]) / Math.max(total, 1.5);
}
