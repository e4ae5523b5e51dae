import type { Address } from '../model.ts';
import { clean } from '../normalise/text.ts';

/** A record as it comes out of a file, under the names of the record format; every value may be of any type. */
export interface RawRecord {
  record_id?: unknown;
  /** `true` takes the record out. */
  deleted?: unknown;
  source?: unknown;
  identity?: unknown;
  name?: unknown;
  names?: unknown;
  email?: unknown;
  emails?: unknown;
  phone?: unknown;
  phones?: unknown;
  address?: unknown;
  addresses?: unknown;
  birth_date?: unknown;
  birth_place?: unknown;
  gender?: unknown;
  title?: unknown;
  identifiers?: unknown;
  first_seen?: unknown;
  last_seen?: unknown;
}
export type RawAddress = { [part in keyof Address | 'plus4']?: unknown };

/** A text, or a number as text; the empty string for all else. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return clean(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '';
}
