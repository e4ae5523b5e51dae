// Finds submitted values that imitate other values, and numbers that cannot exist.
import type { ContactEvidence, Contact, DisguisedValueSign } from '../model.ts';
import { type PreparedName, splitGivenAndFamilyName } from '../names/index.ts';
import { resemblesMailProviderDomain } from '../normalise/email.ts';
import { isInNumberingPlan } from '../normalise/numbering.ts';
import { toLookAlikeKey } from '../normalise/typo.ts';

/** Matches a word that mixes Latin letters with Cyrillic or Greek letters, as no language does. */
const MIXED_SCRIPTS =
  /\p{Script=Latin}[\p{M}'’-]*[\p{Script=Cyrillic}\p{Script=Greek}]|(?!\p{M})[\p{Script=Cyrillic}\p{Script=Greek}][\p{M}'’-]*\p{Script=Latin}/u;
const ASCII = /^[\x20-\x7e]*$/;

/** True if a word of the text mixes Latin letters with Cyrillic or Greek letters, which look similar. */
export const hasMixedScripts = (text: string): boolean => !ASCII.test(text) && MIXED_SCRIPTS.test(text);

/** Pairs of letters: a Cyrillic or Greek letter, and the Latin letter that looks like it. */
const LOOK_ALIKE_LETTERS =
  'аaАAВBеeЕEКKМMНHоoОOрpРPсcСCТTуyУYхxХXіiІIјjЈJѕsЅSΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOοoΡPρpΤTΥYΧXνv';
const LATIN_LETTERS = new Map<string, string>();
for (let i = 0; i < LOOK_ALIKE_LETTERS.length; i += 2)
  LATIN_LETTERS.set(LOOK_ALIKE_LETTERS.charAt(i), LOOK_ALIKE_LETTERS.charAt(i + 1));

/** In words that mix two scripts, replaces Cyrillic and Greek letters by the Latin letters that look like them. */
export const writeInOneScript = (text: string): string =>
  text
    .split(' ')
    .map((word) => (hasMixedScripts(word) ? toLatin(word) : word))
    .join(' ');

const toLatin = (word: string) => [...word].map((letter) => LATIN_LETTERS.get(letter) ?? letter).join('');

/** Matches a number that ends in nine equal digits. No subscriber has such a number. */
const REPEATED_DIGIT = /(\d)\1{8}$/;
const COUNTED_DIGITS = /(?:1234567890|0123456789)$/;

/**
 * Returns how a contact that is not on record imitates another one or cannot exist; null if it does neither. A contact on record is never a disguise.
 */
export function findDisguisedContactSign(
  contact: Contact,
  { agreements, hasLookAlike }: Pick<ContactEvidence, 'agreements' | 'hasLookAlike'>,
  name: PreparedName,
): DisguisedValueSign | null {
  if (agreements.length > 0 || contact.kind === 'address') return null;
  const { standardized, kind } = contact;
  if (kind === 'phone') return isImpossibleNumber(standardized) ? 'impossible_number' : null;
  const at = standardized.lastIndexOf('@');
  const [local, domain] = [standardized.slice(0, at), standardized.slice(at + 1)];
  if (hasMixedScripts(local) || hasMixedScripts(domain) || spellsNameInLookAlikes(local, name))
    return 'look_alike_letters';
  if (resemblesMailProviderDomain(domain)) return 'similar_provider';
  return hasLookAlike ? 'similar_email' : null;
}

function isImpossibleNumber(standardized: string): boolean {
  if (REPEATED_DIGIT.test(standardized)) return true;
  return COUNTED_DIGITS.test(standardized) && !isInNumberingPlan(standardized.replace('+', ''));
}

/** True if the part of an e-mail before the @ looks like the full name, but is written with other characters. */
function spellsNameInLookAlikes(local: string, name: PreparedName): boolean {
  const { given, family } = splitGivenAndFamilyName(name);
  if (given.text.length < 2 || family.text.length < 2) return false;
  const text = local.replace(/[^a-z0-9|]+/g, '');
  const outline = toLookAlikeKey(text);
  return [given.text + family.text, family.text + given.text].some(
    (whole) => whole !== text && outline === toLookAlikeKey(whole),
  );
}
