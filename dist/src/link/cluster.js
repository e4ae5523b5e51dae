/**
 * Joins nodes along edges, strongest first, but never two clusters of which any two members conflict.
 * The result depends on the edges and the ranks only, not on the order of either.
 *
 * Returns the members of each cluster of two or more. Greedy agglomeration with cannot-link constraints (Davidson and Ravi 2005).
 */
export function cluster(edges, options) {
    const { rank, conflict } = options;
    const ordered = edges.map((edge) => {
        const [low, high] = [rank(edge.a), rank(edge.b)].sort();
        return { ...edge, order: `${low} ${high}` };
    });
    ordered.sort((x, y) => y.bits - x.bits || (x.order < y.order ? -1 : 1));
    const home = new Map();
    const of = (node) => home.get(node) ?? [node];
    for (const { a, b } of ordered) {
        const [one, two] = [of(a), of(b)];
        if (one === two || one.includes(b))
            continue;
        if (one.some((x) => two.some((y) => conflict(x, y))))
            continue;
        const joined = [...one, ...two];
        for (const node of joined)
            home.set(node, joined);
    }
    return [...new Set(home.values())];
}
