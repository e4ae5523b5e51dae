import { GIVEN_NAME_FLAG, hasNameFlag, SURNAME_FLAG } from '../lexicon.ts';
import { detectScript } from '../script.ts';
import { NAME_ROLE_RULES, SCRIPT_RULES, WORD_JOIN_RULES } from '../traditions/index.ts';
import { indicatesArabicName, startsWithHonorificMuhammad } from '../traditions/arabic-and-hebrew.ts';
import { countFamilyWordsBeforePatronymic } from '../traditions/cyrillic-and-greek.ts';
import type { NameDraft } from '../traditions/tradition.ts';
import type { PreparedName, Token, Word } from '../types.ts';
import { type ParsedName, parseName } from './parse.ts';
import { createNameToken } from './token.ts';

/** Maximum number of words of a name that are read. Real names do not have more. */
const MAX_WORDS = 12;

/** Prepares a name for comparisons. Accepts any text and never throws. */
export function prepareName(text: string): PreparedName {
  const parsed = parseName(text);
  const { formerNames, generation, suffix, titles, familyWordCount } = parsed;
  const hasKnownFamilyName = familyWordCount > 0;
  const read = readWords(joinCompounds(toGivenFirst(divideByScript(parsed.words), familyWordCount)));
  const leadingFamilyCount = hasKnownFamilyName
    ? 0
    : countFamilyWordsBeforePatronymic(read.tokens, read.words);
  const [tokens, words] = [
    toGivenFirst(read.tokens, leadingFamilyCount),
    toGivenFirst(read.words, leadingFamilyCount),
  ];
  const draft = { tokens, words, original: text, hasKnownFamilyName };
  assignRoles(draft, familyWordCount || leadingFamilyCount || 1);
  if (tokens.some(indicatesArabicName))
    for (const token of tokens) token.mayBeArabic = token.script === 'latin';
  if (tokens.some((token) => token.mayBeEastAsian)) for (const assign of NAME_ROLE_RULES) assign(draft);
  return {
    text,
    ...joinTexts(tokens),
    tokens,
    alternatives: findAlternatives(tokens, parsed),
    formerNames,
    generation,
    suffix,
    titles,
    script: detectScript(text),
    hasKnownFamilyName,
  };
}

function joinTexts(tokens: readonly Token[]): Pick<PreparedName, 'canonical' | 'letters'> {
  const canonical = tokens.map(toExactText).join(' ');
  return { canonical, letters: tokens.length > 1 ? canonical.replaceAll(' ', '') : canonical };
}

/** Returns a name with fewer of its words. The first and the last word that are left take the roles of missing ends. */
export function keepNameTokens(name: PreparedName, kept: readonly Token[]): PreparedName {
  const has = (role: Token['role']) => kept.some((token) => token.role === role);
  const [hasGiven, hasFamily] = [has('given'), has('family') || kept.length === 1];
  const tokens = kept.map((token, i): Token => {
    if (i === 0 && !hasGiven) return { ...token, role: 'given' };
    return i === kept.length - 1 && !hasFamily ? { ...token, role: 'family' } : token;
  });
  return { ...name, ...joinTexts(tokens), tokens };
}

/** Moves the family name, if it comes first (`Doe, Jane`), behind the given name. */
const toGivenFirst = <Item>(words: Item[], familyCount: number): Item[] =>
  familyCount > 0 ? [...words.slice(familyCount), ...words.slice(0, familyCount)] : words;

/** Divides a name of one word where its script changes between family and given name. */
function divideByScript(words: Word[]): Word[] {
  const [only] = words;
  if (!only || words.length > 1) return words;
  const parts = SCRIPT_RULES[detectScript(only.text)].divideByScript?.(only.text);
  return parts ? parts.map((text) => ({ ...only, text })) : words;
}

function joinCompounds(words: Word[]): Word[] {
  let joined = words;
  for (const { appliesTo, join } of WORD_JOIN_RULES)
    if (joined.length > 1 && joined.some((word) => appliesTo.test(word.folded || word.text)))
      joined = join(joined);
  return joined;
}

/** Creates a token for each word. Words without a readable letter are left out. */
function readWords(list: Word[]): { words: Word[]; tokens: Token[] } {
  const words: Word[] = [];
  const tokens: Token[] = [];
  for (const word of list.length > MAX_WORDS ? list.slice(0, MAX_WORDS) : list) {
    const token = createNameToken(word.text, word.prefix);
    if (token.text.length === 0 && !token.characters) continue;
    words.push(word);
    tokens.push(token);
  }
  return { words, tokens };
}

/**
 * Sets the role (given, middle, family) of each word.
 * @param familyCount number of words at the end that a comma marks as family names
 */
function assignRoles(draft: NameDraft, familyCount: number): void {
  if (!draft.hasKnownFamilyName && hasFamilyNameFirst(draft)) assignFamilyFirst(draft);
  else assignGivenFirst(draft, familyCount);
}

function hasFamilyNameFirst({ tokens, original }: NameDraft): boolean {
  const [lead] = tokens;
  if (!lead || tokens.length < 2) return false;
  if (isFamilyNameWithInitial(tokens)) return true;
  return SCRIPT_RULES[lead.script].hasFamilyNameFirst?.(tokens, original) ?? false;
}

/** True for a word that is only known as a family name, followed by an initial: Miller J, Shi D. In Jane D, the initial is the family name. */
const isFamilyNameWithInitial = ([lead, initial, ...others]: readonly Token[]): boolean =>
  lead?.isInitial === false &&
  initial?.isInitial === true &&
  others.length === 0 &&
  (lead.surnameRegions > 0 || hasNameFlag(lead.entry, SURNAME_FLAG)) &&
  !hasNameFlag(lead.entry, GIVEN_NAME_FLAG);

function assignFamilyFirst({ tokens }: NameDraft): void {
  for (const [i, token] of tokens.entries()) token.role = i === 0 ? 'family' : 'given';
  const [lead] = tokens;
  // Han characters can have a different reading as a family name.
  if (lead?.characters) tokens[0] = createNameToken(lead.raw, '', 'family');
}

/**
 * Sets the roles of words in a name that has the given name first and the family names last. Hyphenated words have one role. A word that
 * may be a title is not the given name.
 */
function assignGivenFirst({ tokens, words }: NameDraft, familyCount: number): void {
  const last = tokens.length - 1;
  if (tokens[0] && startsWithHonorificMuhammad(tokens)) tokens[0].mayBeTitle = true;
  const first = last > 1 && tokens[0]?.mayBeTitle ? 1 : 0;
  for (let i = last; i > first; i--) {
    const belongsToFamily = tokens[i + 1]?.role === 'family' && words[i + 1]?.isHyphenated;
    const token = tokens[i];
    if (!token || (i <= last - familyCount && !belongsToFamily)) break;
    token.role = 'family';
  }
  const given = tokens[first];
  if (given) given.role = 'given';
  const before = tokens[last - 1];
  if (before?.role === 'middle') before.isFirstFamilyName = hasNameFlag(before.entry, SURNAME_FLAG);
  for (let i = first + 1; i < last && words[i]?.isHyphenated; i++) {
    const token = tokens[i];
    if (token?.role === 'middle') token.role = 'given';
  }
}

function toExactText(token: Token): string {
  return SCRIPT_RULES[token.script].exactText?.(token) ?? token.prefix + token.text;
}

function findAlternatives(tokens: readonly Token[], { nicknames, formerNames }: ParsedName): Token[][] {
  const [only] = tokens;
  if (only && tokens.length === 1) return splitUndivided(only);
  if (nicknames.length + formerNames.length === 0 || tokens.length < 2) return [];
  return [...replaceGivenName(tokens, nicknames), ...replaceFamilyName(tokens, formerNames)];
}

/** Returns the possible splits of a name without spaces into family and given name, in this order. */
function splitUndivided(only: Token): Token[][] {
  const splits = SCRIPT_RULES[only.script].splitUndivided?.(only.raw) ?? [];
  return splits.map(([family, given]) => [
    createNameToken(family, '', 'family'),
    createNameToken(given, '', 'given'),
  ]);
}

/** Maximum number of nicknames or former names that are tried in place of a part of the name. */
const MAX_ALTERNATIVES = 2;

const toTokens = (texts: string[]): Token[] =>
  texts
    .flatMap((text) => parseName(text).words.map((word) => createNameToken(word.text, word.prefix)))
    .slice(0, MAX_ALTERNATIVES);

function replaceGivenName(tokens: readonly Token[], nicknames: string[]): Token[][] {
  const others = tokens.filter((token) => token.role !== 'given');
  return toTokens(nicknames).map((token) => [{ ...token, role: 'given', isBracketed: true }, ...others]);
}

function replaceFamilyName(tokens: readonly Token[], formerNames: string[]): Token[][] {
  const others = tokens.filter((token) => token.role !== 'family');
  return toTokens(formerNames).map((token) => [...others, { ...token, role: 'family', isBirthName: true }]);
}
