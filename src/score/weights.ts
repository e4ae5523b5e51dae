// Numbers of the score, in bits: log2 of how much likelier an observation is if the submitted values belong to one real person than if they
// do not. A change of a number changes the scoring model: raise SCORING_MODEL_VERSION with it.
import type { Agreement, ContactKind } from '../model.ts';

export const SCORING_MODEL_VERSION = 9;

/** Bits of a check before any evidence: even odds. */
export const START_WEIGHT = { bits: 0 };

/** Certainty, 0-1, that a value is the one on record, by the key that found the value. */
export const LOOKUP_KEY_QUALITY: Record<Agreement['type'], number> = {
  email: 1,
  mailbox: 0.95,
  phone: 1,
  address: 1,
  premise: 0.9,
  core: 0.85,
  core_city: 0.75,
  street: 0.35,
  typo: 0.7,
  name: 0,
};

/**
 * Maximum bits that the contacts of one kind add. The first contact adds the share `FIRST_CONTACT_SHARE` of these bits, if no other
 * identity has the contact.
 */
export const CONTACT_GAIN_BITS: Record<ContactKind, number> = { email: 2.9, phone: 2.9, address: 2.4 };
export const FIRST_CONTACT_SHARE = 0.88;

/** Bits of a name on record: `perBit` for each halving of the identities with the name, from `least` to `most`. */
export const NAME_GAIN_BITS = { least: 0.05, most: 0.8, perBit: 0.06 };

/** Bits of a long history: `perYear`, up to `most`. */
export const HISTORY_BITS = { most: 0.4, perYear: 0.04 };

/**
 * Bits that an e-mail or phone of another person subtracts: `most` if it certainly belongs only to that person, `unsupported` in addition
 * if the person has no own contact, and the share `further` for further values of the same people. A single one, in addition to an own
 * e-mail or phone, subtracts `single` less, because numbers are reassigned or mistyped.
 */
export const CONTACT_CONFLICT_BITS = { most: 4.6, unsupported: 2, further: 0.6, single: 1.2 };
/** Exponent of a value's strength against a name that is not on record: sharing counts more there. */
export const UNRECORDED_NAME_EXPONENT = 1.5;
export const ADDRESS_CONFLICT_BITS = { most: 1.6 };
/**
 * Reduction (0-1) of the weight of another person's value, if that person shares another rare value with the subject. The reduction by a
 * shared address is multiplied by the similarity of the names and by `alike`.
 */
export const HOUSEHOLD_RELIEF = { less: 0.5, alike: 1.5 };

/** Number of other identities with a value that halves its weight. */
export const SHARERS_THAT_HALVE_WEIGHT: Record<ContactKind, number> = { email: 5, phone: 5, address: 8 };
/**
 * Ageing of a value last seen with another person: after `halfYears` years half of the losable weight is lost; `remaining` is the share
 * that is never lost.
 */
export const VALUE_AGEING = { halfYears: 9, remaining: { email: 0.7, phone: 0.55, address: 0.15 } };
/** Agreement of a name (0-100) and the most bits that the name can carry, from surely another name to the same name. */
export const MAX_BITS_BY_NAME_AGREEMENT = `
  0 -6.7  12 -6  16 -0.9  20 0  28 0  30 1  40 1.2  50 1.25  55 1.3  60 1.7  75 2.3  80 2.6  87 3.2  90 4  95 4.6  97 7  100 20
`
  .trim()
  .split('  ')
  .map((point) => point.split(' ').map(Number) as [agreement: number, bits: number]);
/** Most bits of a family name if several people with it live at a sent address: a score of 38. */
export const FAMILY_HOME_CAP = { bits: -0.7 };
/**
 * Bits that a name carries less if only the family name agrees, and several records have another given name. A single record may be wrong.
 */
export const OTHER_GIVEN_NAME_LOSS = { most: 1.5 };
/** Agreement of a name (0-100) below which the name is somebody else's. */
export const MIN_PARTIAL_AGREEMENT = 16;
/** Agreements of a name between which the first contact begins to count. */
export const PARTIAL_NAME_AGREEMENT_RANGE = { from: 30, to: 50 };
/** Most bits of the contacts that a part of the name leaves in any case: one word alone makes a score of at most 64. */
export const MIN_BITS_OF_NAME_PART = { bits: 0.83 };
/** Bits that an identity without a name can carry, and how much its values count against another person, 0-1. */
export const NAMELESS_IDENTITY_WEIGHTS = { bits: 0.3, doubt: 0.1 };
/** Share, 0-1, that a value of a company counts against a person: people give the contacts of their employers. */
export const COMPANY_DOUBT = 0.15;
/**
 * Maximum certainty, 0-1, that a value counts against a person, by the holder: a `relative` (same family name), a `namesake`, or a person
 * with the same `givenName`; `bound` replaces `givenName` for upper bounds.
 */
export const MAX_DOUBT_BY_RELATION = { relative: 0.8, namesake: 0.9, givenName: 0.33, bound: 0.5 };

/**
 * Upper bounds of the score: without a contact of the name's holder, with one kind of contact, with addresses alone, beside somebody else's
 * contact, and if the submitted name is not a person's.
 */
export const NO_NAME_HOLDER_BOUND = 64;
export const ONE_KIND_BOUND = 84;
export const ADDRESS_ALONE_BOUND = 70;
export const CONFLICT_BOUND = 84;
export const NON_PERSON_BOUND = 64;
/**
 * Upper bounds of the score if everything that distinguishes two people belongs to the other person: a stranger; or, with one contact, a
 * namesake in the household or another household member.
 */
export const SHARED_ONLY_BOUND = { stranger: 39, namesake: 49, household: 64 };
/** Lowest score that addresses of other people alone can cause. */
export const ADDRESS_FLOOR = 40;
/** Upper bound of the score if a contact belongs to a namesake, and the person has only one kind of contact. */
export const NAMESAKE_BOUND = 60;
/**
 * Years since a phone was last seen with somebody else, and the lowest score that this phone alone can cause. Phone numbers are given to
 * new subscribers; e-mail addresses seldom are. In the first year the lowest score applies to a growing share of the phone's bits.
 */
export const OLD_PHONE_FLOOR: [years: number, score: number][] = [
  [0, 0],
  [1, 4],
  [2, 12],
  [3, 21],
  [4, 30],
  [5, 35],
  [7, 40],
  [10, 44],
  [20, 46],
];
/**
 * Years after which a phone of somebody else no longer sets the flag, unless another contact shows that the phone is still in use by that
 * person.
 */
export const OLD_PHONE_YEARS = 3;
/** Lowest score that contacts of household members alone can cause. */
export const HOUSEHOLD_FLOOR = 24;
/** Distance from a bound, in points, within which the score only approaches the bound. */
export const APPROACH_POINTS = 5;

/**
 * Limits of `possible_catfish`. `least`: weight of other people's e-mails and phones (1 for each that is surely theirs). `share`: part of
 * the weight of the person's own contacts that it must reach. `address`: weight of an own address. `doubt`: how surely the others have
 * another name.
 */
export const CATFISH_LIMITS = { least: 0.35, share: 0.7, address: 0.7, doubt: 0.5 };
