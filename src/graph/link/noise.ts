import { comparePrepared } from '../../match/name/index.ts';
import type { StoredContact } from '../sqlite/records.ts';
import { alikeStreet } from './likeness.ts';
import type { LinkRecord } from './record.ts';

/**
 * How often records of one person disagree in these data, 0-1; null where too few pairs tell. Measured on pairs that agree in all
 * else: the disagreement of names where birth date and address are equal, and of birth dates where name and address are.
 */
export interface Noise {
  name: number | null;
  birth: number | null;
}

/** Fewer pairs than this tell nothing. */
const PAIRS = 40;
/**
 * Of people who share birth date and address at most about this share are twins (some 3 % of people are, few of them still live
 * together), and of those who share name and address about as many are father and son.
 */
const EXPLAINED = 0.01;
/** What twins and namesakes explain, they are taken to explain: only several times as much is noise. */
const BEYOND = 3;

export interface NoiseCounter {
  see(a: LinkRecord, b: LinkRecord): void;
  noise(): Noise;
}

/**
 * Estimates the noise from the pairs it is shown. The idea of measuring a field's errors on pairs matched by the other fields is
 * the first step of expectation maximisation as Winkler (1988) uses it for record linkage.
 */
export function noiseCounter(): NoiseCounter {
  const name = { pairs: 0, apart: 0 };
  const birth = { pairs: 0, apart: 0 };
  return {
    see(a, b) {
      if (!a.birthDate || !b.birthDate || !a.prepared[0] || !b.prepared[0] || !sameAddress(a, b)) return;
      const { same, confidence } = comparePrepared(a.prepared[0], b.prepared[0]);
      if (a.birthDate === b.birthDate) {
        name.pairs++;
        if (!same && confidence < 25) name.apart++;
      }
      if (same && a.suffix === b.suffix) {
        birth.pairs++;
        if (a.birthDate !== b.birthDate) birth.apart++;
      }
    },
    noise: () => ({ name: share(name), birth: share(birth) }),
  };
}

function share({ pairs, apart }: { pairs: number; apart: number }): number | null {
  if (pairs < PAIRS) return null;
  return apart / pairs > EXPLAINED * BEYOND ? apart / pairs : null;
}

/** An address in common, to the letter or nearly. */
export function sameAddress(a: LinkRecord, b: LinkRecord): boolean {
  const theirs = b.contacts.filter((contact) => contact.kind === 'address');
  return a.contacts.some(
    (one) => one.kind === 'address' && theirs.some((two) => agree(one, two) || alike(one, two)),
  );
}

function agree(one: StoredContact, two: StoredContact): boolean {
  return one.keys.some(([form, key]) => form !== 'street' && two.keys.some(([, other]) => other === key));
}

function alike(one: StoredContact, two: StoredContact): boolean {
  return alikeStreet(one, two) && one.places.some((place) => two.places.includes(place));
}
