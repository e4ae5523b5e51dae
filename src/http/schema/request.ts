// The request as it is described: the very schemas that read it, in its two shapes, with a sentence for each field.
import * as v from 'valibot';
import { ITEM_SCHEMAS, MAX_VALUES, REQUEST_SCHEMA } from '../../claim/schema.ts';

const { name, nameAddresses, emailAddresses, phoneNumbers, emails, phones, addresses, ...both } =
  REQUEST_SCHEMA.entries;

export const checkRequestSchema = v.pipe(
  v.object({ name: name.wrapped, emails, phones, addresses, ...both }),
  v.title('CheckRequest'),
  v.description('What is checked: one name, and the contacts that are said to belong to it.'),
);
export const legacyCheckRequestSchema = v.pipe(
  v.object({ nameAddresses: nameAddresses.wrapped, emailAddresses, phoneNumbers, ...both }),
  v.title('LegacyCheckRequest'),
  v.description(
    'The same in the older shape, which is understood as well. Fields of both may be mixed; both forms of one field in one request are refused.',
  ),
);

/** The parts of a request that have names of their own in the description. */
export const REQUEST_PARTS: Record<string, v.GenericSchema> = {
  Email: ITEM_SCHEMAS.email,
  Phone: ITEM_SCHEMAS.phone,
  Address: ITEM_SCHEMAS.address,
  NameAddress: ITEM_SCHEMAS.nameAddress,
  LegacyAddress: ITEM_SCHEMAS.legacyAddress,
};

type FieldOf<S extends { entries: object }> = keyof S['entries'];
type Field =
  | keyof typeof REQUEST_SCHEMA.entries
  | FieldOf<typeof ITEM_SCHEMAS.address>
  | FieldOf<typeof ITEM_SCHEMAS.legacyAddress>
  | FieldOf<typeof ITEM_SCHEMAS.nameAddress>;

/** A sentence for each field of a request, whichever object it stands in. */
export const FIELD_TEXTS: Record<Field, string> = {
  name: 'The person’s full name, 1 to 200 characters with at least one letter. One name a request.',
  emails: `Up to ${MAX_VALUES} e-mails, lowercased, at most 254 characters each.`,
  phones: `Up to ${MAX_VALUES} phones; everything but digits is dropped, 10 to 15 must remain. One without a country code is read in the region of the key or the server, and in the countries of the addresses.`,
  addresses: `Up to ${MAX_VALUES} addresses; a street alone will do.`,
  intent:
    'What the check is for. It changes the tone of the narrative only; anything else counts as `general`.',
  operation: '`raw` adds what the graph engine answered, for debugging, and needs the scope `raw`.',
  include_trust_enhancement: 'False leaves the narrative out (enhanced checks only).',
  include_fraud_detection: 'False leaves the fraud analysis out (enhanced checks only).',
  include_name_matching: 'False leaves the comparison of names out (enhanced checks only).',
  nameAddresses: 'The name and the addresses; all entries carry the same name.',
  emailAddresses: 'Legacy form of `emails`.',
  phoneNumbers: 'Legacy form of `phones`.',
  fullName: 'The person’s full name, as `name` of the current shape.',
  address: 'One address of that person.',
  street: 'Street and house number; a whole address on one line is read as well.',
  street2: 'Unit, floor and the like.',
  city: 'City.',
  state: 'State, province or county.',
  zip: 'Postal code.',
  country: 'Country, as a code or a name.',
  line1: 'Street and house number, as `street` of the current shape.',
  line2: 'Unit, floor and the like.',
  region: 'State, province or county.',
  postalCode: 'Postal code.',
  countryCode: 'Country, as a code or a name.',
};
