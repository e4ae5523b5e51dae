import type { Facts } from 'bonafide/plugin';
type Intent = Facts['intent'];
/** What the facts amount to; see `situationOf`. */
export type Situation = 'strong' | 'fair' | 'weak' | 'young' | 'conflict' | 'other_name' | 'catfish' | 'nothing' | 'name_only';
/** How far to go along: the tone of headline and advice. */
export type Tier = 'go' | 'care' | 'stop' | 'unknown';
/** How the summary begins; evidence follows after a colon. */
export declare const leads: Record<Intent, Record<Situation, string>>;
/** Second sentence of the overview. */
export declare const headlines: Record<Intent, Record<Tier, string>>;
/** What to do about it, most useful first. */
export declare const advice: Record<Intent, Record<Tier, readonly string[]>>;
/** Kinds of observation that matter most for an intent, first things first. */
export declare const weighs: Record<Intent, readonly string[]>;
export {};
