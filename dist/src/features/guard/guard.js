// What a model says is checked before anybody reads it: form, limits, figures, matches, and subjects it may not touch.
import * as v from 'valibot';
import { bannedIn } from './banned.js';
import { claimProblems } from './claims.js';
import { looseJson, numbersIn, strings, trimTo, writtenNumbers } from './text.js';
const TOO_MANY = 8;
function formProblems(issues) {
    return issues
        .slice(0, TOO_MANY)
        .map((issue) => `${v.getDotPath(issue) ?? 'the answer'}: expected ${issue.expected ?? 'another value'}`);
}
function isAdvice(path, advice) {
    return advice.some((key) => path === key || path.startsWith(`${key}[`));
}
/** A person may be called Prison or Fakely: the words of the two names are no claim. */
function withoutNames(text, { names }) {
    const words = `${names?.provided ?? ''} ${names?.matched ?? ''}`.split(/[^\p{L}\p{M}\p{N}]+/u);
    const capitalised = words.filter((word) => word.length > 1 && word !== word.toLowerCase());
    return capitalised.reduce((left, word) => left.replaceAll(word, 'Name'), text);
}
// Small numbers in words are read where they count something (see claims); these would go past every check.
const WORDED_FIGURES = /\b(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|twice|thrice|per ?cent)\b|(?![0-9])\p{Nd}/iu;
/** Figures in a text that the facts do not hold. 100 is known as the top of the scale. */
function figureProblems(text, known) {
    if (WORDED_FIGURES.test(text))
        return ['numbers have to be written in digits'];
    const unknown = writtenNumbers(text).filter((number) => !known.has(number) && number !== 100);
    return unknown.map((number) => `the number ${number} is not among the facts`);
}
/**
 * Parses, trims and checks a model's answer. Pure; used on every model alike, the deterministic one included.
 * Numbers are taken from the brief and the facts (the stream aside, which no model sees).
 */
export function guard({ answer, schema, jsonSchema, advice, facts, brief }) {
    const json = typeof answer === 'string' ? looseJson(answer) : answer;
    if (json === undefined)
        return { ok: false, code: 'model_bad_answer', problems: ['the answer is not JSON'] };
    const parsed = v.safeParse(schema, trimTo(jsonSchema, json));
    if (!parsed.success)
        return { ok: false, code: 'model_bad_answer', problems: formProblems(parsed.issues) };
    const { stream: _stream, ...shown } = facts;
    const known = numbersIn(brief, numbersIn(shown));
    // A figure of the answer itself (a confidence) may be repeated in its words.
    for (const value of Object.values(parsed.output))
        if (typeof value === 'number')
            known.add(value);
    const problems = [];
    const given = new Set(strings(brief).map(({ text }) => text));
    for (const { path, text: said } of strings(parsed.output)) {
        if (given.has(said))
            continue; // word for word a fact
        const text = withoutNames(said, facts);
        const found = [...bannedIn(text, facts), ...figureProblems(text, known)];
        if (!isAdvice(path, advice))
            found.push(...claimProblems(text, facts));
        for (const problem of found)
            problems.push(`${path}: ${problem}`);
        if (problems.length >= TOO_MANY)
            break;
    }
    return problems.length > 0
        ? { ok: false, code: 'answer_rejected', problems }
        : { ok: true, value: parsed.output };
}
