import type { Address, StandardAddress, Verdict } from '../../src/model.ts';

const address: Address = {
  street: '1 Main St',
  street2: '',
  city: 'Springfield',
  state: 'IL',
  zip: '62701',
  country: '',
};
const standard: StandardAddress = {
  street: '1 MAIN ST',
  street2: '',
  city: 'SPRINGFIELD',
  state: 'IL',
  zip: '62701',
  plus4: '1234',
  country: 'US',
};

/** A verdict with one row of every status, for tests of what shows a verdict. */
export function sampleVerdict(over: Partial<Verdict> = {}): Verdict {
  return {
    score: 71,
    band: 'MEDIUM',
    confidence: 'HIGH',
    catfish: false,
    summary: 'A summary.',
    message: 'LIKELY REAL: a sentence.',
    insights: ['One insight.'],
    name: { input: 'Jane Doe', standardized: 'JANE DOE', status: 'primary', identity: 7 },
    emails: [
      { input: 'x@example.com', standardized: 'x@example.com', status: 'unverified', identity: null },
      { input: 'jane@example.com', standardized: 'jane@example.com', status: 'different', identity: 9 },
      { input: 'j@example.com', standardized: 'j@example.com', status: 'different', identity: 12 },
    ],
    phones: [{ input: '4155550100', standardized: '+14155550100', status: 'secondary', identity: 7 }],
    addresses: [{ input: address, standardized: standard, status: 'primary', identity: 7 }],
    dominant: 7,
    matchedName: 'Jane Doe',
    identityScore: { final: 71, raw: 80, adjusted: 75, penalties: 9, bonuses: 0, fraudRiskPenalty: 0 },
    trustScore: { final: 71, raw: 80, reasons: ['A reason.'] },
    combined: { final: 71, preCapped: 71, explanation: 'An explanation.' },
    history: { firstSeen: Date.UTC(2020, 0, 1), lastSeen: Date.UTC(2024, 1, 29, 12) },
    identities: 3,
    ...over,
  };
}

/** A verdict on a name that nothing is known of, and nothing else sent. */
export function emptyVerdict(): Verdict {
  return sampleVerdict({
    name: { input: 'Jane Doe', standardized: 'JANE DOE', status: 'unverified', identity: null },
    emails: [],
    phones: [],
    addresses: [],
    dominant: null,
    matchedName: null,
    history: { firstSeen: null, lastSeen: null },
  });
}
