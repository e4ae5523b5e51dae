// Sample facts for plugin tests: every pattern under every intent, in the form in which a check of an invented person gives them.
import { INTENTS, type ScoreBand, type Intent, type MatchStatus } from '../../../model.ts';
import { VERDICT_WORDS, type FactName, type Facts, type FieldFacts, type NameFacts } from '../facts.ts';
import { PATTERNS, type Pattern } from './patterns.ts';

const STATUS_OF: Record<Pattern['name'], MatchStatus> = {
  p: 'primary',
  s: 'secondary',
  d: 'different',
  u: 'unverified',
};
const QUIET = { second: [0], minute: [0], hour: [0], minutes: [], ten_minutes: [] };
const NOW = Date.UTC(2026, 10, 20, 12);

const KNOWN: NameFacts = {
  provided: 'Zebulon Markworth',
  matched: 'Zeb Markworth',
  comparison: {
    confidence: 91,
    variation: 'nickname',
    same: true,
    concerns: [],
    explanation: 'Zeb is a short form of Zebulon.',
  },
};
const UNKNOWN: NameFacts = { provided: 'Zebulon Markworth', matched: null, comparison: null };

/** Returns the score band of a score from 0 to 100. */
export function toSampleScoreBand(score: number): ScoreBand {
  if (score >= 85) return 'HIGH';
  if (score >= 65) return 'MEDIUM';
  return score >= 40 ? 'LOW' : 'VERY_LOW';
}

function fieldOf(letters: string): FieldFacts {
  const count = (letter: string) => letters.split(letter).length - 1;
  const primary = count('p');
  const secondary = count('s');
  return {
    submitted: letters.length,
    matched: primary + secondary,
    primary,
    secondary,
    different: count('d'),
    unverified: count('u'),
  };
}

/** Creates the facts of a check whose contact results follow the pattern. */
export function factsOf(pattern: Pattern, intent: Intent): Facts {
  const { score, email = '', phone = '', address = '', history } = pattern;
  const letters = email + phone + address;
  const band = toSampleScoreBand(score);
  const bears = pattern.name === 'p' || pattern.name === 's';
  const identities = (/[ps]/.test(letters) ? 1 : 0) + (letters.includes('d') ? 1 : 0);
  return {
    intent,
    score: {
      score,
      band,
      verdict: VERDICT_WORDS[band],
      confidence: pattern.confidence,
      possible_catfish: pattern.catfish ?? false,
      limits: [],
      any_against: letters.includes('d'),
    },
    matches: {
      name: STATUS_OF[pattern.name],
      name_agreement: pattern.name === 'u' ? null : 'equal',
      email: fieldOf(email),
      phone: fieldOf(phone),
      address: fieldOf(address),
      contacts: fieldOf(letters),
      identities: pattern.identities ?? identities,
      of_bearers: pattern.own ?? (bears ? letters.replaceAll(/[du]/g, '').length : 0),
      others_own: Math.max(
        0,
        (email + phone).replaceAll(bears ? /[psu]/g : /u/g, '').length - (pattern.nameless ?? 0),
      ),
      namesakes: 0,
      same_name: pattern.sameName ?? 0,
      household: pattern.household ?? 0,
      disguises: [],
      no_person: null,
      name_part: null,
      other_has_all: pattern.name === 'd' && (pattern.own ?? 0) > 0 && !letters.includes('d'),
      nameless: pattern.nameless ?? 0,
    },
    history: {
      days_since_first_seen: history?.[0] ?? null,
      days_since_last_seen: history?.[1] ?? null,
      days_since_contacts_seen: history?.[2] ?? history?.[1] ?? null,
      old_contacts: 0,
      passed_on: 0,
    },
    stream: { now: NOW, records: [], pace: QUIET },
    names: pattern.name === 'u' ? UNKNOWN : KNOWN,
  };
}

/** Sample input of a feature's contract test: the facts of one check of an invented person. */
export interface Sample {
  title: string;
  facts: Partial<Facts>;
}

/** Returns 336 samples with the declared facts: one for each combination of a result pattern (`PATTERNS`) and an intent (`INTENTS`). */
export function samplesOf(declared: readonly FactName[]): Sample[] {
  return PATTERNS.flatMap((pattern) =>
    INTENTS.map((intent) => {
      const all = factsOf(pattern, intent);
      const facts = Object.fromEntries(declared.map((name) => [name, structuredClone(all[name])]));
      return { title: `${pattern.title}, ${intent}`, facts: facts as Partial<Facts> };
    }),
  );
}
