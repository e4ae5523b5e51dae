// Converts a graph query to the question that is sent to another server, and back.
import * as v from 'valibot';
import type { ParsedBody } from '../../claim/json.ts';
import { invalidRequestError, toValidationIssue } from '../../claim/parse.ts';
import { findUnknownFieldIssues } from '../../claim/rules.ts';
import type { ValidationIssue } from '../../errors.ts';
import { getLookupKeysOfContact, getQueryTypoSearchData } from '../../match/graph-query.ts';
import type { Address, LookupKey, RawContact } from '../../model.ts';
import { getGivenNameKey, getNameKeys, listPossibleGenerations, prepareName } from '../../names/index.ts';
import { normaliseContact } from '../../normalise/contact.ts';
import type { GraphQuery, QueryContactValue } from '../graph.ts';
import { type GraphQuestion, type ParsedGraphQuestion, GRAPH_QUESTION_SCHEMA } from './schema.ts';

export interface GraphQuestionWithValueIndexes {
  question: GraphQuestion;
  valueIndexes: number[];
}

/** Order in which answers list the kinds of values. */
const ORDER: RawContact['kind'][] = ['email', 'phone', 'address', 'other_phone'];

/** Converts a query to the question for another server, which contains all values that can be looked up. */
export function toGraphQuestionWithIndexes({
  name,
  region,
  values,
}: GraphQuery): GraphQuestionWithValueIndexes {
  const sent = values.flatMap(({ keys, raw }, index) => (raw && keys.length > 0 ? [{ raw, index }] : []));
  const inOrder = ORDER.flatMap((kind) => sent.filter(({ raw }) => raw.kind === kind));
  const texts = (kind: RawContact['kind']) =>
    inOrder.flatMap(({ raw }) => (raw.kind === kind && typeof raw.input === 'string' ? raw.input : []));
  const addresses = inOrder.flatMap(({ raw }) =>
    typeof raw.input === 'string' ? [] : { address: toApiAddress(raw.input) },
  );
  const fullName = name === '' ? {} : { fullName: name };
  const entries = addresses.length === 0 && name !== '' ? [{}] : addresses;
  return {
    question: {
      nameAddresses: entries.map((address) => ({ ...fullName, ...address })),
      emailAddresses: texts('email'),
      phoneNumbers: texts('phone'),
      otherPhoneNumbers: texts('other_phone'),
      region,
    },
    valueIndexes: inOrder.map(({ index }) => index),
  };
}

/** Converts an address to the field names of the public API. */
export const toApiAddress = ({ street, street2, city, state, zip, country }: Address) => ({
  line1: street,
  line2: street2,
  city,
  region: state,
  postalCode: zip,
  countryCode: country,
});

/**
 * Converts a question that was received to a query. Values that cannot be normalised get no look-up keys.
 * @param home ISO country for phones and addresses without a country, if the question has no `region`
 */
export function toGraphQuery(question: ParsedGraphQuestion, home: string): GraphQuery {
  const { nameAddresses, emailAddresses, phoneNumbers, otherPhoneNumbers, region = home } = question;
  const name = nameAddresses.find(({ fullName }) => fullName)?.fullName ?? '';
  const prepared = name === '' ? null : prepareName(name);
  const addresses = nameAddresses.flatMap(({ address }) => address ?? []);
  return {
    name,
    region,
    nameKeys: prepared ? getNameKeys(prepared) : [],
    givenNameKey: prepared && getGivenNameKey(prepared),
    hasSuffix: prepared !== null && listPossibleGenerations(prepared).length > 0,
    values: [
      ...emailAddresses.map((input) => toQueryValue({ kind: 'email', input }, region)),
      ...phoneNumbers.map((input) => toQueryValue({ kind: 'phone', input }, region)),
      ...addresses.map((input) => toQueryValue({ kind: 'address', input }, region)),
      ...otherPhoneNumbers.map(toOtherPhone),
    ],
  };
}

function toQueryValue(raw: Exclude<RawContact, { kind: 'other_phone' }>, region: string): QueryContactValue {
  const contact =
    raw.kind === 'address'
      ? normaliseContact('address', raw.input, region)
      : normaliseContact(raw.kind, raw.input, region);
  if (contact === null) return { keys: NO_KEYS, signature: null, raw };
  return { keys: getLookupKeysOfContact(contact), signature: getQueryTypoSearchData(contact), raw };
}

function toOtherPhone(input: string): QueryContactValue {
  const [exact] = normaliseContact('phone', input, [])?.keys ?? [];
  return { keys: exact ? [exact] : NO_KEYS, signature: null, raw: { kind: 'other_phone', input } };
}

const NO_KEYS: LookupKey[] = [];

const FIELDS = Object.keys(GRAPH_QUESTION_SCHEMA.pipe[0].entries);

/**
 * Parses the request body of a question to a query. The error lists all problems of the body. Errors: invalid_request.
 * @param home see `toGraphQuery`
 */
export function parseGraphQueryBody({ value, issues: bodyIssues }: ParsedBody, home: string): GraphQuery {
  const issues: ValidationIssue[] = [...bodyIssues, ...findUnknownFieldIssues(value, FIELDS)];
  const parsed = v.safeParse(GRAPH_QUESTION_SCHEMA, value);
  for (const issue of parsed.issues ?? []) issues.push(toValidationIssue(issue));
  if (parsed.success && countNames(parsed.output.nameAddresses) > 1) issues.push(SEVERAL_NAMES);
  if (issues.length > 0 || !parsed.success) throw invalidRequestError(issues);
  return toGraphQuery(parsed.output, home);
}

const countNames = (entries: readonly { fullName?: string | null | undefined }[]) =>
  new Set(entries.flatMap(({ fullName }) => fullName ?? [])).size;

const SEVERAL_NAMES: ValidationIssue = {
  pointer: '/nameAddresses',
  code: 'several_names',
  detail: 'All entries must have the same name. Send one question for each name.',
};
