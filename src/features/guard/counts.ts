// Counts in a text: "2 of 3 phones", "four identities". A count beside its noun must be a count of that noun.
import type { Facts } from '../plugin/facts.ts';

const NUMERALS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
];
/** A count with its noun, the second number of "2 of 3" included. */
export const COUNTED =
  /\b(\d+|zero|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|both)(?: (?:of|out of)(?: the)? (\d+|\w+))?(?: (?:submitted|sent|different|other|separate|matching|matched|unverified|contact))* (e-?mails?|phones?|addresses|address|identit(?:y|ies)|people|contacts?)\b/gi;

/** A number in digits or as a word up to fifteen; undefined for anything else. */
export function numberOf(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  if (word.toLowerCase() === 'both') return 2;
  const at = NUMERALS.indexOf(word.toLowerCase());
  return at < 0 ? undefined : at;
}

/** What the counts of a text get wrong: one entry each. */
export function countProblems(text: string, { matches }: Partial<Facts>): string[] {
  if (!matches) return [];
  const problems: string[] = [];
  for (const [, first = '', second = '', noun = ''] of text.matchAll(COUNTED)) {
    const allowed = countsOf(noun.toLowerCase(), matches);
    const said = [first, second].map((word) => numberOf(word)).filter((number) => number !== undefined);
    if (said.some((number) => !allowed.has(number))) problems.push(`the facts hold no such count of ${noun}`);
  }
  return problems;
}

/** People that the facts speak of: whom the contacts resolve to, and whom the name does where that is somebody else. */
function peopleOf({ identities, contacts, name }: Facts['matches']): Set<number> {
  return new Set([identities, contacts.different, ...(name === 'different' ? [identities + 1] : [])]);
}

function countsOf(noun: string, matches: Facts['matches']): Set<number> {
  if (/^(identit|people)/.test(noun)) return peopleOf(matches);
  if (/^e-?mail/.test(noun)) return new Set(Object.values(matches.email));
  if (noun.startsWith('phone')) return new Set(Object.values(matches.phone));
  if (noun.startsWith('address')) return new Set(Object.values(matches.address));
  const { contacts, of_bearers: own, nameless } = matches;
  const resolved = contacts.submitted - contacts.unverified;
  return new Set([...Object.values(contacts), resolved, own, resolved - own, nameless]);
}
