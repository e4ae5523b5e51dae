import type { ErrorCode } from '../../errors.ts';
import type { Row } from './write.ts';
/** To the writer: a batch of calls to commit together, or null to close. */
export type ToWriter = Row[] | null;
/** From the writer: `committed` null, or the code and sentence of what failed (then nothing of the batch is kept). */
export interface FromWriter {
    failed: {
        code: ErrorCode;
        message: string;
    } | null;
}
