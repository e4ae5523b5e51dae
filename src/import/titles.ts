// What a form of address tells: a gender at most, and no name. From general knowledge of the languages; folded as `fold` has it.
import type { Gender } from '../link/stored.ts';

/** Words that nobody bears as a name, so that they tell in front of one too. */
const FORMS: Record<'female' | 'male', string> = {
  female: `mrs ms miss mistress dame lady frau fraulein frl madame mme mademoiselle mlle senora sra srta senorita senhora senhorita
    senyora signora signorina mevrouw mevr mw mejuffrouw mej fru froken frk rouva gospodja gospodjica gospozha gospodicna
    shrimati smt proua kundze`,
  male: `mr mister sir lord herr herrn hr monsieur sr senor senhor senyor signor signore sig meneer mijnheer mnr dhr herra gospodin
    gospod shri kungs`,
};
/** Names as well, or one letter: they tell in a field of their own alone. */
const ALONE: Record<'female' | 'male', string> = {
  female: `dona dna sigra pani slecna panna bayan hanim kyria despoinis neiti gospa gospoda gospodica gda gdja doamna domnisoara
    ponia preili asszony kumari ibu puan nang mev`,
  male: `m don dom pan bay bey kyrios domnul ponas harra bapak bpk encik nai ong heer`,
};
/** Of two words. */
const PAIRS: [string, Gender][] = [
  ['de heer', 'male'],
  ['den herrn', 'male'],
  ['sig ra', 'female'],
  ['sig na', 'female'],
  ['g din', 'male'],
  ['g n', 'male'],
  ['g da', 'female'],
  ['g dja', 'female'],
  ['g zha', 'female'],
];

const IN_FRONT = new Map<string, Gender>([...gendersOf(FORMS), ...PAIRS]);
const IN_FIELD = new Map<string, Gender>([...IN_FRONT, ...gendersOf(ALONE)]);
/** `Mr and Mrs` are two. */
const AND = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'og', 'och', 'ja', 'i', 'a']);

function gendersOf(words: Record<'female' | 'male', string>): [string, Gender][] {
  const of = (gender: 'female' | 'male') =>
    words[gender].split(/\s+/).map((word): [string, Gender] => [word, gender]);
  return [...of('female'), ...of('male')];
}

/**
 * The gender that a title tells: `Mrs`, `Herr Dr.`, `Sig.ra`; null where it tells none, or two.
 * @param words folded, with one space between them
 */
export const genderOfTitle = (words: string): Gender | null => told(words.split(' '), IN_FIELD);

/**
 * The gender that the title in front of a name tells: `Mrs. J. Doe`, `de heer Jansen`; null for `Mr and Mrs Doe` too.
 * @param words as above
 */
export function genderInFront(words: string): Gender | null {
  const [first = '', second = '', ...others] = words.split(' ');
  const both = `${first} ${second}`;
  if (IN_FRONT.has(both)) return others.length > 0 ? told([first, second], IN_FRONT) : null;
  if (second === '') return null;
  const next = AND.has(second) ? others.slice(0, -1) : others.length > 0 ? [second] : [];
  return IN_FRONT.has(first) ? told([first, ...next.slice(0, 1)], IN_FRONT) : null;
}

/** What the words tell, two together before one alone. */
function told(words: readonly string[], table: ReadonlyMap<string, Gender>): Gender | null {
  const genders = new Set<Gender>();
  for (let at = 0; at < words.length; at++) {
    const pair = table.get(`${words[at]} ${words[at + 1]}`);
    const gender = pair ?? table.get(words[at] ?? '');
    if (gender) genders.add(gender);
    if (pair) at++;
  }
  const [only = null] = genders;
  return genders.size === 1 ? only : null;
}
