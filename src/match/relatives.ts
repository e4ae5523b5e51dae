// Finds names that agree with the submitted name, but may be a relative's.
import type { ContactMatch, Identity, NameMatch } from '../model.ts';
import {
  comparePreparedNames,
  listPossibleGenerations,
  listPossibleSuffixWords,
  prepareName,
  type PreparedName,
  splitGivenAndFamilyName,
} from '../names/index.ts';
import { HALF_AGREEMENT } from './name-halves.ts';
import { createNameComparer, OTHER_GENERATION_MATCH } from './name.ts';

/**
 * Returns new matches for identities with the same name that are another generation of the family, such as a parent or child, because their suffix
 * (Jr) differs from the submitted one. If another identity has the submitted suffix on record, identities without a suffix are included. They are not
 * if the submitted word may be a name or title instead of a suffix: Carlos Neto Silva, Sr. Juan Lopez.
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
    .map(([id, name]) => [id, { ...name, ...OTHER_GENERATION_MATCH }]);
}

/** Number of identities with exactly the submitted name, above which other forms of the name do not count as names of relatives. */
const MAX_EXACT_BEARERS = 10;

/**
 * Returns new matches, as other people, for identities that are probably relatives of the submitted person. Submitted Evan James Hale, there are two
 * cases: Ian Hale has a form of the given name, and another identity has exactly the submitted name; James Hale has the middle name as first name,
 * and another identity, whose name agrees more, is of his household or also has the name James. Returns none if more than `MAX_EXACT_BEARERS`
 * identities have exactly the submitted name.
 * @param bearerCount number of identities with exactly the submitted name
 * @param areNear true for two identities of one household
 */
export function findNamesOfRelatives(
  names: ReadonlyMap<number, NameMatch>,
  submitted: PreparedName,
  bearerCount: number,
  areNear: (one: number, other: number) => boolean,
): [identity: number, match: NameMatch][] {
  if (bearerCount > MAX_EXACT_BEARERS) return [];
  const sameNames = [...names].filter(([, name]) => name.isSame);
  if (sameNames.length < 2) return [];
  const isOnRecord = sameNames.some(([, name]) => name.variation === 'exact');
  const bearers = sameNames.map(([id, match]) => {
    const { closestName } = match;
    const recorded = closestName === submitted.text ? submitted : prepareName(closestName ?? '');
    return { id, match, recorded, hasMiddleNameFirst: hasOtherFirstName(recorded, submitted) };
  });
  const hasRelative = ({ id, match, recorded }: (typeof bearers)[number]) =>
    bearers.some(
      (other) =>
        !other.hasMiddleNameFirst &&
        (other.match.variation === 'exact' || other.match.agreement > match.agreement) &&
        (areNear(other.id, id) || hasFirstNameOf(other.recorded, recorded)),
    );
  const kinship = splitGivenAndFamilyName(submitted).family.isCommon ? 0 : 1;
  const { family: agreement } = HALF_AGREEMENT;
  return bearers
    .filter((one) => (isOnRecord && one.match.mayBeRelative) || (one.hasMiddleNameFirst && hasRelative(one)))
    .map(({ id, match, hasMiddleNameFirst }) => [
      id,
      {
        ...match,
        isSame: false,
        agreement,
        sharedHalf: 'family',
        kinship,
        variation: 'no_match',
        ...(hasMiddleNameFirst ? { mayBeSecondName: true } : {}),
      },
    ]);
}

/**
 * Returns new matches for holders of submitted contacts who have the family name of another recorded name of the person: Dwayne Reed, if Ada Vance was
 * submitted, and her record also has the name Ada Reed. Kinship is between two people, whichever of their names is submitted.
 */
export function findRelativesByOtherName(
  names: ReadonlyMap<number, NameMatch>,
  { identities, values }: { identities: ReadonlyMap<number, Identity>; values: readonly ContactMatch[][] },
): [identity: number, match: NameMatch][] {
  const bearers = [...names].filter(([, { isSame }]) => isSame);
  if (bearers.length > MAX_EXACT_BEARERS) return [];
  const comparers = bearers.flatMap(([id, { closestName }]) =>
    (identities.get(id)?.names ?? [])
      .filter((text) => text !== closestName)
      .map((text) => createNameComparer(prepareName(text))),
  );
  if (comparers.length === 0) return [];
  const holders = new Set(values.flatMap((matches) => matches.map(({ identity }) => identity)));
  return [...holders].flatMap((id): [number, NameMatch][] => {
    const [match, identity] = [names.get(id), identities.get(id)];
    if (!match || !identity || match.isSame || match.isNameless || match.isCompany) return [];
    if (match.sharedHalf !== null) return [];
    const kin = comparers
      .map((compare) => compare(identity))
      .find(({ sharedHalf }) => sharedHalf === 'family');
    if (!kin) return [];
    const { agreement, sharedHalf, kinship = 0 } = kin;
    return [[id, { ...match, agreement, sharedHalf, kinship, isOfOtherFamilyName: true }]];
  });
}

/**
 * True if the recorded first name is missing in the submitted name (James Hale for Evan James Hale), or is its middle name although the family names
 * agree (James Evan Hale).
 */
function hasOtherFirstName(recorded: PreparedName, submitted: PreparedName): boolean {
  const [first, submittedFirst] = [findFirst(recorded), findFirst(submitted)];
  // Equal first names are the usual case. Comparing the names again would cost more than all other steps.
  if (first === undefined || areEqualWords(first, submittedFirst)) return false;
  const { alignment } = comparePreparedNames(submitted, recorded);
  const counterpartOf = (word: Token | undefined) => alignment.find(({ b }) => b === word?.raw)?.a;
  const counterpart = counterpartOf(first);
  if (counterpart === undefined || counterpart === '') return counterpart === '';
  return (
    counterpart !== submittedFirst?.raw && counterpartOf(findLast(recorded)) === findLast(submitted)?.raw
  );
}

/** True if a name contains the first name of another one: James Evan Hale for Evan James Hale. */
function hasFirstNameOf({ tokens }: PreparedName, other: PreparedName): boolean {
  const first = findFirst(other);
  return first !== undefined && tokens.some((word) => areEqualWords(word, first));
}

type Token = PreparedName['tokens'][number];

const areEqualWords = (a: Token, b: Token | undefined): boolean =>
  a.text === b?.text && a.characters === b.characters;
const findFirst = ({ tokens }: PreparedName) => tokens.find(({ role }) => role === 'given');
const findLast = ({ tokens }: PreparedName) => tokens.findLast(({ role }) => role === 'family');
