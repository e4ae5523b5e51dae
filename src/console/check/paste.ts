// A line about a person, however it was copied, taken apart: what is plainly an e-mail, a phone, a name, an address.
import { NO_ADDRESS } from './request.ts';
import type { Address } from './request.ts';

export interface Found {
  name: string;
  emails: string[];
  phones: string[];
  addresses: Required<Address>[];
}

const EMAIL = /[^\s,;|<>()"']+@[^\s,;|<>()"']+\.[^\s,;|<>()"']+/g;
/** As North America writes them: ten digits, with or without the country's own. What follows may be a house number. */
const NORTH_AMERICAN = /(?<![\p{L}\p{N}])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}(?![\p{L}\p{N}])/gu;
/** Ten to fifteen digits with what is written among them; no letter right before or behind. */
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d(?:[ ().\-/]{0,3}\d){9,14}(?![\p{L}\p{N}])/gu;
const LABEL = /^(?:name|full name|e-?mail|phone|tel|mobile|address)\s*[:=]\s*/i;
const STATE_ZIP = /^(?<state>[A-Za-z]{2})\.?\s+(?<zip>\d{5})(?:-?\d{4})?$/;

export function takeApart(text: string): Found {
  const emails: string[] = [];
  const phones: string[] = [];
  const rest = text
    .replaceAll(EMAIL, (found) => (emails.push(found.replace(/^mailto:/i, '')), '\n'))
    .replaceAll(NORTH_AMERICAN, (found) => (phones.push(found.trim()), '\n'))
    .replaceAll(PHONE, (found) => (phones.push(found.trim()), '\n'));
  const pieces = rest
    .split(/[\n,;|\t]+|\s[–—]\s/)
    .map((piece) =>
      piece
        .replace(/[<>"']/g, ' ')
        .trim()
        .replace(LABEL, '')
        .trim(),
    )
    .filter(
      (piece) =>
        /[\p{L}\p{N}]/u.test(piece) && !/^(?:e-?mail|phone|tel|mobile|name|address)\s*[:=]?$/i.test(piece),
    );
  const at = pieces.findIndex((piece) => /\p{L}/u.test(piece) && !/\d/.test(piece));
  const name = pieces[at] ?? '';
  const others = pieces.filter((_, i) => i !== at);
  // `Hale, Bob`: one word on each side of a comma is a name turned round.
  const turned =
    at === 0 &&
    /^\S+$/.test(name) &&
    /^\p{L}[\p{L}'’.-]*(?: \p{L}\.?)?$/u.test(others[0] ?? '') &&
    pieces[1] === others[0];
  return {
    name: turned ? `${others[0]} ${name}` : name,
    emails: emails.slice(0, 5),
    phones: phones.slice(0, 5),
    addresses: addressesIn(turned ? others.slice(1) : others),
  };
}

/** A piece with a digit begins an address; what follows is its place. */
function addressesIn(pieces: string[]): Required<Address>[] {
  const [street, ...places] = pieces.slice(
    Math.max(
      0,
      pieces.findIndex((piece) => /\d/.test(piece) && /\p{L}/u.test(piece)),
    ),
  );
  if (street === undefined || !/\d/.test(street)) return [];
  const address = { ...NO_ADDRESS, street };
  for (const place of places) {
    const both = STATE_ZIP.exec(place)?.groups;
    if (both) Object.assign(address, both);
    else if (/^\d[\d -]{3,9}$/.test(place)) address.zip = place;
    else if (/^(?:apt|apartment|unit|flat|suite|#)\b|^#/i.test(place)) address.street2 = place;
    else if (address.city === '') address.city = place;
    else if (address.state === '') address.state = place;
    else if (address.country === '') address.country = place;
  }
  return [address];
}
