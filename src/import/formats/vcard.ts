// Contacts of a vCard file (RFC 6350, and the versions before it) as lines of JSON in the record format.
import { isGuestName, findNonPerson, type NonPersonKind } from '../columns/persons.ts';
import type { Line } from '../input/lines.ts';

const BEGIN = /^BEGIN:VCARD\s*$/i;
const END = /^END:VCARD\s*$/i;
/** Longer cards are a picture's, and their lines are passed over. */
const MOST_LINES = 5000;
/** Line breaks, commas, semicolons and backslashes inside values. */
const ESCAPED = /\\([nN,;:\\])/g;

interface Property {
  name: string;
  parameters: string;
  value: string;
}

/** Whether an input is one, by how it begins. */
export const isVcardText = (head: string): boolean => /^\s*BEGIN:VCARD/i.test(head);

/** Cards under the number of the line where they begin. */
export async function* readVcards(batches: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  let [start, open]: [number, string[]] = [0, []];
  for await (const lines of batches) {
    const cards: Line[] = [];
    for (const { line, text, problem } of lines) {
      if (BEGIN.test(text)) {
        if (start > 0) cards.push(endless(start));
        [start, open] = [line, []];
      } else if (start > 0 && END.test(text)) {
        cards.push({ line: start, ...recordOf(open) });
        start = 0;
      } else if (problem === undefined && start > 0 && open.length < MOST_LINES) open.push(text);
    }
    yield cards;
  }
  if (start > 0) yield [endless(start)];
}

const endless = (line: number): Line => ({ line, text: '', problem: 'the card has no end' });

interface Card {
  record: Record<string, unknown>;
  names: string[];
  emails: string[];
  phones: string[];
  addresses: object[];
  /** Who it is where no person is named. */
  company: string;
  isPerson: boolean;
}

function recordOf(lines: string[]): Pick<Line, 'text' | 'aside'> {
  const card: Card = {
    record: {},
    names: [],
    emails: [],
    phones: [],
    addresses: [],
    company: '',
    isPerson: true,
  };
  for (const property of unfolded(lines).flatMap(propertyOf)) READ[property.name]?.(card, property);
  const { record, names, company, isPerson, ...contacts } = card;
  const parts = PARTS.flatMap((part) => (record.name as Record<string, string> | undefined)?.[part] || []);
  // The whole name is made of the same words.
  const whole = parts.length > 0 ? [] : names;
  const called = parts.length > 0 ? [parts.join(' ')] : names;
  const isCalledSo = company !== '' && parts.length < 2 && called.every((name) => name === company);
  const isGuestOnly = called.length > 0 && called.every(isGuestName);
  if (parts.length === 0 || isGuestOnly) delete record.name;
  const aside = isPerson && !isCalledSo ? asideOf(card, called) : 'company';
  const ofCompany = aside === 'company' && called.length === 0 ? [company] : whole;
  const text = JSON.stringify({ ...record, names: isGuestOnly ? [] : ofCompany, ...contacts });
  return { text, ...(aside && { aside }) };
}

const PARTS = ['given', 'middle', 'family', 'suffix'];

/** As of a row of a table: see `noPerson`. */
function asideOf({ emails, phones, addresses }: Card, called: string[]): NonPersonKind | null {
  const isEmpty = emails.length + phones.length + addresses.length === 0;
  return (
    findNonPerson(called, emails) ??
    (isEmpty && called.length > 0 && called.every(isGuestName) ? 'placeholder' : null)
  );
}

type Reader = (card: Card, property: Property) => void;

/** What is read of a card; TITLE is somebody's work. */
const READ: Partial<Record<string, Reader>> = {
  UID: ({ record }, property) => void (record.record_id = whole(property).replace(/^urn:uuid:/, '')),
  KIND: (card, property) => void (card.isPerson = /^individual$/i.test(whole(property))),
  'X-ABSHOWAS': (card, property) => void (card.isPerson = !/^company$/i.test(whole(property))),
  ORG: (card, property) => void (card.company = partsOf(property)[0] ?? ''),
  FN: ({ names }, property) => {
    const name = whole(property);
    if (name !== '' && !name.includes('@')) names.push(name);
  },
  N: ({ record }, property) => {
    const [family = '', given = '', middle = '', , suffix = ''] = partsOf(property).map((part) =>
      part.replaceAll(',', ' '),
    );
    record.name = { given, middle, family, suffix };
  },
  EMAIL: ({ emails }, property) => void emails.push(whole(property).replace(/^mailto:/i, '')),
  TEL: ({ phones }, property) => {
    if (/FAX/i.test(property.parameters)) return;
    phones.push(whole(property).replace(/^tel:/i, '').replace(/;ext=/i, ' ext. '));
  },
  ADR: ({ addresses }, property) => {
    const address = addressOf(partsOf(property));
    if (Object.values(address).some((part) => part !== '')) addresses.push(address);
  },
  BDAY: ({ record }, property) => {
    const day = whole(property).replace(BASIC_DAY, '$1-$2-$3');
    // Cards that know no year have a sign in its place, or one of long ago.
    if (!/^(?:--|1604)/.test(day)) record.birth_date = day;
  },
  GENDER: ({ record }, property) => void (record.gender = partsOf(property)[0]),
  REV: ({ record }, property) =>
    void (record.last_seen = whole(property).replace(BASIC_TIME, '$1-$2-$3T$4:$5:$6$7')),
};

const BASIC_DAY = /^(\d{4})(\d\d)(\d\d)(?=$|T)/;
const BASIC_TIME = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d)(\d\d)(\d\d)(Z|[+-]\d\d:?\d\d)?$/;

function addressOf([box = '', extended = '', street = '', ...rest]: string[]): object {
  const [city = '', state = '', zip = '', country = ''] = rest;
  return { street: street || box, street2: extended, city, state, zip, country };
}

/** A line that begins with a space goes on with the one before; so does one behind `=` where values are quoted-printable. */
function unfolded(lines: string[]): string[] {
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

/** `item1.TEL;TYPE=cell:+1 …` */
function propertyOf(line: string): Property[] {
  const found = /^(?:[\w-]+\.)?([A-Za-z-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line);
  return found
    ? [{ name: (found[1] ?? '').toUpperCase(), parameters: found[2] ?? '', value: found[3] ?? '' }]
    : [];
}

function decoded(value: string, parameters: string): string {
  if (!/QUOTED-PRINTABLE/i.test(parameters)) return value;
  const bytes = value.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString(
    /CHARSET=(?:ISO-8859|WINDOWS)/i.test(parameters) ? 'latin1' : 'utf8',
  );
}

const plain = (text: string): string =>
  text.replace(ESCAPED, (_, one: string) => (/n/i.test(one) ? '\n' : one)).trim();

const whole = ({ value, parameters }: Property): string => plain(decoded(value, parameters));

/** The parts between semicolons that no backslash stands before. */
const partsOf = ({ value, parameters }: Property): string[] =>
  value.split(/(?<!\\);/).map((part) => plain(decoded(part, parameters)));
