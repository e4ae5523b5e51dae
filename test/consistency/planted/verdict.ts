import { mixed, nameOnly, noRecord, person, stranger } from '../good/cases.ts';
import { outvote, flagged, asAddress, minority, without, switchboard, unflagged } from './alter.ts';
import type { Plant } from './plant.ts';
import { overview, fraud, input, rescored } from './plant.ts';

export const VERDICT: Plant[] = [
  ['dominant-by-number', mixed, outvote],
  [
    'dominant-where-resolved',
    noRecord,
    (it) => {
      it.answer.dominant_identity = 3;
      input(it).overall_match.matched_identity = 3;
    },
  ],
  ['history-of-the-dominant', nameOnly, (it) => void (it.answer.history = person().answer.history)],
  [
    'history-of-the-dominant',
    person,
    ({ answer }) => void (answer.history.days_since_last_seen = null),
    'history-in-texts',
    'history-in-order',
  ],
  ['history-in-order', stranger, ({ answer }) => void (answer.history.days_since_last_seen = 1100)],
  [
    'flag-has-a-cause',
    person,
    (it) => {
      it.answer.possible_catfish = true;
      overview(it).review_priority = 'MANUAL_REVIEW';
      overview(it).risk_factors.push('The records disagree.');
      Object.assign(fraud(it), {
        risk_level: 'HIGH',
        patterns_detected: ['An odd pattern'],
        recommendation: 'Wait.',
      });
    },
    'law-13-flag-below-65',
  ],
  ['flag-not-by-addresses', mixed, (it) => flagged(asAddress(it))],
  ['flag-not-by-a-minority', person, minority, 'law-12-bound-of-84', 'law-13-flag-below-65'],
  ['flag-not-by-shared-values', mixed, switchboard],
  ['flag-is-due', stranger, unflagged],
  [
    'law-6-name-alone',
    nameOnly,
    (it) => rescored(it, 70, ['MEDIUM', 'LIKELY REAL']),
    'law-9-without-the-bearer',
  ],
  ['law-8-one-kind', person, (it) => without(it, ['phone', 'address'])],
  [
    'law-9-without-the-bearer',
    stranger,
    (it) => {
      it.answer.identity_score.penalties = 0;
      rescored(it, 70, ['MEDIUM', 'LIKELY REAL']);
      overview(it).review_priority = 'MANUAL_REVIEW';
    },
    'advice-by-score',
    'law-13-flag-below-65',
  ],
  [
    'law-10-addresses',
    mixed,
    (it) => {
      asAddress(it);
      rescored(it, 30, ['VERY_LOW', 'HIGH RISK']);
    },
  ],
  [
    'law-12-bound-of-84',
    mixed,
    (it) => {
      Object.assign(it.answer.identity_score, { penalties: 0, bonuses: 0 });
      rescored(it, 90, ['HIGH', 'VERIFIED']);
    },
    'no-doubt-beside-likely-real',
  ],
  [
    'law-13-flag-below-65',
    mixed,
    (it) => {
      flagged(it);
      rescored(it, 70, ['MEDIUM', 'LIKELY REAL']);
    },
    'no-doubt-beside-likely-real',
  ],
  ['no-record-is-not-against', noRecord, (it) => rescored(it, 12, ['VERY_LOW', 'HIGH RISK'])],
  [
    'penalty-has-a-cause',
    person,
    ({ answer }) => void Object.assign(answer.identity_score, { raw: 95, bonuses: 4, penalties: -3 }),
  ],
];
