// A line about a person, however it was copied, taken apart: what is plainly an e-mail, a phone, a name, an address, and what is none of them.
import { requestIn } from './request.ts';
import type { Found } from './request.ts';
import { isCountry, isState, isStreet, partsOf, placeIn } from './place.ts';
import { MOST, NO_ADDRESS } from '../request.ts';
import type { Address } from '../request.ts';

const EMAIL = /[^\s,;|<>()"']+@[^\s,;|<>()"']+\.[^\s,;|<>()"']+/g;
const DATE = /(?<![\p{L}\p{N}])(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})(?![\p{L}\p{N}])/gu;
/** As North America writes them: ten digits, with or without the country's own. What follows may be a house number, or leads to a desk. */
const NORTH_AMERICAN =
  /(?<![\p{L}\p{N}])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}(?:,? ?(?:ext\.?|x|#) ?\d{1,6})?(?![\p{L}\p{N}])/giu;
/** Ten to fifteen digits with what is written among them; no letter right before or behind. */
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d(?:[ ().\-/]{0,3}\d){9,14}(?![\p{L}\p{N}])/gu;
const LABEL = /^(?:name|full name|e-?mail|phone|tel|mobile|address)\s*[:=]\s*/i;
const LABEL_ALONE = /^(?:e-?mail|phone|tel|mobile|name|address|born|dob)\s*[:=]?$/i;
const UNIT = /^(?:apt|apartment|unit|flat|suite|ste|#)\b|^#/i;
const PARTICLE = /^(?:van|von|de|den|der|del|di|da|dos|la|le|al|el|bin|ben|ter|ten)\s/i;

/** Takes a pasted text apart; what there are more than five of is left, and so is what is nothing that a request has. */
export function takeApart(text: string): Found {
  const request = requestIn(text);
  if (request !== null) return request;
  const emails: string[] = [];
  const phones: string[] = [];
  const left: string[] = [];
  const moved = (to: string[]) => (found: string) => (to.push(found.trim()), '\n');
  const rest = text
    .replaceAll(EMAIL, (found) => moved(emails)(found.replace(/^mailto:/i, '')))
    .replaceAll(DATE, moved(left))
    .replaceAll(NORTH_AMERICAN, moved(phones))
    .replaceAll(PHONE, moved(phones));
  const { name, address, others } = placed(rest.split(/[\n;|\t]+|\s[–—]\s/).map(piecesOf));
  return {
    name,
    emails: emails.slice(0, MOST),
    phones: phones.slice(0, MOST),
    addresses: Object.values(address).some((part) => part !== '') ? [address] : [],
    left: [...left, ...emails.slice(MOST), ...phones.slice(MOST), ...others],
  };
}

/** The pieces between the commas of a part. */
const piecesOf = (part: string): string[] =>
  part
    .split(',')
    .map((piece) =>
      piece
        .replace(/[<>"']/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .replace(LABEL, '')
        .trim(),
    )
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece) && !LABEL_ALONE.test(piece))
    .flatMap(partsOf);

interface Placed {
  name: string;
  address: Required<Address>;
  others: string[];
}

function placed(parts: string[][]): Placed {
  const found: Placed = { name: '', address: { ...NO_ADDRESS }, others: [] };
  const hasStreet = parts.flat().some(isStreet);
  for (const pieces of parts) {
    const turned = found.name === '' ? turnedName(pieces) : null;
    if (turned !== null) found.name = turned;
    const others = turned === null ? pieces : pieces.slice(2);
    for (const [i, piece] of others.entries()) place(piece, found, { hasStreet, next: others[i + 1] ?? '' });
  }
  return found;
}

/** `Hale, Bob`: a family name, a comma, and one given name or two. */
function turnedName([family = '', given = '']: string[]): string | null {
  const isFamily = /^\p{L}[\p{L}'’.-]*$/u.test(family) || (PARTICLE.test(family) && !/\d/.test(family));
  if (!isFamily || !/^\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’-]*\.?)?$/u.test(given)) return null;
  return [family, given].some((word) => isCountry(word) || isState(word)) ? null : `${given} ${family}`;
}

interface Around {
  /** Somewhere in the text. */
  hasStreet: boolean;
  /** The piece that follows. */
  next: string;
}

function place(piece: string, found: Placed, { hasStreet, next }: Around): void {
  const { address } = found;
  const free = (part: keyof Address, text: string) => (address[part] === '' ? (address[part] = text) : null);
  const begun = Object.values(address).some((part) => part !== '') || isState(next);
  const town = placeIn(piece, hasStreet);
  const taken =
    (town !== null && address.zip === '' && Object.assign(address, town)) ||
    (UNIT.test(piece) && free('street2', piece)) ||
    (/\d/.test(piece) && free('street', piece)) ||
    (!/\d/.test(piece) && words(piece));
  if (!taken) found.others.push(piece);

  function words(text: string) {
    if ((begun || hasStreet) && isCountry(text)) return free('country', text);
    if (begun && isState(text)) return free('state', text);
    if (begun && address.city === '') return free('city', text);
    if (found.name === '') return (found.name = text);
    // A state by its whole name stands before the postcode.
    return begun && address.zip === '' ? free('state', text) : null;
  }
}
