import { nameParts, type PreparedName } from '../names/index.ts';

/** How much of a name agrees that the records write otherwise, where an e-mail of theirs spells the submitted one. */
const SPELT = { wholly: 30, withHalf: 45 };

/** How an e-mail is made of a name. */
export type Spelling = 'whole' | 'initial';

/**
 * Whether an e-mail is made of the name: given and family name before the @, or the given name's initial and the family name, and nothing
 * else but signs and digits.
 */
export function emailSpelling(email: string, name: PreparedName): Spelling | null {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/[^a-z]+/g, '');
  const parts = nameParts(name);
  const [given, family] = [parts.given.join(''), parts.family.join('')];
  if (given.length < 2 || family.length < 2) return null;
  if (local === given + family || local === family + given) return 'whole';
  const initial = given.charAt(0);
  return family.length > 3 && (local === initial + family || local === family + initial) ? 'initial' : null;
}

/** The agreement of a name with an identity that has such an e-mail, among so many. */
export function speltAgreement(agreement: number, { half, share }: { half: boolean; share: number }): number {
  const most = half ? SPELT.withHalf : SPELT.wholly;
  return agreement >= most ? agreement : agreement + (most - agreement) / share;
}
