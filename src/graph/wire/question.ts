// A query as a question that travels, and back.
import { queryKeys } from '../../match/graph-query.ts';
import type { Address, LookupKey, RawContact } from '../../model.ts';
import { givenNameKey, nameKeys, prepareName } from '../../names/index.ts';
import { normaliseContact } from '../../normalise/contact.ts';
import type { GraphQuery, QueryValue } from '../graph.ts';
import { type Question, type ParsedQuestion, QUESTION_SCHEMA } from './schema.ts';
import * as v from 'valibot';
import type { ParsedBody } from '../../claim/json.ts';
import { invalidRequestError, toValidationIssue } from '../../claim/parse.ts';
import { findUnknownFields } from '../../claim/rules.ts';
import type { ValidationIssue } from '../../errors.ts';

export interface SentQuestion {
  question: Question;
  /** For each value of the question, in the order in which it is answered, its place in the query. */
  valueIndexes: number[];
}

const ORDER: RawContact['kind'][] = ['email', 'phone', 'address', 'other_phone'];

/** What is sent for a query: the values that can be looked up, in words. */
export function toQuestion({ name, region, values }: GraphQuery): SentQuestion {
  const sent = values.flatMap(({ keys, raw: said }, place) =>
    said && keys.length > 0 ? [{ said, place }] : [],
  );
  const inOrder = ORDER.flatMap((kind) => sent.filter(({ said }) => said.kind === kind));
  const texts = (kind: RawContact['kind']) =>
    inOrder.flatMap(({ said }) => (said.kind === kind && typeof said.input === 'string' ? said.input : []));
  const addresses = inOrder.flatMap(({ said }) =>
    typeof said.input === 'string' ? [] : toWireAddress(said.input),
  );
  const named = name === '' ? {} : { fullName: name };
  const nameAddresses =
    addresses.length > 0 ? addresses.map((address) => ({ ...named, address })) : name === '' ? [] : [named];
  return {
    question: {
      nameAddresses,
      emailAddresses: texts('email'),
      phoneNumbers: texts('phone'),
      otherPhoneNumbers: texts('other_phone'),
      region,
    },
    valueIndexes: inOrder.map(({ place }) => place),
  };
}

/** An address in the words that travel. */
export const toWireAddress = ({ street, street2, city, state, zip, country }: Address) => ({
  line1: street,
  line2: street2,
  city,
  region: state,
  postalCode: zip,
  countryCode: country,
});

/**
 * The query that a question means; what cannot be read has no keys.
 *
 * @param home country of numbers and addresses where neither they nor the question name one
 */
export function toQuery(question: ParsedQuestion, home: string): GraphQuery {
  const { nameAddresses, emailAddresses, phoneNumbers, otherPhoneNumbers, region = home } = question;
  const name = nameAddresses.find(({ fullName }) => fullName)?.fullName ?? '';
  const prepared = name === '' ? null : prepareName(name);
  const of = (kind: 'email' | 'phone') => (input: string) => valueOf({ kind, input }, region);
  return {
    name,
    region,
    nameKeys: prepared ? nameKeys(prepared) : [],
    givenNameKey: prepared && givenNameKey(prepared),
    values: [
      ...emailAddresses.map(of('email')),
      ...phoneNumbers.map(of('phone')),
      ...nameAddresses.flatMap(({ address }) =>
        address ? [valueOf({ kind: 'address', input: address }, region)] : [],
      ),
      ...otherPhoneNumbers.map(otherPhone),
    ],
  };
}

function valueOf(said: Exclude<RawContact, { kind: 'other_phone' }>, region: string): QueryValue {
  const contact =
    said.kind === 'address'
      ? normaliseContact('address', said.input, region)
      : normaliseContact(said.kind, said.input, region);
  if (contact === null) return { keys: NONE, signature: null, raw: said };
  return { keys: queryKeys(contact), signature: contact.signature, raw: said };
}

function otherPhone(input: string): QueryValue {
  const [first] = normaliseContact('phone', input, [])?.keys ?? [];
  return { keys: first ? [first] : NONE, signature: null, raw: { kind: 'other_phone', input } };
}

const NONE: LookupKey[] = [];

// What was sent as a question, read.
const FIELDS = Object.keys(QUESTION_SCHEMA.pipe[0].entries);

/**
 * The query that a body asks. All broken rules are told in one answer.
 *
 * @param home country of numbers and addresses where neither they nor the body name one
 *
 * Errors: invalid_request.
 */
export function parseQuestion({ value, issues: before }: ParsedBody, home: string): GraphQuery {
  const issues: ValidationIssue[] = [...before, ...findUnknownFields(value, FIELDS)];
  const read = v.safeParse(QUESTION_SCHEMA, value);
  for (const issue of read.issues ?? []) issues.push(toValidationIssue(issue));
  if (read.success && namesOf(read.output.nameAddresses).size > 1) issues.push(SEVERAL_NAMES);
  if (issues.length > 0 || !read.success) throw invalidRequestError(issues);
  return toQuery(read.output, home);
}

const namesOf = (entries: readonly { fullName?: string | null | undefined }[]) =>
  new Set(entries.flatMap(({ fullName }) => fullName ?? []));

const SEVERAL_NAMES: ValidationIssue = {
  pointer: '/nameAddresses',
  code: 'several_names',
  detail: 'All entries carry the same name: one name a question.',
};
