// Finds names that agree with the submitted name, but may be a relative's.
import type { NameMatch } from '../model.ts';
import {
  comparePreparedNames,
  listPossibleGenerations,
  listPossibleSuffixWords,
  prepareName,
  type PreparedName,
  splitGivenAndFamilyName,
} from '../names/index.ts';
import { HALF_AGREEMENT } from './name-halves.ts';
import { OTHER_GENERATION } from './name.ts';

/**
 * Returns the matches with a parent or child of the same name, as matches of another person: identities with another suffix than the submitted name
 * (Jr) has or may have. If one identity has the submitted suffix on record, an identity with the same name but without a suffix is another
 * generation, too. It is not if a word of the submitted name may be the suffix or a name or title: Carlos Neto Silva, Sr. Juan Lopez.
 */
export function findOtherGenerationNames(
  names: ReadonlyMap<number, NameMatch>,
  submitted: PreparedName,
): [identity: number, match: NameMatch][] {
  const possible = listPossibleGenerations(submitted);
  if (possible.length === 0) return [];
  const sameNames = [...names].filter(([, name]) => name.isSame);
  const generation = possible.find((one) => sameNames.some(([, name]) => name.generation === one));
  const words = submitted.generation > 0 ? [] : listPossibleSuffixWords(submitted);
  const isOther = ({ generation: suffix = 0, closestName }: NameMatch) => {
    if (suffix === 0) return generation !== undefined && submitted.generation > 0;
    // On record, the word is a name beside the suffix: Carlos Neto Silva Filho.
    if (words.length > 0 && prepareName(closestName ?? '').tokens.some(({ text }) => words.includes(text)))
      return false;
    if (generation !== undefined) return suffix !== generation;
    return words.length > 0 && !possible.includes(suffix);
  };
  return sameNames
    .filter(([, name]) => isOther(name))
    .map(([id, name]) => [id, { ...name, ...OTHER_GENERATION }]);
}

/** If more identities have exactly the submitted name, other forms of it are not taken for names of relatives. */
const MAX_EXACT_BEARERS = 10;

/**
 * Finds names that are forms of the submitted name but may be a relative's. Returns their matches as matches of another person. There are two
 * cases: another given name (Ian Hale for Evan Hale) beside exactly the submitted name, and a middle name in place of the first name (James
 * Hale for Evan James Hale) beside a relative with this first name, whose name agrees more. Returns none if more than `MAX_EXACT_BEARERS`
 * identities have exactly the submitted name. @param bearers number of identities with exactly this name. @param areNear true for two
 * identities of one household
 */
export function findNamesOfRelatives(
  names: ReadonlyMap<number, NameMatch>,
  submitted: PreparedName,
  bearers: number,
  areNear: (one: number, other: number) => boolean,
): [identity: number, match: NameMatch][] {
  if (bearers > MAX_EXACT_BEARERS) return [];
  const sameNames = [...names].filter(([, name]) => name.isSame);
  if (sameNames.length < 2) return [];
  const isOnRecord = sameNames.some(([, name]) => name.variation === 'exact');
  const middleNames = new Set(sameNames.filter(([, name]) => hasOtherFirstName(name, submitted)));
  const isHeldByRelative = ([holder, match]: [number, NameMatch]) =>
    sameNames.some(
      (bearer) =>
        !middleNames.has(bearer) &&
        (bearer[1].variation === 'exact' || bearer[1].agreement > match.agreement) &&
        (areNear(bearer[0], holder) || hasFirstNameOf(bearer[1], match)),
    );
  const kinship = splitGivenAndFamilyName(submitted).family.isCommon ? 0 : 1;
  const { family: agreement } = HALF_AGREEMENT;
  return sameNames
    .filter((one) => (isOnRecord && one[1].mayBeRelative) || (middleNames.has(one) && isHeldByRelative(one)))
    .map((one) => [
      one[0],
      {
        ...one[1],
        isSame: false,
        agreement,
        sharedHalf: 'family',
        kinship,
        variation: 'no_match',
        ...(middleNames.has(one) ? { mayBeSecondName: true } : {}),
      },
    ]);
}

/**
 * True if the recorded first name has no counterpart in the submitted name (James Hale for Evan James Hale), or is another word of it although
 * the family names agree (James Evan Hale).
 */
function hasOtherFirstName({ closestName }: NameMatch, submitted: PreparedName): boolean {
  if (!closestName || closestName === submitted.text) return false;
  const recorded = prepareName(closestName);
  const { alignment } = comparePreparedNames(submitted, recorded);
  const counterpartOf = (word: string | undefined) => alignment.find(({ b }) => b === word)?.a;
  const first = counterpartOf(findFirst(recorded));
  if (first === undefined || first === '') return first === '';
  return first !== findFirst(submitted) && counterpartOf(findLast(recorded)) === findLast(submitted);
}

/** True if a name contains the first name of another one: James Evan Hale for Evan James Hale. */
function hasFirstNameOf({ closestName }: NameMatch, { closestName: other }: NameMatch): boolean {
  const first = findFirst(prepareName(other ?? ''));
  return prepareName(closestName ?? '').tokens.some(({ raw }) => raw === first);
}

const findFirst = ({ tokens }: PreparedName) => tokens.find(({ role }) => role === 'given')?.raw;
const findLast = ({ tokens }: PreparedName) => tokens.findLast(({ role }) => role === 'family')?.raw;
