// Ids and names of sources on a screen: a file may have somebody's e-mail or number in their place.
import { masked } from '../plan.ts';
import { plain } from './plain.ts';

const DIALLED = /^[+(\d][\d\s()./+*-]*$/;
const FEWEST_DIGITS = 7;

/** Whether a text is, or holds, somebody's e-mail or phone. */
export const isLikeContact = (text: string): boolean =>
  text.includes('@') || (DIALLED.test(text) && text.replace(/\D/g, '').length >= FEWEST_DIGITS);

/** A name as it may stand on a screen: what looks like a contact is masked. */
export const shown = (text: string): string => (isLikeContact(text) ? masked(text) : plain(text));
