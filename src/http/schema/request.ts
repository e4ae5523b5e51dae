// Schemas of the request of a check, in the present and the legacy shape, with a description of each field.
import * as v from 'valibot';
import { LIST_ENTRY_SCHEMAS, MAX_VALUES_PER_CONTACT_TYPE, CHECK_REQUEST_SCHEMA } from '../../claim/schema.ts';

const { name, nameAddresses, emailAddresses, phoneNumbers, emails, phones, addresses, ...both } =
  CHECK_REQUEST_SCHEMA.entries;

const legacy = { nameAddresses, emailAddresses, phoneNumbers };

export const checkRequestSchema = v.pipe(
  v.object({ name: name.wrapped, emails, phones, addresses, ...both, ...legacy }),
  v.title('CheckRequest'),
  v.description('Person to check: one name, and the contacts that are said to belong to it.'),
);
export const legacyCheckRequestSchema = v.pipe(
  v.object({ ...legacy, nameAddresses: nameAddresses.wrapped, ...both, name, emails, phones, addresses }),
  v.title('LegacyCheckRequest'),
  v.description(
    'The same in the legacy shape. Fields of both shapes may be mixed; both forms of one field in one request are refused.',
  ),
);

/** Schemas of the parts of a check request, by their component name in /openapi.json. */
export const CHECK_REQUEST_PART_SCHEMAS: Record<string, v.GenericSchema> = {
  Email: LIST_ENTRY_SCHEMAS.email,
  Phone: LIST_ENTRY_SCHEMAS.phone,
  Address: LIST_ENTRY_SCHEMAS.address,
  NameAddress: LIST_ENTRY_SCHEMAS.nameAddress,
  LegacyAddress: LIST_ENTRY_SCHEMAS.legacyAddress,
};

type FieldOf<S extends { entries: object }> = keyof S['entries'];
type Field =
  | keyof typeof CHECK_REQUEST_SCHEMA.entries
  | FieldOf<typeof LIST_ENTRY_SCHEMAS.address>
  | FieldOf<typeof LIST_ENTRY_SCHEMAS.legacyAddress>
  | FieldOf<typeof LIST_ENTRY_SCHEMAS.nameAddress>;

export const REQUEST_FIELD_DESCRIPTIONS: Record<Field, string> = {
  name: 'The person’s full name, 1 to 200 characters with at least one letter. One name per request.',
  emails: `Up to ${MAX_VALUES_PER_CONTACT_TYPE} e-mails, lowercased, at most 254 characters each.`,
  phones: `Up to ${MAX_VALUES_PER_CONTACT_TYPE} phones; everything except digits is removed, 10 to 15 digits must remain. A phone without a country code is read in the region of the key or the server, and in the countries of the addresses.`,
  addresses: `Up to ${MAX_VALUES_PER_CONTACT_TYPE} addresses; a street alone is enough.`,
  intent:
    'Purpose of the check. It changes only the tone of the narrative; an unknown purpose counts as `general`.',
  operation: '`raw` adds the answer of the graph engine, for debugging. It needs the scope `raw`.',
  include_trust_enhancement: 'False omits the narrative (enhanced checks only).',
  include_fraud_detection: 'False omits the fraud analysis (enhanced checks only).',
  include_name_matching: 'False omits the comparison of names (enhanced checks only).',
  nameAddresses: 'The name and the addresses; all entries have the same name.',
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
