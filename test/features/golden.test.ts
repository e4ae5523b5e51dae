import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFeatures } from '../../src/features/open.ts';
import type { AiFeatures } from '../../src/features/open.ts';
import { clock, intents, requestOf } from '../kit/models/features.ts';
import type { Pattern } from '../kit/models/features.ts';
import { PATTERNS } from '../../src/features/plugin/test/index.ts';

interface Insights {
  trust_enhancement: {
    intent: string;
    ai_trust_analysis: {
      summary: string;
      key_factors: string[];
      red_flags: string[];
      recommendations: string[];
    };
  };
  overview: {
    overview: string;
    key_findings: string[];
    positive_signals: string[];
    risk_factors: string[];
    recommended_actions: string[];
    review_priority: string;
  };
  fraud_detection: {
    fraud_analysis: {
      risk_level: string;
      confidence: number;
      patterns_detected: string[];
      consistency_issues: string[];
      recommendation: string;
    };
  };
}

let features: AiFeatures;
const answers = new Map<Pattern, Insights[]>();

beforeAll(async () => {
  features = await openFeatures({ settingsFile: 'data/none/features.json', now: () => clock });
  for (const pattern of PATTERNS) {
    const perIntent = intents.map(
      (intent) => features.insights(requestOf(pattern, { intent })) as Promise<Insights>,
    );
    answers.set(pattern, await Promise.all(perIntent));
  }
});
afterAll(() => features.close());

const lists = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [`  ${title}: none`] : [`  ${title}:`, ...items.map((item) => `    - ${item}`)];

function readable({ trust_enhancement: trust, overview, fraud_detection: fraud }: Insights): string[] {
  const analysis = trust.ai_trust_analysis;
  return [
    `[${trust.intent}] ${overview.review_priority}`,
    `  ${analysis.summary}`,
    ...lists('key factors', analysis.key_factors),
    ...lists('red flags', analysis.red_flags),
    ...lists('recommendations', analysis.recommendations),
    `  ${overview.overview}`,
    ...lists('key findings', overview.key_findings),
    ...lists('positive signals', overview.positive_signals),
    ...lists('risk factors', overview.risk_factors),
    ...lists('recommended actions', overview.recommended_actions),
    `  fraud: ${fraud.fraud_analysis.recommendation}`,
  ];
}

function section(pattern: Pattern): string {
  const { title, score, confidence, name, email, phone, address, catfish, identities, history } = pattern;
  const all = answers.get(pattern) ?? [];
  const fraud = all[0]?.fraud_detection.fraud_analysis;
  const contacts = Object.entries({ name, email, phone, address }).filter(([, letters]) => letters);
  const facts = [`score ${score}`, `${confidence} confidence`, ...contacts.map((entry) => entry.join(' '))];
  if (catfish) facts.push('catfish');
  if (identities) facts.push(`${identities} identities`);
  if (history) facts.push(`seen ${history[0]} to ${history[1]} days ago`);
  return [
    `## ${title}`,
    facts.join(', '),
    `fraud ${fraud?.risk_level} (confidence ${fraud?.confidence})`,
    ...lists('patterns', fraud?.patterns_detected ?? []),
    ...lists('consistency', fraud?.consistency_issues ?? []),
    '',
    ...all.flatMap((answer) => [...readable(answer), '']),
  ].join('\n');
}

test('the answers of the rules are the reviewed ones', async () => {
  const head =
    '# What the rules answer: every fact pattern of patterns.ts, under each of the six intents\n\n';
  await expect(head + PATTERNS.map(section).join('\n')).toMatchFileSnapshot('./golden.txt');
});

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}
const blocks = ({ trust_enhancement: trust, overview, fraud_detection: fraud }: Insights): string[][] => [
  texts(trust.ai_trust_analysis),
  texts({ ...overview, review_priority: [] }),
  texts({ ...fraud.fraud_analysis, risk_level: [] }),
];
const contactsOf = ({ email = '', phone = '', address = '' }: Pattern) => email + phone + address;
const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\d]+/gu));
function alike(a: string, b: string): number {
  const left = words(a);
  const right = words(b);
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / (left.size + right.size - shared);
}
const every = (check: (answer: Insights, pattern: Pattern) => void): void => {
  for (const [pattern, all] of answers) for (const answer of all) check(answer, pattern);
};

describe('over all golden answers', () => {
  test('no analysis has an error: the rules pass the guard that models have to pass', () => {
    every((answer) => {
      expect(JSON.stringify(answer)).not.toContain('"error"');
    });
  });

  test('an Unverified value is only ever "no matching record"', () => {
    every((answer) => {
      const text = blocks(answer).flat().join('\n').replaceAll('SUSPICIOUS', '');
      expect(text).not.toMatch(
        /invalid|fake|bogus|suspicious|unverifi|not verified|could not|fail|false|fraudulent/i,
      );
    });
  });

  test('nothing speaks of criminal, credit, employment or tenancy matters', () => {
    every((answer) => {
      expect(blocks(answer).flat().join('\n')).not.toMatch(
        /crimin|arrest|convict|credit|bankrupt|employ|salary|tenan|evict|landlord/i,
      );
    });
  });

  test('no sentence is said twice, in one block or across them, nor nearly so within a block', () => {
    every((answer, { title }) => {
      const all = blocks(answer).flat();
      expect(new Set(all).size, `${title}\n${all.join('\n')}`).toBe(all.length);
      for (const block of blocks(answer)) {
        for (const [at, text] of block.entries()) {
          for (const earlier of block.slice(0, at))
            expect(alike(text, earlier), `${title}\n${earlier}\n${text}`).toBeLessThan(0.6);
        }
      }
    });
  });

  test('every figure comes from the facts', () => {
    every((answer, pattern) => {
      const letters = [pattern.email, pattern.phone, pattern.address].map((kind) => kind ?? '');
      const counts = [...letters, letters.join('')].flatMap((kind) => [
        kind.length,
        ...['p', 's', 'd', 'u', '[ps]'].map((of) => kind.match(new RegExp(of, 'g'))?.length ?? 0),
      ]);
      const days = pattern.history ? [...pattern.history, pattern.history[0] - pattern.history[1]] : [];
      const ages = days.flatMap((one = 0) => [one, Math.floor(one / 30.44), Math.floor(one / 365)]);
      const own =
        pattern.own === undefined
          ? []
          : [pattern.own, contactsOf(pattern).replaceAll('u', '').length - pattern.own];
      const known = new Set([pattern.score, 100, pattern.identities ?? 0, ...counts, ...ages, ...own]);
      for (const text of blocks(answer).flat()) {
        for (const figure of text.match(/\d+/g) ?? [])
          expect(known, `${pattern.title}: ${text}`).toContain(Number(figure));
      }
    });
  });

  test('lists keep their limits, and sentences are finished', () => {
    every(({ trust_enhancement: trust, overview }) => {
      const { summary, ...threes } = trust.ai_trust_analysis;
      for (const list of Object.values(threes)) expect(list.length).toBeLessThanOrEqual(3);
      expect(overview.positive_signals.length).toBeLessThanOrEqual(5);
      expect(summary).toMatch(/^[A-Z][^.]*\.$/);
      expect(overview.overview.match(/\.(\s|$)/g)?.length).toBeLessThanOrEqual(2);
      for (const text of [...threes.key_factors, ...threes.red_flags, ...threes.recommendations])
        expect(text).toMatch(/^[A-Z0-9].*\.$/);
    });
  });

  test('an intent changes lead, advice or tone, and never a figure, a finding or the review priority', () => {
    for (const all of answers.values()) {
      expect(new Set(all.map((one) => one.trust_enhancement.ai_trust_analysis.summary)).size).toBe(
        intents.length,
      );
      expect(new Set(all.map((one) => one.overview.overview)).size).toBe(intents.length);
      expect(new Set(all.map((one) => JSON.stringify(one.overview.key_findings))).size).toBe(1);
      expect(new Set(all.map((one) => one.overview.review_priority)).size).toBe(1);
      expect(new Set(all.map((one) => one.fraud_detection.fraud_analysis.risk_level)).size).toBe(1);
    }
  });

  test('where nothing contradicts the claim there are no red flags and no risk factors', () => {
    every((answer, pattern) => {
      const { name, email = '', phone = '', address = '', catfish, history } = pattern;
      const { nameless = 0, sameName = 0, household = 0 } = pattern;
      const contacts = email + phone + address;
      // Records without a name, possible relatives, and who may be the same person contradict no name.
      const telling = (letters: RegExp) =>
        contacts.replaceAll(letters, '').length > nameless + sameName + household;
      const contradicted =
        catfish ||
        (contacts.includes('d') && telling(/[psu]/g)) ||
        (/[ps]/.test(contacts) && !/[ps]/.test(name) && telling(/u/g)) ||
        (/[ps]/.test(contacts) && (history?.[0] ?? 999) < 180);
      expect(answer.overview.risk_factors.length > 0).toBe(Boolean(contradicted));
      expect(answer.trust_enhancement.ai_trust_analysis.red_flags.length > 0).toBe(Boolean(contradicted));
    });
  });
});
