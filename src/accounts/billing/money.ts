// Money is never a float: a price is millionths of a currency's unit, an amount whole minor units (cents), both as integers.

/** Decimal places that a price may have: a call may cost less than a cent. */
export const PRICE_DECIMALS = 6;
const PRICE = /^(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/;

/** Whether a text is a price: `0`, `12`, `0.0125`. */
export const isPrice = (text: string): boolean => PRICE.test(text);

/** A price as millionths. */
export function toMillionths(price: string): bigint {
  const [, whole = '0', places = ''] = PRICE.exec(price) ?? [];
  return BigInt(whole + places.padEnd(PRICE_DECIMALS, '0'));
}

/** What so many calls cost, in minor units, rounded half up. `digits` is how many decimal places the currency has. */
export function computeAmount(calls: number, price: string, digits: number): bigint {
  const exact = BigInt(calls) * toMillionths(price) * 10n ** BigInt(digits);
  const unit = 10n ** BigInt(PRICE_DECIMALS);
  return (exact + unit / 2n) / unit;
}

/** Minor units as a decimal text: 1234 with two digits is `12.34`. */
export function formatAmount(minor: bigint, digits: number): string {
  const text = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Currencies by their ISO 4217 code. */
export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** How many decimal places a currency's amounts have: 2 for EUR, 0 for JPY. */
export const getCurrencyDecimals = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
