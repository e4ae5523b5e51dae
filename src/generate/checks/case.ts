// Labelled check: the request to send, and the expected match of each value in the request.
import type { GeneratedPhone } from '../contacts.ts';
import { joinNameWords, type NameVariant, type NameParts } from '../name-variants.ts';
import type { GeneratedAddress } from '../places.ts';
import type { Random } from '../random.ts';
import { toGroundTruthPersonId, formatAddress, type WrittenAddress, formatPhone } from '../records.ts';
import { RECORD_SOURCE_DEFAULTS } from '../sources.ts';
import type { CasePlan, SubmittedValue, ExpectedMatch } from './values.ts';

type Row<T> = { input: T; verdict: ExpectedMatch; variant: string; owners: string[] };

/** Labelled check, which is one line (a JSON object) of the checks file. */
export interface GeneratedCase {
  case_id: string;
  kind: string;
  subkind: string;
  /** True if the submitted name and values belong to one person. Null if no record can decide this. */
  genuine: boolean | null;
  /** Origin of the submitted name: a section id of the names table. */
  origin: string;
  country: string;
  request: { name: string; emails?: string[]; phones?: string[]; addresses?: WrittenAddress[] };
  name_parts: Partial<NameParts>;
  person: string;
  truth_identity_records: string[];
  expected: {
    name: Row<string>[];
    email?: Row<string>[];
    phone?: Row<string>[];
    address?: Row<WrittenAddress>[];
  };
}

/** Fields of a case that depend only on its index and type. */
export type CaseLabel = Pick<GeneratedCase, 'case_id' | 'kind' | 'subkind' | 'genuine'>;

/** Creates a labelled check from its plan. Name, phones and addresses are formatted as a client may type them. */
export function createCaseFromPlan(plan: CasePlan, label: CaseLabel, random: Random): GeneratedCase {
  const { bearer, name } = plan;
  const { origin, household } = bearer;
  const text = joinNameWords(origin.id, name, false);
  const owners = plan.nameVerdict === 'match' ? [toGroundTruthPersonId(bearer.index)] : [];
  const email = plan.mails.map((sent) => mailRow(sent, random));
  const address = plan.places.map((sent) => row(sent, 'format', addressOf(sent.value, random)));
  // Without an address the country of the request is unknown, so the phone number needs its country code.
  const abroad = address.length === 0;
  const phone = plan.phones.map((sent) => phoneRow(sent, random, abroad));
  const inputs = <T>(rows: Row<T>[]) => rows.map(({ input }) => input);
  return {
    ...label,
    origin: origin.id,
    country: household.land.country.code,
    request: {
      name: text,
      ...(email.length > 0 && { emails: inputs(email) }),
      ...(phone.length > 0 && { phones: inputs(phone) }),
      ...(address.length > 0 && { addresses: inputs(address) }),
    },
    name_parts: partsOf(name),
    person: toGroundTruthPersonId(bearer.index),
    truth_identity_records: plan.records,
    expected: {
      name: [{ input: text, verdict: plan.nameVerdict, variant: name.form, owners }],
      ...(email.length > 0 && { email }),
      ...(phone.length > 0 && { phone }),
      ...(address.length > 0 && { address }),
    },
  };
}

function row<T>(sent: SubmittedValue<unknown>, variant: string, input: T): Row<T> {
  return { input, verdict: sent.verdict, variant, owners: sent.owners };
}

function mailRow(sent: SubmittedValue<string>, random: Random): Row<string> {
  return random.chance(0.15) ? row(sent, 'format', sent.value.toUpperCase()) : row(sent, 'exact', sent.value);
}

function phoneRow(sent: SubmittedValue<GeneratedPhone>, random: Random, abroad: boolean): Row<string> {
  const { country, digits } = sent.value;
  const dialled = formatPhone(sent.value, random, abroad && country.dial !== '1');
  // A request accepts phone numbers of at least ten digits; national numbers of France and Spain have nine.
  const text = dialled.replace(/\D/g, '').length < 10 ? `+${country.dial}${digits}` : dialled;
  return row(sent, text === `+${country.dial}${digits}` ? 'exact' : 'format', text);
}

function addressOf(place: GeneratedAddress, random: Random): WrittenAddress {
  return { ...formatAddress(place, { source: RECORD_SOURCE_DEFAULTS, random }), country: place.country.code };
}

function partsOf({ given, middle, family, suffix }: NameVariant): Partial<NameParts> {
  const parts = Object.entries({ given, middle, family, suffix }).filter(([, text]) => text !== '');
  return Object.fromEntries(parts);
}
