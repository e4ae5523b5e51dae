import type { IdentityGraph } from './graph/graph.ts';
import type { Claim, Verdict } from './model.ts';
export interface CheckDeps {
    graph: IdentityGraph;
    /** ISO country in which numbers and addresses without a country are read. */
    region: string;
}
/**
 * One check, top to bottom: normalise what was submitted, resolve it in the graph, compare, score, put the answer together.
 * The verdict is a function of the claim, what the graph holds, and the scoring model.
 *
 * Errors: those of the graph (`graph_unavailable`, `graph_bad_response`, `graph_timeout`).
 */
export declare function check(claim: Claim, { graph, region }: CheckDeps): Promise<Verdict>;
