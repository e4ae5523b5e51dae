// Calls that carried an Idempotency-Key, over all servers: one round trip, `begin_1`.
import { fingerprinter, inProgress, mismatch } from '../../../accounts/idempotency.ts';
import type { CallStore } from '../../serving.ts';
import type { Ask } from './ask.ts';

interface Begun {
  /** The id that an earlier try was counted under. */
  counted?: string;
  /** Whether the kept request is this one. */
  same?: boolean;
  /** Whether this one is worked on from now on. */
  begun: boolean;
}

interface Options {
  ask: Ask;
  /** 32 bytes under which fingerprints are made. */
  secret: Buffer;
  keepMs: number;
}

/** Begins tries of calls with an Idempotency-Key; see `ValidateDeps`. */
export function retriesOf({ ask, secret, keepMs }: Options): CallStore['retries'] {
  const printOf = fingerprinter(secret);
  return {
    async begin({ requestId, caller, now }, { key, target, body }) {
      const print = printOf({ account: caller.keyId, key }, { target, body: body() });
      const spend = { ...print, expires: now + keepMs };
      const answer = await ask<Begun>('begin_1($1, $2, $3, $4)', [print.key, print.request, requestId, now]);
      const { counted = null, same = true, begun = false } = answer ?? {};
      // What cannot be said now ends by itself.
      const end = () => void (begun && ask('end_1($1, $2)', [print.key, requestId]).catch(() => undefined));
      if (same && (begun || counted !== null)) return { counted, spend, end };
      end();
      throw same ? inProgress() : mismatch();
    },
  };
}
