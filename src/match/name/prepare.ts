// A name made ready for comparing: parsed, romanised, looked up, once.
import anyAscii from 'any-ascii';

import { lookUp, type NameInfo } from './lexicon.ts';
import { parseName } from './parse.ts';
import { foldLatin, mainScript, type Script } from './script.ts';
import { latinSound } from './sound.ts';

/** One word of a prepared name. */
export interface Token {
  /** As it was written. */
  raw: string;
  /** Folded Latin letters a-z. */
  text: string;
  /** Particles in front, folded and joined (`dela`). */
  prefix: string;
  /** Coarse sound. */
  sound: string;
  script: Script;
  role: 'given' | 'middle' | 'family';
  initial: boolean;
  info: NameInfo | undefined;
}

/** A name made ready for comparing. Opaque to users of the engine. */
export interface PreparedName {
  text: string;
  /** Folded words in written order, without titles, suffix and asides; equal strings are equal names. */
  canonical: string;
  tokens: Token[];
  /** Names in quotation marks or brackets, and former family names. */
  asides: Token[];
  former: Token[];
  generation: number;
  suffix: string;
  titles: string[];
  script: Script;
}

function token(raw: string, prefix: string): Token {
  const script = mainScript(raw);
  const text = foldLatin(script === 'latin' ? raw : anyAscii(raw));
  return {
    raw,
    text,
    prefix,
    sound: latinSound(text),
    script,
    role: 'middle',
    initial: text.length === 1 && script !== 'han' && script !== 'hangul',
    info: lookUp(text),
  };
}

function giveRoles(tokens: Token[], familyFirst: number): void {
  const last = tokens.length - 1;
  if (familyFirst > 0 && familyFirst <= last) {
    for (let i = 0; i < familyFirst; i++) tokens[i]!.role = 'family';
    tokens[familyFirst]!.role = 'given';
    return;
  }
  if (last >= 0) tokens[0]!.role = 'given';
  if (last > 0) tokens[last]!.role = 'family';
}

function asideTokens(texts: string[]): Token[] {
  return texts.flatMap((text) => parseName(text).words.map((word) => token(word.text, word.prefix)));
}

/** Parses and romanises a name and looks its words up. Never throws; any string is accepted. */
export function prepareName(text: string): PreparedName {
  const parsed = parseName(text);
  const tokens = parsed.words.map((word) => token(word.text, word.prefix)).filter((t) => t.text.length > 0);
  giveRoles(tokens, parsed.familyFirst);
  const ordered =
    parsed.familyFirst > 0
      ? [...tokens.slice(parsed.familyFirst), ...tokens.slice(0, parsed.familyFirst)]
      : tokens;
  return {
    text,
    canonical: ordered.map((t) => t.prefix + t.text).join(' '),
    tokens,
    asides: asideTokens(parsed.extras),
    former: asideTokens(parsed.former),
    generation: parsed.generation,
    suffix: parsed.suffix,
    titles: parsed.titles,
    script: mainScript(text),
  };
}
