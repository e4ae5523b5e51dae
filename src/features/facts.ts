import type { Intent, ContactKind, MatchStatus, MatchResult, Score, Verdict } from '../model.ts';
import { replaceUnsafeTextsInNameFacts } from './guard/names.ts';
import { VERDICT_WORDS } from './plugin/facts.ts';
import type { FactName, Facts, FieldFacts, NameAgreement, NameFacts, StreamFacts } from './plugin/facts.ts';

/** Earlier calls of the caller, oldest first: the time of each, and if its answer had the catfish flag. */
export type EarlierApiCallFacts = Omit<StreamFacts, 'now'>;

export interface FactSources {
  intent: Intent;
  verdict: Verdict;
  /** Returns the submitted and the matched name with their comparison. Called only for the feature name matching. */
  names: () => NameFacts;
  /** Returns the caller's earlier calls, oldest first. Called only for the fraud analysis. */
  stream: () => EarlierApiCallFacts | Promise<EarlierApiCallFacts>;
  now: number;
}

const DAY_MS = 86_400_000;

function countStatuses(rows: readonly MatchResult[]): FieldFacts {
  const count = (status: MatchStatus): number => rows.filter((row) => row.status === status).length;
  const primary = count('primary');
  const secondary = count('secondary');
  return {
    submitted: rows.length,
    matched: primary + secondary,
    primary,
    secondary,
    different: count('different'),
    unverified: count('unverified'),
  };
}

const filterByKind = ({ contacts }: Verdict, kind: ContactKind) =>
  contacts.filter((one) => one.kind === kind);

function daysSince(time: number | null, now: number): number | null {
  return time === null ? null : Math.max(0, Math.floor((now - time) / DAY_MS));
}

/** Maximum confidence (0-100) of a name that counts as the same only because of other evidence. */
const MAX_SIMILAR_CONFIDENCE = 75;

export function getNameAgreement({
  nameConfidence,
  nameVariation,
}: Pick<Score, 'nameConfidence' | 'nameVariation'>): NameAgreement | null {
  if (nameConfidence === null) return null;
  if (nameVariation === 'exact') return 'equal';
  return nameConfidence > MAX_SIMILAR_CONFIDENCE ? 'other_form' : 'similar';
}

/** Functions that extract each fact. `names` and `stream` are expensive and run only for a feature that declares them. */
const FACT_EXTRACTORS: { [N in FactName]: (source: FactSources) => Facts[N] | Promise<Facts[N]> } = {
  intent: ({ intent }) => intent,
  score: ({ verdict: { score } }) => ({
    score: score.value,
    band: score.band,
    verdict: VERDICT_WORDS[score.band],
    confidence: score.confidence,
    possible_catfish: score.isPossibleCatfish,
    limits: score.limits,
    any_against: score.hasNegativeReason,
  }),
  matches: ({ verdict }) => ({
    name: verdict.name.status,
    name_agreement: getNameAgreement(verdict.score),
    name_part: verdict.score.sharedNamePart,
    email: countStatuses(filterByKind(verdict, 'email')),
    phone: countStatuses(filterByKind(verdict, 'phone')),
    address: countStatuses(filterByKind(verdict, 'address')),
    contacts: countStatuses(verdict.contacts),
    identities: verdict.score.identityCount,
    other_has_all: verdict.score.otherHasAllContacts,
    of_bearers: verdict.score.nameHolderContacts,
    others_own: verdict.score.exclusiveOtherContacts,
    namesakes: verdict.score.namesakeContacts,
    same_name: verdict.score.sameNameContacts,
    household: verdict.score.householdContacts,
    disguises: verdict.score.disguises,
    no_person: verdict.score.nonPerson,
    nameless: verdict.score.namelessContacts,
  }),
  history: ({
    verdict: {
      score: { history, oldContacts, passedOnPhones },
    },
    now,
  }) => ({
    days_since_first_seen: daysSince(history.firstSeen, now),
    days_since_last_seen: daysSince(history.lastSeen, now),
    days_since_contacts_seen: daysSince(history.contactsLastSeen, now),
    old_contacts: oldContacts,
    passed_on: passedOnPhones,
  }),
  stream: async ({ stream, now }) => {
    const { records, pace } = await stream();
    return { now, records: records.map(({ time, catfish }) => ({ time, catfish })), pace };
  },
  names: ({ names }) => replaceUnsafeTextsInNameFacts(names()),
};

/** Extracts the facts that the feature declared from one request. */
export async function extractFacts(
  declared: readonly FactName[],
  source: FactSources,
): Promise<Partial<Facts>> {
  const entries = declared.map(async (name) => [name, await FACT_EXTRACTORS[name](source)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Partial<Facts>;
}
