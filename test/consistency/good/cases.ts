// Answers without a contradiction, one for each kind of case, written by hand from the contract. Tests alter
// them.
import type { Answer2 } from '../agreement.ts';
import type { Answer, Block, Insights } from '../answer.ts';
import {
  answerOf,
  block,
  HISTORY,
  insightsOf,
  NO_HISTORY,
  NONE,
  other,
  row,
  STRANGER,
  VERIFIED,
} from './build.ts';
import type { Case } from './build.ts';

const LARCH = {
  line1: '12 Larch Street',
  line2: '',
  city: 'Springfield',
  region: 'IL',
  postalCode: '62701',
  plus4: '',
  countryCode: '',
};

/** Case: name, e-mail, phone and address of one person. */
export const person = (): Case => ({
  request: {
    name: 'Jane Quimby',
    emails: ['Jane.Quimby@example.com'],
    phones: ['(415) 555-0134'],
    addresses: [{ street: '12 Larch Street', city: 'Springfield', state: 'IL', zip: '62701' }],
  },
  answer: answerOf(
    {
      name: block('name', [row('Jane Quimby', 'Primary Match', 1, 'JANE QUIMBY')], VERIFIED('Name')),
      email: block('email', [row('jane.quimby@example.com', 'Primary Match', 1)], VERIFIED('Email')),
      phone: block('phone', [row('4155550134', 'Primary Match', 1, '+14155550134')], VERIFIED('Phone')),
      address: block(
        'address',
        [
          row(LARCH, 'Primary Match', 1, {
            ...LARCH,
            line1: '12 LARCH STREET',
            city: 'SPRINGFIELD',
            countryCode: 'US',
          }),
        ],
        VERIFIED('Address'),
      ),
      overall_match: { all_components_match_same_identity: true, matched_identity: 1 },
    },
    {
      score: 96,
      confidence: 'HIGH',
      summary: 'The name and all 3 contacts belong to one identity. Its records span 5 years.',
      message: 'VERIFIED: The name and all 3 contacts belong to one identity.',
      insights: ['The identity has been on record for 5 years.'],
      identityScore: [92, 4, 0],
      reasons: ['start: −0.45 bits', 'email_own: +2.60 bits', 'phone_own: +2.40 bits'],
      bits: 4.55,
      dominant: 1,
      history: HISTORY,
      ai: insightsOf({
        trust: [
          'The name, the email, the phone and the address belong together (score 96, VERIFIED).',
          ['Three kinds of contact agree.'],
          [],
          ['Keep the request identifier.'],
        ],
        overview: {
          overview: 'VERIFIED: 96 out of 100, with high confidence in the evidence.',
          key_findings: [
            'Contacts: 3 sent, 3 matched',
            'History: first seen 7 years ago, last seen 2 years ago',
            'Evidence: high',
          ],
          positive_signals: ['Agreement across email, phone and address'],
          risk_factors: [],
          recommended_actions: ['Accept on the identity data.'],
          review_priority: 'AUTO_APPROVE',
        },
        risk: 'LOW',
        patterns: [],
        issues: [],
        recommendation: 'No fraud pattern was found.',
        names: ['Jane Quimby', 'Jane Quimby', 100, 'exact', 'The names are equal.'],
      }),
    },
  ),
});

/** Case: one own e-mail, one e-mail without a record, and somebody else's phone. */
export const mixed = (): Case => ({
  request: {
    name: 'Jane Quimby',
    emails: ['jane.quimby@example.com', 'jq@nowhere.example'],
    phones: ['+1 212 555 0177'],
  },
  answer: answerOf(
    {
      name: block('name', [row('Jane Quimby', 'Primary Match', 1, 'JANE QUIMBY')], VERIFIED('Name')),
      email: block(
        'email',
        [row('jane.quimby@example.com', 'Primary Match', 1), row('jq@nowhere.example', 'Unverified', null)],
        VERIFIED('Email'),
      ),
      phone: block(
        'phone',
        [row('12125550177', other(9), 9, '+12125550177')],
        'DIFFERENT IDENTITY: Phone matches identity 9, not the primary verified identity.',
      ),
      overall_match: { all_components_match_same_identity: false, matched_identity: 1 },
    },
    {
      score: 52,
      confidence: 'MEDIUM',
      summary: 'The name and one email belong to one identity, and the phone belongs to another.',
      message: 'SUSPICIOUS: The name and one email belong to one identity, and the phone belongs to another.',
      insights: ['The phone resolves to another identity (9).', '1 of 2 emails has no matching record.'],
      identityScore: [70, 2, -20],
      reasons: ['start: −0.45 bits', 'email_own: +2.60 bits', 'phone_other: −2.00 bits'],
      bits: 0.15,
      dominant: 1,
      history: HISTORY,
      ai: insightsOf({
        trust: [
          'Not everything belongs to one person (score 52, SUSPICIOUS).',
          [],
          ['The phone is on record for someone else.'],
          ['Ask whose phone it is.'],
        ],
        overview: {
          overview: 'SUSPICIOUS: 52 out of 100, with medium confidence in the evidence.',
          key_findings: [
            'Contacts: 3 sent, 1 matched, 1 on record for a different identity and 1 with no matching record',
          ],
          positive_signals: ['Primary name on record'],
          risk_factors: ['A phone of a different identity'],
          recommended_actions: ['Ask how the person came by the phone.'],
          review_priority: 'MANUAL_REVIEW',
        },
        risk: 'MEDIUM',
        patterns: ['Contacts of somebody else beside those of the person'],
        issues: ['The phone and the email disagree.'],
        recommendation: 'Have the open points explained first.',
        names: ['Jane Quimby', 'Jane Quimby', 100, 'exact', 'The names are equal.'],
      }),
    },
  ),
});

/** Case: another name with Jane's e-mail and phone. */
export const stranger = (): Case => ({
  request: { name: 'Hans Other', emails: ['jane.quimby@example.com'], phones: ['415 555 0134'] },
  answer: answerOf(
    {
      name: block('name', [row('Hans Other', 'Unverified', null, 'HANS OTHER')], NONE('name')),
      email: block('email', [row('jane.quimby@example.com', 'Primary Match', 1)], STRANGER('Email', 1)),
      phone: block('phone', [row('4155550134', 'Primary Match', 1, '+14155550134')], STRANGER('Phone', 1)),
      overall_match: { all_components_match_same_identity: false, matched_identity: 1 },
    },
    {
      score: 6,
      confidence: 'HIGH',
      flag: true,
      summary: 'The contacts belong to somebody who does not bear this name.',
      message: 'HIGH RISK: The contacts belong to somebody who does not bear this name.',
      insights: ['The contacts point to another person than the one named.'],
      identityScore: [42, 0, -36],
      reasons: ['start: −0.45 bits', 'email_other: −1.80 bits', 'phone_other: −1.70 bits'],
      bits: -3.95,
      dominant: 1,
      history: HISTORY,
      ai: insightsOf({
        trust: [
          'The details may be another person’s (score 6, HIGH RISK).',
          [],
          ['Both contacts are on record for someone else.'],
          ['Ask for an explanation.'],
        ],
        overview: {
          overview: 'HIGH RISK: 6 out of 100, with high confidence in the evidence.',
          key_findings: ['Contacts: 2 sent, both on record for someone else'],
          positive_signals: [],
          risk_factors: ['Contacts of someone else'],
          recommended_actions: ['Hold the case.'],
          review_priority: 'AUTO_REJECT',
        },
        risk: 'HIGH',
        patterns: ['The identity behind the contacts is somebody else’s'],
        issues: [],
        recommendation: 'Do not rely on these details.',
        names: ['Hans Other', null, 0, 'no_match', 'Nothing on record was like it.'],
      }),
    },
  ),
});

const quietInsights = (name: string, matched: string | null, finding: string, score: number): Insights =>
  insightsOf({
    trust: [`There is little to judge by (score ${score}).`, [], [], ['Ask for a contact.']],
    overview: {
      overview: `The score is ${score} out of 100, with low confidence in the evidence.`,
      key_findings: [finding],
      positive_signals: [],
      risk_factors: [],
      recommended_actions: ['Add an email.'],
      review_priority: 'MANUAL_REVIEW',
    },
    risk: 'LOW',
    patterns: [],
    issues: [],
    recommendation: 'There is too little on record for an analysis.',
    names:
      matched === null
        ? [name, null, 0, 'no_match', 'Nothing on record was like it.']
        : [name, matched, 100, 'exact', 'The names are equal.'],
  });

/** Case: a name and an e-mail without a record. */
export const noRecord = (): Case => ({
  request: { name: 'Nobody Here', emails: ['a@b.example'] },
  answer: answerOf(
    {
      name: block('name', [row('Nobody Here', 'Unverified', null, 'NOBODY HERE')], NONE('name')),
      email: block('email', [row('a@b.example', 'Unverified', null)], NONE('email')),
      phone: block('phone', [], ''),
      overall_match: { all_components_match_same_identity: false, matched_identity: null },
    },
    {
      score: 42,
      confidence: 'LOW',
      summary: 'The email has no matching record.',
      message: 'NO RECORD: The email has no matching record.',
      insights: ['The name has no matching record.'],
      identityScore: [42, 0, 0],
      reasons: ['start: −0.45 bits'],
      bits: -0.45,
      dominant: null,
      history: NO_HISTORY,
      ai: quietInsights('Nobody Here', null, 'Contacts: 1 sent, 1 with no matching record', 42),
    },
  ),
});

/** Case: a name alone. */
export const nameOnly = (): Case => ({
  request: { name: 'Jane Quimby' },
  answer: answerOf(
    {
      name: block('name', [row('Jane Quimby', 'Primary Match', 1, 'JANE QUIMBY')], VERIFIED('Name')),
      email: block('email', [], ''),
      phone: block('phone', [], ''),
      overall_match: { all_components_match_same_identity: true, matched_identity: 1 },
    },
    {
      score: 46,
      confidence: 'LOW',
      summary: 'The name appears in the identity graph.',
      message: 'NAME ONLY: The name appears in the identity graph.',
      insights: [],
      identityScore: [45, 1, 0],
      reasons: ['start: −0.45 bits', 'name: +0.20 bits'],
      bits: -0.25,
      dominant: 1,
      history: NO_HISTORY,
      ai: quietInsights('Jane Quimby', 'Jane Quimby', 'Name on record', 46),
    },
  ),
});

/** Returns an answer in version 2. */
export function second(answer: Answer): Answer2 {
  const { name, email, phone, address, overall_match } = answer.input_validation;
  const rows = (from: Block | undefined, standard = (value: unknown) => value) =>
    (from?.inputs ?? []).map((one) => ({
      ...one,
      standardized: standard(one.standardized),
      match_status: one.match_status
        .replace(/^(?:Primary|Secondary) Match$/, 'Verified')
        .replace(/ Match \(ID \d+\)$/, ''),
      is_primary: one.is_primary === 'Yes',
    }));
  return {
    ...structuredClone({ ...answer, ai_insights: null }),
    response_version: 'v2',
    input_validation: {
      name: rows(name),
      emails: rows(email),
      phones: rows(phone, (value) => String(value).replace('+', '')),
      addresses: rows(address),
      overall_match,
    },
  };
}
