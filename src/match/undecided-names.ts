// Names that neither are the name on record nor a stranger's.
import type { Identity, NameMatch } from '../model.ts';
import { haveChineseAndEnglishGivenName, prepareName, type PreparedName } from '../names/index.ts';
import { writeInOneScript } from './disguise.ts';
import { createNameComparer } from './name.ts';

/** Agreement (0-100) with which contacts of the identity give a score of 40 to 64 and no flag. */
const UNDECIDED_AGREEMENT = 29;

/**
 * Raises the agreement of other names that may still be the person's. Two cases: the name equals the recorded one if its look-alike letters are read
 * in one script (an impostor may copy a name, too), and a Chinese given name has an English one in its place, as is a common custom. Raises nothing
 * if an identity has the name. The rules for relatives do not apply to these names.
 */
export function raiseUndecidedNames(
  matches: Map<number, NameMatch>,
  name: PreparedName,
  identities: ReadonlyMap<number, Identity>,
): Map<number, NameMatch> {
  if ([...matches.values()].some(({ isSame }) => isSame)) return matches;
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

const hasEnglishGivenName = ({ sharedHalf, closestName }: NameMatch, name: PreparedName): boolean =>
  sharedHalf === 'family' &&
  closestName !== null &&
  haveChineseAndEnglishGivenName(name, prepareName(closestName));
