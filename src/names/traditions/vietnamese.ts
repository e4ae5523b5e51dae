// Vietnamese names: the word before the given name that tells women from men.
import { FEMALE, MALE } from '../tables/lexicon.ts';
import { IN_VIETNAM } from './han/table.ts';
import type { Draft, Tradition } from './tradition.ts';

/** Nguyễn Thị Hoa is a woman, Nguyễn Văn Hoa a man. */
function arrange({ tokens }: Draft): void {
  if (!tokens.some((t) => t.surnameOf & IN_VIETNAM)) return;
  const woman = tokens.some((t) => t.text === 'thi' && t.script === 'latin');
  if (!woman && !tokens.some((t) => t.prefix === 'van')) return;
  for (const t of tokens)
    if (!(t.surnameOf & IN_VIETNAM)) Object.assign(t, { sex: woman ? FEMALE : MALE, sexTold: true });
}

export const VIETNAMESE: Tradition = { arrange };
