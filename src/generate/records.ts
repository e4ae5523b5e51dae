// Records of a generated world. Every record can be generated alone, in any order.
import { createRecordDraft, type RecordDraft } from './draft.ts';
import { createPerson } from './person.ts';
import { Random } from './random.ts';
import {
  findPersonAndRecordIndex,
  RANDOM_STREAMS,
  type GeneratedWorld,
  NEWEST_RECORD_DATE,
} from './world.ts';
import { toAscii, type GeneratedPhone } from './contacts.ts';
import type { BirthDate } from './household.ts';
import { joinNameWords, type NameVariant } from './name-variants.ts';
import type { RecordSource } from './sources.ts';
import type { GeneratedAddress } from './places.ts';

export function createRecordWithPersonId(
  world: GeneratedWorld,
  place: number,
): { record: WrittenRecord; truth: string } {
  const number = world.order.at(place);
  const { person } = findPersonAndRecordIndex(world, number);
  const draft = createRecordDraft(world, createPerson(world, person), number);
  const record = writeRecord(draft, String(place), new Random(world.seed, RANDOM_STREAMS.writing, number));
  return { record, truth: toGroundTruthPersonId(person) };
}

/** Returns the id of a person in the truth file, which names the person of each record. */
export const toGroundTruthPersonId = (person: number): string => `p${person}`;

/** Yields all records as JSON lines in pieces of about 64 KiB, each with the truth lines of the same records. */
export function* generateRecordLines(world: GeneratedWorld): Generator<{ records: string; truth: string }> {
  let [records, truth] = ['', ''];
  for (let place = 0; place < world.records; place++) {
    const generatedRecord = createRecordWithPersonId(world, place);
    records += `${JSON.stringify(generatedRecord.record)}\n`;
    truth += `{"record_id":"${generatedRecord.record.record_id}","truth":"${generatedRecord.truth}"}\n`;
    if (records.length < 65_536) continue;
    yield { records, truth };
    [records, truth] = ['', ''];
  }
  if (records !== '') yield { records, truth };
}

export interface WrittenAddress {
  street: string;
  street2?: string;
  city?: string;
  state?: string;
  zip?: string;
  country?: string;
}

interface WrittenRecord {
  record_id: string;
  source: string;
  name?: string | { given: string; middle?: string; family: string; suffix?: string };
  emails?: string[];
  phones?: string[];
  addresses?: WrittenAddress[];
  birth_date?: string;
  first_seen?: string;
  last_seen?: string;
}

function writeRecord(draft: RecordDraft, id: string, random: Random): WrittenRecord {
  const { source, person, name, birth } = draft;
  const style = { source, random };
  const addresses = draft.places.map(({ entered }) => formatAddress(entered, style));
  // Without an address that names the country, an import would read a national number as one of the United States.
  const abroad = !needsNoCountryCode(draft) && addresses.every(({ country }) => country === undefined);
  const mails = draft.mails.map(({ entered }) => (random.chance(0.08) ? entered.toUpperCase() : entered));
  const phones = draft.phones.map(({ entered }) => formatPhone(entered, random, abroad));
  const [firstSeen, lastSeen] = datesOf(draft, random);
  // The keys are set one by one because this runs for every record; object spread takes a tenth longer.
  const record: WrittenRecord = { record_id: `${source.id}-${id}`, source: source.id };
  if (name !== null) record.name = writeName(name, person.origin.id, style);
  if (mails.length > 0) record.emails = mails;
  if (phones.length > 0) record.phones = phones;
  if (addresses.length > 0) record.addresses = addresses;
  if (birth !== null) record.birth_date = writeDate(birth.entered);
  record.first_seen = firstSeen;
  record.last_seen = lastSeen;
  return record;
}

/** True if an import reads the record's phone numbers without a country code: by default, it takes them for numbers of the United States. */
const needsNoCountryCode = ({ person }: RecordDraft): boolean => person.household.land.country.dial === '1';

interface Style {
  source: RecordSource;
  random: Random;
}

const inLetters = (text: string, { letters }: RecordSource): string => {
  if (letters === 'mixed') return text;
  return letters === 'upper' ? text.toUpperCase() : text.toLowerCase();
};

function writeName(name: NameVariant, origin: string, { source, random }: Style): WrittenRecord['name'] {
  const of = (text: string) => inLetters(text, source);
  const { given, middle, family, suffix } = name;
  if (source.name === 'parts' && name.form !== 'native')
    return {
      given: of(given),
      ...(middle === '' ? {} : { middle: of(middle) }),
      family: of(family),
      ...(suffix === '' ? {} : { suffix }),
    };
  if (source.name === 'comma' && name.form !== 'native')
    return of(`${family}, ${[given, middle, suffix].filter((part) => part !== '').join(' ')}`);
  return of(joinNameWords(origin, name, FAMILY_FIRST.has(origin) && random.chance(0.25)));
}

const FAMILY_FIRST = new Set(['chinese', 'korean', 'vietnamese', 'japanese']);

/** Formats a phone number in a random format of its country. @param abroad true to always write the country code */
export function formatPhone({ country, digits }: GeneratedPhone, random: Random, abroad: boolean): string {
  const kind = random.next();
  if (abroad || kind < 0.25) return `+${country.dial}${kind < 0.1 ? ' ' : ''}${digits}`;
  return fillFormat(random.pickEarly(country.phoneFormats, 1.4), digits);
}

/**
 * Replaces each # in a format by the next digit, and appends the remaining digits. If there are too few digits, the rest of the format is left out.
 */
function fillFormat(format: string, digits: string): string {
  let next = 0;
  let text = '';
  for (const sign of format) {
    if (sign === '#' && next >= digits.length) break;
    text += sign === '#' ? digits.charAt(next++) : sign;
  }
  return (text + digits.slice(next)).replace(/[ ./-]+$/, '');
}

/** Formats an address in the order of its country, with random abbreviations, and sometimes without postcode or country. */
export function formatAddress(place: GeneratedAddress, { source, random }: Style): WrittenAddress {
  const of = (text: string) => inLetters(source.plain ? toAscii(text) : text, source);
  const line = streetLine(place, random.chance(0.45));
  const unit = place.unit === '' ? '' : random.pickEarly(place.country.units, 1.5).replace(/u$/, place.unit);
  const apart = unit !== '' && random.chance(0.4);
  const [short, long] = place.city.state;
  const state = random.chance(0.85) ? short : long;
  const address: WrittenAddress = {
    street: of(unit === '' || apart ? line : `${line}${random.chance(0.5) ? ',' : ''} ${unit}`),
  };
  if (apart) address.street2 = of(unit);
  address.city = of(place.city.name);
  if (state !== '') address.state = of(state);
  if (!random.chance(0.04)) address.zip = place.zip;
  if (!random.chance(0.15)) address.country = random.pickEarly(place.country.names, 2);
  return address;
}

function streetLine({ country, number, street, type }: GeneratedAddress, short: boolean): string {
  let line = '';
  for (const part of country.line) {
    if (part === 'n') line += number;
    else if (part === 'w') line += street;
    else line += part === 't' ? type[short ? 1 : 0] : part;
  }
  return line.charAt(0).toUpperCase() + line.slice(1);
}

const two = (figure: number): string => String(figure).padStart(2, '0');

function writeDate({ year, month, day }: BirthDate): string {
  return `${year}-${two(month)}-${two(day)}`;
}

function datesOf({ firstYear, lastYear }: RecordDraft, random: Random): [string, string] {
  const day = (year: number) => {
    const month = random.between(1, year >= NEWEST_RECORD_DATE.year ? NEWEST_RECORD_DATE.month - 1 : 12);
    return `${year}-${two(month)}-${two(random.between(1, 28))}`;
  };
  const [first, last] = [day(firstYear), day(lastYear)];
  return first < last ? [first, last] : [last, first];
}
