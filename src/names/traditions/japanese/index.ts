// Japanese names: kana, and readings of characters in Latin letters.
import { isForeign } from '../han/customs.ts';
import type { Tradition } from '../tradition.ts';
import { kanaSound, kanaSyllables } from './kana.ts';

export const JAPANESE: Tradition = {
  writings: {
    kana: {
      read(word) {
        const syllables = kanaSyllables(word);
        return { text: syllables.join(''), sound: kanaSound(syllables) };
      },
      sounds: { mode: 'eastern', rank: 3 },
      syllabic: true,
      familyLeads: (tokens, text) => tokens.length === 2 && !isForeign(text),
    },
  },
};
