// A file of records as a table: read in the page, so that what it holds is seen before anything is sent.
export interface Table {
  columns: string[];
  rows: string[][];
}

const SEPARATORS = [',', ';', '\t', '|'];

/** Reads a text with a head line; the separator is the one that the head has most of. */
export function readTable(text: string): Table {
  const whole = text.replace(/^\uFEFF/, '');
  const head = whole.slice(0, whole.search(/[\r\n]|$/));
  const countOf = (sign: string) => head.split(sign).length;
  const [separator = ','] = SEPARATORS.toSorted((a, b) => countOf(b) - countOf(a));
  const [columns = [], ...rows] = cellsOf(whole, separator);
  return {
    columns: columns.map((name, i) => name.trim() || `column ${i + 1}`),
    rows: rows.filter((row) => row.some((cell) => cell.trim() !== '')),
  };
}

/** Cells by RFC 4180: quotes around what holds a separator, a quote or the end of a line. */
function cellsOf(text: string, separator: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] ?? '';
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[i + 1] === '"') cell += text[++i];
      else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === separator) {
      row.push(cell);
      cell = '';
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && text[i + 1] === '\n') i++;
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
    } else cell += sign;
  }
  if (cell !== '' || row.length > 0) rows.push([...row, cell]);
  return rows;
}

/** What a column can be. */
export const FIELDS = [
  ['', 'leave out'],
  ['record_id', 'Record id'],
  ['name', 'Name'],
  ['given', 'Given name'],
  ['family', 'Family name'],
  ['email', 'E-mail'],
  ['phone', 'Phone'],
  ['street', 'Street'],
  ['street2', 'Flat, unit'],
  ['city', 'City'],
  ['state', 'State'],
  ['zip', 'ZIP'],
  ['country', 'Country'],
  ['birth_date', 'Birth date'],
  ['first_seen', 'First seen'],
  ['last_seen', 'Last seen'],
] as const;
export type Field = (typeof FIELDS)[number][0];

const HEADS: [RegExp, Field][] = [
  [/^(record|customer|client|contact|user|member)?[ _-]?(id|no|number|key)$/i, 'record_id'],
  [/e-?mail|^mail/i, 'email'],
  [/phone|mobile|^tel|^cell/i, 'phone'],
  [/^(given|first|fore)[ _-]?name|^vorname|^prénom/i, 'given'],
  [/^(family|last|sur)[ _-]?name|^nachname|^nom$/i, 'family'],
  [/street ?2|address ?(line)? ?2|apt|unit|flat/i, 'street2'],
  [/street|address|^addr|straße|strasse|^rue$/i, 'street'],
  [/city|town|^ort$|^ville$/i, 'city'],
  [/state|province|region/i, 'state'],
  [/zip|post(al)?[ _-]?code|^plz$/i, 'zip'],
  [/country|^land$|^pays$/i, 'country'],
  [/birth|^dob$|geburt/i, 'birth_date'],
  [/first[ _-]?seen|created|since/i, 'first_seen'],
  [/last[ _-]?seen|updated|modified/i, 'last_seen'],
  [/name$/i, 'name'],
];

/** What each column seems to be by its head; a field that may be there once goes to the first that asks. */
export function guessFields(columns: string[]): Field[] {
  const taken = new Set<Field>();
  return columns.map((column) => {
    const [, field = ''] = HEADS.find(([head, field]) => head.test(column.trim()) && !taken.has(field)) ?? [];
    if (field !== 'email' && field !== 'phone') taken.add(field);
    return field as Field;
  });
}

const PLACE = ['street', 'street2', 'city', 'state', 'zip', 'country'] as const;

/** A row as a record; what is empty is left out. */
export function recordOf(
  row: string[],
  fields: Field[],
  { source, id }: { source: string; id: string },
): object {
  const all = (field: Field) =>
    fields.flatMap((one, i) => (one === field && row[i]?.trim() ? [row[i].trim()] : []));
  const one = (field: Field) => all(field)[0];
  const address = Object.fromEntries(
    PLACE.flatMap((part) => (one(part) === undefined ? [] : [[part, one(part)]])),
  );
  const parts = { given: one('given'), family: one('family') };
  const name = one('name') ?? (parts.given || parts.family ? parts : undefined);
  const record = {
    record_id: one('record_id') ?? id,
    source,
    name,
    emails: all('email'),
    phones: all('phone'),
    addresses: Object.keys(address).length > 0 ? [address] : [],
    birth_date: one('birth_date'),
    first_seen: one('first_seen'),
    last_seen: one('last_seen'),
  };
  return Object.fromEntries(
    Object.entries(record).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
