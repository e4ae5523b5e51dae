import { BonafideError } from '../../errors.ts';
import { fold } from '../../normalise/text.ts';

/** What a CSV column can hold. `address` is a whole address in one cell. */
export type ColumnField =
  | 'record_id'
  | 'source'
  | 'identity'
  | 'name'
  | 'given'
  | 'middle'
  | 'family'
  | 'suffix'
  | 'email'
  | 'phone'
  | 'street'
  | 'street2'
  | 'city'
  | 'state'
  | 'zip'
  | 'plus4'
  | 'country'
  | 'address'
  | 'birth_date'
  | 'birth_place'
  | 'gender'
  | 'title'
  | 'first_seen'
  | 'last_seen';

/** A column's field, and which of several addresses it belongs to. */
export interface Column {
  field: ColumnField;
  group: string;
}

/** Headers as they are often written, folded, without signs; digits at the end do not count. */
const HEADERS: Record<ColumnField, string> = {
  record_id:
    'recordid id recid recordno recordnumber customerid customerno customernumber custid custno clientid clientno clientnumber personid userid memberid memberno accountid accountno accountnumber uid uuid key externalid',
  source: 'source datasource sourcename sourcesystem system origin dataset',
  identity: 'identity identityid clusterid entityid truthid',
  name: 'name fullname names displayname customername personname contactname completename nombrecompleto nomcomplet aka othername akaname',
  given:
    'given givenname givennames first firstname fname forename forenames vorname prenom nombre nome namefirst',
  middle: 'middle middlename middlenames middleinitial mname mi secondname namemiddle',
  family:
    'family familyname last lastname lname surname surnames nachname nom apellido apellidos cognome sobrenome namelast',
  suffix: 'suffix namesuffix generation generationalsuffix',
  email:
    'email emails emailaddress emailaddresses mail mailaddress correo correoelectronico courriel eposta primaryemail',
  phone:
    'phone phones phonenumber phonenumbers telephone telephonenumber tel telno mobile mobilephone mobilenumber cell cellphone cellular handy telefon telefono telefone landline whatsapp msisdn contactnumber',
  street:
    'street streetaddress streetname addr addressline address1 addr1 addressline1 line1 strasse rue calle via street1 housenumber houseno hausnummer streetnumber streetno streetnum',
  street2:
    'street2 address2 addr2 addressline2 line2 unit apt apartment suite addressline3 address3 addr3 streetaddress2',
  city: 'city town cityname locality municipality ort stadt ville ciudad citta cidade suburb',
  state: 'state st region province statecode stateprovince bundesland estado provincia',
  zip: 'zip zipcode postcode postalcode postal plz cp codepostal codigopostal cap cep pincode zip5',
  plus4: 'plus4 zip4 zipplus4',
  country: 'country countrycode countryname nation land pays pais paese',
  address: 'address fulladdress addresses postaladdress anschrift adresse direccion indirizzo',
  birth_date: 'birthdate dob dateofbirth birthday born geburtsdatum fechanacimiento datenaissance bday',
  birth_place: 'birthplace placeofbirth geburtsort lugarnacimiento lieunaissance luogonascita',
  gender: 'gender sex geschlecht sexo sexe',
  title: 'title salutation honorific anrede nameprefix',
  first_seen:
    'firstseen created createdat createdon datecreated since startdate firstdate opened registered registrationdate signupdate',
  last_seen:
    'lastseen updated updatedat updatedon lastupdated modified lastmodified lastactive enddate lastdate lastlogin',
};
/** Every row is gone through by column: a file without line ends would be one of a million. */
const MOST_COLUMNS = 1000;
/** Columns that an error names. */
const MOST_SHOWN = 50;
const FIELDS = Object.keys(HEADERS) as ColumnField[];
const GUESSES = new Map(
  FIELDS.flatMap((field) => HEADERS[field].split(' ').map((header) => [header, field] as const)),
);
const ADDRESS_FIELDS = new Set<ColumnField>([
  'street',
  'street2',
  'city',
  'state',
  'zip',
  'plus4',
  'country',
  'address',
]);
/** Words in front of a header that tell one address, phone or e-mail from another. */
const GROUP =
  /^(home|work|business|office|mailing|mail|billing|shipping|delivery|primary|secondary|main|other|permanent|residential|current|previous|prev|old|new|personal|private|contact|customer|daytime|evening)(?=.)/;
const NUMBERED_ADDRESS = /^addr(?:ess(?:es)?)?(\d{1,2})(?=[a-z])/;

/**
 * The field of each column of the input `name`: what `map` says (`name=Full Name,email=Mail`), else guessed from the header. A field that
 * is mapped is not guessed anywhere else; a mapped `name` switches off the guesses of its parts too. Headers that are `labels` are no fields,
 * and where there are any a record id is not asked for.
 *
 * Errors: `invalid_arguments` where the map is malformed, or names an unknown field or header, where no column holds the record id, and for more than 1,000 columns.
 */
export function readColumns(
  headers: string[],
  { name, map = '', labels }: { name: string; map?: string; labels?: readonly string[] },
): (Column | null)[] {
  if (headers.length > MOST_COLUMNS)
    throw new BonafideError(
      'invalid_arguments',
      `${name}: its first line has more than ${MOST_COLUMNS} columns. Put a line with the names of the columns above the records.`,
    );
  const mapped = readMap(headers, { name, map });
  const taken = new Set(mapped.values());
  if (taken.has('name')) for (const part of ['given', 'middle', 'family', 'suffix'] as const) taken.add(part);
  const columns = headers.map((header, index): Column | null => {
    const field = mapped.get(index);
    if (field !== undefined) return { field, group: '' };
    if (labels?.includes(header.toLowerCase())) return null;
    const guess = guessColumn(header);
    return guess === null || taken.has(guess.field) ? null : guess;
  });
  if (labels === undefined && !columns.some((column) => column?.field === 'record_id')) {
    throw new BonafideError(
      'invalid_arguments',
      `${name}: no column looks like a record id; say which one holds it, for example --map "record_id=Number". ${listed(headers)}`,
    );
  }
  return columns;
}

/**
 * Refuses a table of which no column holds a name.
 *
 * Errors: `invalid_arguments`.
 */
export function requireName(headers: string[], columns: (Column | null)[], name: string): void {
  if (columns.some((column) => column !== null && NAMES.has(column.field))) return;
  throw new BonafideError(
    'invalid_arguments',
    `${name}: no column looks like a name; say which one holds it, for example --map "name=Customer". ${listed(headers)}`,
  );
}
const NAMES = new Set<ColumnField>(['name', 'given', 'family']);

/** The columns there are; but not where the first line may be data, which must not be repeated. */
function listed(headers: string[]): string {
  if (looksLikeData(headers))
    return 'The first line looks like data: put a line with the names of the columns above it.';
  if (!headers.some((header) => guessColumn(header)))
    return 'None of the columns has a known name; where the first line is a record, put a line with the names of the columns above it.';
  return `The columns are: ${headers.slice(0, MOST_SHOWN).join(', ')}${headers.length > MOST_SHOWN ? ' …' : '.'}`;
}

/** A stray quote may have joined the first line with others. */
const looksLikeData = (headers: string[]): boolean =>
  headers.some((header) => /@|\d{4}|[\r\n]/.test(header) || header.length > 60);

/** The headers as they may be shown: by their places where some of them look like data, but for those that have a field. */
export function shownHeaders(headers: string[], fields: readonly (ColumnField | null)[]): string[] {
  const suspect = looksLikeData(headers);
  return headers.map((header, i) => (suspect && !fields[i] ? `column ${i + 1}` : header));
}

/** What a header says, or null. `Home Phone`, `e-mail 2`, `address_2_city`, `Billing ZIP`. */
export function guessColumn(header: string): Column | null {
  const key = fold(header).replace(/[^a-z0-9]+/g, '');
  const exact = GUESSES.get(key);
  if (exact !== undefined) return { field: exact, group: '' };
  const bare = key.replace(/\d+$/, '');
  const plain = GUESSES.get(bare);
  if (plain !== undefined) return grouped(bare, key.slice(bare.length));
  const prefix = NUMBERED_ADDRESS.exec(key) ?? GROUP.exec(key);
  return prefix === null ? null : grouped(key.slice(prefix[0].length), prefix[1] ?? '');
}

function grouped(key: string, group: string): Column | null {
  const field = GUESSES.get(key) ?? GUESSES.get(key.replace(/\d+$/, ''));
  if (field === undefined || field === 'record_id') return null;
  return { field, group: ADDRESS_FIELDS.has(field) ? group : '' };
}

function readMap(headers: string[], { name, map }: { name: string; map: string }): Map<number, ColumnField> {
  const mapped = new Map<number, ColumnField>();
  if (map.trim() === '') return mapped;
  // A header may hold a comma: only one that starts another `field=` ends it.
  for (const pair of map.split(/,(?=\s*\w+\s*=)/)) {
    const equals = pair.indexOf('=');
    const field = fieldNamed(pair.slice(0, Math.max(equals, 0)).trim());
    const header = pair.slice(equals + 1).trim();
    if (equals < 0 || field === undefined) {
      throw new BonafideError(
        'invalid_arguments',
        `--map takes pairs like email=Mail, with these fields: ${FIELDS.join(', ')}.`,
      );
    }
    const index = headers.findIndex((one) => fold(one) === fold(header));
    if (index < 0) {
      throw new BonafideError(
        'invalid_arguments',
        `${name}: --map says ${field}=${header}, but there is no such column. ${listed(headers)}`,
      );
    }
    mapped.set(index, field);
  }
  return mapped;
}

function fieldNamed(text: string): ColumnField | undefined {
  const singular: Record<string, ColumnField> = {
    emails: 'email',
    phones: 'phone',
    names: 'name',
    addresses: 'address',
  };
  return FIELDS.find((field) => field === text) ?? singular[text];
}
