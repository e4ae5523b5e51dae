// Compares the submitted name with the names of an identity.
import type { Identity, NameMatch } from '../model.ts';
import {
  comparePreparedNames,
  findPartialNameMatch,
  findNonPersonNameType,
  getFirstGivenName,
  haveOtherVietnameseMarks,
  rewritePreparedNameLikeOther,
  splitGivenAndFamilyName,
  type PartialNameMatch,
  prepareName,
  type PreparedName,
  type NameComparison,
  type AlignedWordPair,
} from '../names/index.ts';
import {
  areDifferentKnownNames,
  compareHalves,
  HALF_AGREEMENT,
  type NameHalves,
  type NameHalvesAgreement,
  getAgreementOfSharedHalf,
  addKinship,
  markMansName,
} from './name-halves.ts';

const NO_AGREEMENT: NameMatch = {
  isSame: false,
  isPrimary: false,
  agreement: 0,
  variation: 'no_match',
  closestName: null,
  sharedHalf: null,
  isNameless: false,
};

/** Creates the match of an identity that is known only to have the same given name. Its other names were not read. */
export function createGivenNameOnlyMatch(name: PreparedName): NameMatch {
  const { given } = splitGivenAndFamilyName(name);
  const agreement = given.isCommon ? HALF_AGREEMENT.commonGiven : HALF_AGREEMENT.given;
  return { ...NO_AGREEMENT, ...markMansName({ agreement, sharedHalf: 'given' }, given) };
}

/**
 * Creates a function that compares the submitted name with all names of an identity and returns the best match. An equal name is the best match. Of
 * names with the same agreement, the primary name is best.
 * @param isCompany true if the submitted name is a company's; null to let the comparison find out
 */
export function createNameComparer(
  prepared: PreparedName,
  isCompany: boolean | null = null,
): (identity: Identity) => NameMatch {
  const name: ComparedName = { prepared, halves: null, isCompany };
  let withItself: NameMatch | undefined;
  const lowerCase = prepared.text.toLowerCase();
  return (identity) => {
    const { names } = identity;
    if (names.length === 0) return { ...NO_AGREEMENT, isNameless: true };
    const equal = names.findIndex((text) => text.toLowerCase() === lowerCase);
    // Most names are spelt as on record. Preparing the record's name again would cost more than all look-ups.
    if (equal >= 0) {
      withItself ??= compareWithName(name, { other: name, text: '', isPrimary: true });
      return { ...withItself, closestName: names[equal] ?? '', isPrimary: equal === 0 };
    }
    const forms = prepareNamesOf(identity);
    const findBest = (isCompared?: (form: ComparedName) => boolean): [NameMatch, ComparedName] => {
      let best = NO_AGREEMENT;
      let closest = name;
      for (const [i, other] of forms.entries()) {
        if (best.variation === 'exact') break;
        if (isCompared?.(other) === false) continue;
        const agreement = compareWithName(name, { other, text: names[i] ?? '', isPrimary: i === 0 });
        if (best !== NO_AGREEMENT && !isBetter(agreement, best)) continue;
        [best, closest] = [agreement, other];
      }
      return [best, closest];
    };
    const [best, closest] = findBest();
    if (best.variation === 'exact') return best;
    if (best.isInitialOnRecord || !best.isSame) {
      const [ofFullerForm] = findBest((form) => isFullerForm(form, { closest, submitted: name }));
      if (ofFullerForm !== NO_AGREEMENT) return ofFullerForm;
    }
    if (!best.isSame || countWords(name) <= countWords(closest)) return best;
    const [ofLongerForm] = findBest(
      (form) => countWords(form) > countWords(closest) && hasOtherWord(name, { form, closest }),
    );
    return ofLongerForm === NO_AGREEMENT ? best : { ...ofLongerForm, hasOtherWord: true };
  };
}

/**
 * True if a recorded name is a fuller form of the closest one: it has a given name instead of the initial, or is in the script of the submitted name.
 * The fuller form then decides: if J Wilson and James Wilson are on record, John Wilson is another name.
 */
function isFullerForm(
  { prepared: form }: ComparedName,
  { closest: { prepared: closest }, submitted }: Record<'closest' | 'submitted', ComparedName>,
): boolean {
  const { script } = submitted.prepared;
  const isFuller = startsWithInitial(closest)
    ? !startsWithInitial(form)
    : form.script === script && closest.script !== script;
  return isFuller && comparePreparedNames(closest, form).confidence >= MIN_DOUBTFUL_CONFIDENCE;
}

const countWords = ({ prepared }: ComparedName) => prepared.tokens.length;

/**
 * True if another recorded name has one word more than the closest one, and the submitted name has a different word in its place: James Wilson and
 * James T. Wilson on record, James R. Wilson submitted. The longer recorded name then decides.
 */
function hasOtherWord(
  { prepared }: ComparedName,
  { form, closest }: Record<'form' | 'closest', ComparedName>,
): boolean {
  const lacksSubmittedWord = comparePreparedNames(prepared, closest.prepared).alignment.some(isUnmatched);
  if (!lacksSubmittedWord || !comparePreparedNames(prepared, form.prepared).hasDifferentWords) return false;
  return !comparePreparedNames(closest.prepared, form.prepared).alignment.some(isUnmatched);
}

/** True for a word of the first name without a counterpart in the second name. */
const isUnmatched = ({ b }: AlignedWordPair) => b === '';

interface ComparedName {
  readonly prepared: PreparedName;
  halves: NameHalves | null;
  isCompany: boolean | null;
}

const toComparedName = (prepared: PreparedName): ComparedName => ({
  prepared,
  halves: null,
  isCompany: null,
});

const halvesOf = (name: ComparedName): NameHalves => (name.halves ??= splitGivenAndFamilyName(name.prepared));
const isCompany = (name: ComparedName): boolean =>
  (name.isCompany ??= findNonPersonNameType(name.prepared.text) === 'company');

/** Names of identities, prepared for comparison. Graph engines return the same `Identity` object until its records change. */
const PREPARED_NAMES = new WeakMap<Identity, ComparedName[]>();

function prepareNamesOf(identity: Identity): ComparedName[] {
  const cached = PREPARED_NAMES.get(identity);
  if (cached) return cached;
  const prepared = identity.names.map((text) => toComparedName(prepareName(text)));
  PREPARED_NAMES.set(identity, prepared);
  return prepared;
}

/** Match of a name whose suffix (Jr) contradicts the suffix on record, so that it may be the name of a parent or child. */
export const OTHER_GENERATION_MATCH = {
  agreement: 17,
  sharedHalf: 'family',
  kinship: 1,
  isOtherGeneration: true,
  isSame: false,
  variation: 'no_match',
} as const;

/** Minimum confidence (0-100) of a comparison at which two names may still be forms of one name. */
const MIN_DOUBTFUL_CONFIDENCE = 30;

interface RecordName {
  other: ComparedName;
  text: string;
  isPrimary: boolean;
}

function compareWithName(submitted: ComparedName, { text, isPrimary, ...record }: RecordName): NameMatch {
  const name = withWordsLike(submitted, record.other);
  const other = withWordsLike(record.other, submitted);
  const comparison = comparePreparedNames(name.prepared, other.prepared);
  const { same, confidence, variation } = comparison;
  const { generation } = other.prepared;
  const result = {
    ...NO_AGREEMENT,
    variation,
    closestName: text,
    isPrimary,
    ...(generation > 0 ? { generation } : {}),
    ...(isCompany(record.other) ? { isCompany: true } : {}),
    ...(confidence < 100 && same && name.prepared.canonical === other.prepared.canonical
      ? { differsOnlyByTitle: name.prepared.titles.length !== other.prepared.titles.length }
      : {}),
  };
  if (isOfOtherGeneration(name, other)) return { ...result, ...OTHER_GENERATION_MATCH };
  const sameName = { ...result, isSame: true };
  // No other order of the words can agree more.
  if (same && confidence === 100 && variation === 'exact') return { ...sameName, agreement: 100 };
  const part = findPartialNameMatch(name.prepared, other.prepared);
  if (part?.isEqual && part.words > 0)
    return { ...sameName, agreement: comparePreparedNames(other.prepared, other.prepared).confidence };
  if (part) return { ...result, ...partAgreement(part), variation: partVariation(part, variation) };
  if (same) {
    const longer = variation === 'partial' ? findLongerName(comparison) : {};
    if (comparison.mayBeRelatives)
      return { ...sameName, ...longer, agreement: confidence, mayBeRelative: true };
    const [isInitial, isInitialOnRecord] = [name.prepared, other.prepared].map(startsWithInitial);
    const agreement = isInitial === isInitialOnRecord ? confidence : Math.min(confidence, INITIAL_AGREEMENT);
    if (isInitial || !isInitialOnRecord)
      return {
        ...sameName,
        ...longer,
        agreement,
        ...(isInitial && !isInitialOnRecord ? { hasInitial: true } : {}),
      };
    return {
      ...sameName,
      ...longer,
      isInitialOnRecord: true,
      agreement: Math.min(confidence, INITIAL_ON_RECORD_AGREEMENT),
    };
  }
  const likeness = haveOtherVietnameseMarks(name.prepared, other.prepared)
    ? getAgreementOfSharedHalf('family', halvesOf(name), halvesOf(other))
    : compareGivenAndFamily(name, other, comparison.sharedHalf);
  const hasOtherGivenName =
    likeness.sharedHalf === 'family' && areDifferentKnownNames(halvesOf(name).given, halvesOf(other).given);
  if (confidence < MIN_DOUBTFUL_CONFIDENCE || hasOtherGivenName)
    return { ...result, ...addKinship(likeness, name.prepared, other.prepared) };
  if (comparison.hasDifferentWords) {
    const rest = compareWithoutMiddleName(name, other) ?? compareWithoutMiddleName(other, name);
    if (rest?.same) {
      const agreement = Math.min(rest.confidence, DOUBLE_SURNAME_AGREEMENT);
      return { ...sameName, agreement, variation: 'partial' };
    }
    const agreement = Math.min(confidence, DIFFERENT_WORDS_AGREEMENT);
    return { ...result, agreement, sharedHalf: null, hasDifferentWords: true };
  }
  // The comparison rejected this name only narrowly. The whole name may be equal, so it does not count as a shared given or family name.
  const agreement = Math.max(confidence, likeness.agreement);
  const difference = comparison.mainDifference;
  return { ...result, ...findLongerName(comparison), agreement, sharedHalf: null, difference };
}

/** True if two names have different suffixes (Sr, Jr), and the rest of one is the other, or a part of it. */
function isOfOtherGeneration({ prepared: name }: ComparedName, { prepared: other }: ComparedName): boolean {
  const { generation } = other;
  if (name.generation === 0 || generation === 0 || name.generation === generation) return false;
  const withSameSuffix = { ...name, generation };
  return (
    comparePreparedNames(withSameSuffix, other).same || findPartialNameMatch(withSameSuffix, other) !== null
  );
}

function findLongerName({ alignment }: NameComparison): Pick<NameMatch, 'longer'> {
  const hasMoreSubmitted = alignment.some(isUnmatched);
  const hasMoreOnRecord = alignment.some(({ a }) => a === '');
  if (!hasMoreSubmitted) return hasMoreOnRecord ? { longer: 'record' } : {};
  return { longer: hasMoreOnRecord ? 'both' : 'submitted' };
}

/**
 * Compares two names without the middle names of the first, if the second one has a hyphenated family name in their place: Sarah Beth Donnelly, Sarah
 * Donnelly-Kowalski. Undefined for other names.
 */
function compareWithoutMiddleName(
  { prepared }: ComparedName,
  { prepared: double }: ComparedName,
): NameComparison | undefined {
  const family = double.tokens.filter(({ role }) => role === 'family');
  const isDouble = family.length > 1 && double.text.includes(family.map(({ raw }) => raw).join('-'));
  const tokens = prepared.tokens.filter(({ role }) => role !== 'middle');
  const isMiddleNameOmitted =
    tokens.length < prepared.tokens.length && double.tokens.every(({ role }) => role !== 'middle');
  return isDouble && isMiddleNameOmitted ? comparePreparedNames({ ...prepared, tokens }, double) : undefined;
}

/**
 * Compares the given and the family names by their letters. If the names are in two scripts, or their letters have nothing in common (short forms),
 * uses `sharedHalf`: the half that the comparison of words found equal.
 */
function compareGivenAndFamily(
  name: ComparedName,
  other: ComparedName,
  sharedHalf: NameMatch['sharedHalf'],
): NameHalvesAgreement {
  const [x, y] = [halvesOf(name), halvesOf(other)];
  if (name.prepared.script !== other.prepared.script) return getAgreementOfSharedHalf(sharedHalf, x, y);
  const likeness = markMansName(compareHalves(x, y), x.given);
  if (likeness.agreement > 0 || sharedHalf === null) return likeness;
  return {
    ...getAgreementOfSharedHalf(sharedHalf, x, y),
    ...(sharedHalf === 'given' ? { isOtherForm: true } : {}),
  };
}

function withWordsLike(name: ComparedName, { prepared }: ComparedName): ComparedName {
  const joined = rewritePreparedNameLikeOther(name.prepared, prepared);
  return joined === name.prepared ? name : toComparedName(joined);
}

/**
 * Agreements (0-100) of a submitted name that is only a part of the recorded name. A larger part never has a lower agreement. In rising order:
 * initials alone, one word (more for a rare word), one word with one initial, one word with several initials, a given name with the initial of the
 * family name, several given or several family names, other words. Without a written given or family name, the score stays below 85.
 */
const PART_AGREEMENT = {
  initials: 28.5,
  word: [30, 42],
  wordAndInitials: [55, 75],
  familyInitial: 76,
  wordsOfOneEnd: [76.5, 76.9],
  words: [91, 95],
  bothEnds: [97, 99.5],
} as const;
/** Agreement that each initial adds, and the maximum number of initials that count. */
const INITIAL_STEP = { agreement: 0.1, most: 4 };

function partAgreement(
  part: PartialNameMatch,
): Pick<NameMatch, 'isSame' | 'agreement' | 'part' | 'hasInitial' | 'longer'> {
  const { words, initials, rarity, coverage, hasBothEnds, hasOneEnd, hasFamilyInitial } = part;
  const step = INITIAL_STEP.agreement * Math.min(initials, INITIAL_STEP.most);
  if (words === 0) return { isSame: false, agreement: PART_AGREEMENT.initials + step, part: 'initials' };
  if (words > 1)
    return {
      isSame: true,
      agreement: hasOneEnd
        ? between(PART_AGREEMENT.wordsOfOneEnd, coverage) + step
        : between(hasBothEnds ? PART_AGREEMENT.bothEnds : PART_AGREEMENT.words, coverage),
      ...(initials > 0 ? { hasInitial: true } : { longer: 'record' }),
    };
  if (hasFamilyInitial)
    return { isSame: true, agreement: PART_AGREEMENT.familyInitial + step, hasInitial: true };
  const kind = rarity > 0 ? 'word' : 'common_word';
  const [withOneInitial, withSeveral] = PART_AGREEMENT.wordAndInitials;
  if (initials > 0)
    return {
      isSame: true,
      agreement: (initials > 1 ? withSeveral : withOneInitial) + step,
      part: kind,
      hasInitial: true,
    };
  return { isSame: false, agreement: between(PART_AGREEMENT.word, rarity), part: kind };
}

const between = ([least, most]: readonly [number, number], share: number) => least + (most - least) * share;

const isSamePart = ({ words, initials }: PartialNameMatch) => words > 1 || (words === 1 && initials > 0);

/** Returns the kind of difference to report for a submitted name that is only a part of the recorded name. */
function partVariation(part: PartialNameMatch, variation: string): string {
  if (!isSamePart(part)) return 'no_match';
  return variation === 'no_match' ? 'partial' : variation;
}

/** Maximum agreement (0-100) if only one of the two names has an initial as its given name. An initial fits many names. */
const INITIAL_AGREEMENT = 55;
/**
 * Maximum agreement (0-100) if only the recorded name has an initial as its given name. Many given names fit it, also that of an impostor
 * with the same family name.
 */
const INITIAL_ON_RECORD_AGREEMENT = 30;
/** Maximum agreement (0-100) of names that have different words beside equal words: John Michael Smith, John Robert Smith. */
const DIFFERENT_WORDS_AGREEMENT = 30;
/** Maximum agreement (0-100) of two names if one has a middle name, and the other one a second family name in its place. */
const DOUBLE_SURNAME_AGREEMENT = 90;
const startsWithInitial = (name: PreparedName) => /^[a-z]$/.test(getFirstGivenName(name) ?? '');

function isBetter(agreement: NameMatch, than: NameMatch): boolean {
  if (agreement.isSame !== than.isSame) return agreement.isSame;
  if (agreement.variation === 'exact' && than.variation !== 'exact') return true;
  return agreement.agreement > than.agreement;
}
