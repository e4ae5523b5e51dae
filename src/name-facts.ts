// Facts about the submitted name and the name on record, for features.
import type { Verdict } from './model.ts';
import {
  compareNames,
  limitNameToSubmittedWords,
  findPartialNameMatch,
  prepareName,
  removeCompany,
} from './names/index.ts';
import { getNameAgreement } from './features/facts.ts';
import type { NameFacts } from './features/open.ts';

/** Minimum number of submitted contacts of the identity with the submitted name, from which features may show its whole name. */
const MIN_DISCLOSING_CONTACTS = 2;

/** Counts the submitted contacts of the identity whose name was matched. For a couple's name, contacts of the other partner do not count. */
const countDisclosingContacts = ({ name, contacts, score }: Verdict): number =>
  score.nonPerson === 'couple'
    ? contacts.filter(({ identity }) => identity === name.identity).length
    : score.nameHolderContacts;

/** Compares the submitted name with the name on record for features. For a name alone, says only that the name is on record. */
export function toNameFacts(provided: string, verdict: Verdict, disclosesAll: boolean): NameFacts {
  const facts = { ...compareWithRecord(removeCompany(provided), verdict, disclosesAll), provided };
  if (disclosesAll || verdict.contacts.length > 0 || facts.comparison === null) return facts;
  const explanation = 'The name is on record; its spelling there is not shown for a name alone.';
  return { provided, matched: provided, comparison: { ...facts.comparison, concerns: [], explanation } };
}

/**
 * Compares the submitted name with the name on record. Leaves out words on record that were not submitted, unless enough submitted
 * contacts belong to the identity.
 */
function compareWithRecord(provided: string, verdict: Verdict, disclosesAll: boolean): NameFacts {
  const { matchedName: record, nameConfidence, nameVariation } = verdict.score;
  if (record === null || nameConfidence === null) return { provided, matched: null, comparison: null };
  const isDisclosed = disclosesAll || countDisclosingContacts(verdict) >= MIN_DISCLOSING_CONTACTS;
  const matched = isDisclosed ? record : limitNameToSubmittedWords(provided, record);
  const { confidence, variation, same } = compareNames(provided, record);
  const shown = compareNames(provided, matched);
  const differences =
    shown.variation === 'exact' && matched !== record ? [] : [nameTheSides(shown.explanation)];
  const owner = describeNameOwner(verdict);
  const notShown = matched === record ? [] : [NOT_DISCLOSED];
  const explanation = [...differences, ...notShown, ...owner].join(' ');
  const doubts = listContactConcerns(verdict);
  const concerns = [...shown.concerns, ...doubts];
  // Initials alone, or a name with another one in brackets, are not surely the same to the name engine.
  if (provided === record) {
    const comparison = { confidence: 100, variation: 'exact', same: true, concerns: doubts } as const;
    return { provided, matched, comparison: { ...comparison, explanation } };
  }
  if (same) return { provided, matched, comparison: { confidence, variation, same, concerns, explanation } };
  const isPart = findPartialNameMatch(prepareName(provided), prepareName(record)) !== null;
  const isSupported = getNameAgreement(verdict.score) === 'similar';
  // Two words without a counterpart, such as a middle name and half of a double family name, do not contradict each other.
  const unmatched =
    isPart || isSupported
      ? differences
      : [nameTheSides(compareNames(provided, limitNameToSubmittedWords(provided, record)).explanation)];
  const support = isSupported ? [SUPPORTED_BY_CONTACTS] : owner;
  return {
    provided,
    matched,
    comparison: {
      variation: (isPart ? 'partial' : nameVariation) as NameVariation,
      same: true,
      explanation: [...unmatched, ...notShown, ...support].join(' '),
      concerns: doubts,
      confidence: nameConfidence,
    },
  };
}

/** Returns a sentence on whether the compared name on record belongs to an identity with submitted contacts. Empty if no contact is on record. */
function describeNameOwner({ contacts, score }: Verdict): string[] {
  if (contacts.every(({ identity }) => identity === null)) return [];
  return [
    score.nameHolderContacts > 0
      ? 'The name on record is that of an identity with submitted contacts.'
      : 'The name on record is that of an identity that has none of the submitted contacts.',
  ];
}

/** Lists concerns about a matching name if the score says that the contacts belong to other people. */
function listContactConcerns({ score }: Verdict): string[] {
  if (score.verdict !== 'high-risk') return [];
  return [
    score.nameHolderContacts > 0
      ? 'Some of the submitted contacts belong to somebody else.'
      : 'The submitted contacts belong to somebody else.',
  ];
}

const NOT_DISCLOSED =
  'Only the submitted words of the name on record are shown; all are shown if two of its contacts are submitted.';

/** Replaces "first name" and "second name", as `compareNames` writes, by "submitted name" and "name on record" in an explanation. */
const nameTheSides = (explanation: string): string =>
  explanation
    .replaceAll('missing in the first name', 'missing in the submitted name')
    .replaceAll('missing in the second name', 'missing in the name on record')
    .replace('he first name repeats', 'he submitted name repeats')
    .replace('he second name repeats', 'he name on record repeats')
    .replace('he first name is that of two people', 'he submitted name is that of two people')
    .replace('he second name is that of two people', 'he name on record is that of two people');

type NameVariation = NonNullable<NameFacts['comparison']>['variation'];

const SUPPORTED_BY_CONTACTS =
  'The names alone do not show that they are the same, but submitted contacts belong to the same identity.';
