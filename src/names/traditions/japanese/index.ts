// Japanese names: kana, and readings of characters in Latin letters.
import { isForeign } from '../han/customs.ts';
import type { Form, Tradition } from '../tradition.ts';
import { relation } from '../../relation.ts';
import { hepburn } from './latin.ts';
import { kanaSound, kanaSyllables } from './kana.ts';

/** One word in the two systems of spelling Japanese. Only words of its syllables have a form. */
const OTHER_SYSTEM = relation('spelling', 0.9);
const SPELT: Form = {
  when: /^(?:(?:[kgsztdnhbpmrfjwy]|[kgnhbpmrsztj]y|sh|ch|ts)?[aiueo]{1,2}h?(?:n(?![aiueoy])|m(?=[pbm])|([kstp])(?=\1))?){2,}$/,
  make: hepburn,
  both: OTHER_SYSTEM,
  one: OTHER_SYSTEM,
};

export const JAPANESE: Tradition = {
  form: SPELT,
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
