import type { RecordRow, RecordTable } from '../graph/sqlite/records.ts';
import type { Vault } from '../graph/vault.ts';
import type { Noise } from './noise.ts';
import type { PairVerdict } from './evidence.ts';
export interface Why extends PairVerdict {
    /** Did the two records end in one identity? They may through others, though this pair alone would not join. */
    together: boolean;
    needed: number;
}
/** Compares two records just as linking does, and gives the weighed evidence. Reads every record once, for the rarities. */
export declare function explainPair(options: {
    table: RecordTable;
    vault: Vault;
    a: RecordRow;
    b: RecordRow;
    noise: Noise;
}): Why;
