import { nameParts, type PreparedName } from '../names/index.ts';

/** How much of a name agrees that the records write otherwise, where an e-mail of theirs spells the submitted one. */
const SPELT = { wholly: 30, withHalf: 45 };

/** Whether an e-mail is made of the name: given and family name before the @, and nothing else but signs and digits. */
export function spells(email: string, name: PreparedName): boolean {
  const local = email.slice(0, email.lastIndexOf('@')).replace(/[^a-z]+/g, '');
  const parts = nameParts(name);
  const [given, family] = [parts.given.join(''), parts.family.join('')];
  if (given.length < 2 || family.length < 2) return false;
  return local === given + family || local === family + given;
}

/** The agreement of a name with an identity that has such an e-mail, among so many. */
export function speltAgreement(agreement: number, { half, share }: { half: boolean; share: number }): number {
  const most = half ? SPELT.withHalf : SPELT.wholly;
  return agreement >= most ? agreement : agreement + (most - agreement) / share;
}
