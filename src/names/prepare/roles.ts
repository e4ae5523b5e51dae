// Which words of a name are given, middle and family names.
import { WRITINGS } from '../traditions/index.ts';
import type { Draft } from '../traditions/tradition.ts';
import { makeToken } from './token.ts';

/** Gives the words of a name their roles. `families` = how many words, from the end, are known to be family names. */
export function giveRoles(draft: Draft, families: number): void {
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
