import type { ContactEvidence, NameAgreement } from '../model.ts';
import { nameParts, type PreparedName } from '../names/index.ts';

/**
 * A name that is misspelt in both its halves is one that the engine, knowing nothing else, calls another; so is one half of whose words the
 * records replace, though an e-mail of theirs spells it. Where contacts of several kinds belong to the same identity, and to few others, it
 * is called the same: nobody else's name looks so much like it by chance.
 */
export function withContactSupport(
  names: ReadonlyMap<number, NameAgreement>,
  contacts: readonly ContactEvidence[],
): Map<number, NameAgreement> {
  return new Map(
    [...names].map(([id, name]) => [id, isDoubtful(name) ? vouchedFor(name, kindsOf(contacts, id)) : name]),
  );
}

/** Both halves agree, each but for typing errors; or one does, and an e-mail spells both. */
const isDoubtful = ({
  isSame: same,
  sharedHalf: half,
  isSpeltByEmail: spelt,
  isNameless: nameless,
  agreement,
  closestName: text,
}: NameAgreement) => !same && (half === null || spelt) && !nameless && text !== null && agreement >= LEAST;

/** Less likeness than this is chance. */
const LEAST = 18;
/** From so many kinds on, each counted by how few share the value, the name is the same; below, it approaches that. */
const KINDS = { from: 1, enough: 1.5, most: 3 };
/** How much agrees of a name that is called the same so: as soon as that is enough, and with all kinds; and of one that just is not. */
const SAME = { enough: 55, most: 75 };
const NEARLY = 48;

function vouchedFor(name: NameAgreement, kinds: number): NameAgreement {
  const variation = name.isSpeltByEmail ? 'partial' : 'typo';
  if (kinds >= KINDS.enough)
    return { ...name, isSame: true, sharedHalf: null, agreement: surer(kinds), variation };
  const share = Math.max(0, (kinds - KINDS.from) / (KINDS.enough - KINDS.from));
  return { ...name, agreement: Math.max(name.agreement, name.agreement + share * (NEARLY - name.agreement)) };
}

function surer(kinds: number): number {
  return SAME.enough + ((SAME.most - SAME.enough) * (kinds - KINDS.enough)) / (KINDS.most - KINDS.enough);
}

function kindsOf(contacts: readonly ContactEvidence[], id: number): number {
  const most = new Map<string, number>();
  for (const { kind, agreements } of contacts)
    for (const { identity, share } of agreements)
      if (identity === id) most.set(kind, Math.max(most.get(kind) ?? 0, 2 / (1 + share)));
  let kinds = 0;
  for (const one of most.values()) kinds += one;
  return kinds;
}

/** How much of a name agrees that the records write otherwise, where an e-mail of theirs spells the submitted one. */
const SPELT = { wholly: 30, withHalf: 45 };

/** How an e-mail is made of a name. */
type Spelling = 'whole' | 'initial';

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
