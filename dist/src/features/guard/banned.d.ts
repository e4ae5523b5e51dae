import type { Facts } from '../plugin/facts.ts';
/** What in a text is banned: one sentence each, for the model's second try. */
export declare function bannedIn(text: string, { score }: Partial<Facts>): string[];
