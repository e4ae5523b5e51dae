// A name made ready for comparing: parsed, romanised, looked up, once.
import { parseName } from './parse.js';
import { isKoreanSurname, isSinoSurname, surnameLength } from './reading/han.js';
import { isPinyin, koreanGiven, sinoForm } from './reading/sino.js';
import { mainScript } from './script.js';
import { makeToken } from './token.js';
/**
 * Given name first, family names last; a hyphen keeps words together; a word that may be a title does not count as the
 * given name.
 */
function giveRoles(tokens, words, families) {
    const last = tokens.length - 1;
    const first = last > 1 && tokens[0].soft ? 1 : 0;
    for (let i = last; i > first && (i > last - families || (tokens[i + 1]?.role === 'family' && words[i + 1].tied)); i--) {
        tokens[i].role = 'family';
    }
    if (last >= 0)
        tokens[first].role = 'given';
    for (let i = first + 1; i < last && words[i].tied; i++)
        if (tokens[i].role === 'middle')
            tokens[i].role = 'given';
}
const dots = /[·・･•=＝]/u;
/** Names in East Asian script start with the family name, but for foreign names, whose words are divided by a dot. */
function familyLeads(tokens, text) {
    const lead = tokens[0];
    if (!lead || tokens.length < 2 || dots.test(text))
        return false;
    if (lead.script === 'hangul')
        return lead.raw.length === 1;
    return lead.script === 'han' || (lead.script === 'kana' && tokens.length === 2);
}
function giveRolesEast(tokens) {
    for (const [i, t] of tokens.entries())
        t.role = i === 0 ? 'family' : 'given';
    const lead = tokens[0];
    if (lead.han)
        tokens[0] = makeToken(lead.raw, lead.prefix, 'family');
}
/** Only beside a Chinese family name are words read as Chinese syllables. */
function markSino(tokens) {
    if (!tokens.some((t) => t.script === 'latin' && isSinoSurname(t.text)))
        return;
    const forms = [];
    for (const t of tokens) {
        const form = t.script === 'latin' ? sinoForm(t.text) : undefined;
        if (!form)
            return;
        forms.push(form);
    }
    const giles = !tokens.every((t) => isPinyin(t.text));
    for (const [i, t] of tokens.entries()) {
        t.sino = forms[i];
        t.giles = giles;
    }
}
function markKorean(tokens) {
    if (tokens.length < 2 || !tokens.some((t) => t.script === 'latin' && isKoreanSurname(t.text)))
        return;
    for (const t of tokens)
        if (t.script === 'latin')
            t.korean = koreanGiven(t.text);
}
function wordsOf(texts) {
    return texts.flatMap((text) => parseName(text).words.map((word) => makeToken(word.text, word.prefix)));
}
/** The name with what stands in quotation marks or brackets in the place of the given name. */
function byAsides(tokens, texts) {
    if (texts.length === 0 || tokens.length < 2)
        return [];
    const rest = tokens.filter((t) => t.role !== 'given');
    return wordsOf(texts)
        .slice(0, 2)
        .map((t) => [{ ...t, role: 'given', aside: true }, ...rest]);
}
/** The name with the birth name in the place of the family name. */
function byFormer(tokens, texts) {
    if (texts.length === 0 || tokens.length < 2)
        return [];
    const rest = tokens.filter((t) => t.role !== 'family');
    return wordsOf(texts)
        .slice(0, 2)
        .map((t) => [...rest, { ...t, role: 'family', birth: true }]);
}
const syllable = /^[^aeiouyw]*[aeiouyw]+(ng|rk|n|m|k|l|p|t|h|r|b)?$/;
/** Kim Jong Un: beside a Korean or Chinese family name every other short word is part of the given name. */
function joinEastern(tokens, words, sure) {
    const [start, middle, end] = tokens;
    if (!start || !middle || !end || tokens.length > 3)
        return;
    if (!tokens.every((t) => t.script === 'latin' && syllable.test(t.text)))
        return;
    const front = start.eastern && !sure;
    const back = end.eastern;
    if (!front && !back)
        return;
    const familyFirst = front && (words[2].tied || (!back && !words[1].tied));
    if (middle.role === 'middle' || familyFirst)
        middle.role = 'given';
    if (!familyFirst)
        return;
    start.role = 'family';
    end.role = 'given';
}
const abd = /^(abd|abdu|abdo|abdi|abde|abdul|abdal|abdel|abdol|abdur|abdus|abdour|abdoul|عبد)$/;
const din = /^(din|deen|dine|eddin|eddine|uddin|ud|aldin|addin|الدين|دين)$/;
const isLink = (word, link) => link.test(word.folded || word.text);
/** Abd al-Rahman and Salah al-Din are one given name each, however they are divided. */
function gather(words) {
    if (words.length < 2 || !words.some((word) => isLink(word, abd) || isLink(word, din)))
        return words;
    const out = [];
    for (let i = 0; i < words.length; i++) {
        const word = words[i];
        const next = words[i + 1];
        if (next && isLink(word, abd)) {
            out.push(joinWords(word, next));
            i++;
        }
        else if (out.length > 0 && isLink(word, din)) {
            out.push(joinWords(out.pop(), word));
        }
        else
            out.push(word);
    }
    return out;
}
function joinWords(one, two) {
    return { ...one, text: one.text + two.prefix + two.text, folded: one.folded + two.prefix + two.folded };
}
const koreanPairs = /^(남궁|황보|제갈|사공|선우|독고|서문)/;
/** Ways to cut an undivided Han or Hangul name: family name first, of one, two or three characters. */
function cutsOf(only) {
    if (only.script !== 'han' && only.script !== 'hangul')
        return [];
    const letters = [...only.raw].filter((c) => /\p{L}/u.test(c));
    const sizes = only.script === 'han'
        ? hanSizes(letters)
        : letters.length > 3 || koreanPairs.test(only.raw)
            ? [1, 2]
            : [1];
    return sizes
        .filter((size) => size < letters.length)
        .map((size) => [
        makeToken(letters.slice(0, size).join(''), '', 'family'),
        makeToken(letters.slice(size).join(''), '', 'given'),
    ]);
}
function hanSizes(letters) {
    const known = surnameLength(letters.join(''));
    const sizes = known === 2 ? [2] : known === 1 ? [1, 2, 3] : [2, 1, 3];
    return sizes;
}
function exactForm(t) {
    if (t.han)
        return t.han;
    return t.script === 'arabic' || t.script === 'hebrew' ? t.raw : t.prefix + t.text;
}
/** The words in the order given name, family name, where a comma told the family name. */
function givenFirst({ words, familyFirst }) {
    return familyFirst > 0 ? [...words.slice(familyFirst), ...words.slice(0, familyFirst)] : words;
}
function othersOf(tokens, { extras, former }) {
    if (tokens.length === 1)
        return cutsOf(tokens[0]);
    if (extras.length + former.length === 0)
        return [];
    return [...byAsides(tokens, extras), ...byFormer(tokens, former)];
}
/** Parses and romanises a name and looks its words up. Never throws; any string is accepted. */
export function prepareName(text) {
    const parsed = parseName(text);
    const sure = parsed.familyFirst > 0;
    const words = [];
    const tokens = [];
    for (const word of gather(givenFirst(parsed)).slice(0, 12)) {
        const token = makeToken(word.text, word.prefix);
        if (token.text.length === 0 && !token.han)
            continue;
        words.push(word);
        tokens.push(token);
    }
    if (!sure && familyLeads(tokens, text))
        giveRolesEast(tokens);
    else
        giveRoles(tokens, words, sure ? parsed.familyFirst : 1);
    if (tokens.some((t) => t.sino) && dots.test(text))
        for (const t of tokens)
            t.sino = '';
    if (tokens.some((t) => t.eastern)) {
        markSino(tokens);
        markKorean(tokens);
        joinEastern(tokens, words, sure);
    }
    return {
        text,
        canonical: tokens.map(exactForm).join(' '),
        tokens,
        others: othersOf(tokens, parsed),
        former: parsed.former,
        generation: parsed.generation,
        suffix: parsed.suffix,
        titles: parsed.titles,
        script: mainScript(text),
        sure,
    };
}
