// Contacts of a vCard file (RFC 6350 and earlier versions) as lines of JSON in the record format.
import { NAME_PARTS } from '../columns/headers.ts';
import { findNonPerson, isGuestName, type NonPersonKind } from '../columns/persons.ts';
import type { Line } from '../input/lines.ts';

const BEGIN = /^BEGIN:VCARD\s*$/i;
const END = /^END:VCARD\s*$/i;
/** Most lines of a card that are read: only pictures have more. */
const MOST_LINES = 5000;
/** Line breaks, commas, semicolons and backslashes inside values. */
const ESCAPED = /\\([nN,;:\\])/g;

interface Property {
  name: string;
  parameters: string;
  value: string;
}

/** True if the beginning of an input is that of a vCard file. */
export const isVcardText = (head: string): boolean => /^\s*BEGIN:VCARD/i.test(head);

/** Converts the lines of cards to one line for each card, with the number of the line at which the card starts. */
export async function* readVcards(batches: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  let [start, open]: [number, string[]] = [0, []];
  for await (const lines of batches) {
    const cards: Line[] = [];
    for (const { line, text, problem } of lines) {
      if (BEGIN.test(text)) {
        if (start > 0) cards.push(unfinished(start));
        [start, open] = [line, []];
      } else if (start > 0 && END.test(text)) {
        cards.push({ line: start, ...toRecordLine(open) });
        start = 0;
      } else if (problem === undefined && start > 0 && open.length < MOST_LINES) open.push(text);
    }
    yield cards;
  }
  if (start > 0) yield [unfinished(start)];
}

const unfinished = (line: number): Line => ({ line, text: '', problem: 'the card has no end' });

interface Card {
  record: Record<string, unknown>;
  names: string[];
  emails: string[];
  phones: string[];
  addresses: object[];
  /** Company of the card, which is its name if no person is named. */
  company: string;
  isPerson: boolean;
}

function toRecordLine(lines: string[]): Pick<Line, 'text' | 'aside'> {
  const lists = { names: [], emails: [], phones: [], addresses: [] };
  const card: Card = { record: {}, company: '', isPerson: true, ...lists };
  for (const property of unfold(lines).flatMap(parseProperty)) READERS[property.name]?.(card, property);
  const { record, names, company, isPerson, ...contacts } = card;
  const parts = NAME_PARTS.flatMap(
    (part) => (record.name as Record<string, string> | undefined)?.[part] || [],
  );
  const fullNames = parts.length > 0 ? [parts.join(' ')] : names;
  const isNamedAsCompany = company !== '' && parts.length < 2 && fullNames.every((name) => name === company);
  const isGuest = fullNames.length > 0 && fullNames.every(isGuestName);
  if (parts.length === 0 || isGuest) delete record.name;
  const aside = isPerson && !isNamedAsCompany ? findAside(card, fullNames) : 'company';
  // The full name repeats the words of the parts.
  const named = aside === 'company' && fullNames.length === 0 ? [company] : parts.length > 0 ? [] : names;
  const text = JSON.stringify({ ...record, names: isGuest ? [] : named, ...contacts });
  return { text, ...(aside && { aside }) };
}

/** Returns the kind of a card that is no person's, as for a row of a table. */
function findAside({ emails, phones, addresses }: Card, fullNames: string[]): NonPersonKind | null {
  const hasContacts = emails.length + phones.length + addresses.length > 0;
  const isGuest = !hasContacts && fullNames.length > 0 && fullNames.every(isGuestName);
  return findNonPerson(fullNames, emails) ?? (isGuest ? 'placeholder' : null);
}

type PropertyReader = (card: Card, property: Property) => void;

/** Readers of properties. TITLE is not read: it is a person's job. */
const READERS: Partial<Record<string, PropertyReader>> = {
  UID: ({ record }, property) => void (record.record_id = valueOf(property).replace(/^urn:uuid:/, '')),
  KIND: (card, property) => void (card.isPerson = /^individual$/i.test(valueOf(property))),
  'X-ABSHOWAS': (card, property) => void (card.isPerson = !/^company$/i.test(valueOf(property))),
  ORG: (card, property) => void (card.company = partsOf(property)[0] ?? ''),
  FN: ({ names }, property) => {
    const name = valueOf(property);
    if (name !== '' && !name.includes('@')) names.push(name);
  },
  N: ({ record }, property) => {
    const parts = partsOf(property).map((part) => part.replaceAll(',', ' '));
    const [family = '', given = '', middle = '', , suffix = ''] = parts;
    record.name = { given, middle, family, suffix };
  },
  EMAIL: ({ emails }, property) => void emails.push(valueOf(property).replace(/^mailto:/i, '')),
  TEL: ({ phones }, property) => {
    if (/FAX/i.test(property.parameters)) return;
    phones.push(valueOf(property).replace(/^tel:/i, '').replace(/;ext=/i, ' ext. '));
  },
  ADR: ({ addresses }, property) => {
    const [box = '', extended = '', street = '', ...rest] = partsOf(property);
    const [city = '', state = '', zip = '', country = ''] = rest;
    const address = { street: street || box, street2: extended, city, state, zip, country };
    if (Object.values(address).some((part) => part !== '')) addresses.push(address);
  },
  BDAY: ({ record }, property) => {
    const day = valueOf(property).replace(BASIC_DAY, '$1-$2-$3');
    // In the place of an unknown year, cards have hyphens or the year 1604.
    if (!/^(?:--|1604)/.test(day)) record.birth_date = day;
  },
  GENDER: ({ record }, property) => void (record.gender = partsOf(property)[0]),
  REV: ({ record }, property) =>
    void (record.last_seen = valueOf(property).replace(BASIC_TIME, '$1-$2-$3T$4:$5:$6$7')),
};

const BASIC_DAY = /^(\d{4})(\d\d)(\d\d)(?=$|T)/;
const BASIC_TIME = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d)(\d\d)(\d\d)(Z|[+-]\d\d:?\d\d)?$/;

/** Joins the lines of one property: a line that begins with a space continues the line before, as does any line after `=` in quoted-printable. */
function unfold(lines: string[]): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const before = whole.at(-1);
    if (before !== undefined && before.endsWith('=') && /QUOTED-PRINTABLE/i.test(before))
      whole[whole.length - 1] = before.slice(0, -1) + line.trimStart();
    else if (before !== undefined && /^[ \t]/.test(line)) whole[whole.length - 1] = before + line.slice(1);
    else whole.push(line);
  }
  return whole;
}

/** Parses a property: `item1.TEL;TYPE=cell:+1 …`. */
function parseProperty(line: string): Property[] {
  const match = /^(?:[\w-]+\.)?([A-Za-z-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line);
  if (!match) return [];
  const [, name = '', parameters = '', value = ''] = match;
  return [{ name: name.toUpperCase(), parameters, value }];
}

function decode(value: string, parameters: string): string {
  if (!/QUOTED-PRINTABLE/i.test(parameters)) return value;
  const bytes = value.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  const encoding = /CHARSET=(?:ISO-8859|WINDOWS)/i.test(parameters) ? 'latin1' : 'utf8';
  return Buffer.from(bytes, 'latin1').toString(encoding);
}

const unescape = (text: string): string =>
  text.replace(ESCAPED, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign)).trim();

const valueOf = ({ value, parameters }: Property): string => unescape(decode(value, parameters));

/** Returns the parts of a value, which are separated by semicolons without a backslash. */
const partsOf = ({ value, parameters }: Property): string[] =>
  value.split(/(?<!\\);/).map((part) => unescape(decode(part, parameters)));
