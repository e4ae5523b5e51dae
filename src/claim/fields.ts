// Field names of a request: suggestions for unknown names, and the names that an answer may repeat.
import { findNearestWord, getTypoDistance } from '../normalise/typo.ts';
import { KNOWN_FIELDS_BY_REQUEST_PART } from './schema.ts';

/** Names that callers use in place of each field's name. Lower case, without hyphens and underscores. */
const FIELD_SYNONYMS: Record<string, readonly string[]> = {
  name: [
    'fullname',
    'customername',
    'personname',
    'displayname',
    'firstname',
    'lastname',
    'givenname',
    'surname',
  ],
  emails: ['email', 'emailaddress', 'emailaddresses', 'mail', 'mails'],
  phones: ['phone', 'phonenumber', 'phonenumbers', 'mobile', 'cell', 'tel', 'telephone'],
  addresses: ['address', 'nameaddresses', 'postaladdress'],
  street: ['line1', 'addressline1', 'address1', 'street1', 'streetaddress'],
  street2: ['line2', 'addressline2', 'address2', 'unit', 'apartment'],
  city: ['town', 'locality'],
  state: ['region', 'province', 'county'],
  zip: ['postalcode', 'postcode', 'zipcode'],
  country: ['countrycode'],
  line1: ['street', 'street1', 'addressline1', 'address1'],
  line2: ['street2', 'addressline2', 'address2'],
  region: ['state', 'province'],
  postalCode: ['zip', 'zipcode', 'postcode'],
};

const toBareName = (name: string) => name.slice(0, 41).toLowerCase().replace(/[-_]/g, '');

const KNOWN_NAMES = [...new Set(Object.values(KNOWN_FIELDS_BY_REQUEST_PART).flat())];
const BARE_NAMES = new Map(KNOWN_NAMES.map((field) => [field, toBareName(field)]));

const isShortFor = (bare: string, field: string) =>
  bare.length > 3 && (BARE_NAMES.get(field) ?? toBareName(field)).startsWith(bare);

/**
 * Returns the known field that a caller probably meant: the unknown name is its synonym, the beginning of only this name, or a misspelling. Undefined
 * if there is none.
 */
export function findNearestField(key: string, known: readonly string[]): string | undefined {
  const bare = toBareName(key);
  const synonym = known.find((field) => FIELD_SYNONYMS[field]?.includes(bare));
  if (synonym !== undefined) return synonym;
  const longer = known.filter((field) => isShortFor(bare, field));
  return longer.length === 1 ? longer[0] : findNearestWord(key, known);
}

/** Singular names of the fields that are lists. */
const SINGULARS = ['email', 'phone', 'address'];
const SYNONYMS = new Set(Object.values(FIELD_SYNONYMS).flat());

/**
 * Converts a field name to a JSON Pointer token with its slash (RFC 6901). Returns an empty text for a name that resembles no known field, because it
 * may be a misplaced personal value. The pointer then ends at the parent.
 */
export function toJsonPointerTokenIfKnown(key: string, known: readonly string[] = []): string {
  const names = [...KNOWN_NAMES, ...known];
  return names.includes(key) || (/^[\w-]{1,40}$/.test(key) && isLikeName(key, names)) ? `/${key}` : '';
}

function isLikeName(key: string, names: readonly string[]): boolean {
  const bare = toBareName(key);
  if (SYNONYMS.has(bare) || names.some((field) => isShortFor(bare, field))) return true;
  return key.length >= 5 && [...names, ...SINGULARS].some((field) => getTypoDistance(key, field, 1) <= 1);
}
