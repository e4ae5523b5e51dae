// Reads a pasted text about a person, or a pasted request as JSON: which parts are e-mails, phones, the name and the address. The server parses the address itself.
import { type AddressFields, EMPTY_ADDRESS, MAX_VALUES_PER_KIND, type PersonValues } from './request.ts';

export interface PastedDetails extends Required<PersonValues> {
  unused: string[];
}

/** Matches an e-mail address. The bounds keep the time linear in the length of the text. */
const EMAIL = /(?:mailto:)?[^\s@,;:：|<>()"']{1,200}@[^\s@.,;|<>()"']{1,200}\.[^\s@,;|<>()"']{1,200}/gi;
const DATE = /(?<![\p{L}\p{N}])(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4})(?![\p{L}\p{N}])/gu;
/** Matches a North American phone number with its extension. A house number after it is not included. */
const NORTH_AMERICAN_PHONE =
  /(?<![\p{L}\p{N}])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4}(?:,? ?(?:ext\.?|x|#) ?\d{1,6})?(?![\p{L}\p{N}])/giu;
/** Matches a phone number of 10 to 15 digits with separators. */
const PHONE = /(?<![\p{L}\p{N}])\+?\(?\d(?:[ ().\-/]{0,3}\d){9,14}(?![\p{L}\p{N}])/gu;
/** Matches a phone number with a country code other than 1, or with a trunk prefix in brackets. Read first: its end may look North American. */
const INTERNATIONAL_PHONE =
  /(?<![\p{L}\p{N}])(?:\+[2-9]|00[1-9]|\(0\) ?\d)(?:[ ().\-/]{0,3}\d){8,14}(?![\p{L}\p{N}])/gu;

/** Returns a label in lower case, without accents, spaces, dots and hyphens. */
const toLabelKey = (label: string): string =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replace(/[\p{M} .-]/gu, '');

/** Field of each label, in several languages. See `toLabelKey`. */
const LABELS = new Map(
  Object.entries({
    name: 'name fullname nom nome nombre naam navn namn imieinazwisko 氏名 姓名',
    address:
      'address addr adres adresse adress adresa anschrift endereco direccion indirizzo osoite 住所 地址',
    other:
      'email mail correo correoelectronico courriel epost phone phonenumber tel telephone telefon telefonnummer telefone telefono telefoon mobile mobil mobiel movil handy cell celular gsm fax 電話 電話番号 携帯 携帯電話 メール メールアドレス born dob geboren',
  }).flatMap(([field, words]) => words.split(' ').map((word) => [toLabelKey(word), field] as const)),
);

/** Finds the name, e-mails, phones and address in a text. The address is one line, which the server parses. */
export function parsePastedText(text: string): PastedDetails {
  const request = parseJsonObject(text);
  if (request) return readRequest(request);
  const emails: string[] = [];
  const phones: string[] = [];
  const dates: string[] = [];
  const moveTo = (list: string[]) => (match: string) => (list.push(match.trim()), '\n');
  const parts = text
    .replaceAll(EMAIL, (match) => moveTo(emails)(match.replace(/^mailto:/i, '')))
    .replaceAll(DATE, moveTo(dates))
    .replaceAll(INTERNATIONAL_PHONE, moveTo(phones))
    .replaceAll(NORTH_AMERICAN_PHONE, moveTo(phones))
    .replaceAll(PHONE, moveTo(phones))
    .split(/[\n;|\t]+|\s[–—]\s/)
    .map(cleanPart)
    .filter(({ text: rest }) => rest !== '');
  const { name, address, others } = readNameAndAddress(parts);
  return {
    name,
    emails: emails.slice(0, MAX_VALUES_PER_KIND),
    phones: phones.slice(0, MAX_VALUES_PER_KIND),
    addresses: address === '' ? [] : [{ street: address }],
    unused: [...dates, ...emails.slice(MAX_VALUES_PER_KIND), ...phones.slice(MAX_VALUES_PER_KIND), ...others],
  };
}

function parseJsonObject(text: string): Record<string, unknown> | null {
  if (!text.trim().startsWith('{')) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** Reads the name and contacts of a check request. Whatever the form has no field for is returned as unused. */
function readRequest({ name, emails, phones, addresses, ...others }: Record<string, unknown>): PastedDetails {
  const lists = {
    emails: toList(emails).map(String),
    phones: toList(phones).map(String),
    addresses: toList(addresses).map(toAddressFields),
  };
  const isUsed = (_: unknown, i: number) => i < MAX_VALUES_PER_KIND;
  return {
    name: typeof name === 'string' ? name : '',
    emails: lists.emails.filter(isUsed),
    phones: lists.phones.filter(isUsed),
    addresses: lists.addresses.filter(isUsed),
    unused: [
      ...Object.values(lists).flatMap((values) => values.slice(MAX_VALUES_PER_KIND).map(toText)),
      ...Object.entries(others).map(([field, value]) => `${field}: ${toText(value)}`),
    ],
  };
}

const toList = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter((item) => item !== null) : value ? [value] : [];
const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Reads the fields of an address. A text becomes the street, which the server parses. */
function toAddressFields(value: unknown): Partial<AddressFields> {
  if (typeof value !== 'object' || value === null) return { street: String(value) };
  const filledFields = Object.entries(value).filter(
    ([field, text]) => field in EMPTY_ADDRESS && text !== null,
  );
  return Object.fromEntries(filledFields.map(([field, text]) => [field, String(text)]));
}

interface Part {
  text: string;
  /** Field that the label before the part names. Undefined without a label. */
  field: string | undefined;
}

/** Removes the label (`Phone:`), quotes and surrounding commas of a part of the text. */
function cleanPart(part: string): Part {
  const text = part.replace(/[<>"'\s]+/g, ' ').replace(/^[ ,]+|[ ,]+$/g, '');
  const [label = ''] = text.split(/[:=：]/, 1);
  const field = LABELS.get(toLabelKey(label));
  return { field, text: field === undefined ? text : text.slice(label.length + 1).trim() };
}

/**
 * Splits comma-separated text into name and address. The address starts at the first part with a digit, and the name is the text before it. If that
 * part begins with a number (Av. Paulista, 1605), the part before it is the street and belongs to the address. A label before a part (`Name:`) takes
 * precedence.
 */
function readNameAndAddress(parts: Part[]): { name: string; address: string; others: string[] } {
  let name = '';
  const address: string[] = [];
  const others: string[] = [];
  for (const { text, field } of parts) {
    const pieces = text.split(/ ?, ?/);
    const isOfAddress = (piece: string, i: number) => /\d/.test(piece) && !(field === 'name' && i === 0);
    const firstDigit = field === 'address' ? 0 : pieces.findIndex(isOfAddress);
    const hasNumberAlone = /^\d/.test(pieces[firstDigit] ?? '');
    const hasStreet =
      hasNumberAlone && firstDigit > Number(name === '') && pieces[firstDigit - 1]?.includes(' ');
    const end = firstDigit < 0 ? pieces.length : firstDigit - Number(hasStreet);
    const words = pieces.slice(0, end).join(', ');
    if (name === '') name = words;
    else if (words !== '') (address.length > 0 ? address : others).push(words);
    address.push(...pieces.slice(end));
  }
  return { name, address: address.join(', '), others };
}
