import type { Store } from './open.ts';
export { monthOf } from './write.ts';
/** How many accepted calls an account has made in a month (`2026-11`); 0 where none. */
export declare function callsIn(store: Store, account: string, month: string): number;
