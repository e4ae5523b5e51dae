// Contacts of a vCard file (RFC 6350 and earlier versions) as lines of JSON in the record format.
import { splitCellIntoPhones } from '../columns/cells.ts';
import { NAME_PARTS } from '../columns/headers.ts';
import { findNonPersonReason, isGuestPlaceholderName, type NonPersonReason } from '../columns/persons.ts';
import type { TextLine } from '../input/lines.ts';
import { INPUT_LIMITS } from './limits.ts';

const BEGIN = /^BEGIN:VCARD\s*$/i;
const END = /^END:VCARD\s*$/i;
/** Matches escaped line breaks, commas, semicolons and backslashes in a value. */
const ESCAPED = /\\([nN,;:\\])/g;

interface Property {
  name: string;
  parameters: string;
  value: string;
}

export const isVcardText = (head: string): boolean => /^\s*BEGIN:VCARD/i.test(head);

/** Converts each vCard to one line, which has the line number of the card's beginning. */
export async function* readVcards(batches: AsyncIterable<TextLine[]>): AsyncGenerator<TextLine[]> {
  let card: OpenCard | null = null;
  for await (const lines of batches) {
    const cards: TextLine[] = [];
    for (const { line, text, problem } of lines) {
      if (BEGIN.test(text)) {
        if (card) cards.push(unfinished(card.start));
        card = new OpenCard(line);
      } else if (card && END.test(text)) {
        cards.push(card.finish());
        card = null;
      } else if (problem === undefined) card?.add(text);
    }
    yield cards;
  }
  if (card) yield [unfinished(card.start)];
}

/** Lines of a card that has not ended yet, without skipped properties such as pictures. */
class OpenCard {
  readonly start: number;
  private lines: string[] = [];
  private length = 0;
  /** True if the current property is kept, false if it is skipped. */
  private isRead = true;
  /** True if the next line continues the current property, even if it does not begin with a space. */
  private isContinued = false;
  private problem: string | null = null;

  constructor(start: number) {
    this.start = start;
  }

  add(text: string): void {
    const isContinuation = this.isContinued || /^[ \t]/.test(text);
    if (!isContinuation) this.isRead = READERS[nameOf(text)] !== undefined;
    this.isContinued = text.endsWith('=') && (this.isContinued || /QUOTED-PRINTABLE/i.test(text));
    if (!this.isRead || this.problem !== null) return;
    this.lines.push(text);
    this.length += text.length;
    if (this.length > INPUT_LIMITS.recordBytes) this.problem = 'the card is longer than 1 MiB';
    else if (this.lines.length > INPUT_LIMITS.cardLines)
      this.problem = `the card has more than ${INPUT_LIMITS.cardLines} lines`;
    if (this.problem !== null) this.lines = [];
  }

  finish(): TextLine {
    const line = this.start;
    return this.problem === null
      ? { line, ...toRecordLine(this.lines) }
      : { line, text: '', problem: this.problem };
  }
}

const nameOf = (line: string): string =>
  (/^(?:[\w-]+\.)?([A-Za-z-]+)[;:]/.exec(line)?.[1] ?? '').toUpperCase();

const unfinished = (line: number): TextLine => ({ line, text: '', problem: 'the card has no end' });

interface Card {
  record: Record<string, unknown>;
  names: string[];
  emails: string[];
  phones: string[];
  addresses: object[];
  /** Company of the card. It becomes the name if the card names no person. */
  company: string;
  isPerson: boolean;
}

function toRecordLine(lines: string[]): Pick<TextLine, 'text' | 'aside'> {
  const lists = { names: [], emails: [], phones: [], addresses: [] };
  const card: Card = { record: {}, company: '', isPerson: true, ...lists };
  for (const property of unfold(lines).flatMap(parseProperty)) READERS[property.name]?.(card, property);
  const { record, names, company, isPerson, ...contacts } = card;
  const parts = NAME_PARTS.flatMap(
    (part) => (record.name as Record<string, string> | undefined)?.[part] || [],
  );
  const fullNames = parts.length > 0 ? [parts.join(' ')] : names;
  const isNamedAsCompany = company !== '' && parts.length < 2 && fullNames.every((name) => name === company);
  const isGuest = fullNames.length > 0 && fullNames.every(isGuestPlaceholderName);
  if (parts.length === 0 || isGuest) delete record.name;
  const aside = isPerson && !isNamedAsCompany ? findAside(card, fullNames) : 'company';
  // The full name repeats the words of the parts.
  const named = aside === 'company' && fullNames.length === 0 ? [company] : parts.length > 0 ? [] : names;
  const text = JSON.stringify({ ...record, names: isGuest ? [] : named, ...contacts });
  return { text, ...(aside && { aside }) };
}

/** Returns the reason why a card is not about a person; null if it is about one. */
function findAside({ emails, phones, addresses }: Card, fullNames: string[]): NonPersonReason | null {
  const hasContacts = emails.length + phones.length + addresses.length > 0;
  const isGuest = !hasContacts && fullNames.length > 0 && fullNames.every(isGuestPlaceholderName);
  return findNonPersonReason(fullNames, emails) ?? (isGuest ? 'placeholder' : null);
}

type PropertyReader = (card: Card, property: Property) => void;

/** Parsers by property name. TITLE is missing, because it contains the person's job. */
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
    phones.push(...splitCellIntoPhones(valueOf(property).replace(/^tel:/i, '').replace(/;ext=/i, ' ext. ')));
  },
  ADR: ({ addresses }, property) => {
    const [box = '', extended = '', street = '', ...rest] = partsOf(property);
    const [city = '', state = '', zip = '', country = ''] = rest;
    const address = { street: street || box, street2: extended, city, state, zip, country };
    if (Object.values(address).some((part) => part !== '')) addresses.push(address);
  },
  BDAY: ({ record }, property) => {
    const day = valueOf(property).replace(BASIC_DAY, '$1-$2-$3');
    // Cards write an unknown year as hyphens or as 1604.
    if (!/^(?:--|1604)/.test(day)) record.birth_date = day;
  },
  GENDER: ({ record }, property) => void (record.gender = partsOf(property)[0]),
  REV: ({ record }, property) =>
    void (record.last_seen = valueOf(property).replace(BASIC_TIME, '$1-$2-$3T$4:$5:$6$7')),
};

const BASIC_DAY = /^(\d{4})(\d\d)(\d\d)(?=$|T)/;
const BASIC_TIME = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d)(\d\d)(\d\d)(Z|[+-]\d\d:?\d\d)?$/;

/**
 * Joins the lines of each property. A line that begins with a space continues the line before; in quoted-printable text, so does a line after a
 * final `=`.
 */
function unfold(lines: string[]): string[] {
  const properties: string[][] = [];
  let isQuoted = false;
  for (const line of lines) {
    const parts = properties.at(-1);
    const before = parts?.at(-1);
    if (parts && before !== undefined && isQuoted && before.endsWith('=')) {
      parts[parts.length - 1] = before.slice(0, -1);
      parts.push(line.trimStart());
    } else if (parts && /^[ \t]/.test(line)) parts.push(line.slice(1));
    else {
      properties.push([line]);
      isQuoted = false;
    }
    isQuoted ||= /QUOTED-PRINTABLE/i.test(line);
  }
  return properties.map((parts) => parts.join(''));
}

/** Parses a line with one property of a card, such as `item1.TEL;TYPE=cell:+1 …`. */
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

/** Splits the value of a property at its unescaped semicolons. */
const partsOf = ({ value, parameters }: Property): string[] =>
  value.split(/(?<!\\);/).map((part) => unescape(decode(part, parameters)));
