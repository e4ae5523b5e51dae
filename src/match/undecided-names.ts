// Names that differ from the name on record, but may still belong to the same person.
import type { Identity, NameMatch } from '../model.ts';
import {
  haveEastAsianAndEnglishGivenName,
  mayHaveEnglishGivenName,
  prepareName,
  type PreparedName,
} from '../names/index.ts';
import { writeInOneScript } from './disguise.ts';
import { createNameComparer } from './name.ts';

/**
 * Name agreement (0-100) to which `raiseAgreementsOfUndecidedNames` raises a match. If contacts belong to the identity, this agreement leads to a
 * score of 40 to 64 without the catfish flag.
 */
const UNDECIDED_AGREEMENT = 29;

/**
 * Raises the agreement of recorded names that differ from the submitted name, but may be the same person's. There are two cases: the names are equal
 * if look-alike letters are read in one script (an impostor may write a name so, too); or one name has an English given name in place of the Chinese
 * or Korean one, which is a common custom. If an identity has the submitted name, raises no agreement, and only marks the names of the second case.
 */
export function raiseAgreementsOfUndecidedNames(
  matches: Map<number, NameMatch>,
  name: PreparedName,
  identities: ReadonlyMap<number, Identity>,
): Map<number, NameMatch> {
  if ([...matches.values()].some(({ isSame }) => isSame)) return markSecondNames(matches, name);
  const oneScript = writeInOneScript(name.text);
  const compare = oneScript === name.text ? null : createNameComparer(prepareName(oneScript));
  for (const identity of identities.values()) {
    const known = matches.get(identity.id);
    if (!known || known.agreement >= UNDECIDED_AGREEMENT) continue;
    const isDisguised = compare?.(identity).isSame === true;
    if (!isDisguised && !hasEnglishGivenName(known, name)) continue;
    matches.set(identity.id, {
      ...known,
      agreement: UNDECIDED_AGREEMENT,
      sharedHalf: null,
      ...(isDisguised ? { difference: 'typo' } : {}),
    });
  }
  return matches;
}

/** Marks identities that may be the person under an English, Chinese or Korean given name, for a claim whose name another identity has. */
function markSecondNames(matches: Map<number, NameMatch>, name: PreparedName): Map<number, NameMatch> {
  for (const [id, match] of matches)
    if (hasEnglishGivenName(match, name)) matches.set(id, { ...match, mayBeSecondName: true });
  return matches;
}

const hasEnglishGivenName = ({ sharedHalf, closestName }: NameMatch, name: PreparedName): boolean =>
  sharedHalf === 'family' &&
  closestName !== null &&
  mayHaveEnglishGivenName(name) &&
  haveEastAsianAndEnglishGivenName(name, prepareName(closestName));
