// Contacts of a vCard file (RFC 6350, and the versions before it) as lines of JSON in the record format.
import type { Line } from '../lines.ts';

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
export const isVcard = (head: string): boolean => /^\s*BEGIN:VCARD/i.test(head);

/** Cards under the number of the line where they begin. */
export async function* readVcards(batches: AsyncIterable<Line[]>): AsyncGenerator<Line[]> {
  let [start, open]: [number, string[]] = [0, []];
  for await (const lines of batches) {
    const cards: Line[] = [];
    for (const { line, text, problem } of lines) {
      if (BEGIN.test(text)) [start, open] = [line, []];
      else if (start > 0 && END.test(text)) {
        cards.push({ line: start, text: JSON.stringify(recordOf(open)) });
        start = 0;
      } else if (problem === undefined && start > 0 && open.length < MOST_LINES) open.push(text);
    }
    yield cards;
  }
  if (start > 0) yield [{ line: start, text: '', problem: 'the card has no end' }];
}

function recordOf(lines: string[]): object {
  const record: Record<string, unknown> = {};
  const lists = { names: [] as string[], emails: [] as string[], phones: [] as string[] };
  const addresses: object[] = [];
  for (const { name, parameters, value } of unfolded(lines).flatMap(propertyOf)) {
    const text = decoded(value, parameters);
    const [first = '', second = '', third = '', , fifth = ''] = parts(text);
    if (name === 'UID') record.record_id = plain(text).replace(/^urn:uuid:/, '');
    else if (name === 'FN' && text !== '') lists.names.push(plain(text));
    else if (name === 'N') record.name = { given: second, middle: third, family: first, suffix: fifth };
    else if (name === 'EMAIL') lists.emails.push(plain(text));
    else if (name === 'TEL') lists.phones.push(plain(text).replace(/^tel:/i, ''));
    else if (name === 'ADR') addresses.push(addressOf(parts(text)));
    else if (name === 'BDAY') record.birth_date = plain(text).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
    else if (name === 'GENDER') record.gender = first;
    else if (name === 'REV') record.last_seen = plain(text);
  }
  // The whole name is made of the same words.
  if (record.name !== undefined && Object.values(record.name as object).some(Boolean)) lists.names = [];
  else delete record.name;
  return { ...record, ...lists, addresses };
}

function addressOf([box = '', extended = '', street = '', ...rest]: string[]): object {
  const [city = '', state = '', zip = '', country = ''] = rest;
  return { street: street || box, street2: extended, city, state, zip, country };
}

/** A line that begins with a space goes on with the one before; so does one behind `=` where values are quoted-printable. */
function unfolded(lines: string[]): string[] {
  const whole: string[] = [];
  for (const line of lines) {
    const before = whole.at(-1);
    if (before !== undefined && /^[ \t]/.test(line)) whole[whole.length - 1] = before + line.slice(1);
    else if (before !== undefined && before.endsWith('=') && /QUOTED-PRINTABLE/i.test(before))
      whole[whole.length - 1] = before.slice(0, -1) + line;
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

/** The parts between semicolons that no backslash stands before. */
const parts = (text: string): string[] => text.split(/(?<!\\);/).map((part) => plain(part));
