// How many calls may be worked on at a time.
import { BonafideError } from '../errors.ts';
import { MOST_IN_FLIGHT } from './limits/policies.ts';

export interface InFlight {
  /** Takes a call on. Errors: overloaded, at once: who is turned away may go elsewhere, who waits unknown cannot. */
  enter(keyId: string): void;
  leave(keyId: string): void;
  /** How many are being worked on. */
  count(): number;
  /** How many calls of a key are worked on. */
  of(keyId: string): number;
}

/** What a call is told for which its key has too many others that are worked on. */
export const tooMany = (most: number) =>
  new BonafideError('overloaded', `At most ${most} calls of a key are worked on at a time.`);

/** What a call is told where too many of all keys are worked on. */
export const tooManyInAll = () =>
  new BonafideError('overloaded', 'Too many calls are being worked on. Try again shortly.');

/** Bounds the calls of one key, and of all keys, that are worked on at a time. */
export function boundInFlight({ perKey = MOST_IN_FLIGHT, total = 1024 } = {}): InFlight {
  const own = new Map<string, number>();
  let all = 0;
  return {
    enter(keyId) {
      const before = own.get(keyId) ?? 0;
      if (before >= perKey) throw tooMany(perKey);
      if (all >= total) throw tooManyInAll();
      all++;
      own.set(keyId, before + 1);
    },
    leave(keyId) {
      const before = own.get(keyId) ?? 0;
      all--;
      if (before > 1) own.set(keyId, before - 1);
      else own.delete(keyId);
    },
    count: () => all,
    of: (keyId) => own.get(keyId) ?? 0,
  };
}
