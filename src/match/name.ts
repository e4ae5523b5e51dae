import type { Identity, NameAgreement } from '../model.ts';
import {
  comparePreparedNames,
  firstGivenName,
  prepareName,
  type PreparedName,
  nameHalves,
  type NameHalf,
} from '../names/index.ts';
import { typoDistance } from '../normalise/typo.ts';

/** An identity whose names were not read, because no key of the name points to it, but the given name's does. */
export const GIVEN_ONLY: NameAgreement = {
  isSame: false,
  isPrimary: false,
  agreement: 30,
  variation: 'no_match',
  closestName: null,
  sharedHalf: 'given',
  isNameless: false,
};

const NONE: NameAgreement = { ...GIVEN_ONLY, agreement: 0, sharedHalf: null };

/** The best agreement of the submitted name with any of the identity's names: an equal one, else the likeliest; of equals the primary name's. */
export function compareWithIdentity(name: PreparedName, identity: Identity): NameAgreement {
  return nameComparer(name)(identity);
}

/** `agreeName` for one name and many identities. */
export function nameComparer(prepared: PreparedName): (identity: Identity) => NameAgreement {
  const name: Compared = { prepared, halves: null };
  const written = prepared.text.toLowerCase();
  return (identity) => {
    const { names } = identity;
    if (names.length === 0) return { ...NONE, isNameless: true };
    const equal = names.findIndex((text) => text.toLowerCase() === written);
    // Most names are written as on record; preparing and comparing them again would cost more than all look-ups together.
    if (equal >= 0) return agreement(name, { other: name, text: names[equal] ?? '', primary: equal === 0 });
    let best = NONE;
    for (const [i, other] of preparedNames(identity).entries()) {
      if (best.variation === 'exact') break;
      const found = agreement(name, { other, text: names[i] ?? '', primary: i === 0 });
      if (i === 0 || isBetter(found, best)) best = found;
    }
    return best;
  };
}

/** A name as it is compared; its halves from the first time on that two names are not one. */
interface Compared {
  readonly prepared: PreparedName;
  halves: Halves | null;
}

/** Engines hand out the same identity again while their records stay as they are; a name takes some 900 bytes. */
const PREPARED = new WeakMap<Identity, Compared[]>();

function preparedNames(identity: Identity): Compared[] {
  const known = PREPARED.get(identity);
  if (known) return known;
  const prepared = identity.names.map((text) => ({ prepared: prepareName(text), halves: null }));
  PREPARED.set(identity, prepared);
  return prepared;
}

const halves = (name: Compared): Halves => (name.halves ??= halvesOf(name.prepared));

/** From here on the name engine doubts rather than denies. */
const NEARLY = 30;

interface Known {
  other: Compared;
  text: string;
  primary: boolean;
}

function agreement(name: Compared, { other, text, primary }: Known): NameAgreement {
  const { same, confidence, variation } = comparePreparedNames(name.prepared, other.prepared);
  if (same) {
    const most = isInitial(name.prepared) === isInitial(other.prepared) ? 100 : INITIAL;
    return {
      ...NONE,
      isSame: same,
      agreement: Math.min(confidence, most),
      variation,
      closestName: text,
      isPrimary: primary,
    };
  }
  const likeness = likenessOf(halves(name), halves(other));
  // What the engine only just doubts is not a half in common, but a whole that may be one.
  const nearly =
    confidence >= NEARLY
      ? { agreement: Math.max(confidence, likeness.agreement), sharedHalf: null }
      : likeness;
  return { ...NONE, variation, closestName: text, isPrimary: primary, ...nearly };
}

/** A first name that is but a letter on one side may be any of many: a figure for how much of the name that leaves. */
const INITIAL = 55;
const isInitial = (name: PreparedName) => /^[a-z]$/.test(firstGivenName(name) ?? '');

function isBetter(one: NameAgreement, than: NameAgreement): boolean {
  if (one.isSame !== than.isSame) return one.isSame;
  if (one.variation === 'exact' && than.variation !== 'exact') return true;
  return one.agreement > than.agreement;
}

/** How much of two names agrees that are not the same by the name engine. */
interface Likeness {
  /** 0-100, below 50; 0 where nothing agrees. */
  agreement: number;
  /** The half that agrees; null where neither does, or both do in part. */
  sharedHalf: 'given' | 'family' | null;
}

/** One half in common: a family name may have changed, a given name be another one of the same person, or a relative's. */
const HALF = { given: 30, family: 20 };
/** Both halves misspelt, but hardly: just not the same name. */
const BOTH = 49;
/** Relatives share a family name: a given name that is less alike is another one, where a family name so alike is misspelt. */
const LEAST_GIVEN = 0.55;
/** So much of a half's points it has even where it is barely recognised. */
const LEAST = 0.9;

/** A name as it is compared half by half: once for all the names that it is compared with. */
type Halves = Record<'given' | 'family', NameHalf>;

/** The halves of a prepared name. */
const halvesOf = (name: PreparedName): Halves => nameHalves(name);

/** Half by half, whichever way round the two were written. */
function likenessOf(x: Halves, y: Halves): Likeness {
  const straight = likenessOfHalves(alike(x.given, y.given), alike(x.family, y.family));
  const crossed = likenessOfHalves(alike(x.given, y.family), alike(x.family, y.given));
  return crossed.agreement > straight.agreement ? crossed : straight;
}

function likenessOfHalves(alikeGiven: number, family: number): Likeness {
  const given = alikeGiven < LEAST_GIVEN ? 0 : alikeGiven;
  if (given > 0 && family > 0) return { agreement: BOTH * Math.min(given, family), sharedHalf: null };
  if (given > 0) return { agreement: HALF.given * (LEAST + (1 - LEAST) * given), sharedHalf: 'given' };
  if (family > 0) return { agreement: HALF.family * (LEAST + (1 - LEAST) * family), sharedHalf: 'family' };
  return { agreement: 0, sharedHalf: null };
}

/** 0-1: how nearly two words, or more, are written alike. Two that are both real names are never one another's misspelling. */
function alike(
  { text: x, isRealName: isRealX }: NameHalf,
  { text: y, isRealName: isRealY }: NameHalf,
): number {
  if (x.length < 2 || y.length < 2) return 0;
  if (x === y) return 1;
  if (isRealX && isRealY) return 0;
  const length = Math.max(x.length, y.length);
  const limit = Math.min(3, Math.floor((length - 1) / 3) + 1, Math.floor(length / 2));
  const distance = typoDistance(x, y, limit);
  return distance > limit ? 0 : Math.max(0, 1 - distance / (0.75 * length));
}
