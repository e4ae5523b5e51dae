// Numbers of the score, in bits: log2 of how much likelier an observation is if the submitted values belong to one real person than if they
// do not. A change of a number changes the scoring model: raise SCORING_MODEL_VERSION with it.
import type { ContactMatch, ContactKind } from '../model.ts';

export const SCORING_MODEL_VERSION = 17;

/** Bits of a check before any evidence; 0 means even odds. */
export const START_WEIGHT = { bits: 0 };

/** Certainty (0-1) that a submitted value is the recorded value, by the type of look-up key that found it. */
export const LOOKUP_KEY_QUALITY: Record<ContactMatch['type'], number> = {
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
 * Maximum match weight in bits of all contacts of one type together. The first contact has the share `FIRST_CONTACT_SHARE` of it, if no
 * other identity has this contact.
 */
export const MAX_BITS_OF_MATCHING_CONTACTS: Record<ContactKind, number> = {
  email: 2.9,
  phone: 2.9,
  address: 2.4,
};
export const FIRST_CONTACT_SHARE = 0.88;

/**
 * Match weight in bits of a name that is on record, from `least` to `most`. A name that half as many identities have weighs `perBit` more.
 */
export const RECORDED_NAME_WEIGHT = { least: 0.05, most: 0.8, perBit: 0.06 };

/** Match weight in bits of a long history of the identity on record: `perYear` for each year, at most `most`. */
export const HISTORY_LENGTH_WEIGHT = { most: 0.4, perYear: 0.04 };

/**
 * Bits that an e-mail or phone of another person subtracts. `most`: if it certainly belongs only to that person. `unsupported`: additional
 * bits if none of the contacts belongs to the named person. `further`: share of `most` for further contacts of the same people. `single`:
 * reduction for a single contact if another e-mail or phone belongs to the named person, because numbers are reassigned or mistyped.
 */
export const OTHER_PERSON_CONTACT_WEIGHTS = { most: 4.6, unsupported: 2, further: 0.6, single: 1.2 };
/**
 * Exponent that lowers the weight of contacts that several identities have, if the submitted name is not on record. A contact of many people,
 * such as a switchboard, has a strength (0-1) below `shared`. It also loses weight in proportion to its strength.
 */
export const UNRECORDED_NAME_CONTACT_WEIGHT = { exponent: 1.5, shared: 0.5 };
export const OTHER_PERSON_ADDRESS_WEIGHT = { most: 1.6 };
/**
 * Reduction (0-1) of the weight of another person's contact, if the other person and the named person share a further contact: at most
 * `less`. If the shared contact is an address, the reduction is multiplied by the smaller of 1 and `alike` × the similarity of the names.
 */
export const HOUSEHOLD_WEIGHT_REDUCTION = { less: 0.5, alike: 1.5 };

/** Number of other identities with the same contact at which its weight is halved. */
export const SHARERS_THAT_HALVE_WEIGHT: Record<ContactKind, number> = { email: 5, phone: 5, address: 8 };
/**
 * Loss of weight over time for a contact that was last seen with another person. The share `remaining` (0-1) is never lost; half of the
 * rest is lost after `halfYears` years.
 */
export const CONTACT_WEIGHT_LOSS_BY_AGE = {
  halfYears: 9,
  remaining: { email: 0.7, phone: 0.55, address: 0.15 },
};
/** Curve from name agreement (0 for a certainly different name, 100 for the same name) to the maximum sum of bits that the name allows. */
export const MAX_BITS_BY_NAME_AGREEMENT = `
  0 -6.7  12 -6  16 -0.9  20 0  28 0  30 1  40 1.2  50 1.25  55 1.3  60 1.7  75 2.3  80 2.6  87 3.2  90 4  95 4.6  97 7  100 20
`
  .trim()
  .split('  ')
  .map((point) => point.split(' ').map(Number) as [agreement: number, bits: number]);
/**
 * Maximum sum of bits if the contacts are those of a relative: the family name is rare, the identity's address was submitted, or a patronymic
 * shows parent and child. It is a score of 38.
 */
export const FAMILY_MEMBER_MAX_BITS = { bits: -0.7 };
/**
 * Maximum number of bits subtracted from the limit in `MAX_BITS_BY_NAME_AGREEMENT`, if only the family name is equal and several records of
 * the identity have another given name. A single record may contain an error.
 */
export const OTHER_GIVEN_NAME_PENALTY = { most: 1.5 };
/** Name agreement (0-100) below which a recorded name counts as another person's. */
export const MIN_PARTIAL_NAME_AGREEMENT_PERCENT = 16;
/**
 * Range of name agreements (0-100) in which the first contact of an identity with part of the name gains weight: none at `from`, its full
 * weight at `to`.
 */
export const PARTIAL_NAME_WEIGHT_GAIN_AGREEMENT_RANGE = { from: 30, to: 50 };
/**
 * Lowest limit of the bits if the submitted name is part of the recorded name (Smith, John Smith). Contacts can then always reach 0.83
 * bits, which is a score of 64.
 */
export const PARTIAL_NAME_MAX_BITS_FLOOR = { bits: 0.83 };
/**
 * Weights of an identity without a name. `bits`: maximum sum of bits. `doubt`: certainty (0-1) that its contacts belong to another person.
 */
export const NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT = { bits: 0.3, doubt: 0.1 };
/** Certainty (0-1) that a contact of a company does not belong to the person. It is low, because people use contacts of their employers. */
export const COMPANY_CONTACT_CONFLICT_CERTAINTY = 0.15;
/** Factor (0-1) on the weight of a contact against a name that is not one person's. It is low, because such a name contradicts no person. */
export const NON_PERSON_NAME_WEIGHT_FACTOR = 0.08;
/**
 * Maximum certainty (0-1) that the identity with a contact is not the named person, by their relation: `relative` (same family name),
 * `namesake` (same name), `givenName` (same given name, or a second given name such as the English name of a Chinese or Korean speaker). For
 * upper bounds of the score, `bound` replaces `givenName`.
 */
export const MAX_OTHER_PERSON_CERTAINTY = {
  relative: 0.8,
  namesake: 0.9,
  givenName: 0.33,
  bound: 0.5,
};

/** Upper bound of the score if no contact belongs to an identity with the submitted name. */
export const NO_NAME_HOLDER_SCORE_BOUND = 64;
/** Upper bound of the score if only one type of contact belongs to the person. */
export const ONE_CONTACT_TYPE_SCORE_BOUND = 84;
/** Upper bound of the score if only addresses belong to the person. */
export const ADDRESS_ONLY_SCORE_BOUND = 70;
/** Upper bound of the score if an e-mail or phone belongs to another person. */
export const CONFLICT_SCORE_UPPER_BOUND = 84;
/** Upper bound of the score if the submitted name is not the name of one person. */
export const NON_PERSON_NAME_SCORE_BOUND = 64;
/**
 * Upper bounds of the score if an e-mail or phone of the claim belongs to another person, and all contacts of the named person belong to this other
 * person too. `household`: the other person is of the same household, and has only one such e-mail or phone. `namesake`: the other person has the
 * same name. `stranger`: anyone else.
 */
export const OTHER_PERSON_SHARES_CONTACTS_SCORE_BOUNDS = { stranger: 39, namesake: 49, household: 64 };
/** Lowest score that other people's addresses can cause without other evidence against the person. */
export const OTHER_PERSON_ADDRESS_SCORE_FLOOR = 40;
/**
 * Upper bound of the score if a contact belongs to another person with the same name, and the named person has only one type of contact. With
 * two types of contact, the bound is `CONFLICT_SCORE_UPPER_BOUND`, also if the other person's contact is an address.
 */
export const NAMESAKE_SCORE_BOUND = 60;
/**
 * Lowest score that an old phone of another person can cause, by the years since it was last seen there. Phone numbers are given to new
 * subscribers; e-mail addresses seldom are.
 */
export const OTHER_PERSON_PHONE_SCORE_FLOORS_BY_YEARS_SINCE_SEEN: [years: number, score: number][] = [
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
/**
 * Share (0-1) of its strength that a phone keeps for its former holder, by the years for which a person with another name was seen with it
 * afterwards.
 */
export const REASSIGNED_PHONE_WEIGHT_FACTORS: [years: number, share: number][] = [
  [5, 1],
  [8, 0.7],
  [13, 0.3],
];
/**
 * Certainty (0-1) that an old phone is still in use, by the years since the same person was last seen with another submitted phone or address.
 */
export const PHONE_USE_CERTAINTY_BY_AGE: [years: number, certainty: number][] = [
  [6, 1],
  [12, 0],
];
/**
 * Years after which a phone last seen with another person no longer sets the flag `possible_catfish`. It still does if another submitted
 * contact of the other person shows that the phone is in use.
 */
export const OLD_PHONE_YEARS = 3;
/** Lowest score that contacts of household members can cause without other evidence against the person. */
export const HOUSEHOLD_SCORE_FLOOR = 24;
/** Distance from an upper bound in points: within it, the score rises more slowly and never exceeds the bound. */
export const BOUND_APPROACH_POINTS = 5;

/**
 * Limits of the flag `possible_catfish`. Each contact has a weight of 0 to 1. The flag is only set if e-mails and phones of other people have at
 * least the weight `least`, and `share` times the weight of the person's contacts. `address`: weight of an address of the person. `doubt`:
 * minimum certainty that a contact belongs to a person with another name.
 */
export const POSSIBLE_CATFISH_LIMITS = { least: 0.35, share: 0.7, address: 0.7, doubt: 0.5 };
