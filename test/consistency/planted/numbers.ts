import { mixed, nameOnly, noRecord, person } from '../good/cases.ts';
import type { Plant } from './plant.ts';
import { overview } from './plant.ts';

export const NUMBERS: Plant[] = [
  ['one-final-score', person, ({ answer }) => void (answer.trust_score.final = 95)],
  ['status-is-band', person, ({ answer }) => void (answer.status = 'MEDIUM')],
  [
    'message-word',
    noRecord,
    ({ answer }) => void (answer.message = 'NAME ONLY: The email has no matching record.'),
  ],
  [
    'message-word',
    nameOnly,
    ({ answer }) => void (answer.message = 'The name appears in the identity graph.'),
  ],
  [
    'confidence-words',
    person,
    ({ answer }) => void (answer.combined_trust_score.confidence_level_label = 'HIGH'),
  ],
  [
    'confidence-without-evidence',
    noRecord,
    (it) => {
      it.answer.confidence_level = 'MEDIUM';
      it.answer.combined_trust_score.confidence_level_label = 'medium';
      overview(it).overview = 'The score is 42 out of 100.';
    },
  ],
  ['identity-score-adds-up', person, ({ answer }) => void (answer.identity_score.raw = 96)],
  [
    'identity-score-signs',
    mixed,
    ({ answer }) => void Object.assign(answer.identity_score, { raw: 32, bonuses: 0, penalties: 20 }),
  ],
  [
    'before-the-bounds',
    person,
    ({ answer }) => void Object.assign(answer.identity_score, { raw: 90, adjusted: 94 }),
  ],
  [
    'bound-is-named',
    person,
    ({ answer }) => {
      answer.combined_trust_score.pre_capped = 99;
      Object.assign(answer.identity_score, { raw: 95, adjusted: 99 });
    },
  ],
  [
    'bound-is-named',
    person,
    ({ answer }) =>
      void (answer.combined_trust_score.explanation = 'The score is bounded at 84: one kind of contact.'),
  ],
  ['reasons-add-up', person, ({ answer }) => void answer.trust_score.reasons.pop()],
  ['reasons-add-up', mixed, ({ answer }) => void answer.trust_score.reasons.push('The name is rare.')],
  [
    'explanation-adds-up',
    person,
    ({ answer }) =>
      void (answer.raw = {
        graph: {},
        scoring_model: '3',
        explanation: [
          { code: 'email_own', field: 'email', index: 0, key: 'email', weight: 2.6, score_without: 90 },
        ],
      }),
  ],
  [
    'explanation-adds-up',
    person,
    ({ answer }) =>
      void (answer.raw = {
        graph: {},
        scoring_model: '3',
        explanation: [
          { code: 'email_own', field: 'email', index: 1, key: 'email', weight: 2.6, score_without: 90 },
          { code: 'phone_own', field: 'phone', index: 0, key: 'phone', weight: 2.4, score_without: 90 },
        ],
      }),
  ],
];
