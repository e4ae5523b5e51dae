// Larger alterations of a good answer that plant exactly one contradiction.
import type { Case } from '../good/build.ts';
import { must } from '../good/build.ts';
import { nameOnly } from '../good/cases.ts';
import { edit, fraud, input, overview, rowOf, sumsOf } from './plant.ts';

/** Gives the e-mail without a record, the phone and a third contact to identity 9. */
export function outvote(it: Case): void {
  const status = 'Different Identity Match (ID 9)';
  edit(rowOf(it, 'email', 1), { match_status: status, matched_identity: 9, validated: true });
  must(it.request.phones).push('+1 212 555 0178');
  input(it).phone.inputs.push({
    ...rowOf(it, 'phone', 0),
    input: '12125550178',
    standardized: '+12125550178',
  });
  Object.assign(sumsOf(it, 'email'), {
    validated: 2,
    unverified: 0,
    validated_other_identities: { 9: 1 },
  });
  Object.assign(sumsOf(it, 'phone'), {
    total: 2,
    validated: 2,
    validated_other_identities: { 9: 2 },
  });
  it.answer.insights = [];
  overview(it).key_findings.pop();
}

export function flagged(it: Case): Case {
  it.answer.possible_catfish = true;
  Object.assign(fraud(it), { risk_level: 'HIGH' });
  return it;
}

/** Turns the other person's phone of a mixed answer into an address. */
export function asAddress(it: Case): Case {
  const rows = input(it);
  it.request.addresses = [{ street: '9 Quarry Road', city: 'Albany' }];
  it.request.phones = [];
  const place = { line1: '9 Quarry Road', city: 'Albany' };
  const from = rows.phone;
  rows.address = {
    ...from,
    input: ['9 Quarry Road, Albany'],
    inputs: [{ ...must(from.inputs[0]), input: place, standardized: place }],
    match_message: (from.match_message ?? '').replace('Phone', 'Address'),
  };
  rows.phone = nameOnly().answer.input_validation.phone;
  const { field_summary: sums, identity_score: score } = it.answer;
  sums.address = must(sums.phone);
  sums.phone = must(nameOnly().answer.field_summary.phone);
  score.submitted_fields = ['name', 'email', 'address'];
  score.match_flags = {
    name: 'Primary Match',
    email: 'Primary Match',
    address: score.match_flags.phone ?? '',
  };
  it.answer.insights = [];
  fraud(it).risk_level = 'LOW';
  fraud(it).patterns_detected = [];
  return it;
}

/** Flags a person with three own contacts, of which the second e-mail is somebody else's. */
export function minority(it: Case): void {
  const status = 'Different Identity Match (ID 9)';
  must(it.request.emails).push('rob@example.org');
  input(it).email.inputs.push({
    ...rowOf(it, 'email', 0),
    input: 'rob@example.org',
    standardized: 'rob@example.org',
    match_status: status,
    matched_identity: 9,
    is_primary: 'No',
  });
  Object.assign(sumsOf(it, 'email'), {
    total: 2,
    validated: 2,
    validated_other_identities: { 9: 1 },
  });
  input(it).overall_match.all_components_match_same_identity = false;
  overview(it).review_priority = 'MANUAL_REVIEW';
  overview(it).risk_factors.push('An email of a different identity');
  overview(it).key_findings.shift();
  Object.assign(it.answer, { summary: 'The name and 3 contacts belong to one identity.' });
  it.answer.message = 'VERIFIED: The name and 3 contacts belong to one identity.';
  fraud(it).recommendation = 'Ask about it.';
  fraud(it).patterns_detected.push('Contacts of somebody else beside those of the person');
  flagged(it);
}

/** Returns the person's answer as if the contacts of some kinds had not been sent. */
export function without(it: Case, kinds: ('phone' | 'address')[]): void {
  const empty = nameOnly().answer;
  for (const kind of kinds) {
    delete it.request[kind === 'phone' ? 'phones' : 'addresses'];
    if (kind === 'address') delete input(it).address;
    else input(it).phone = empty.input_validation.phone;
    delete it.answer.field_summary[kind];
    delete it.answer.identity_score.match_flags[kind];
  }
  it.answer.identity_score.submitted_fields = ['name', 'email'];
  overview(it).key_findings.shift();
  overview(it).review_priority = 'AUTO_APPROVE';
  it.answer.summary = 'The name and the email belong to one identity.';
  it.answer.message = 'VERIFIED: The name and the email belong to one identity.';
}

/** Gives the stranger's name to another identity. */
export function elsewhere(it: Case): void {
  const status = 'Different Identity Match (ID 5)';
  const block = input(it).name;
  edit(block.inputs[0]!, { match_status: status, matched_identity: 5, validated: true });
  Object.assign(block, {
    match_status: status,
    matched_identity: 5,
    match_message: 'DIFFERENT IDENTITY: Name matches identity 5, not the primary verified identity.',
  });
  Object.assign(sumsOf(it, 'name'), {
    status,
    matched_identity: 5,
    validated: 1,
    unverified: 0,
    validated_other_identities: { 5: 1 },
  });
  it.answer.identity_score.match_flags.name = status;
}

/** Gives the other person's phone of a mixed answer to thirty people, and flags the answer. */
export function switchboard(it: Case): void {
  const number = '12125559999';
  it.request.phones = [number];
  edit(rowOf(it, 'phone', 0), { input: number, standardized: `+${number}` });
  input(it).phone.input = number;
  flagged(it);
}

/** Gives the contacts to identity 7, which has another name, without the flag. */
export function unflagged(it: Case): void {
  it.answer.possible_catfish = false;
  it.answer.dominant_identity = 7;
  it.answer.history = {
    first_seen: null,
    last_seen: null,
    days_since_first_seen: null,
    days_since_last_seen: null,
  };
  input(it).overall_match.matched_identity = 7;
  for (const field of ['email', 'phone'] as const) {
    const block = input(it)[field];
    edit(rowOf(it, field, 0), { matched_identity: 7 });
    block.matched_identity = 7;
    block.match_message = (block.match_message ?? '').replace('identity 1,', 'identity 7,');
    sumsOf(it, field).matched_identity = 7;
  }
  overview(it).review_priority = 'MANUAL_REVIEW';
  fraud(it).risk_level = 'MEDIUM';
}
