import { firstGiven } from './index.js';
/** Key of the given name alone, by which a changed family name is noticed; null for an initial or none. */
export function givenKey(name) {
    const given = firstGiven(name);
    return given !== undefined && given.length > 1 ? `g:${given}` : null;
}
