import type { H3Event } from 'h3';
import { BonafideError } from '../errors.ts';
import type { Caller } from '../model.ts';
import { exchangeOf } from './answer.ts';

export type FindKey = (key: string, now: number) => Caller | null;

/** Who asks; the log line tells which key. Errors: those of `authenticate`. */
export function authenticated(event: H3Event, findKey: FindKey): Caller {
  const { now, line } = exchangeOf(event);
  const caller = authenticate(event.req.headers, findKey, now);
  line.keyId = caller.keyId;
  return caller;
}

/**
 * The caller behind `X-API-Key: KEY` or `Authorization: Bearer KEY`. Both may be sent if they agree.
 *
 * Errors: missing_api_key, invalid_api_key.
 */
function authenticate(headers: Headers, findKey: FindKey, now: number): Caller {
  const own = headers.get('x-api-key')?.trim() || null;
  const bearer = /^Bearer +(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null;
  const key = own ?? bearer;
  if (key === null) {
    throw new BonafideError(
      'missing_api_key',
      'Send an API key as X-API-Key: KEY or as Authorization: Bearer KEY.',
    );
  }
  if (own !== null && bearer !== null && own !== bearer)
    throw new BonafideError('invalid_api_key', 'X-API-Key and Authorization carry different keys.');
  const caller = findKey(key, now);
  if (!caller)
    throw new BonafideError('invalid_api_key', 'The API key is mistyped, unknown, revoked or expired.');
  return caller;
}
