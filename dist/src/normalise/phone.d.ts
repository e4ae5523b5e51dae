import type { Normal } from '../model.ts';
/**
 * Reads one phone number: formatted text as records hold it, or the bare digits of a claim.
 *
 * `standardized` and the form `phone` are E.164 (`+14155550100`). A number with neither `+` nor an international
 * prefix (`00`, `011`) is read in the default region (ISO code), or in the first of several regions that it fits. Bare digits whose `+` may have been stripped can be two numbers,
 * one at home and one abroad (`6561234567`): the home reading comes first, the other is a second `phone` form.
 * Extensions are dropped. Digits that no numbering plan knows still give `+digits`.
 *
 * @returns null where the number, country code included, has fewer than 7 digits or more than 15.
 */
export declare function normalisePhone(text: string, region?: string | readonly string[]): Normal<string> | null;
