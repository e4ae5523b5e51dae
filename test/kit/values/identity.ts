import type { Identity } from '../../../src/model.ts';

/** Returns an identity of one record without dates, with these names. */
export const createIdentity = (id: number, ...names: string[]): Identity => ({
  id,
  names,
  firstSeen: null,
  lastSeen: null,
  records: 1,
  sources: 1,
});
