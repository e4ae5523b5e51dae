// Address books have people and firms in one table: of a firm they know no name but that of its company column.

/** Google's column, as it is written today and as it was for years. */
const OF_GOOGLE = /^organization (?:1 - )?name$/i;
/** Outlook's, in its languages: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish. */
const OF_OUTLOOK = /^(?:company|firma|soci[ée]t[ée]|compañ[ií]a|organización|empresa|societ[àa]|bedrijf)$/i;
/** Outlook tells contacts at home from those at work. */
const HOME =
  /(?:^|[\s(])(?:home|privat|domicile|particular|residencial|abitazione|thuis|domow[ya])(?:$|[\s)])/i;
const WORK =
  /(?:^|[\s(])(?:business|geschäftlich|bureau|trabajo|comercial|ufficio|werk|służbow[ya])(?:$|[\s)])/i;

/** Which column of an address book is the firm's name; -1 where there is none, or the table is something else. */
export function firmColumn(headers: readonly string[]): number {
  const ofGoogle = headers.findIndex((header) => OF_GOOGLE.test(header));
  if (ofGoogle >= 0) return ofGoogle;
  const has = (what: RegExp) => headers.some((header) => what.test(header));
  return has(HOME) && has(WORK) ? headers.findIndex((header) => OF_OUTLOOK.test(header)) : -1;
}
