import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { extractFacts } from '../../src/features/facts.ts';
import { formatFeatureMetrics, openFeatures } from '../../src/features/open.ts';
import type { AiFeatures } from '../../src/features/open.ts';
import {
  getDefaultFeatureSettings,
  readFeatureSettings,
  writeFeatureSettings,
} from '../../src/features/settings.ts';
import {
  call,
  clock,
  everything,
  marks,
  requestOf,
  solid,
  streamOf,
  verdictOf,
} from '../kit/models/features.ts';

let dir: string;
let file: string;
let time: number;
let log: string[];
let features: AiFeatures;

const write = (settings: object): void => writeFileSync(file, JSON.stringify(settings));
const open = async (): Promise<void> => {
  features = await openFeatures({
    settingsFile: file,
    now: () => time,
    log: { info: (l) => log.push(l), warn: (l) => log.push(l) },
  });
};
type Insights = Record<string, Record<string, unknown> | null> & { ai_enabled: boolean };
const ask = (over: Parameters<typeof requestOf>[1] = {}): Promise<Insights> =>
  features.insights(requestOf(solid, over)) as Promise<Insights>;
const turn = (): Promise<void> => new Promise((done) => setTimeout(done, 20));

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bonafide-run-'));
  file = join(dir, 'features.json');
  time = clock;
  log = [];
});
afterEach(async () => {
  await features?.close();
  rmSync(dir, { recursive: true });
});

describe('what is asked for', () => {
  beforeEach(open);

  test('ai=true gives the narrative’s two blocks and null for the rest, whatever the include flags say', async () => {
    const include = { trust_enhancement: false, fraud_detection: true, name_matching: true };
    const insights = await ask({ endpoint: 'validate_ai', include });
    expect(Object.keys(insights)).toEqual([
      'ai_enabled',
      'trust_enhancement',
      'overview',
      'fraud_detection',
      'name_matching',
    ]);
    expect(insights).toMatchObject({
      ai_enabled: true,
      trust_enhancement: { ai_enabled: true },
      fraud_detection: null,
      name_matching: null,
    });
  });

  test('keys come in the specified order', async () => {
    const { trust_enhancement: trust, overview, fraud_detection: fraud } = await ask();
    expect(Object.keys(trust ?? {})).toEqual([
      'ai_enabled',
      'feature',
      'model',
      'intent',
      'ai_trust_analysis',
    ]);
    expect(Object.keys(overview ?? {})).toEqual([
      'overview',
      'key_findings',
      'positive_signals',
      'risk_factors',
      'recommended_actions',
      'review_priority',
    ]);
    expect(Object.keys(fraud ?? {})).toEqual([
      'ai_enabled',
      'feature',
      'model',
      'fraud_analysis',
      'history_analyzed',
      'request_stream',
      'scope_note',
    ]);
  });

  test('a feature left out says "Not requested", and overview stays', async () => {
    const insights = await ask({
      include: { trust_enhancement: false, fraud_detection: false, name_matching: false },
    });
    const left = { ai_enabled: false, reason: 'Not requested' };
    expect(insights).toMatchObject({
      ai_enabled: false,
      trust_enhancement: left,
      fraud_detection: left,
      name_matching: left,
    });
    expect(insights['overview']).toHaveProperty('review_priority', 'AUTO_APPROVE');
  });

  test('without fraud detection the stream is not read, and without name matching no name is compared', async () => {
    let read = 0;
    const stream = () => {
      read += 1;
      return streamOf([]);
    };
    const names = (): never => {
      read += 1;
      throw new Error('read');
    };
    await ask({ include: { ...everything, fraud_detection: false, name_matching: false }, stream, names });
    await ask({ endpoint: 'validate_ai', stream, names });
    expect(read).toBe(0);
  });

  test('request_stream counts the caller’s own calls and says when they were', async () => {
    const records = [call(clock - 9_000, { catfish: true }), call(clock - 4_000)];
    const { fraud_detection: fraud } = await ask({ stream: () => Promise.resolve(streamOf(records)) });
    expect(fraud).toMatchObject({
      history_analyzed: 2,
      request_stream: {
        records_in_window: 2,
        catfish_flag_count: 1,
        earliest_timestamp: '2026-11-20T11:59:51.000Z',
        latest_timestamp: '2026-11-20T11:59:56.000Z',
      },
      fraud_analysis: { velocity_concerns: false, stream_observations: [] },
    });
    expect(JSON.stringify(fraud)).not.toMatch(/req_test|key_test/);
  });

  test('a stream that cannot be read fails the fraud block alone', async () => {
    const insights = await ask({ stream: () => Promise.reject(new Error('disk gone at /data/x')) });
    expect(insights['fraud_detection']).toMatchObject({
      ai_enabled: true,
      error: { code: 'feature_failed' },
    });
    expect(insights['trust_enhancement']).not.toHaveProperty('error');
    expect(JSON.stringify(insights) + log.join()).not.toContain('/data/x');
  });
});

describe('what a feature may know', () => {
  const source = {
    intent: 'general' as const,
    verdict: verdictOf(solid),
    names: (): never => never(),
    stream: (): never => never(),
    now: clock,
  };
  const never = (): never => {
    throw new Error('read without being declared');
  };

  test('it is handed the facts it declared and nothing else', async () => {
    const signs = { possible_catfish: false, limits: [], any_against: false };
    const score = { score: 94, band: 'HIGH', verdict: 'VERIFIED', confidence: 'HIGH', ...signs };
    expect(await extractFacts(['intent', 'score'], source)).toEqual({ intent: 'general', score });
  });

  test('scores, match flags, counts and history hold no submitted value', async () => {
    const text = JSON.stringify(
      await extractFacts(['intent', 'score', 'matches', 'history'], source),
    ).toLowerCase();
    for (const mark of Object.values(marks)) expect(text).not.toContain(mark.toLowerCase());
  });
});

describe('settings', () => {
  test('a feature turned off says "Disabled"; on ai=true both blocks are null', async () => {
    write({ features: { trust_enhancement: { on: false }, fraud_detection: { on: false } } });
    await open();
    const off = { ai_enabled: false, reason: 'Disabled' };
    expect(await ask()).toMatchObject({
      ai_enabled: true,
      trust_enhancement: off,
      overview: { review_priority: 'AUTO_APPROVE' },
      fraud_detection: off,
    });
    expect(await ask({ endpoint: 'validate_ai' })).toMatchObject({
      ai_enabled: false,
      trust_enhancement: null,
      overview: null,
    });
  });

  test('the running server follows the file', async () => {
    await open();
    write({ features: { fraud_detection: { on: false } } });
    time += 600;
    await ask();
    await turn();
    expect((await ask())['fraud_detection']).toEqual({ ai_enabled: false, reason: 'Disabled' });
    expect(log).toContain('features: settings reloaded');
  });

  test('the running server follows the file after the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: clock });
    try {
      features = await openFeatures({ settingsFile: file });
      vi.setSystemTime(clock - 86_400_000);
      write({ features: { fraud_detection: { on: false } } });
      await pause(600);
      await ask();
      await turn();
      expect((await ask())['fraud_detection']).toEqual({ ai_enabled: false, reason: 'Disabled' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('a wrong file leaves the settings in use as they are, and is told once', async () => {
    await open();
    writeFileSync(file, '{ "features": { "fraud_detection": { "model": "nope" } } }');
    for (let i = 0; i < 3; i += 1) {
      time += 600;
      await ask();
      await turn();
    }
    expect((await ask())['fraud_detection']).toHaveProperty('model', 'rules');
    expect(log.filter((line) => line.includes('There is no model "nope"'))).toHaveLength(1);
  });

  test.each([
    [
      { features: { fraud_detection: { modle: 'rules' } } },
      'features.fraud_detection.modle is not a setting',
    ],
    [[], 'it: must be an object'],
    [{ features: [] }, 'features: must be an object'],
    [{ features: { fraud_detection: [] } }, 'features.fraud_detection: must be an object'],
    [{ models: [] }, 'models: must be an object'],
    [{ features: { fraud_detection: { on: 'yes' } } }, 'features.fraud_detection.on must be boolean'],
    [
      { models: { x: { plugin: 'openai-compatible' } }, features: { fraud_detection: { model: 'x' } } },
      'Model "x", options: url is missing',
    ],
    [
      { features: { fraud_detection: { options: { depth: 3 } } } },
      'fraud_detection, options: depth is not a setting',
    ],
    [
      { features: { trust_enhancement: { options: { depth: 3 } } } },
      'trust_enhancement has no option "depth"',
    ],
  ])('%j is refused by a line that names it', async (settings, says) => {
    write(settings);
    await expect(openFeatures({ settingsFile: file })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringContaining(says),
    });
  });

  test('a file that is no JSON is refused without showing what is in it', async () => {
    writeFileSync(file, '{ "key": "sk-oops" ');
    await expect(openFeatures({ settingsFile: file })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.not.stringContaining('sk-oops'),
    });
  });

  test('settings are written whole, readable by their owner alone, and come back the same', () => {
    const settings = getDefaultFeatureSettings();
    settings.features.fraud_detection.on = false;
    writeFeatureSettings(file, settings);
    expect(readFeatureSettings(file)).toEqual(settings);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test('metrics are in Prometheus’ form, and hold names of features and models only', async () => {
  await open();
  await ask();
  const text = formatFeatureMetrics(features.metrics());
  expect(text).toContain(
    'bonafide_feature_calls_total{feature="trust_enhancement",model="rules",outcome="ok"} 1',
  );
  expect(text).toMatch(
    /bonafide_feature_seconds_bucket\{feature="fraud_detection",model="rules",le="\+Inf"\} 1/,
  );
  for (const mark of Object.values(marks)) expect(text).not.toContain(mark);
  for (const line of text.trim().split('\n'))
    expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+\{[^}]*\} [\d.e+-]+)$/);
});

test('an enhanced call reads the stream once and compares the names once, however full the stream is', async () => {
  await open();
  const records = Array.from({ length: 1_000 }, (_, i) =>
    call(clock - (1_000 - i) * 80_000 + ((i * 7_919) % 60_000)),
  );
  const read = { stream: 0, names: 0 };
  const { names } = requestOf(solid);
  await ask({
    stream: () => {
      read.stream += 1;
      return streamOf(records);
    },
    names: () => {
      read.names += 1;
      return names();
    },
  });
  expect(read).toEqual({ stream: 1, names: 1 });
});
