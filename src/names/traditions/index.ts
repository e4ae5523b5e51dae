// Collects the rules of all naming traditions, in the order in which they are applied.
import type { Script } from '../script.ts';
import type { SoundComparisonMode } from '../types.ts';
import { ARABIC_TRADITION, HEBREW_TRADITION } from './arabic-and-hebrew.ts';
import { GREEK_TRADITION, SLAVIC_TRADITION } from './cyrillic-and-greek.ts';
import { CHINESE_TRADITION } from './east-asia/chinese.ts';
import { VIETNAMESE_TRADITION } from './east-asia/customs.ts';
import { HAN_CHARACTER_TRADITION } from './east-asia/han-readings.ts';
import { JAPANESE_TRADITION } from './east-asia/japanese.ts';
import { KOREAN_TRADITION } from './east-asia/korean.ts';
import { INDIAN_TRADITION, THAI_TRADITION } from './indian-and-thai.ts';
import type { ScriptRules, NamingTradition } from './tradition.ts';
import { WESTERN_TRADITION } from './western.ts';

const TRADITIONS: readonly NamingTradition[] = [
  WESTERN_TRADITION,
  SLAVIC_TRADITION,
  GREEK_TRADITION,
  ARABIC_TRADITION,
  HEBREW_TRADITION,
  INDIAN_TRADITION,
  THAI_TRADITION,
  JAPANESE_TRADITION,
  CHINESE_TRADITION,
  KOREAN_TRADITION,
  HAN_CHARACTER_TRADITION,
  VIETNAMESE_TRADITION,
];

function collect<Part extends keyof NamingTradition>(part: Part): NonNullable<NamingTradition[Part]>[] {
  return TRADITIONS.flatMap((tradition) => tradition[part] ?? []) as NonNullable<NamingTradition[Part]>[];
}

/** Rules of each script. Scripts without own rules have those of `other`. */
export const SCRIPT_RULES = Object.assign({}, ...collect('scripts')) as Record<Script, ScriptRules>;
/** Patterns of characters that only help the reader, such as vowel points. They are removed before a name is parsed. */
export const READING_AID_MARK_PATTERNS = collect('ignoredMarks');
export const WORD_JOIN_RULES = collect('wordJoiner');
export const ARTICLE_PATTERNS = collect('articlePatterns');
export const WORD_VARIANT_FORM_RULES = collect('variantForm');
/** Index in `WORD_VARIANT_FORM_RULES` of the rule for the masculine form of Slavic family names. */
export const MASCULINE_FORM_RULE_INDEX = TRADITIONS.filter((tradition) => tradition.variantForm).indexOf(
  SLAVIC_TRADITION,
);
/** Indexes in `WORD_VARIANT_FORM_RULES` of the rules for family names that have a male and a female form. */
export const GENDERED_FAMILY_NAME_RULE_INDEXES = [...WORD_VARIANT_FORM_RULES.entries()]
  .filter(([, { ifOneChanged }]) => ifOneChanged.relation === 'gendered')
  .map(([index]) => index);
export const NAME_ROLE_RULES = collect('assignRoles');
export const RULES_FOR_COMPARING_INITIALS = collect('initialRule');
export const WORD_MATCH_RULES = collect('matchRule');
export const WORD_CONFLICT_RULES = collect('conflictRule');
export const SOUND_SIMILARITY_RULES = collect('soundSimilarityFactor');

/** Returns how the sounds of words in two scripts are compared. */
export function chooseSoundComparisonMode(a: Script, b: Script): SoundComparisonMode {
  const [x, y] = [SCRIPT_RULES[a].sounds, SCRIPT_RULES[b].sounds];
  return x.rank >= y.rank ? x.mode : y.mode;
}
