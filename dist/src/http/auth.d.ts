import type { Caller, Scope } from '../model.ts';
export type FindKey = (key: string, now: number) => Caller | null;
/**
 * The caller behind `X-API-Key: KEY` or `Authorization: Bearer KEY`. Both may be sent if they agree.
 * Throws missing_api_key, invalid_api_key.
 */
export declare function authenticate(headers: Headers, findKey: FindKey, now: number): Caller;
/** Throws forbidden where the key may not do what the scope stands for. */
export declare function requireScope(caller: Caller, scope: Scope): void;
