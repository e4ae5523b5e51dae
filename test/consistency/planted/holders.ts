import { other, type Case } from '../good/build.ts';
import { mixed, person, stranger } from '../good/cases.ts';
import { without } from './alter.ts';
import type { Plant } from './plant.ts';
import { edit, fraud, input, insight, overview, rowOf, trust } from './plant.ts';

/** Removes the phone of a stranger's answer. */
function withoutPhone(it: Case): void {
  without(it, ['phone']);
  overview(it).key_findings = [];
  overview(it).review_priority = 'MANUAL_REVIEW';
  it.answer.summary = 'The contact belongs to somebody who does not bear this name.';
  it.answer.message = 'HIGH RISK: The contact belongs to somebody who does not bear this name.';
  trust(it).red_flags = ['The email is on record for someone else.'];
  fraud(it).patterns_detected = ['The identity behind the email is somebody else’s'];
}

export const HOLDERS: Plant[] = [
  [
    'newest-of-equals',
    stranger,
    insight('The identity behind the contacts was last seen on record 2 years ago.'),
  ],
  ['one-band-in-a-sentence', person, (it) => void (trust(it).summary = 'The identity is likely real.')],
  [
    'other-suffix-is-another-name',
    stranger,
    (it) =>
      void it.answer.insights.push('The e-mail belongs to another person of the same name (identity 1).'),
  ],
  ['couple-is-not-one', person, insight('The name is that of two people.'), 'no-person-in-the-headline'],
  [
    'relative-has-no-former-name',
    stranger,
    (it) => {
      insight('The family name agrees, the given name does not.')(it);
      overview(it).recommended_actions.push('Ask for former names.');
    },
  ],
  [
    'nameless-has-no-name',
    stranger,
    (it) => {
      insight('The matching records have no name.')(it);
      overview(it).recommended_actions.push('Ask for former names.');
    },
  ],
  [
    'behind-as-many',
    stranger,
    (it) => {
      withoutPhone(it);
      fraud(it).patterns_detected = ['The identity behind the contacts is somebody else’s'];
    },
    'plural-of-one',
  ],
  [
    'initial-is-told',
    person,
    (it) => {
      it.request.name = 'J. Quimby';
      insight('One of the two forms of the name is longer.')(it);
    },
    'longer-by-which',
    'name-as-sent',
  ],
  [
    'whose-records',
    mixed,
    ({ answer }) =>
      void (answer.summary =
        "The name and 1 of 3 contacts belong to one identity; 1 contact belongs to another identity. The identity's records span 5 years."),
  ],
  [
    'secondary-of-the-person',
    stranger,
    (it) => void overview(it).key_findings.push('Secondary entries: the phone'),
  ],
  [
    'at-least-if-unequal',
    stranger,
    ({ answer }) =>
      void (answer.message =
        'HIGH RISK: Each of the contacts belongs to at least 1 identity of another name.'),
  ],
  [
    'old-is-told',
    person,
    (it) => {
      without(it, ['phone', 'address']);
      it.request.emails = ['old.quimby@example.com'];
      input(it).email.input = 'old.quimby@example.com';
      edit(rowOf(it, 'email', 0), {
        input: 'old.quimby@example.com',
        standardized: 'old.quimby@example.com',
      });
    },
    'law-8-one-kind',
  ],
  [
    'part-is-on-record',
    stranger,
    (it) => {
      insight('The submitted name is only a part of the name on record.')(it);
      overview(it).risk_factors.push('Submitted name absent from the records of the contacts');
    },
  ],
  [
    'nobody-is-somebody-else',
    mixed,
    (it) => {
      it.request.name = 'Ottoline Quimby';
      insight('The phone was last seen with somebody else 3 years before the newest record.')(it);
    },
    'name-as-sent',
  ],
  [
    'approved-is-not-finished',
    person,
    (it) =>
      void (overview(it).recommended_actions = [
        'Accept on the identity data; no further check is called for.',
      ]),
  ],
  [
    'nameless-is-nobody',
    mixed,
    (it) => {
      edit(rowOf(it, 'phone', 0), { match_status: other(13), matched_identity: 13 });
      insight('The phone resolves to a different identity (13).')(it);
    },
    'field-summary-counts',
    'field-is-one-of-its-rows',
    'identities-in-texts',
    'value-and-identity',
  ],
  [
    'one-name-may-be-one-person',
    mixed,
    (it) => {
      insight(
        'The phone belongs to another identity with this name (9); the records do not tell whether both are one person.',
      )(it);
      insight('The contacts are split among 2 people.')(it);
    },
    'same-name-is-no-red-flag',
    'not-split-if-one-has-all',
  ],
  ['longer-by-which', person, insight('One of the two forms of the name is longer.')],
  [
    'kinds-as-sent',
    person,
    (it) =>
      void (it.answer.combined_trust_score.explanation =
        'The score is the sum; all the evidence comes from one kind of contact.'),
  ],
  [
    'relative-is-not-somebody-other',
    stranger,
    (it) => {
      insight('The family name agrees, the given name does not: the contacts may be those of a relative.')(
        it,
      );
      insight('The contacts point to somebody other than the person named.')(it);
    },
  ],
  [
    'same-name-is-no-red-flag',
    mixed,
    (it) => {
      insight(
        'The phone belongs to another identity with this name (9); the records do not tell whether both are one person.',
      )(it);
      trust(it).red_flags = ['The phone is on record for a different identity.'];
    },
  ],
  [
    'accept-or-reject',
    mixed,
    (it) => void (overview(it).recommended_actions = ['Accept: the identity data leaves no point open.']),
  ],
  [
    'accept-or-reject',
    stranger,
    (it) =>
      void (overview(it).recommended_actions = [
        'Hold the case until the person has explained whose they are.',
      ]),
  ],
];
