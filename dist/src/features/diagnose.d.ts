import type { FeatureErrorCode } from './plugin/errors.ts';
import type { Ready } from './setup.ts';
export interface Diagnosis {
    feature: string;
    model: string;
    ok: boolean;
    ms: number;
    code?: FeatureErrorCode;
    /** One or two sentences: what happened and what to do. */
    says: string;
}
/** Asks one feature's model one question, as a request would. Never rejects. */
export declare function diagnose(ready: Ready, now: number): Promise<Diagnosis>;
