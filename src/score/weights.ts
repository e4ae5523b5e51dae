// Every number that the score is made of, in bits: how much likelier an observation is (as a power of two) if the submitted
// values are one real person's than if they are not. Changing one changes the scoring model: raise MODEL with it.
import type { Agreement, ContactKind } from '../model.ts';

/** Version of the scoring model; part of what a score is a function of. */
export const SCORING_MODEL = 5;

/** Where a check starts that nothing is known about: even. */
export const START = { bits: 0 };

/** How surely a value is the very one on record, 0-1, by the key that it was found under. */
export const KEY_QUALITY: Record<Agreement['type'], number> = {
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

/** What contacts of one kind add at the most; a first one that nobody shares adds `FIRST` of it. */
export const GAIN: Record<ContactKind, number> = { email: 2.9, phone: 2.9, address: 2.4 };
export const FIRST = 0.88;

/** A name that is on record: from one that very many bear to one that a single identity has, so much for each halving of its bearers. */
export const NAME_GAIN = { least: 0.05, most: 0.8, perBit: 0.06 };

/** A long history adds up to this, at so much a year. */
export const HISTORY_GAIN = { most: 0.4, perYear: 0.04 };

/**
 * What an e-mail or phone takes away that is surely somebody else's alone; `unsupported` comes on top where no contact of the person's
 * own stands against it. Of further ones of the same people, `further` counts. A single one beside an e-mail or phone of the person's own
 * takes `single` less: a number is handed on, or mistyped; two are a pattern.
 */
export const CONFLICT = { most: 4.6, unsupported: 2, further: 0.6, single: 1.2 };
/** Against a name that is not on record, sharing counts for more: a value's strength to this power on top. */
export const UNLISTED = 1.5;
/** What addresses take away at the most that others live at: people move. */
export const ADDRESS_CONFLICT = { most: 1.6 };
/**
 * How much less a value of somebody says against a person who shares another, rare one with him. To share an address says so only as far as
 * the names are `alike`: so many times the odds that they are one.
 */
export const HOUSEHOLD = { less: 0.5, alike: 1.5 };

/** So many more people than one halve what a value says, for and against. */
export const SHARERS: Record<ContactKind, number> = { email: 5, phone: 5, address: 8 };
/**
 * Years between the newest record and the last sight of a value with somebody else, after which it has lost half of what it can lose; what
 * is left in the end. E-mails and phones are seldom handed on, addresses always.
 */
export const AGEING = { halfYears: 9, left: { email: 0.7, phone: 0.55, address: 0.15 } };

/**
 * How much of the name agrees (0-100, the name engine's confidence where it calls two names one) → bits that a name can carry,
 * whatever the contacts say. From "surely another" to "the same".
 */
export const NAME_CURVE: readonly (readonly [agreement: number, bits: number])[] = [
  [0, -6.7],
  [12, -6],
  [16, -0.9],
  [20, 0],
  [28, 0],
  [30, 1],
  [40, 1.2],
  [50, 1.25],
  [55, 1.3],
  [60, 1.7],
  [75, 2.3],
  [80, 2.6],
  [87, 3.2],
  [90, 4],
  [95, 4.6],
  [97, 7],
  [100, 20],
];
/**
 * Where the family name alone agrees: bits that the name carries less, the more records agree on the other given name, behind a contact that
 * nobody shares. A single record may be wrong.
 */
export const ATTESTED = { most: 2 };
/** Less of a name than this is somebody else's. */
export const IN_PART = 16;
/** From where on, and up to where, the first contact of somebody who bears part of the name counts for it. */
export const NEARLY = { from: 30, to: 50 };
/** What an identity can carry whose records name nobody, and how much its values say against another person. */
export const NAMELESS = { bits: 0.3, doubt: 0.1 };
/**
 * How much a value says against a person, at the most, that belongs to a `relative`, who bears the family name only, and to a `namesake`: the
 * more bear the name, the likelier it is another.
 */
export const DOUBT = { relative: 0.8, namesake: 0.9 };

/** Bounds of the contract's laws: with nobody of the name behind a contact (9), with one kind alone (8), with somebody else's contact. */
export const NO_BEARER_BOUND = 64;
export const ONE_KIND_BOUND = 84;
export const CONFLICT_BOUND = 84;
/** Where addresses alone speak against a person, the score stays above (law 10, which would allow 25 where the name is nowhere on record). */
export const ADDRESS_FLOOR = 40;
/** So many points before a bound the score begins to approach it. */
export const APPROACH = 5;

/**
 * From which weight of other people's e-mails and phones `possible_catfish` may be said (one that is surely another's counts 1), how much
 * that must be of the person's own contacts, what an address of the person counts among these, and how surely the others bear another name.
 */
export const CATFISH = { least: 0.35, share: 0.7, address: 0.7, doubt: 0.5 };
