// Figures and times in words, as the reader's language writes them.
const LOCALE = 'en';
const DAY_MS = 86_400_000;
const whole = new Intl.NumberFormat(LOCALE);
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const full = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const time = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

export const count = (value: number): string => whole.format(value);
export const compact = (value: number): string =>
  Math.abs(value) < 10_000 ? whole.format(value) : short.format(value);
export const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;
export const timeText = (iso: string): string => full.format(new Date(iso));
export const clock = (at: string | number): string => time.format(new Date(at));
export const dayText = (iso: string | number): string => day.format(new Date(iso));
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
/** A value with its minus as a minus. */
export const signed = (value: number): string =>
  value < 0 ? `−${Math.abs(value).toFixed(2)}` : `+${value.toFixed(2)}`;

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * DAY_MS],
  ['month', 30.4 * DAY_MS],
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `3 days ago`, `in 12 hours`. */
export function ago(iso: string | number, now = Date.now()): string {
  const ms = new Date(iso).getTime() - now;
  for (const [unit, length] of STEPS)
    if (Math.abs(ms) >= length) return relative.format(Math.round(ms / length), unit);
  return ms > 0 ? 'in a moment' : 'just now';
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];
export function bytesText(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

export const msText = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

const FIELDS: Record<string, string> = { emails: 'e-mail', phones: 'phone', addresses: 'address' };

/** A place in what was sent, as somebody calls it who counts from one: `/emails/0` is `E-mail 1`. */
export const fieldName = (pointer: string): string =>
  capital(
    pointer
      .slice(1)
      .split('/')
      .map((part) =>
        /^\d+$/.test(part) ? String(Number(part) + 1) : (FIELDS[part] ?? part.replaceAll('_', ' ')),
      )
      .join(' '),
  );

/** The first letter as a capital one. */
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
