// Every number that the score is made of, in bits: how much likelier an observation is (as a power of two) if the submitted
// values are one real person's than if they are not. Changing one changes the scoring model: raise MODEL with it.
import type { Agreement, Kind } from '../model.ts';

/** Version of the scoring model; part of what a score is a function of. */
export const MODEL = 1;

/** Where a check starts that nothing is known about: 2^-0.45 odds, 42 of 100. */
export const PRIOR = -0.45;

/** How much an agreement of this key can say at the most: log2 of how rare a coincidence it is among strangers. */
export const KEY_BITS: Record<Agreement['type'], number> = {
  email: 10,
  mailbox: 9,
  phone: 9,
  address: 7,
  premise: 6.5,
  core: 6,
  core_city: 5,
  street: 2.5,
  typo: 5,
  name: 0,
};
/** The least that an agreement says, however many share it. */
export const LEAST_BITS = 0.3;

/** What a kind of contact can add, once its agreements are beyond doubt. */
export const KIND_GAIN: Record<Kind, number> = { email: 3.2, phone: 3.2, address: 2.6 };
/** Agreements of this many bits add half of a kind's gain. */
export const HALF_GAIN = 4;

/** A name that the identity bears: from a name borne by very many to one that only this identity has. */
export const NAME_GAIN = { least: 0.2, most: 1.4, perBit: 0.12 };

/** A long history adds up to this, at so much a year. */
export const HISTORY_GAIN = { most: 0.4, perYear: 0.04 };

/** What a value takes away that belongs, beyond doubt, to somebody who does not bear the name. */
export const CONFLICT_PENALTY = 5.2;
/** What each further bit of evidence for somebody else takes away. */
export const SPLIT_PENALTY = 0.15;
/** Borne by no more identities than this, a name in two identities makes no split. */
export const NAMESAKES = 3;
/** A conflicting value whose owner shares an address or phone with the person is likelier a household's than a stranger's. */
export const HOUSEHOLD = 0.4;
/** A value shared by more identities than this makes no household. */
export const HOUSEHOLD_SHARE = 6;

/** How much of a contact's gain counts where the identity bears no name at all, or shares only the given name. */
export const NAMELESS_CREDIT = 0.5;
export const GIVEN_CREDIT = 0.25;

/**
 * One agreement of this many bits makes an identity the dominant one though it does not bear the name; from here on the penalty for
 * conflicting values is whole. That both start at one number is what keeps law 4: another value of the same identity adds no penalty.
 */
export const ESTABLISHED = 7;
/** Evidence for other people from which `possible_catfish` may be said. */
export const CATFISH_BITS = 4;

/** Bounds that the score keeps whatever the evidence (laws 6 and 8 of the contract). */
export const NO_CONTACT_CAP = 64;
export const ONE_KIND_CAP = 84;
export const GIVEN_CAP = 64;
