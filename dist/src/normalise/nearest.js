import { typoDistance } from './typo.js';
/** The known word that an unknown one was probably meant to be: a few letters apart, or the same after case and signs. */
export function nearest(word, known) {
    if (word.length > 40)
        return undefined;
    const plain = bare(word);
    let best;
    let limit = Math.max(2, Math.floor(plain.length / 3));
    for (const candidate of known) {
        const distance = typoDistance(plain, bare(candidate), limit);
        if (distance <= limit)
            [best, limit] = [candidate, distance - 1];
    }
    return best;
}
const bare = (word) => word.toLowerCase().replace(/[-_\s]/g, '');
