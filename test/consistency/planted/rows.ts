import { must } from '../good/build.ts';
import { mixed, nameOnly, noRecord, person, stranger } from '../good/cases.ts';
import type { Plant } from './plant.ts';
import { overview, names, input, edit, rowOf, sumsOf } from './plant.ts';

export const ROWS: Plant[] = [
  ['one-row-a-value', person, ({ request }) => void must(request.emails).push('second@example.com')],
  ['one-row-a-value', mixed, ({ request }) => void must(request.emails).reverse()],
  [
    'match-status-words',
    mixed,
    (it) => {
      edit(rowOf(it, 'email', 1), { match_status: 'No Match', validated: true, matched_identity: 9 });
      it.answer.field_summary.email = { ...sumsOf(it, 'email'), validated: 2, unverified: 0 };
      it.answer.insights.pop();
      overview(it).key_findings.pop();
    },
  ],
  [
    'validated-by-status',
    person,
    (it) => {
      edit(rowOf(it, 'phone', 0), { validated: false });
      Object.assign(sumsOf(it, 'phone'), { validated: 0, unverified: 1 });
    },
  ],
  ['unverified-without-identity', mixed, (it) => edit(rowOf(it, 'email', 1), { matched_identity: 1 })],
  [
    'match-is-dominant',
    mixed,
    (it) => {
      edit(rowOf(it, 'email', 1), {
        match_status: 'Secondary Match',
        matched_identity: 9,
        validated: true,
      });
      Object.assign(sumsOf(it, 'email'), {
        validated: 2,
        validated_for_dominant: 2,
        unverified: 0,
      });
      it.answer.insights.pop();
      overview(it).key_findings.pop();
    },
  ],
  [
    'other-is-not-dominant',
    mixed,
    (it) => {
      const id = 'Different Identity Match (ID 8)';
      edit(rowOf(it, 'phone', 0), { match_status: id });
      input(it).phone.match_status = id;
      sumsOf(it, 'phone').status = id;
      it.answer.identity_score.match_flags.phone = id;
    },
  ],
  [
    'is-primary-by-status',
    person,
    (it) => {
      edit(rowOf(it, 'email', 0), { is_primary: 'No' });
      input(it).email.is_primary = 'No';
    },
  ],
  ['standardized-form', person, (it) => edit(rowOf(it, 'name', 0), { standardized: 'Jane Quimby' })],
  [
    'one-number-one-verdict',
    stranger,
    (it) => {
      must(it.request.phones).push('+1 415 555 0134');
      input(it).phone.inputs.push({
        ...rowOf(it, 'phone', 0),
        input: '14155550134',
        match_status: 'Secondary Match',
        is_primary: 'No',
      });
      Object.assign(sumsOf(it, 'phone'), { total: 2, validated: 2, validated_for_dominant: 2 });
      overview(it).key_findings.pop();
    },
  ],
  [
    'nothing-sent',
    nameOnly,
    (it) => void (input(it).email.match_status = 'Unverified'),
    'field-summary-counts',
  ],
  ['field-is-one-of-its-rows', person, (it) => void (input(it).email.input = 'other@example.com')],
  [
    'field-is-its-best-row',
    mixed,
    (it) => {
      const block = input(it).email;
      Object.assign(block, block.inputs[1]!, { inputs: block.inputs });
      delete (block as { validated?: boolean }).validated;
      block.match_message = 'NO RECORD: No matching record for this email.';
      Object.assign(sumsOf(it, 'email'), { status: 'Unverified', matched_identity: null });
      it.answer.identity_score.match_flags.email = 'Unverified';
    },
  ],
  [
    'match-message-by-status',
    noRecord,
    (it) => void (input(it).email.match_message = 'This email could not be found.'),
  ],
  [
    'verified-match-bears-the-name',
    stranger,
    (it) => {
      input(it).email.match_message = 'VERIFIED MATCH: Email matches the primary verified identity.';
      Object.assign(names(it), { skipped: false, matched_name: 'Jane Quimby' });
    },
  ],
  [
    'different-person-only-without-the-name',
    person,
    (it) =>
      void (input(it).email.match_message =
        'DIFFERENT PERSON: Email matches identity 1, whose name is not the submitted one.'),
  ],
  ['field-summary-counts', mixed, ({ answer }) => void (must(answer.field_summary.email).unverified = 0)],
  ['submitted-fields', nameOnly, ({ answer }) => void answer.identity_score.submitted_fields.push('email')],
  [
    'submitted-fields',
    person,
    ({ answer }) => void (answer.identity_score.match_flags.email = 'Secondary Match'),
  ],
  ['overall-match', mixed, (it) => void (input(it).overall_match.all_components_match_same_identity = true)],
  [
    'overall-match',
    person,
    (it) => void (input(it).overall_match.all_components_match_same_identity = false),
  ],
];
