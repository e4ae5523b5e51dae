// Thai letters.
import { alphabet, readLetters } from './alphabet.ts';
import type { Tradition } from './tradition.ts';

const LETTERS = alphabet(`
  ก k <  ข kh &  ฃ kh &  ค kh &  ฅ kh &  ฆ kh &  ง ng N  จ ch ?  ฉ ch C  ช ch C  ซ s s  ฌ ch C  ญ y n  ฎ d >  ฏ t >  ฐ th ^  ฑ th >  ฒ th ^
  ณ n n  ด d >  ต t >  ถ th ^  ท th ^  ธ th ^  น n n  บ b =  ป p =  ผ ph P  ฝ f f  พ ph P  ฟ f f  ภ ph P  ม m m  ย y E  ร r R  ล l R  ว w V
  ศ s s  ษ s s  ส s s  ห h H  ฬ l R  อ o A  ฮ h h  ะ a a  ั a a  า a a  ำ am am  ิ i i  ี i i  ึ ue u  ื ue u  ุ u u  ู u u  เ e e  แ ae e  โ o o  ใ ai a3  ไ ai a3
  ฤ rue Ru  ็ - -  ่ - -  ้ - -  ๊ - -  ๋ - -
`);

/** Vowels that are written before the consonant they follow, and letters that a mark silences. */
const inSpokenOrder = (word: string) =>
  word.replace(/[ก-ฮ][ิุ]?\u0e4c/gu, '').replace(/([เแโใไ])([ก-ฮ])/gu, '$2$1');

export const THAI: Tradition = {
  writings: {
    thai: {
      read: (word) => readLetters(inSpokenOrder(word), LETTERS),
      sounds: { mode: 'bare', rank: 4 },
      consonants: true,
    },
  },
};
