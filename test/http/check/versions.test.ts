import { describe, expect, it } from 'vitest';
import type { CheckAnswer, CheckAnswerV2 } from '../../../src/http/schema/check.ts';
import { toCheckV1JsonText as textOf } from '../../../src/http/check/versions.ts';
import { toCheckV2JsonText as textOf2 } from '../../../src/http/check/versions.ts';
import type { CheckAnswerValuesOutsideVerdict } from '../../../src/validate.ts';
import type { ContactMatchResult, Verdict } from '../../../src/model.ts';
import { emptyVerdict, sampleVerdict } from '../../kit/verdict.ts';

const input = { requestId: 'req_x', now: Date.UTC(2024, 2, 2), insights: null };
const v1 = (verdict: Verdict, input: CheckAnswerValuesOutsideVerdict) =>
  JSON.parse(textOf(verdict, input)) as CheckAnswer;
const v2 = (verdict: Verdict, input: CheckAnswerValuesOutsideVerdict) =>
  JSON.parse(textOf2(verdict, input)) as CheckAnswerV2;
const one = v1(sampleVerdict(), input);
const two = v2(sampleVerdict(), input);

describe('version 1', () => {
  it('has the frozen keys in their frozen order', () => {
    expect(Object.keys(one)).toEqual([
      'success',
      'request_id',
      'trustworthiness_score',
      'status',
      'confidence_level',
      'possible_catfish',
      'summary',
      'message',
      'input_validation',
      'identity_score',
      'trust_score',
      'combined_trust_score',
      'verification_flags',
      'insights',
      'dominant_identity',
      'field_summary',
      'history',
      'ai_insights',
    ]);
    expect(Object.keys(one.input_validation)).toEqual(['name', 'email', 'phone', 'address', 'overall_match']);
    expect(Object.keys(one.input_validation.email)).toEqual([
      'input',
      'match_status',
      'matched_identity',
      'is_primary',
      'match_message',
      'inputs',
    ]);
    expect(Object.keys(one.input_validation.email.inputs[0]!)).toEqual([
      'input',
      'standardized',
      'match_status',
      'matched_identity',
      'is_primary',
      'validated',
    ]);
  });

  it('shows the best row of a field, the first of equal rows', () => {
    expect(one.input_validation.email).toMatchObject({
      input: 'jane@example.com',
      match_status: 'Different Identity Match (ID 9)',
      matched_identity: 9,
      is_primary: 'No',
      match_message: 'DIFFERENT IDENTITY: Email matches identity 9, not the primary verified identity.',
    });
    expect(one.input_validation.phone).toMatchObject({
      match_status: 'Secondary Match',
      is_primary: 'No',
      match_message: 'VERIFIED MATCH: Phone matches a secondary record of the primary verified identity.',
    });
    expect(one.input_validation.name).toMatchObject({
      match_status: 'Primary Match',
      is_primary: 'Yes',
      match_message: 'VERIFIED MATCH: Name matches the primary verified identity.',
    });
  });

  it('has one row for each value, in the order of the request', () => {
    expect(one.input_validation.email.inputs).toMatchObject([
      { input: 'x@example.com', match_status: 'Unverified', matched_identity: null, validated: false },
      { input: 'jane@example.com', validated: true },
      { input: 'j@example.com', match_status: 'Different Identity Match (ID 12)' },
    ]);
  });

  it('shows an address by lines in a row, and joined in the field', () => {
    const { address } = one.input_validation as { address?: { input: string[]; inputs: object[] } };
    expect(address!.input).toEqual(['1 Main St, Springfield, IL 62701']);
    expect(address!.inputs[0]).toMatchObject({
      input: {
        line1: '1 Main St',
        line2: '',
        city: 'Springfield',
        region: 'IL',
        postalCode: '62701',
        plus4: '',
        countryCode: '',
      },
      standardized: {
        line1: '1 MAIN ST',
        region: 'IL',
        postalCode: '62701',
        plus4: '1234',
        countryCode: 'US',
      },
    });
  });

  it('counts the values of every field', () => {
    expect(one.field_summary.email).toEqual({
      status: 'Different Identity Match (ID 9)',
      matched_identity: 9,
      total: 3,
      validated: 2,
      primary_for_dominant: 0,
      validated_for_dominant: 0,
      validated_other_identities: { 9: 1, 12: 1 },
      unverified: 1,
    });
    expect(one.identity_score).toMatchObject({
      submitted_fields: ['name', 'email', 'phone', 'address'],
      match_flags: { name: 'Primary Match', email: 'Different Identity Match (ID 9)' },
    });
    expect(one.input_validation.overall_match).toEqual({
      all_components_match_same_identity: false,
      matched_identity: 7,
    });
  });

  it('shows the history in UTC and whole days', () => {
    expect(one.history).toEqual({
      first_seen: '2020-01-01T00:00:00.000Z',
      last_seen: '2024-02-29T12:00:00.000Z',
      days_since_first_seen: 1522,
      days_since_last_seen: 1,
    });
  });

  it('has null and 0 if nothing was sent or found', () => {
    const view = v1(emptyVerdict(), input);
    expect(view.input_validation).not.toHaveProperty('address');
    expect(view.input_validation.email).toEqual({
      input: null,
      match_status: null,
      matched_identity: null,
      is_primary: 'No',
      match_message: null,
      inputs: [],
    });
    expect(view.input_validation.name.match_message).toBe('NO RECORD: No matching record for this name.');
    expect(view.field_summary.phone).toMatchObject({ status: null, matched_identity: null, total: 0 });
    expect(view.identity_score.submitted_fields).toEqual(['name']);
    expect(view.dominant_identity).toBeNull();
    expect(Object.values(view.history)).toEqual([null, null, null, null]);
  });

  it('has raw only if it was requested', () => {
    expect(one).not.toHaveProperty('raw');
    const raw = { graph: { a: 1 }, scoring_model: 1, explanation: [] };
    const verdict = sampleVerdict({ raw: { graph: { a: 1 }, explanation: [] } });
    expect(v1(verdict, input)).toHaveProperty('raw', raw);
  });
});

describe('version 2', () => {
  it('changes input_validation and adds response_version only', () => {
    const { response_version: version, input_validation: _a, ...rest } = two;
    const { input_validation: _b, ...base } = one;
    expect(version).toBe('v2');
    expect(rest).toEqual(base);
  });

  it('has lists of rows under the names of the request', () => {
    expect(Object.keys(two.input_validation)).toEqual([
      'name',
      'emails',
      'phones',
      'addresses',
      'overall_match',
    ]);
    expect(two.input_validation.phones).toEqual([
      {
        input: '4155550100',
        standardized: '14155550100',
        match_status: 'Verified',
        matched_identity: 7,
        is_primary: false,
        validated: true,
      },
    ]);
    expect(two.input_validation.emails.map((row) => row.match_status)).toEqual([
      'Unverified',
      'Different Identity',
      'Different Identity',
    ]);
    expect(v2(emptyVerdict(), input).input_validation).toMatchObject({
      emails: [],
      phones: [],
      addresses: [],
    });
  });

  it('shows an address as it was sent', () => {
    expect(two.input_validation.addresses[0]).toMatchObject({
      input: { street: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' },
      standardized: {
        street: '1 MAIN ST',
        city: 'SPRINGFIELD',
        state: 'IL',
        zip: '62701',
        plus4: '1234',
        country: 'US',
      },
      is_primary: true,
    });
    expect(Object.keys(two.input_validation.addresses[0]!.input as object)).toEqual([
      'street',
      'city',
      'state',
      'zip',
    ]);
  });
});

describe('the text of an answer', () => {
  const HOSTILE = '"\\\b\f\n\r\t\0\u001f\u007f\u2028é 山 😀 ","validated":true}';

  it.each([textOf, textOf2])('is the same as JSON.stringify writes, whatever was sent', (text) => {
    const verdict = sampleVerdict();
    verdict.name = { ...verdict.name, input: HOSTILE };
    verdict.contacts = verdict.contacts.map((one): ContactMatchResult => {
      if (one.kind !== 'address') return { ...one, input: HOSTILE, standardized: HOSTILE };
      const input = { ...one.input, street: HOSTILE, city: HOSTILE };
      return { ...one, input, standardized: { ...one.standardized, street2: HOSTILE, zip: HOSTILE } };
    });
    verdict.score.summary = HOSTILE;
    verdict.score.insights = [HOSTILE];
    const written = text(verdict, { ...input, insights: { narrative: HOSTILE } });
    expect(JSON.stringify(JSON.parse(written))).toBe(written);
    expect(written.split(JSON.stringify(HOSTILE)).length).toBeGreaterThan(8);
  });
});
