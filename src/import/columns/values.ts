// What a column holds by what its values look like: a header may say too little, or the wrong thing.
import { splitPhones } from './cells.ts';
import { type ColumnGuess, PHONE_HEADER, CONTACT_HEADER, OTHER_PERSON_HEADER } from './headers.ts';

/** Shares (0-1) of the values that look like something, and how many there are. */
export interface ValueShares {
  count: number;
  email: number;
  phone: number;
  /** Phones that are written as such: with a country code, a leading zero, or their digits in groups. */
  dialled: number;
  /** Phones with a country code. */
  abroad: number;
  /** Numbers of nine digits or more. */
  long: number;
  date: number;
  /** Two letters in a row or more. */
  words: number;
  letters: number;
  digits: number;
  /** Different values, of all. */
  different: number;
}

const EMAIL = /^[^\s@<>]*<?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+>?$/;
const PHONE = /^'?(?:tel[.:]?|[a-z]{1,8}:)? ?[+(\d][\d\s()./+*-]*(?: ?(?:x|ext\.?|#) ?\d{1,6})?$/i;
/** Their digits alone could be any number's. */
const DIALLED = /^'?(?:\+|0|\(|\d{1,5}[ ./-]\d)/;
const DATE =
  /^(?:19|20)\d\d(?:[./-]\d{1,2})?$|^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?=$|[T ])|^\d{4}-?\d\d-?\d\d(?:T|$)|^(?:\p{L}{3,12}\.?,? )?\d{1,2}\.? \p{L}{3,12}\.?,? \d{2,4}|^\p{L}{3,12}\.? \d{1,2},? \d{4}/u;
/** Of spreadsheets (from 1990) and of programs (seconds or milliseconds since 1970). */
const COUNTED = /^(?:3[3-9]|4\d)\d{3}(?:\.\d+)?$|^1\d{9}(?:\d{3})?$/;
const WORDS = /\p{L}{2}/u;
/** No contact is longer (RFC 5321: an e-mail has 254 characters), and looking through a megabyte takes minutes. */
const LONGEST = 320;
/** `Ship To`: a name, or where they live. */
const SENT_TO = /(?:ship|bill|sold|send|sent|deliver|delivered|invoice|mail|recipient)to$/;
/** Fewer values than this say too little against a header, unless all are e-mails. */
const FEW = 3;
const MOST = 0.8;
const HARDLY = 0.1;
/** Share of different values up to which an address that is less sure is where many buy, and not where each lives. */
const FEW_PLACES = 0.5;

/** Of several in a cell the first tells. */
const isPhone = (cell: string): boolean => {
  const [value = ''] = splitPhones(cell);
  const digits = value.replace(/\D/g, '').length;
  return PHONE.test(value) && digits >= 6 && digits <= 18 && !isDate(value);
};

const isDate = (value: string): boolean => DATE.test(value);

/** What the values of one column look like; empty ones do not count. */
export function measureValues(values: readonly string[]): ValueShares {
  const given = values.map((value) => value.slice(0, LONGEST).trim()).filter((value) => value !== '');
  const share = (is: (value: string) => boolean) => given.filter(is).length / Math.max(given.length, 1);
  return {
    count: given.length,
    email: share((value) => EMAIL.test(value)),
    phone: share(isPhone),
    dialled: share((value) => isPhone(value) && DIALLED.test(value)),
    abroad: share((value) => isPhone(value) && /^'?(?:\+|00)[1-9]/.test(value)),
    long: share((value) => value.replace(/\D/g, '').length > 8),
    date: share((value) => isDate(value) || COUNTED.test(value)),
    words: share((value) => WORDS.test(value)),
    letters: share((value) => /\p{L}/u.test(value)),
    digits: share((value) => /\d/.test(value)),
    different: new Set(given).size / Math.max(given.length, 1),
  };
}

/**
 * A guess by the header, put right by what the values look like: a column full of e-mails is one of e-mails, a phone column of words is none, a
 * name without letters is a number, and `Ship To` may hold addresses. The header has the word where the values do not speak against it.
 */
export function correctGuess(key: string, guess: ColumnGuess | null, looks: ValueShares): ColumnGuess | null {
  const { count, email, phone, words, letters, digits, different, date } = looks;
  // Behind a header that begins like one, a single number is enough.
  if (guess === null && PHONE_HEADER.test(key) && phone > MOST) return { field: 'phone', group: '' };
  const is = (field: ColumnGuess['field']) => guess?.field === field;
  if (is('name') && count > 0 && letters < HARDLY && phone + digits > MOST) return numbered(looks);
  if (count < FEW && (count < 2 || email < 1)) return guess;
  if (email > MOST) {
    if (is('email')) return guess;
    if (guess !== null && !is('record_id') && !is('identity') && !is('source'))
      return { field: 'email', group: '' };
    // Colleagues stand again and again in a list of customers.
    if (guess === null && !OTHER_PERSON_HEADER.test(key) && different > 0.5)
      return { field: 'email', group: '' };
    return guess;
  }
  if (is('email') && email < HARDLY && words + phone > MOST)
    return phone > MOST ? { field: 'phone', group: '' } : null;
  if (is('phone') && phone < HARDLY && words > MOST) return null;
  if ((is('given') || is('family')) && letters < HARDLY) return null;
  if ((is('first_seen') || is('last_seen')) && date < HARDLY) return null;
  if (is('address') && guess?.isWeak && !guess.isOfProperty && different <= FEW_PLACES) return null;
  if (is('name') && SENT_TO.test(key) && digits > 0.5) return { field: 'address', group: key };
  if (guess === null && phone > MOST && (CONTACT_HEADER.test(key) || isPlainly(key, looks)))
    return { field: 'phone', group: '' };
  return guess;
}

/** What a column of names without letters holds: phones, or numbers that tell rows apart; else nothing that is of use. */
function numbered({ phone, dialled, long, digits, different }: ValueShares): ColumnGuess | null {
  if (phone > MOST && dialled > 0.5) return { field: 'phone', group: '' };
  const isId = digits > MOST && different > MOST && (phone <= MOST || long < 0.5);
  return isId ? { field: 'record_id', group: '' } : null;
}

/** Phones with a country code are somebody's, whatever stands above them; but not a fax machine's. */
const isPlainly = (key: string, { abroad }: ValueShares): boolean =>
  abroad > MOST && !OTHER_PERSON_HEADER.test(key) && !key.includes('fax');
