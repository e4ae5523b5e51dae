// Numbers of the score, in bits: log2 of how much likelier an observation is if the submitted values belong to one real person than if they
// do not. A change of a number changes the scoring model: raise SCORING_MODEL_VERSION with it.
import type { ContactAgreement, ContactKind } from '../model.ts';

export const SCORING_MODEL_VERSION = 10;

/** Bits of a check before any evidence; 0 means even odds. */
export const START_WEIGHT = { bits: 0 };

/** Certainty (0-1) that a submitted value is the recorded value, by the type of key that found it. */
export const LOOKUP_KEY_QUALITY: Record<ContactAgreement['type'], number> = {
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
 * Maximum number of bits that the contacts of one type add. The first contact adds the share `FIRST_CONTACT_SHARE`, if no other identity has the
 * contact.
 */
export const CONTACT_GAIN_BITS: Record<ContactKind, number> = { email: 2.9, phone: 2.9, address: 2.4 };
export const FIRST_CONTACT_SHARE = 0.88;

/** Bits for a name that is on record, from `least` to `most`. `perBit` is added each time the number of identities with the name halves. */
export const NAME_GAIN_BITS = { least: 0.05, most: 0.8, perBit: 0.06 };

/** Bits for a long history: `perYear` for each year, at most `most`. */
export const HISTORY_GAIN_BITS = { most: 0.4, perYear: 0.04 };

/**
 * Bits that an e-mail or phone of another person subtracts. `most`: if it certainly belongs only to that person. `unsupported`: additional bits
 * if the person has no own contact. `further`: share for further values of the same people. `single`: reduction for a single value next to an
 * own e-mail or phone, because numbers are reassigned or mistyped.
 */
export const CONTACT_CONFLICT_BITS = { most: 4.6, unsupported: 2, further: 0.6, single: 1.2 };
/** Exponent that lowers the weight of shared values against a name that is not on record. */
export const UNRECORDED_NAME_EXPONENT = 1.5;
export const ADDRESS_CONFLICT_BITS = { most: 1.6 };
/**
 * Reduction (0-1) of the weight of another person's value, if that person shares another rare value with the person. For a shared address, the
 * reduction is multiplied by the similarity of the names and by `alike`.
 */
export const HOUSEHOLD_WEIGHT_REDUCTION = { less: 0.5, alike: 1.5 };

/** Number of other identities with the same value at which its weight is halved. */
export const SHARERS_THAT_HALVE_WEIGHT: Record<ContactKind, number> = { email: 5, phone: 5, address: 8 };
/**
 * Loss of weight over time for a value that was last seen with another person. The share `remaining` (0-1) is never lost; half of the rest is
 * lost after `halfYears` years.
 */
export const WEIGHT_LOSS_BY_AGE = { halfYears: 9, remaining: { email: 0.7, phone: 0.55, address: 0.15 } };
/**
 * Curve from name agreement (0-100) to the maximum sum of bits that the name allows. It rises from a certainly different name to the same name.
 */
export const MAX_BITS_BY_NAME_AGREEMENT = `
  0 -6.7  12 -6  16 -0.9  20 0  28 0  30 1  40 1.2  50 1.25  55 1.3  60 1.7  75 2.3  80 2.6  87 3.2  90 4  95 4.6  97 7  100 20
`
  .trim()
  .split('  ')
  .map((point) => point.split(' ').map(Number) as [agreement: number, bits: number]);
/** Maximum sum of bits for a family name, if several people with this name live at a submitted address. It gives a score of 38. */
export const FAMILY_HOME_CAP = { bits: -0.7 };
/**
 * Bits by which the maximum decreases if only the family name agrees and several records have another given name. A single record may contain an
 * error.
 */
export const OTHER_GIVEN_NAME_LOSS = { most: 1.5 };
/** Name agreement (0-100) below which a name belongs to another person. */
export const MIN_PARTIAL_AGREEMENT = 16;
/** Range of name agreements (0-100) in which the weight of the first contact rises from nothing to full. */
export const PARTIAL_NAME_AGREEMENT_RANGE = { from: 30, to: 50 };
/** Minimum sum of bits that a part of the name always allows. One word alone gives a score of at most 64. */
export const MIN_BITS_OF_NAME_PART = { bits: 0.83 };
/** Weights of an identity without a name: maximum sum of bits, and how much its values count against another person (0-1). */
export const NAMELESS_IDENTITY_WEIGHTS = { bits: 0.3, doubt: 0.1 };
/** Share (0-1) to which a value of a company counts against a person. It is low, because people use contacts of their employers. */
export const COMPANY_CONTACT_WEIGHT = 0.15;
/** Share (0-1) to which a value counts against a name that is not one person's. It is low, because such a name contradicts no person. */
export const NON_PERSON_CONTACT_WEIGHT = 0.08;
/**
 * Maximum certainty (0-1) that a value counts against a person, by its holder: a `relative` (same family name), a `namesake`, or a person with
 * the same `givenName`. For upper bounds, `bound` replaces `givenName`.
 */
export const MAX_CONFLICT_CERTAINTY_BY_RELATION = {
  relative: 0.8,
  namesake: 0.9,
  givenName: 0.33,
  bound: 0.5,
};

/**
 * Upper bounds of the score: without a contact of a person with the name, with one type of contact, with addresses alone, with a contact of
 * another person, and if the submitted name is not a person's.
 */
export const NO_NAME_HOLDER_SCORE_BOUND = 64;
export const ONE_CONTACT_TYPE_SCORE_BOUND = 84;
export const ADDRESS_ONLY_SCORE_BOUND = 70;
export const CONFLICT_SCORE_BOUND = 84;
export const NON_PERSON_SCORE_BOUND = 64;
/**
 * Upper bounds of the score if the other person has everything that distinguishes two people. `stranger`: any other person. With a single
 * contact, `namesake` is a namesake in the household and `household` another member of it.
 */
export const SHARED_CONTACTS_SCORE_BOUNDS = { stranger: 39, namesake: 49, household: 64 };
/** Lowest score that addresses of other people alone can cause. */
export const ADDRESS_SCORE_FLOOR = 40;
/** Upper bound of the score if a contact belongs to a namesake, and the person has only one type of contact. */
export const NAMESAKE_SCORE_BOUND = 60;
/**
 * Lowest score that an old phone of another person alone can cause, by the years since it was last seen there. Phone numbers are given to new
 * subscribers; e-mail addresses seldom are.
 */
export const OLD_PHONE_SCORE_FLOORS: [years: number, score: number][] = [
  [0, 0.5],
  [1, 4],
  [2, 12],
  [3, 21],
  [4, 30],
  [5, 35],
  [7, 40],
  [10, 44],
  [20, 46],
];
/** Years after which a phone of another person no longer sets the flag, unless another contact shows that this person still uses it. */
export const OLD_PHONE_YEARS = 3;
/** Lowest score that contacts of household members alone can cause. */
export const HOUSEHOLD_SCORE_FLOOR = 24;
/** Distance from a bound, in points, from which the score only approaches the bound. */
export const BOUND_APPROACH_POINTS = 5;

/**
 * Limits of the flag `possible_catfish` (a claim with contacts of other people). `least`: minimum weight of other people's e-mails and phones, 1
 * for each that certainly is theirs. `share`: minimum ratio of this weight to that of own contacts. `address`: weight of an own address.
 * `doubt`: minimum certainty that the others have another name.
 */
export const POSSIBLE_CATFISH_LIMITS = { least: 0.35, share: 0.7, address: 0.7, doubt: 0.5 };
