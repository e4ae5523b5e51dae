// Latin letters, whatever the language; German umlauts.
import { foldLatin } from '../../script.ts';
import { relation } from '../../relation.ts';
import type { Form, Tradition } from '../tradition.ts';
import { latinSound } from './latin.ts';

/** Mueller, Müller and Muller are one name. */
const SPELLED_OUT = relation('equal', 0.97);
const UMLAUTS: Form = {
  when: /e/,
  rules: [[/(?<![aeiouqg])([aou])e/g, '$1']],
  both: SPELLED_OUT,
  one: SPELLED_OUT,
};

export const WESTERN: Tradition = {
  writings: {
    latin: {
      read(word) {
        const text = foldLatin(word);
        return { text, sound: latinSound(text) };
      },
      sounds: { mode: 'full', rank: 0 },
    },
  },
  form: UMLAUTS,
};
