// Parses bodies as the API does, and returns the issues of rejected bodies.
import { parseJsonObject } from '../../src/claim/json.ts';
import { parseClaim } from '../../src/claim/parse.ts';
import { BonafideError } from '../../src/errors.ts';
import type { ContactKind } from '../../src/model.ts';

export const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
export const claimOf = (body: unknown) => parseClaim(parseJsonObject(bytes(body)), 'US');
/** Returns the claim with the inputs of its contacts, by kind. */
export function parse(body: unknown) {
  const { contacts, ...claim } = claimOf(body);
  const inputs = (wanted: ContactKind) =>
    contacts.filter(({ kind }) => kind === wanted).map(({ input }) => input);
  return { ...claim, emails: inputs('email'), phones: inputs('phone'), addresses: inputs('address') };
}

export function problemOf(body: unknown) {
  try {
    parse(body);
  } catch (error) {
    if (error instanceof BonafideError) return { code: error.code, errors: error.details.issues };
    throw error;
  }
  return undefined;
}
export const issuesOf = (body: unknown) =>
  (problemOf(body)?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
