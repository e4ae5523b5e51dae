import { must } from '../good/build.ts';
import { mixed, noRecord, person, stranger } from '../good/cases.ts';
import { elsewhere } from './alter.ts';
import type { Plant } from './plant.ts';
import { ai, insight, overview, trust, fraud, stream, names, analysis } from './plant.ts';

export const INSIGHTS: Plant[] = [
  ['blocks-as-specified', person, (it) => void (names(it).feature = 'names')],
  ['overview-always', person, (it) => void (ai(it).overview = null)],
  ['intent-normalised', person, ({ request }) => void (request.intent = 'sending-money')],
  ['list-lengths', person, (it) => void trust(it).key_factors.push('One.', 'Two.', 'Three.')],
  [
    'approve-only-when-clear',
    person,
    (it) => {
      it.answer.confidence_level = 'MEDIUM';
      it.answer.combined_trust_score.confidence_level_label = 'medium';
      overview(it).overview = 'VERIFIED: 96 out of 100.';
      overview(it).key_findings.pop();
    },
  ],
  ['approve-beside-risk', person, (it) => void trust(it).red_flags.push('The records disagree.')],
  ['approve-when-clear', person, (it) => void (overview(it).review_priority = 'MANUAL_REVIEW')],
  [
    'nothing-against-means-nothing',
    person,
    (it) => {
      it.answer.insights.push(
        'The e-mail was last seen with the person of this name 4 years before the newest record.',
      );
      overview(it).overview = 'VERIFIED: 96 out of 100. Nothing speaks against the person.';
    },
  ],
  [
    'approve-no-phone-of-somebody-else',
    person,
    insight(
      'The phone was seen with somebody else 5 years after it was last seen with the person of this name.',
    ),
  ],
  ['reject-only-with-cause', mixed, (it) => void (overview(it).review_priority = 'AUTO_REJECT')],
  [
    'reject-asks-for-no-new-check',
    stranger,
    (it) => void overview(it).recommended_actions.push('Ask for the full name, and run the check again.'),
  ],
  [
    'no-doubt-beside-likely-real',
    person,
    (it) => void (trust(it).summary = 'The details do not all belong together (score 96, VERIFIED).'),
  ],
  [
    'nobody-gives-no-confidence',
    person,
    (it) =>
      void (overview(it).overview =
        'The records name nobody: 96 out of 100, with high confidence in the evidence.'),
  ],
  ['no-record-is-no-risk', noRecord, (it) => void overview(it).risk_factors.push('Email not on record')],
  ['contact-counts', mixed, (it) => void (overview(it).key_findings[0] = 'Contacts: 3 sent, 3 matched')],
  [
    'stranger-called-matched',
    stranger,
    (it) => {
      Object.assign(names(it), { skipped: false, matched_name: 'Jane Quimby' });
      overview(it).positive_signals.push('Agreement across email and phone');
    },
  ],
  [
    'good-news-in-risks',
    person,
    (it) => {
      trust(it).red_flags.push('The phone belongs to someone else.');
      overview(it).review_priority = 'MANUAL_REVIEW';
    },
  ],
  [
    'good-news-in-risks',
    stranger,
    (it) => {
      trust(it).red_flags = [];
      overview(it).risk_factors = [];
    },
  ],
  ['risk-high-by-flag', stranger, (it) => void (fraud(it).risk_level = 'MEDIUM')],
  [
    'risk-medium-by-values',
    person,
    (it) => {
      Object.assign(fraud(it), { risk_level: 'MEDIUM', recommendation: 'Wait.' });
      overview(it).review_priority = 'MANUAL_REVIEW';
    },
  ],
  [
    'fraud-reads-no-history',
    mixed,
    (it) => void fraud(it).consistency_issues.push('First seen 7 years ago.'),
  ],
  ['scope-note', mixed, (it) => void (must(ai(it).fraud_detection).scope_note = 'For information.')],
  ['all-clear-beside-risk', mixed, (it) => void (fraud(it).recommendation = 'No fraud pattern was found.')],
  [
    'patterns-by-rows',
    person,
    (it) => void fraud(it).consistency_issues.push('The kinds of contact disagree.'),
  ],
  ['stream-figures', mixed, (it) => void (stream(it).catfish_flag_count = 2)],
  ['stream-figures', mixed, (it) => void (fraud(it).velocity_concerns = true)],
  ['name-as-sent', mixed, (it) => void (names(it).provided_name = 'Jane'), 'exact-is-exact'],
  ['skipped-says-nothing', stranger, (it) => void (names(it).matched_name = 'Jane Quimby')],
  [
    'name-analysis-by-row',
    mixed,
    (it) =>
      Object.assign(analysis(it), {
        match_confidence: 8,
        variation_type: 'partial',
        same_person_likely: false,
        explanation: 'Half.',
      }),
    'exact-is-exact',
  ],
  ['other-bearer-is-a-match', stranger, elsewhere],
  [
    'no-row-no-likeness',
    stranger,
    (it) => {
      Object.assign(names(it), { skipped: false, matched_name: 'Hanna Other' });
      Object.assign(analysis(it), { match_confidence: 80, variation_type: 'typo', same_person_likely: true });
    },
  ],
  [
    'name-figures',
    stranger,
    (it) => {
      Object.assign(names(it), { skipped: false, matched_name: 'Jane Quimby' });
      analysis(it).match_confidence = 60;
    },
  ],
  ['name-words-known', person, (it) => void (analysis(it).explanation = 'The middle name May is missing.')],
  ...[
    'The name part Quimby is missing in the name on record.',
    'Janey is a short form of Jane.',
    'Jane can be read as 健.',
    'The given name Thị is missing in the submitted name.',
    'The initial O is missing in the name on record.',
    'Two words: José López has no counterpart.',
  ].map((text): Plant => [
    'name-words-of-the-right-side',
    person,
    (it) => void (analysis(it).explanation = text),
  ]),
  [
    'name-words-known',
    person,
    (it) => void (analysis(it).explanation = 'The family name Khalid is missing.'),
  ],
  ['name-words-known', stranger, (it) => void (analysis(it).explanation = 'So no names were compared.')],
  [
    'same-name-without-contacts',
    person,
    (it) => void (analysis(it).explanation = 'The names alone do not show that they are the same.'),
    'name-in-part-is-not-the-name',
  ],
  ['exact-is-exact', person, (it) => void (names(it).matched_name = 'Jane Quimbey')],
  ['name-concerns', person, (it) => void (analysis(it).explanation = 'The suffix is missing on one side.')],
  [
    'name-concerns',
    person,
    (it) => {
      analysis(it).explanation = 'Jan and Jane are forms of one name.';
      analysis(it).concerns.push('Jan and Jane are two names in their own right.');
    },
  ],
];
