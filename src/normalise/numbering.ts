// What numbering plans say of bare digits, from libphonenumber's own tables: the library itself takes seven to fifteen times as long, and most digits
// have no prefix that it would have to take off.
import { type CountryCode, getCountries, getCountryCallingCode, Metadata } from 'libphonenumber-js/min';

/** What the published types leave out. */
interface Tables {
  hasCallingCode(code: string): boolean;
  getCountryCodesForCallingCode(code: string): CountryCode[];
  selectNumberingPlan(country: string): void;
  numberingPlan: {
    nationalNumberPattern(): string;
    nationalPrefixForParsing(): string | null;
    IDDPrefix(): string;
    possibleLengths(): number[];
    leadingDigits(): string | undefined;
    type(name: string): { pattern(): string; possibleLengths(): number[] | undefined } | undefined;
    hasTypes(): boolean;
  };
}

const TABLES = new Metadata() as unknown as Tables;

const entire = (pattern: string) => new RegExp(`^(?:${pattern})$`);
const start = (pattern: string) => new RegExp(`^(?:${pattern})`);

/** The numbers behind one calling code. */
interface Plan {
  /** A pattern of national numbers for each country of the code. */
  patterns: RegExp[];
  /** What its main country may write in front of a national number; null for nothing. */
  prefix: RegExp | null;
}

const PLANS = new Map<string, Plan>();
/** ISO code of a country → its calling code. */
export const CALLING_CODES = new Map<string, string>();
/** One country (ISO code) for each calling code, the one that it is known by. */
export const MAIN_COUNTRIES: string[] = [];
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  CALLING_CODES.set(country, code);
  if (PLANS.has(code)) continue;
  const countries = TABLES.getCountryCodesForCallingCode(code);
  MAIN_COUNTRIES.push(countries[0] ?? country);
  PLANS.set(code, {
    patterns: countries.map((one) => entire(planOf(one).nationalNumberPattern())),
    prefix: prefixOf(countries[0] ?? country),
  });
}

function planOf(country: string): Tables['numberingPlan'] {
  TABLES.selectNumberingPlan(country);
  return TABLES.numberingPlan;
}

function prefixOf(country: string): RegExp | null {
  const prefix = planOf(country).nationalPrefixForParsing();
  return prefix ? start(prefix) : null;
}

/** The plan of the calling code that the digits begin with. No code is the start of another one, so the first that fits is the only one. */
function planIn(digits: string): { plan: Plan; national: string } | undefined {
  for (let length = 1; length <= 3; length += 1) {
    const plan = PLANS.get(digits.slice(0, length));
    if (plan) return { plan, national: digits.slice(length) };
  }
  return undefined;
}

const fits = ({ patterns }: Pick<Plan, 'patterns'>, national: string) =>
  patterns.some((pattern) => pattern.test(national));

/** Whether the digits are a calling code and a national number that its numbering plan allows. */
export function isKnownNumber(digits: string): boolean {
  const found = planIn(digits);
  return found !== undefined && fits(found.plan, found.national);
}

/** Whether digits that are not `known` may be so for the library, which takes off prefixes and has numbers of no country. */
export function mayBeKnownNumber(digits: string): boolean {
  const found = planIn(digits);
  if (found) return found.plan.prefix?.test(found.national) ?? false;
  return [1, 2, 3].some((length) => TABLES.hasCallingCode(digits.slice(0, length)));
}

/** What tells whether a national number is a country's. */
interface Country {
  code: string;
  abroad: RegExp;
  prefix: RegExp | null;
  pattern: RegExp;
  /** Of each kind (a mobile's, a toll-free one's …); none where the country has its calling code for itself. */
  kinds: { pattern: RegExp; lengths: readonly number[] | undefined }[];
  hasKinds: boolean;
  /** How its numbers begin, where that tells them from those of others with its calling code. */
  leading: RegExp | null;
  lengths: readonly number[];
}

const COUNTRIES = new Map<string, Country>();

function countryOf(region: string, code: string): Country {
  let country = COUNTRIES.get(region);
  if (country === undefined) COUNTRIES.set(region, (country = madeCountry(region, code)));
  return country;
}

const KINDS = [
  'FIXED_LINE',
  'MOBILE',
  'PREMIUM_RATE',
  'TOLL_FREE',
  'SHARED_COST',
  'VOIP',
  'PERSONAL_NUMBER',
  'PAGER',
  'UAN',
  'VOICEMAIL',
];

function madeCountry(region: string, code: string): Country {
  const plan = planOf(region);
  const leading = plan.leadingDigits();
  return {
    code,
    abroad: start(plan.IDDPrefix()),
    prefix: prefixOf(region),
    pattern: entire(plan.nationalNumberPattern()),
    kinds: KINDS.flatMap((name) => {
      const kind = plan.type(name);
      const pattern = kind?.pattern();
      return kind && pattern ? [{ pattern: entire(pattern), lengths: kind.possibleLengths() }] : [];
    }),
    hasKinds: plan.hasTypes(),
    leading: leading ? start(leading) : null,
    lengths: plan.possibleLengths(),
  };
}

const hasKind = ({ pattern, kinds }: Country, national: string): boolean =>
  pattern.test(national) &&
  kinds.some((kind) => (kind.lengths?.includes(national.length) ?? true) && kind.pattern.test(national));

/** Of the countries that share a calling code the one whose number it is. */
function ownerOf(home: Country, national: string): Country {
  const sharing = TABLES.getCountryCodesForCallingCode(home.code);
  if (sharing.length === 1) return home;
  for (const one of sharing) {
    const country = countryOf(one, home.code);
    if (country.leading ? country.leading.test(national) : hasKind(country, national)) return country;
  }
  return home;
}

/** Without what is written in front of a national number at home, where something is; null where that is more than a prefix. */
function withoutPrefix(home: Country, digits: string): string | null {
  const found = home.prefix?.exec(digits);
  if (!found) return digits;
  if (found.length > 1) return null;
  const rest = digits.slice(found[0].length);
  if (home.pattern.test(digits) && !home.pattern.test(rest)) return digits;
  const { lengths } = ownerOf(home, rest);
  return lengths.includes(rest.length) || rest.length > (lengths.at(-1) ?? Infinity) ? rest : digits;
}

/** What is made of digits in a region: the E.164 of a `valid` number, else of one that is `possible`; both null for none. */
export interface NationalReading {
  valid: string | null;
  possible: string | null;
}

/**
 * Bare digits, read in a region (ISO code) as libphonenumber reads them. Null where only the library can tell: they begin with what says
 * "abroad", or with a carrier's code that it takes off, or it puts an area's before.
 */
export function parseNationalNumber(digits: string, region: string): NationalReading | null {
  const code = CALLING_CODES.get(region);
  if (code === undefined) return null;
  const home = countryOf(region, code);
  if (home.abroad.test(digits)) return null;
  const read = withoutCode(home, digits);
  const national = read && withoutPrefix(read.home, read.digits);
  if (!read || national === null) return null;
  const number = `+${code}${national}`;
  const owner = ownerOf(read.home, national);
  const valid = owner.hasKinds ? hasKind(owner, national) : owner.pattern.test(national);
  const possible = owner.lengths.includes(national.length);
  return { valid: valid ? number : null, possible: possible ? number : null };
}

/** Digits that are too long with the calling code in front, or a number only without it, are of whichever country has that code. */
function withoutCode(home: Country, digits: string): { home: Country; digits: string } | null {
  const { code } = home;
  if (!digits.startsWith(code)) return { home, digits };
  const rest = digits.slice(code.length);
  const [whole, shorter] = [withoutPrefix(home, digits), withoutPrefix(home, rest)];
  if (whole === null || shorter === null) return null;
  const isShorter = !home.pattern.test(whole) && home.pattern.test(shorter);
  if (!isShorter && whole.length <= (home.lengths.at(-1) ?? Infinity)) return { home, digits };
  const [main] = TABLES.getCountryCodesForCallingCode(code);
  return main ? { home: countryOf(main, code), digits: rest } : null;
}
