// A word of any script -> Latin letters a-z and sounds.
import anyAscii from 'any-ascii';
import { foldLatin } from '../script.js';
import { latinSound } from '../sound.js';
import { readLetters, thaiOrder } from './alphabets.js';
import { hangulLatin, hangulSound } from './hangul.js';
import { kanaSound, kanaSyllables } from './kana.js';
const marks = /[\u0300-\u036f]/g;
/** Scripts that leave short vowels unwritten. */
export function isBare(script) {
    return script === 'arabic' || script === 'hebrew' || script === 'thai';
}
/** Without the article, and with Allah as it is heard. */
function arabic(word) {
    return readLetters(word.replace(/^ال(?=..)/u, '').replace(/لله$/u, 'له'), 'arabic');
}
const indic = /[\u0900-\u0dff]/u;
const tamil = /[\u0b80-\u0bff]/u;
const killers = /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca]/u;
/** Letters of India to Latin, with the short a that a consonant carries unless a vowel sign or a killer follows. */
function indicLatin(word) {
    let out = '';
    const chars = [...word];
    for (const [i, c] of chars.entries()) {
        const latin = killers.test(c) ? '' : foldLatin(anyAscii(c));
        const next = chars[i + 1] ?? '';
        const carries = /\p{Lo}/u.test(c) && latin !== '' && !/[aeiou]$/.test(latin);
        const sign = /\p{M}/u.test(next) && (killers.test(next) || /^[aeiouy]/.test(anyAscii(next)));
        out += carries && !sign ? `${latin}a` : latin;
    }
    return out.replace(/(?<=[aeiou][^aeiou]h?)a$/, '');
}
/** An m before a consonant is any nasal, c is ch, s may be sh; Tamil does not write whether a stop is voiced. */
function indicReading(word) {
    const text = indicLatin(word);
    const heard = tamil.test(word) ? text.replace(/tacu?(?=m)|tcu?(?=m)/, 'ksh') : text;
    let sound = latinSound(heard.replaceAll('c', 'ch'))
        .replace(/m(?=[kgKGYCjJtdTpb])/g, 'M')
        .replaceAll('s', '!');
    if (tamil.test(word))
        sound = sound
            .replace(/k(?!S)|g/g, '<')
            .replaceAll('K', '0')
            .replace(/[td^79]/g, '>')
            .replace(/[pb]/g, '=');
    return { text, sound };
}
/** Reads one word of a script. The empty text means that nothing in it can be read. */
export function readWord(word, script) {
    switch (script) {
        case 'latin': {
            const text = foldLatin(word);
            return { text, sound: latinSound(text) };
        }
        case 'cyrillic':
        case 'greek':
            return readLetters(word.normalize('NFD').replace(marks, '').toLowerCase().normalize('NFC'), script);
        case 'hebrew':
            return readLetters(word.replace(/[\u0591-\u05c7]/g, ''), script);
        case 'arabic':
            return arabic(word);
        case 'thai':
            return readLetters(thaiOrder(word), script);
        case 'kana': {
            const syllables = kanaSyllables(word);
            return { text: syllables.join(''), sound: kanaSound(syllables) };
        }
        case 'hangul':
            return { text: hangulLatin(word), sound: hangulSound(word) };
        default: {
            if (indic.test(word))
                return indicReading(word);
            const text = foldLatin(anyAscii(word));
            return { text, sound: latinSound(text) };
        }
    }
}
