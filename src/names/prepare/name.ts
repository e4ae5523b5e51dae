// A name made ready for comparing: parsed, romanised, looked up, once.
import { mainScript } from '../script.ts';
import { ARRANGE, GATHERINGS, WRITINGS } from '../traditions/index.ts';
import type { Draft } from '../traditions/tradition.ts';
import type { PreparedName, Token, Word } from '../types.ts';
import { parseName, type ParsedName } from './parse.ts';
import { makeToken } from './token.ts';

/** Words of a name that are looked at; no name has as many. */
const MOST_WORDS = 12;

/** Parses and romanises a name and looks its words up. Never throws; any string is accepted. */
export function prepareName(text: string): PreparedName {
  const parsed = parseName(text);
  const { former, generation, suffix, titles } = parsed;
  const sure = parsed.familyFirst > 0;
  const { words, tokens } = readWords(gather(givenFirst(parsed)));
  const draft = { tokens, words, text, sure };
  giveRoles(draft, sure ? parsed.familyFirst : 1);
  if (tokens.some((t) => t.eastern)) for (const arrange of ARRANGE) arrange(draft);
  const canonical = tokens.map(exactForm).join(' ');
  const others = othersOf(tokens, parsed);
  return {
    text,
    canonical,
    tokens,
    others,
    former,
    generation,
    suffix,
    titles,
    script: mainScript(text),
    sure,
  };
}

/** The words in the order given name, family name, where a comma told the family name. */
function givenFirst({ words, familyFirst }: ParsedName): Word[] {
  return familyFirst > 0 ? [...words.slice(familyFirst), ...words.slice(0, familyFirst)] : words;
}

/** Words that are one name by some tradition, put together. */
function gather(words: Word[]): Word[] {
  let out = words;
  for (const { when, join } of GATHERINGS)
    if (out.length > 1 && out.some((word) => when.test(word.folded || word.text))) out = join(out);
  return out;
}

/** Words that hold nothing to be read are left out. */
function readWords(list: Word[]): { words: Word[]; tokens: Token[] } {
  const words: Word[] = [];
  const tokens: Token[] = [];
  for (const word of list.length > MOST_WORDS ? list.slice(0, MOST_WORDS) : list) {
    const token = makeToken(word.text, word.prefix);
    if (token.text.length === 0 && !token.characters) continue;
    words.push(word);
    tokens.push(token);
  }
  return { words, tokens };
}

/** Gives the words of a name their roles. `families` = how many words, from the end, are known to be family names. */
function giveRoles(draft: Draft, families: number): void {
  if (!draft.sure && familyLeads(draft)) rolesFamilyFirst(draft);
  else rolesGivenFirst(draft, families);
}

function familyLeads({ tokens, text }: Draft): boolean {
  const [lead] = tokens;
  if (!lead || tokens.length < 2) return false;
  return WRITINGS[lead.script].familyLeads?.(tokens, text) ?? false;
}

function rolesFamilyFirst({ tokens }: Draft): void {
  for (const [i, token] of tokens.entries()) token.role = i === 0 ? 'family' : 'given';
  const [lead] = tokens;
  // Characters are read otherwise as a family name.
  if (lead?.characters) tokens[0] = makeToken(lead.raw, '', 'family');
}

/**
 * Given name first, family names last; a hyphen keeps words together; a word that may be a title does not count as the
 * given name.
 */
function rolesGivenFirst({ tokens, words }: Draft, families: number): void {
  const last = tokens.length - 1;
  const first = last > 1 && tokens[0]?.maybeTitle ? 1 : 0;
  for (let i = last; i > first; i--) {
    const hyphened = tokens[i + 1]?.role === 'family' && words[i + 1]?.tied;
    const token = tokens[i];
    if (!token || (i <= last - families && !hyphened)) break;
    token.role = 'family';
  }
  const given = tokens[first];
  if (given) given.role = 'given';
  for (let i = first + 1; i < last && words[i]?.tied; i++) {
    const token = tokens[i];
    if (token?.role === 'middle') token.role = 'given';
  }
}

function exactForm(token: Token): string {
  return WRITINGS[token.script].exact?.(token) ?? token.prefix + token.text;
}

function othersOf(tokens: readonly Token[], { extras, former }: ParsedName): Token[][] {
  const [only] = tokens;
  if (only && tokens.length === 1) return cutsOf(only);
  if (extras.length + former.length === 0 || tokens.length < 2) return [];
  return [...byNicknames(tokens, extras), ...byFormer(tokens, former)];
}

/** Ways to cut an undivided name: family name first. */
function cutsOf(only: Token): Token[][] {
  const cuts = WRITINGS[only.script].cuts?.(only.raw) ?? [];
  return cuts.map(([family, given]) => [makeToken(family, '', 'family'), makeToken(given, '', 'given')]);
}

/** Other names that are tried in the place of a part of the name. */
const MOST_OTHERS = 2;

const wordsOf = (texts: string[]): Token[] =>
  texts
    .flatMap((text) => parseName(text).words.map((word) => makeToken(word.text, word.prefix)))
    .slice(0, MOST_OTHERS);

/** The name with what stands in quotation marks or brackets in the place of the given name. */
function byNicknames(tokens: readonly Token[], texts: string[]): Token[][] {
  const rest = tokens.filter((t) => t.role !== 'given');
  return wordsOf(texts).map((t) => [{ ...t, role: 'given', bracketed: true }, ...rest]);
}

/** The name with the birth name in the place of the family name. */
function byFormer(tokens: readonly Token[], texts: string[]): Token[][] {
  const rest = tokens.filter((t) => t.role !== 'family');
  return wordsOf(texts).map((t) => [...rest, { ...t, role: 'family', birthName: true }]);
}
