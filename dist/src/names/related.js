// The answer on two single words.
export const related = (relation, quality) => ({ relation, quality });
export const different = related('different', 0);
