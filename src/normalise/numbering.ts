// Numbering plans for bare digits, from the tables of libphonenumber. The library itself takes seven to fifteen times as long, and most
// digits have no prefix that only the library can remove.
import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';

/** Parts of libphonenumber's metadata that its published types do not declare. */
interface NumberingMetadata {
  hasCallingCode(code: string): boolean;
  getCountryCodesForCallingCode(code: string): CountryCode[];
  selectNumberingPlan(country: string): void;
  numberingPlan: {
    nationalNumberPattern(): string;
    nationalPrefix(): string | 0 | undefined;
    nationalPrefixForParsing(): string | null;
    IDDPrefix(): string;
    possibleLengths(): number[];
    leadingDigits(): string | undefined;
    type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
    hasTypes(): boolean;
  };
}

const METADATA = new Metadata() as unknown as NumberingMetadata;

const toWholePattern = (pattern: string) => new RegExp(`^(?:${pattern})$`);
const toStartPattern = (pattern: string) => new RegExp(`^(?:${pattern})`);

/** Numbering plan of the countries with one calling code, such as 44. */
interface Plan {
  /** Patterns of national numbers, one for each country with the calling code. */
  patterns: RegExp[];
  /** Digits that people dial before a national number in the main country of the calling code, such as 1 in the US; null if there are none. */
  prefix: RegExp | null;
}

const PLANS = new Map<string, Plan>();
export const CALLING_CODE_BY_COUNTRY = new Map<string, string>();
export const ONE_COUNTRY_PER_CALLING_CODE: string[] = [];
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  CALLING_CODE_BY_COUNTRY.set(country, code);
  if (PLANS.has(code)) continue;
  const countries = METADATA.getCountryCodesForCallingCode(code);
  ONE_COUNTRY_PER_CALLING_CODE.push(countries[0] ?? country);
  PLANS.set(code, {
    patterns: countries.map((id) => toWholePattern(getNumberingPlan(id).nationalNumberPattern())),
    prefix: getPrefix(countries[0] ?? country),
  });
}

function getNumberingPlan(country: string): NumberingMetadata['numberingPlan'] {
  METADATA.selectNumberingPlan(country);
  return METADATA.numberingPlan;
}

function getPrefix(country: string): RegExp | null {
  const prefix = getNumberingPlan(country).nationalPrefixForParsing();
  return prefix ? toStartPattern(prefix) : null;
}

/**
 * Returns the numbering plan of the calling code at the start of the digits. At most one fits, because no calling code is the start of another.
 */
function findPlan(digits: string): { plan: Plan; national: string } | undefined {
  for (let length = 1; length <= 3; length += 1) {
    const plan = PLANS.get(digits.slice(0, length));
    if (plan) return { plan, national: digits.slice(length) };
  }
  return undefined;
}

const matchesPlan = ({ patterns }: Pick<Plan, 'patterns'>, national: string) =>
  patterns.some((pattern) => pattern.test(national));

/** True if the digits are a calling code followed by a national number that its plan allows. */
export function isInNumberingPlan(digits: string): boolean {
  const match = findPlan(digits);
  return match !== undefined && matchesPlan(match.plan, match.national);
}

/**
 * True if a number with its plus sign is valid E.164: it begins with a calling code that is in use. North American numbers have
 * ten digits, the first 2 to 9.
 */
export function isE164(number: string): boolean {
  if (!/^\+(?:[2-9]\d{6,14}|1[2-9]\d{9})$/.test(number)) return false;
  return [1, 2, 3].some((length) => METADATA.hasCallingCode(number.slice(1, 1 + length)));
}

/**
 * True if libphonenumber may accept digits that `isInNumberingPlan` rejects: it removes prefixes, and knows calling codes that belong to no country
 * (satellite phones).
 */
export function mayLibphonenumberAcceptDigits(digits: string): boolean {
  const match = findPlan(digits);
  if (match) return match.plan.prefix?.test(match.national) ?? false;
  return [1, 2, 3].some((length) => METADATA.hasCallingCode(digits.slice(0, length)));
}

/** Patterns by which national numbers of one country are recognised. */
interface Country {
  code: string;
  internationalPrefix: RegExp;
  prefix: RegExp | null;
  pattern: RegExp;
  /** Pattern and lengths of each type of number (mobile, toll-free …). Empty if no other country has the same calling code. */
  kinds: { pattern: RegExp; lengths: readonly number[] | undefined }[];
  hasKinds: boolean;
  /** First digits of the country's numbers, if they distinguish it from other countries with the same calling code; otherwise null. */
  leadingDigits: RegExp | null;
  lengths: readonly number[];
}

const COUNTRIES = new Map<string, Country>();

function getCountry(region: string, code: string): Country {
  let country = COUNTRIES.get(region);
  if (country === undefined) COUNTRIES.set(region, (country = createCountry(region, code)));
  return country;
}

const KINDS =
  'FIXED_LINE MOBILE PREMIUM_RATE TOLL_FREE SHARED_COST VOIP PERSONAL_NUMBER PAGER UAN VOICEMAIL'.split(' ');

function createCountry(region: string, code: string): Country {
  const plan = getNumberingPlan(region);
  const leading = plan.leadingDigits();
  return {
    code,
    internationalPrefix: toStartPattern(plan.IDDPrefix()),
    prefix: getPrefix(region),
    pattern: toWholePattern(plan.nationalNumberPattern()),
    kinds: KINDS.flatMap((name) => {
      const kind = plan.type(name);
      const pattern = kind?.pattern();
      return kind && pattern ? [{ pattern: toWholePattern(pattern), lengths: kind.possibleLengths() }] : [];
    }),
    hasKinds: plan.hasTypes(),
    leadingDigits: leading ? toStartPattern(leading) : null,
    lengths: plan.possibleLengths(),
  };
}

const matchesKind = ({ pattern, kinds }: Country, national: string): boolean =>
  pattern.test(national) &&
  kinds.some((kind) => (kind.lengths?.includes(national.length) ?? true) && kind.pattern.test(national));

/** Returns the country to which a national number belongs, among the countries with the calling code of `home`. */
function findOwner(home: Country, national: string): Country {
  const sharing = METADATA.getCountryCodesForCallingCode(home.code);
  if (sharing.length === 1) return home;
  for (const region of sharing) {
    const country = getCountry(region, home.code);
    if (country.leadingDigits ? country.leadingDigits.test(national) : matchesKind(country, national))
      return country;
  }
  return home;
}

/**
 * Removes the digits that people dial before a national number within the country. Returns null if this would also change the number, which only
 * libphonenumber can do.
 */
function removePrefix(home: Country, digits: string): string | null {
  const match = home.prefix?.exec(digits);
  if (!match) return digits;
  if (match.length > 1) return null;
  const rest = digits.slice(match[0].length);
  if (home.pattern.test(digits) && !home.pattern.test(rest)) return digits;
  const { lengths } = findOwner(home, rest);
  return lengths.includes(rest.length) || rest.length > (lengths.at(-1) ?? Infinity) ? rest : digits;
}

/**
 * True if digits may lack their area code in a region (ISO code): they do not begin with the national prefix, such as 0 in Germany, and the region has
 * longer numbers.
 */
export function mayLackAreaCode(digits: string, region: string): boolean {
  if (!CALLING_CODE_BY_COUNTRY.has(region)) return false;
  const plan = getNumberingPlan(region);
  const prefix = plan.nationalPrefix() || null;
  return (
    prefix !== null && !digits.startsWith(prefix) && digits.length < (plan.possibleLengths().at(-1) ?? 0)
  );
}

/**
 * E.164 numbers of digits that were read as a national number. `valid` is null if the numbering plan does not allow the number; `possible` is null if
 * its length is wrong.
 */
export interface ValidAndPossibleE164 {
  valid: string | null;
  possible: string | null;
}

/**
 * Reads digits as a national number of a region (ISO code), like libphonenumber. Returns null if only the library can read them: they have an
 * international prefix or a carrier code, or lack the area code.
 */
export function parseNationalNumber(digits: string, region: string): ValidAndPossibleE164 | null {
  const code = CALLING_CODE_BY_COUNTRY.get(region);
  if (code === undefined) return null;
  const home = getCountry(region, code);
  if (home.internationalPrefix.test(digits)) return null;
  const read = removeCallingCode(home, digits);
  const national = read && removePrefix(read.home, read.digits);
  if (!read || national === null) return null;
  const number = `+${code}${national}`;
  const owner = findOwner(read.home, national);
  const valid = owner.hasKinds ? matchesKind(owner, national) : owner.pattern.test(national);
  const possible = owner.lengths.includes(national.length);
  return { valid: valid ? number : null, possible: possible ? number : null };
}

/**
 * Removes the calling code if the digits are too long with it or valid only without it; `home` is then the main country of the calling code. Other
 * digits stay unchanged. Returns null if only libphonenumber can remove a prefix.
 */
function removeCallingCode(home: Country, digits: string): { home: Country; digits: string } | null {
  const { code } = home;
  if (!digits.startsWith(code)) return { home, digits };
  const rest = digits.slice(code.length);
  const [whole, shorter] = [removePrefix(home, digits), removePrefix(home, rest)];
  if (whole === null || shorter === null) return null;
  const isShorter = !home.pattern.test(whole) && home.pattern.test(shorter);
  if (!isShorter && whole.length <= (home.lengths.at(-1) ?? Infinity)) return { home, digits };
  const [main] = METADATA.getCountryCodesForCallingCode(code);
  return main ? { home: getCountry(main, code), digits: rest } : null;
}
