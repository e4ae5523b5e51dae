// Whose or of what a header says that something is: an account, a company, a house that is let or a login has a name, and it is nobody's.
import { type WordClass, means } from './words.ts';

const some = (words: readonly string[], ...classes: WordClass[]): boolean =>
  words.some((word) => means(word, ...classes));

/**
 * Whether a name is a thing's, by the words of its header: `Account Name`, `Firmenname`, `Nombre de usuario`. Behind a dot, as in `user.name`,
 * stands what an object is called, and a user's own name may be in it.
 */
export function isNameOfThing(words: readonly string[], last: readonly string[]): boolean {
  if (some(words, 'company', 'seller')) return true;
  if (some(words, 'given') || some(words, 'whole')) return false;
  return some(words, 'account', 'property', 'site') || some(last, 'login');
}

/** Whether a contact is a firm's rather than a person's: used where the table has no other. */
export const isOfFirm = (words: readonly string[]): boolean =>
  some(words, 'account') || words.some((word) => means(word, 'company') && !means(word, 'whose'));

/** Whether an address is that of what is let or sold: somebody's who lives there, and of nobody else. */
export const isOfProperty = (words: readonly string[]): boolean => some(words, 'property');

/** Whether a header says that the table is of people who live in what is let to them. */
export const saysResident = (words: readonly string[]): boolean => some(words, 'resident');

/** `Location`: a person's, or the shop's where they bought. */
export const isSite = (words: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => means(word, 'site'));
