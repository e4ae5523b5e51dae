// Reads an answer once for all rules: rows with their owners, and every text with its place.
import type { Answer, Body, Field, Kind, Place, Row } from './answer.ts';
import { KINDS } from './answer.ts';

export interface Contact extends Row {
  kind: Kind;
  /** Number of people with the value; null if unknown. */
  holders: number | null;
  /** Facts on the identity that the row names; null if unknown. */
  owner: Known | null;
  /** Years between the newest record of the graph and the last time that anybody was seen with the value; null if unknown. */
  unseenYears: number | null;
}

/** A text of the answer. Texts of one block are read together. */
export interface Text {
  block: 'base' | 'narrative' | 'overview' | 'fraud' | 'names';
  place: string;
  text: string;
}

/** Facts on an identity that the maker of the graph knows and an answer does not tell. */
export interface Known {
  nameless: boolean;
  /** Words of the names on record, in lower case. If missing, no name is taken to agree in part. */
  words?: ReadonlySet<string>;
  /** Names on record as written. */
  names?: readonly string[];
  /** Last word of the name on record, in lower case. */
  family?: string | undefined;
  /** Null if no record has a date. */
  first_seen: string | null;
  last_seen: string | null;
}
export interface Knowledge {
  identities: ReadonlyMap<number, Known>;
  /** Returns the number of people with a value; null if unknown. */
  holders(kind: Kind, input: unknown): number | null;
  /** Returns the years between the newest record of the graph and the last time that anybody was seen with a value. */
  unseenYears?(kind: Kind, input: unknown): number | null;
  /**
   * True if an identity has a value, even if the value's row names another identity. If missing, the rows
   * tell.
   */
  holds?(identity: number, kind: Kind, input: unknown): boolean;
}
export const NOTHING_KNOWN: Knowledge = { identities: new Map(), holders: () => null };

export interface Story {
  knowledge: Knowledge;
  request: Body;
  answer: Answer;
  /** Expected `input` of each row: stripped, in lower case, without duplicates. */
  sent: Record<Kind, string[]>;
  name: Row;
  contacts: Contact[];
  /** Identity to which the name resolved. */
  person: number | null;
  /** True if the name resolved to the dominant identity. */
  nameFits: boolean;
  /** Contacts of the identity of the name, also if they resolved to another identity that has them too. */
  own: Contact[];
  /**
   * Contacts that the identity of the name does not have, or all contacts on record if the name resolved to
   * none.
   */
  others: Contact[];
  unknown: Contact[];
  nameOnly: boolean;
  /** True if contacts were sent and none has a record. */
  noRecord: boolean;
  texts: Text[];
  /** Facts on the dominant identity, if known. */
  known: Known | null;
}

export const isMatch = (status: string | null): boolean =>
  status === 'Primary Match' || status === 'Secondary Match';
export const isOther = (status: string | null): boolean =>
  (status ?? '').startsWith('Different Identity Match');

export const blockOf = (answer: Answer, field: Field) => answer.input_validation[field];

export function readStory(request: Body, answer: Answer, knowledge: Knowledge = NOTHING_KNOWN): Story {
  const name = answer.input_validation.name.inputs[0] ?? NO_ROW;
  const contacts = KINDS.flatMap((kind) =>
    (blockOf(answer, kind)?.inputs ?? []).map((row) => ({
      ...row,
      kind,
      holders: knowledge.holders(kind, row.input),
      owner: knowledge.identities.get(row.matched_identity ?? 0) ?? null,
      unseenYears: knowledge.unseenYears?.(kind, row.input) ?? null,
    })),
  );
  const person = name.matched_identity;
  const isPersons = (row: Contact): boolean =>
    row.matched_identity === person ||
    (person !== null && (knowledge.holds?.(person, row.kind, row.input) ?? false));
  const validated = contacts.filter((row) => row.match_status !== 'Unverified');
  return {
    knowledge,
    request,
    answer,
    sent: sentValues(request),
    name,
    contacts,
    person,
    nameFits: isMatch(name.match_status),
    own: validated.filter((row) => isPersons(row)),
    others: validated.filter((row) => !isPersons(row)),
    unknown: contacts.filter((row) => row.match_status === 'Unverified'),
    nameOnly: contacts.length === 0,
    noRecord: contacts.length > 0 && validated.length === 0,
    texts: textsOf(answer),
    known: knowledge.identities.get(answer.dominant_identity ?? 0) ?? null,
  };
}

const NO_ROW: Row = {
  input: null,
  standardized: null,
  match_status: 'Unverified',
  matched_identity: null,
  is_primary: 'No',
  validated: false,
};

const clean = (text: string): string => text.normalize('NFC').trim();
const distinct = (texts: string[]): string[] => [...new Set(texts)].filter((text) => text !== '');

function sentValues({ emails = [], phones = [], addresses = [] }: Body): Record<Kind, string[]> {
  return {
    email: distinct(emails.map((text) => clean(text).toLowerCase())),
    phone: distinct(
      phones.map((text) => text.replace(/\s*(?:;ext=|ext\.?|x)\s*\d+$/i, '').replace(/\D/g, '')),
    ),
    address: distinct(addresses.map(placeText)),
  };
}

const PARTS = ['street', 'street2', 'city', 'state', 'zip', 'country'] as const;

function placeText(place: Place): string {
  return PARTS.map((part) => clean(place[part] ?? '').toLowerCase()).join('|');
}

/** Returns every text of an answer except match messages and reasons, which have fixed forms. */
function textsOf(answer: Answer): Text[] {
  const insights = answer.ai_insights;
  const fraud = insights?.fraud_detection?.fraud_analysis;
  const parts: [Text['block'], string, unknown][] = [
    ['base', 'summary', answer.summary],
    ['base', 'message', answer.message],
    ['base', 'insights', answer.insights],
    ['base', 'explanation', answer.combined_trust_score.explanation],
    ['narrative', 'trust_enhancement', insights?.trust_enhancement?.ai_trust_analysis],
    ['overview', 'overview', { ...insights?.overview, review_priority: [] }],
    ['fraud', 'fraud_analysis', { ...fraud, risk_level: [] }],
    ['names', 'name_analysis', { ...insights?.name_matching?.name_analysis, variation_type: [] }],
  ];
  return parts.flatMap(([block, place, part]) => strings(part, place).map((one) => ({ block, ...one })));
}

function strings(part: unknown, place: string): { place: string; text: string }[] {
  if (typeof part === 'string') return [{ place, text: part }];
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part).flatMap(([key, inner]) => strings(inner, `${place}.${key}`));
}

export const sentences = (text: string): string[] =>
  text.split(/(?<=[.!?])\s+(?=\p{Lu}|\p{Lo}|\d)/u).filter((one) => one.trim() !== '');

const NEGATION = /\b(?:no|not|none|never|nobody|nothing|neither|without|n[o’']t|doesn[’']t|don[’']t)\b/i;
export const negated = (sentence: string): boolean => NEGATION.test(sentence);
