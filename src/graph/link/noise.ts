/**
 * What the records themselves tell of their errors; 0-1, null where they tell nothing or where what they tell may have other reasons.
 * In clean records all are null, and every disagreement counts in full.
 */
export interface Noise {
  /** How often two records of one person carry names that are none's variant of the other. */
  name: number | null;
  /** How often two records of one person carry birth dates that are no slip of each other. */
  birth: number | null;
  /** Of the pairs of records at one address, how many are one person's; the rest are its household's. */
  address: number | null;
}

export const NO_NOISE: Noise = { name: null, birth: null, address: null };

/** Fewer pairs than this tell nothing. */
const PAIRS = 40;
/** A field that differs more rarely is taken for clean; one that differs more often must have other reasons than errors. */
const LEAST = 0.03;
const MOST = 0.4;
/** Of the pairs of two people at one address, at most this share are twins, and as many bear one name (father and son). */
export const TWINS = 0.03;
/** Only several times as much as twins and namesakes explain is noise: no single pair shows which of the two it is. */
const BEYOND = 3;
/** Of an address of which nothing is known, three pairs more are taken to be two people's. */
const DOUBT = 3;

/** How two records at one address compare: do the names agree, do the birth dates, and are they `bothRecur`? */
export interface Sighting {
  names: boolean;
  births: boolean;
  recurring: boolean;
}

export interface NoiseCounter {
  see(pair: Sighting): void;
  /** @param recurring share of the dated records whose name and birth date are on another record too, 0-1 */
  noise(recurring: number): Noise;
}

/**
 * Estimates the noise from pairs of records at one address, by whether names agree and whether birth dates do. One person's records
 * that err in one differ in one, and both differ as often as independent errors make them; all above that are households. Households
 * have twins and namesakes, which look like errors: they are estimated from the households' number and from those seen twice with
 * both of their names and birth dates, and taken away.
 *
 * The idea of learning a field's error rate from pairs that the other fields match is Winkler's (1988, by expectation maximisation);
 * with three classes and two fields the moments give it in closed form.
 */
export function noiseCounter(): NoiseCounter {
  const seen = { both: 0, birthOnly: 0, nameOnly: 0, none: 0 };
  const twice = { birthOnly: 0, nameOnly: 0 };
  return {
    see({ names, births, recurring }) {
      if (names && births) seen.both++;
      else if (!names && !births) seen.none++;
      else {
        const cell = births ? 'birthOnly' : 'nameOnly';
        seen[cell]++;
        if (recurring) twice[cell]++;
      }
    },
    noise(recurring) {
      const { both, birthOnly, nameOnly, none } = seen;
      if (both < PAIRS) return NO_NOISE;
      const known = (count: number) => (count === 0 ? 0 : (count + 2 * Math.sqrt(count)) / recurring ** 2);
      const [twins, namesakes] = [known(twice.birthOnly), known(twice.nameOnly)];
      const errors = (left(birthOnly, twins) * left(nameOnly, namesakes)) / both;
      const strangers = left(none, errors);
      const [name, birth] = [
        rate(birthOnly, Math.max(twins, TWINS * strangers), both),
        rate(nameOnly, Math.max(namesakes, TWINS * strangers), both),
      ];
      if (name === null && birth === null) return NO_NOISE;
      // As many as the rates make of those that agree in both; all others are two people's.
      const one = both / (1 - (name ?? 0)) / (1 - (birth ?? 0));
      return { name, birth, address: one / (Math.max(one, both + birthOnly + nameOnly + none) + DOUBT) };
    },
  };
}

/** The share of the pairs of one person that differ, where clearly more differ than twins or namesakes explain. */
function rate(differing: number, explained: number, agreeing: number): number | null {
  const errors = left(differing, explained);
  const share = errors / (errors + agreeing);
  return share >= LEAST && share <= MOST && errors >= BEYOND * explained ? share : null;
}

function left(all: number, explained: number): number {
  return Math.max(0, all - explained);
}
