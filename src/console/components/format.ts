const LOCALE = 'en';
const DAY_MS = 86_400_000;
const number = new Intl.NumberFormat(LOCALE);
const compactNumber = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const dateAndTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const dateAndMinute = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const timeOfDay = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const utcDate = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** Formats a number with thousands separators: `12,345`. */
export const formatNumber = (value: number): string => number.format(value);

/** Formats a number of 10,000 or more in short form: `12.3K`. */
export const formatCompact = (value: number): string =>
  Math.abs(value) < 10_000 ? number.format(value) : compactNumber.format(value);

export const formatPercent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;

/** Formats a number with its sign and two decimals: `+1.50`, `−1.50`. */
export const formatSigned = (value: number): string =>
  value < 0 ? `−${Math.abs(value).toFixed(2)}` : `+${value.toFixed(2)}`;

export const formatDateTime = (iso: string): string => dateAndTime.format(new Date(iso));
export const formatTimeOfDay = (time: string | number): string => timeOfDay.format(new Date(time));

export const formatDate = (time: string | number): string => utcDate.format(new Date(time));

/** Formats a count with its noun: `1 record`, `2,000 records`. */
export const formatCount = (count: number, singular: string, many = `${singular}s`): string =>
  `${formatNumber(count)} ${count === 1 ? singular : many}`;

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Formats a time of the next or last 24 hours relative to now (`3 hours ago`), another one as date and time. */
export function formatRelativeTime(time: string, now = Date.now()): string {
  const ms = Date.parse(time) - now;
  if (Math.abs(ms) >= DAY_MS) return dateAndMinute.format(new Date(time));
  for (const [unit, length] of STEPS)
    if (Math.abs(ms) >= length) return relative.format(Math.round(ms / length), unit);
  return ms > 0 ? 'in less than a minute' : 'just now';
}

const BYTE_UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

export function formatBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${BYTE_UNITS[step]}`;
}

export const formatDuration = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Converts a code to words: `not_found` to `not found`. */
export const codeToWords = (code: string): string => code.replaceAll('_', ' ');

const FIELD_NAMES: Record<string, string> = { emails: 'e-mail', phones: 'phone', addresses: 'address' };

/** Describes the field at a JSON Pointer: `/emails/0` is `E-mail 1`. */
export const describeFieldPointer = (pointer: string): string =>
  capitalize(
    pointer
      .slice(1)
      .split('/')
      .map((part) =>
        /^\d+$/.test(part) ? String(Number(part) + 1) : (FIELD_NAMES[part] ?? codeToWords(part)),
      )
      .join(' '),
  );

/** Returns the errors of a field and of its parts (`/rate/calls` is a part of `rate`) as one text; undefined if there are none. */
export function findFieldError(
  errors: readonly { pointer: string; detail: string }[],
  name: string | undefined,
): string | undefined {
  const found = errors.filter(({ pointer }) => pointer.split('/')[1] === name);
  return [...new Set(found.map(({ detail }) => detail))].join(' ') || undefined;
}

/** Meaning of a colour. `none` is grey: neither good nor bad. */
export type StatusTone = 'good' | 'likely' | 'care' | 'bad' | 'none' | 'accent';

/** Verdict words with their labels, in the order of charts. `from` is the lowest score; null for a verdict that does not depend on the score. */
export const VERDICT_DISPLAYS = [
  { word: 'verified', band: 'HIGH', from: 85, label: 'Verified', tone: 'good', colour: '--good-fill' },
  {
    word: 'likely-real',
    band: 'MEDIUM',
    from: 65,
    label: 'Likely real',
    tone: 'likely',
    colour: '--likely-fill',
  },
  { word: 'suspicious', band: 'LOW', from: 40, label: 'Suspicious', tone: 'care', colour: '--care-fill' },
  { word: 'high-risk', band: 'VERY_LOW', from: 0, label: 'High risk', tone: 'bad', colour: '--bad-fill' },
  { word: 'no-record', band: null, from: null, label: 'No record', tone: 'none', colour: '--none-fill' },
  { word: 'name-only', band: null, from: null, label: 'Name only', tone: 'none', colour: '--none' },
] as const;
type VerdictEntry = (typeof VERDICT_DISPLAYS)[number];

export const SCORE_BANDS = VERDICT_DISPLAYS.filter((verdict) => verdict.band !== null);

/** Returns how the verdict of a call is displayed. Calls logged by older versions have only a score band. */
export const findVerdictDisplay = (call: {
  verdict: VerdictEntry['word'] | null;
  status: string;
}): VerdictEntry =>
  VERDICT_DISPLAYS.find(({ word, band }) =>
    call.verdict === null ? band === call.status : word === call.verdict,
  ) ?? VERDICT_DISPLAYS[3];

/** Returns the verdict of a watch none of whose contacts is on record, from the match statuses of its contacts; null if one is on record. */
export function findVerdictWithoutRecord(
  statuses: Record<'emails' | 'phones' | 'addresses', string[]>,
): 'no-record' | 'name-only' | null {
  const contacts = [...statuses.emails, ...statuses.phones, ...statuses.addresses];
  if (contacts.length === 0) return 'name-only';
  return contacts.every((status) => status === 'unverified') ? 'no-record' : null;
}
