// Exact arithmetic with money: a price is in millionths of the currency's unit, an amount in minor units such as cents, both as integers.

/** Maximum number of decimal places of the price of a call, which may be less than a cent. */
const PRICE_DECIMALS = 6;
const PRICE = /^(0|[1-9]\d{0,8})(?:\.(\d{1,6}))?$/;

export const isPriceText = (text: string): boolean => PRICE.test(text);

function toMillionths(price: string): bigint {
  const [, whole = '0', places = ''] = PRICE.exec(price) ?? [];
  return BigInt(whole + places.padEnd(PRICE_DECIMALS, '0'));
}

/**
 * Computes the price of `calls` calls in the smallest unit of the currency, rounded half up. `digits` is the number of decimal places of amounts in
 * this currency.
 */
export function computePriceOfCallsInMinorUnits(calls: number, price: string, digits: number): bigint {
  const exact = BigInt(calls) * toMillionths(price) * 10n ** BigInt(digits);
  const unit = 10n ** BigInt(PRICE_DECIMALS);
  return (exact + unit / 2n) / unit;
}

/** Computes `percent` per cent of an amount in the smallest unit of the currency, rounded half up. `percent` is a decimal text such as `8.1`. */
export function computePercentOfAmount(minor: bigint, percent: string): bigint {
  const whole = 100n * 10n ** BigInt(PRICE_DECIMALS);
  return (minor * toMillionths(percent) + whole / 2n) / whole;
}

/** Formats an amount in the smallest unit of a currency as a decimal text: 1234 with two digits is `12.34`. */
export function formatAmount(minor: bigint, digits: number): string {
  const text = minor.toString().padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export const isCurrencyCode = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** Returns the number of decimal places of amounts in a currency: 2 for EUR, 0 for JPY. */
export const getCurrencyDecimals = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
