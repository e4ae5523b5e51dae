import { comparePrepared } from '../../match/name/index.ts';
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
/** Of people who share birth date and address, about this share are twins (some 3 % of births in most countries). */
const TWINS = 0.03;
/** Of people who share name and address, about this share are namesakes: father and son. */
const NAMESAKES = 0.03;
/** What twins or namesakes explain, they are taken to explain: only a disagreement well beyond it is noise. */
const BEYOND = 2;

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
    noise: () => ({ name: share(name, TWINS), birth: share(birth, NAMESAKES) }),
  };
}

function share({ pairs, apart }: { pairs: number; apart: number }, explained: number): number | null {
  if (pairs < PAIRS) return null;
  return apart / pairs > explained * BEYOND ? apart / pairs : null;
}

/** Whole address, premise or core in common. */
export function sameAddress(a: LinkRecord, b: LinkRecord): boolean {
  const keys = new Set<number>();
  for (const contact of a.contacts) if (contact.kind === 'address') for (const [form, key] of contact.keys) if (STRICT.has(form)) keys.add(key);
  return b.contacts.some((contact) => contact.kind === 'address' && contact.keys.some(([, key]) => keys.has(key)));
}

const STRICT = new Set(['address', 'premise', 'core', 'core_city']);
