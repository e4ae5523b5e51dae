// Numbers of the score, in bits: log2 of how much likelier an observation is if the submitted values belong to one real person than if they
// do not. A change of a number changes the scoring model: raise SCORING_MODEL_VERSION with it.
import type { ContactMatch, ContactKind } from '../model.ts';

export const SCORING_MODEL_VERSION = 23;

/** Bits of evidence at the start of every check; 0 means even odds that the contacts belong to the person. */
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
 * Maximum weight in bits of all matching contacts of one type together. The first contact reaches the fraction `WEIGHT_FRACTION_OF_FIRST_CONTACT` of it, if no
 * other identity has this contact.
 */
export const MAX_BITS_OF_MATCHING_CONTACTS: Record<ContactKind, number> = {
  email: 2.9,
  phone: 2.9,
  address: 2.4,
};
/** Fraction (0-1) of `MAX_BITS_OF_MATCHING_CONTACTS` that the first contact of a type reaches. */
export const WEIGHT_FRACTION_OF_FIRST_CONTACT = 0.88;

/**
 * Weight in bits of a name that is on record, from `least` to `most`. It grows by `perBit` for each halving of the number of identities with the
 * name.
 */
export const RECORDED_NAME_WEIGHT = { least: 0.05, most: 0.8, perBit: 0.06 };

/** Weight in bits of the years between an identity's first and last record: `perYear` for each year, at most `most`. */
export const HISTORY_LENGTH_WEIGHT = { most: 0.4, perYear: 0.04 };

/**
 * Bits that an e-mail or phone of another person subtracts. `most`: if it certainly belongs to that person alone. `unsupported`: additional bits if
 * no contact belongs to the named person. `further`: fraction of `most` for further contacts of the same people. `single`: reduction for the only
 * such contact if another e-mail or phone belongs to the named person, because numbers are reassigned or mistyped.
 */
export const OTHER_PERSON_CONTACT_WEIGHTS = { most: 4.6, unsupported: 2, further: 0.6, single: 1.2 };
/**
 * Lower weights for contacts of several identities, if the submitted name is not on record. The strength (0-1) of the contact to the power of
 * `exponent` is a factor on its weight. If the strength is below `shared`, as of a switchboard, strength / `shared` is another factor.
 */
export const UNRECORDED_NAME_CONTACT_WEIGHT = { exponent: 1.5, shared: 0.5 };
export const OTHER_PERSON_ADDRESS_WEIGHT = { most: 1.6 };
/**
 * Reduction (0-1) of the weight of another person's contact, if this person shares a further submitted contact with the named person: at most `less`.
 * For a shared address, the reduction is multiplied by `alike` × the similarity of the names, at most 1.
 */
export const HOUSEHOLD_WEIGHT_REDUCTION = { less: 0.5, alike: 1.5 };

/** Number of other identities with a contact at which the weight of the contact is halved. */
export const SHARERS_THAT_HALVE_WEIGHT: Record<ContactKind, number> = { email: 5, phone: 5, address: 8 };
/**
 * Loss of weight of another person's contact over the years since it was last seen with that person. The fraction `remaining` (0-1) is never lost;
 * half of the rest is lost after `halfYears` years.
 */
export const CONTACT_WEIGHT_LOSS_BY_AGE = {
  halfYears: 9,
  remaining: { email: 0.7, phone: 0.55, address: 0.15 },
};
/** Curve from name agreement (0 for a certainly different name, 100 for the same name) to the maximum sum of bits of a check. */
export const MAX_BITS_BY_NAME_AGREEMENT = `
  0 -6.7  12 -6  16 -0.9  20 0  28 0  30 1  40 1.2  50 1.25  55 1.3  60 1.7  75 2.3  80 2.6  87 3.2  90 4  95 4.6  97 7  100 20
`
  .trim()
  .split('  ')
  .map((point) => point.split(' ').map(Number) as [agreement: number, bits: number]);
/**
 * Maximum sum of bits if the contacts belong to a relative of the person: the family name is rare, the identity's address was submitted, or a
 * patronymic shows parent and child. The score is then at most 38.
 */
export const FAMILY_MEMBER_MAX_BITS = { bits: -0.7 };
/**
 * Maximum number of bits by which the limit in `MAX_BITS_BY_NAME_AGREEMENT` is lowered, if only the family name is equal and several records of the
 * identity have another given name. A single record may contain an error.
 */
export const OTHER_GIVEN_NAME_PENALTY = { most: 1.5 };
/**
 * Number of bits by which the limit in `MAX_BITS_BY_NAME_AGREEMENT` is lowered, if only the given name is equal, many men have it, and no
 * address of the identity was submitted. The score is then at most 28.
 */
export const MANS_NAME_PENALTY = { bits: 0.8 };
/** Minimum name agreement (0-100) at which a recorded name may be the person's. With less, it counts as another person's. */
export const MIN_PARTIAL_NAME_AGREEMENT_PERCENT = 16;
/**
 * Range of name agreements (0-100) over which the first contact of an identity with part of the name gains weight: none at `from`, its full weight at
 * `to`.
 */
export const PARTIAL_NAME_WEIGHT_GAIN_AGREEMENT_RANGE = { from: 30, to: 50 };
/**
 * Minimum limit of the sum of bits if the submitted name is part of the recorded name (Smith, John Smith). Contacts can then always reach 0.83 bits,
 * a score of 64.
 */
export const PARTIAL_NAME_MAX_BITS_FLOOR = { bits: 0.83 };
/**
 * Weights of an identity without a name. `bits`: maximum sum of bits. `doubt`: certainty (0-1) that its contacts belong to another person.
 */
export const NAMELESS_IDENTITY_MAX_BITS_AND_DOUBT = { bits: 0.3, doubt: 0.1 };
/** Certainty (0-1) that a contact of a company does not belong to the person. It is low, because people use contacts of their employers. */
export const COMPANY_CONTACT_CONFLICT_CERTAINTY = 0.15;
/**
 * Factor (0-1) on the weight of other people's contacts if the submitted name is not one person's. It is low, because such a name contradicts no
 * person.
 */
export const NON_PERSON_NAME_WEIGHT_FACTOR = 0.08;
/**
 * Maximum certainty (0-1) that a holder of a contact is not the named person, by the agreement of their names: `relative` (same family name),
 * `namesake` (same name), `givenName` (same given name, or a second given name such as the English name of a Chinese or Korean speaker). For upper
 * bounds of the score, `bound` replaces `givenName`.
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
 * Upper bounds of the score if another person has all of the named person's contacts, and a further submitted e-mail or phone. `household`: the other
 * person is of the same household, and has only one such e-mail or phone. `namesake`: the other person has the same name. `stranger`: anyone else.
 */
export const OTHER_PERSON_SHARES_CONTACTS_SCORE_BOUNDS = { stranger: 39, namesake: 49, household: 64 };
/** Lowest score to which other people's addresses can lower the score without other evidence against the person. */
export const OTHER_PERSON_ADDRESS_SCORE_FLOOR = 40;
/**
 * Upper bound of the score if a contact belongs to another person with the same name, and the named person has contacts of only one type. With two
 * types, the bound is `CONFLICT_SCORE_UPPER_BOUND`, also if the other person's contact is an address.
 */
export const NAMESAKE_SCORE_BOUND = 60;
/**
 * Lowest score to which another person's old phone can lower the score, by the years since it was last seen with that person. Phone numbers are given
 * to new subscribers; e-mail addresses seldom are.
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
 * Fraction (0-1) of its strength that a phone keeps for its former holder, by the years after which a person with another name was still seen with
 * it.
 */
export const REASSIGNED_PHONE_WEIGHT_FACTORS: [years: number, share: number][] = [
  [5, 1],
  [8, 0.7],
  [13, 0.3],
];
/** Certainty (0-1) that an old phone is still in use, by the years since its holder was last seen with another submitted phone or address. */
export const OLD_PHONE_USE_CERTAINTY_BY_YEARS_SINCE_SEEN: [years: number, certainty: number][] = [
  [6, 1],
  [12, 0],
];
/**
 * Years without a sighting after which another person's phone no longer sets the flag `possible_catfish`, unless another submitted contact of that
 * person shows that the phone is in use.
 */
export const OLD_PHONE_YEARS = 3;
/** Certainty (0-1) that people with one address are of one household, by the number of people. */
export const HOUSEHOLD_CERTAINTY_BY_PEOPLE_AT_ADDRESS: [people: number, certainty: number][] = [
  [2, 1],
  [4, 0.65],
  [6, 0.33],
  [9, 0],
];
/** Certainty (0-1) that a person still has a home, by the years between the last time they were seen there and the last time anybody was. */
export const HOME_CERTAINTY_BY_YEARS_BETWEEN_LAST_SEEN: [years: number, certainty: number][] = [
  [1, 1],
  [4, 0.3],
  [7, 0],
];
/** Lowest score to which contacts of household members can lower the score without other evidence against the person. */
export const HOUSEHOLD_SCORE_FLOOR = 24;
/** Distance in points below an upper bound, from which the score rises more and more slowly and never exceeds the bound. */
export const BOUND_APPROACH_POINTS = 5;

/**
 * Limits of the flag `possible_catfish`. Every contact has a weight (0-1). The flag is set only if other people's e-mails and phones weigh at least
 * `least`, and at least `share` times as much as the person's contacts. `address`: factor on the weight of the person's addresses. `doubt`: minimum
 * certainty that a contact belongs to a person with another name.
 */
export const POSSIBLE_CATFISH_LIMITS = { least: 0.35, share: 0.7, address: 0.7, doubt: 0.5 };
