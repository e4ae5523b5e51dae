import type { Confidence } from '../../../model.ts';
/** One letter per contact: p primary, s secondary, d different, u unverified. */
export interface Pattern {
    title: string;
    score: number;
    confidence: Confidence;
    name: 'p' | 's' | 'd' | 'u';
    email?: string;
    phone?: string;
    address?: string;
    catfish?: boolean;
    identities?: number;
    /** Days since first and last seen. */
    history?: [first: number, last: number];
}
export declare const PATTERNS: readonly Pattern[];
