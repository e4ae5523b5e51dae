/** Two records that the pair comparison holds for one person. `bits` is the strength. */
export interface Edge {
    a: number;
    b: number;
    bits: number;
}
export interface ClusterOptions {
    /** The order that does not depend on the order of import: a string per node. */
    rank(node: number): string;
    /** May these two nodes never be in one cluster? */
    conflict(a: number, b: number): boolean;
}
/**
 * Joins nodes along edges, strongest first, but never two clusters of which any two members conflict.
 * The result depends on the edges and the ranks only, not on the order of either.
 *
 * Returns the members of each cluster of two or more. Greedy agglomeration with cannot-link constraints (Davidson and Ravi 2005).
 */
export declare function cluster(edges: Edge[], options: ClusterOptions): number[][];
