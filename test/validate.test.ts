import { beforeAll, describe, expect, it } from 'vitest';
import type { NameFacts } from '../src/features/plugin/facts.ts';
import type { GraphAnswer, IdentityGraph } from '../src/graph/graph.ts';
import { openSqliteGraph } from '../src/graph/sqlite/open.ts';
import type { LoggedCall } from '../src/accounts/model.ts';
import { type ValidationCall, validate, type ValidateDeps } from '../src/validate.ts';
import { importRows, type Row, sharedFolder } from './kit/graphs/graph.ts';

const NOBODY: GraphAnswer = {
  total: 0,
  newest: null,
  values: [[]],
  name: { identities: [], bearers: 0, given: [] },
  identities: new Map(),
};

const NO_EARLIER_CALLS = {
  records: [],
  pace: { second: [0], minute: [0], hour: [0], minutes: [], ten_minutes: [] },
};

/** Returns a call with its dependencies, and the steps in the order in which they happened. */
function world({
  call,
  deps,
}: { call?: Partial<ValidationCall<string>>; deps?: Partial<ValidateDeps> } = {}) {
  const steps: string[] = [];
  const written: LoggedCall[] = [];
  const step = <T>(name: string, value: T) => (steps.push(name), value);
  const whole: ValidationCall<string> = {
    requestId: 'req_x',
    caller: { keyId: 'key_x', account: null, scopes: ['validate'], test: false, plan: null },
    now: 1000,
    started: performance.now(),
    endpoint: 'validate',
    responseVersion: 'v2',
    readBody: () =>
      step('read', { value: { name: 'Jane Doe', emails: ['j@x.com'], intent: 'reconnecting' }, issues: [] }),
    buildContent: (verdict, { insights }) => step('content', JSON.stringify([verdict.score.value, insights])),
    signal: AbortSignal.any([]),
    ...call,
  };
  const tools: ValidateDeps = {
    graph: { resolve: () => step('graph', NOBODY) },
    region: 'US',
    calibration: null,
    insights: {
      features: { insights: async () => step('insights', { ai_enabled: true }) },
      findEarlierCalls: () => NO_EARLIER_CALLS,
      disclosesRecordNames: false,
    },
    recorder: {
      write: async (call) => {
        written.push(step('log', call));
        return { requestId: call.requestId, quotaUsage: null };
      },
    },
    idempotency: null,
    probes: null,
    ...deps,
  };
  return { steps, written, run: () => validate(whole, tools) };
}

describe('one call', () => {
  it('is read, checked, built, and only then counted', async () => {
    const { run, steps, written } = world();
    expect((await run()).content).toBe('[50,null]');
    expect(steps).toEqual(['read', 'graph', 'content', 'log']);
    expect(written).toMatchObject([
      {
        requestId: 'req_x',
        keyId: 'key_x',
        account: null,
        time: 1000,
        endpoint: 'validate',
        responseVersion: 'v2',
        intent: 'reconnecting',
        emails: 1,
        unverified: 1,
        scoringModel: 23,
      },
    ]);
    expect(JSON.stringify(written)).not.toMatch(/Jane|j@x/);
  });

  it('with insights gets them before its content is built', async () => {
    const { run, steps } = world({ call: { endpoint: 'enhanced' } });
    expect((await run()).content).toBe('[50,{"ai_enabled":true}]');
    expect(steps).toEqual(['read', 'graph', 'insights', 'content', 'log']);
  });

  it('of a caller without the scope is not even read', async () => {
    const { run, steps } = world({
      call: { caller: { keyId: 'k', account: null, scopes: ['admin'], test: false, plan: null } },
    });
    await expect(run()).rejects.toMatchObject({ code: 'forbidden' });
    expect(steps).toEqual([]);
  });

  it('for raw needs the raw scope', async () => {
    const submitted = () => ({ value: { name: 'Jane Doe', operation: 'raw' }, issues: [] });
    const { run, steps } = world({ call: { readBody: submitted } });
    await expect(run()).rejects.toMatchObject({ code: 'forbidden' });
    expect(steps).toEqual([]);
  });

  it.each([
    ['that breaks a rule', { call: { readBody: () => ({ value: {}, issues: [] }) } }, 'invalid_request'],
    ['whose content cannot be made', { call: { buildContent: () => expect.fail('no content') } }, undefined],
  ])('%s is not counted', async (_, over, code) => {
    const { run, written } = world(over);
    await expect(run()).rejects.toMatchObject(code ? { code } : {});
    expect(written).toEqual([]);
  });

  it('that cannot be counted fails', async () => {
    const failing = { write: () => Promise.reject(new Error('disk')) };
    await expect(world({ deps: { recorder: failing } }).run()).rejects.toThrow('disk');
  });
});

describe('the comparison of names', () => {
  let graph: IdentityGraph;
  beforeAll(async () => {
    const folder = sharedFolder();
    const person = (name: string, contact: string): Row => ({
      record_id: contact,
      identity: contact,
      name,
      emails: [`${contact}@post.example`],
      phones: [`+1 208 234 10${contact}`],
    });
    await importRows(folder, [
      [
        person('Terry Lee Johnson', '11'),
        person('Beatrix Quimby', '22'),
        person('Otis Fairbank Jr', '33'),
        person('Mabel Fairbank', '44'),
        person('Sarah Beth Donnelly', '55'),
      ],
    ]);
    graph = openSqliteGraph({ dataDir: folder });
    return () => graph.close();
  });
  const compare = async (request: Record<string, unknown>, disclosesRecordNames = false) => {
    let facts: NameFacts | undefined;
    const { run } = world({
      call: { endpoint: 'enhanced', readBody: () => ({ value: request, issues: [] }) },
      deps: {
        graph,
        insights: {
          features: { insights: async ({ names }) => (facts = names()) },
          findEarlierCalls: () => NO_EARLIER_CALLS,
          disclosesRecordNames,
        },
      },
    });
    await run();
    return facts;
  };
  const emails = ['11@post.example'];
  const phones = ['+1 208 234 1011'];

  it('shows no more of the name on record than was sent, below two contacts of the identity', async () => {
    const facts = await compare({ name: 'T Johnson', emails });
    expect(facts).toMatchObject({ matched: 'T. Johnson', comparison: { variation: 'partial', same: true } });
    expect(JSON.stringify(facts)).not.toMatch(/Terry|Lee/);
    expect(await compare({ name: 'T Johnson', emails, phones })).toHaveProperty(
      'matched',
      'Terry Lee Johnson',
    );
    expect(await compare({ name: 'T Johnson' }, true)).toHaveProperty('matched', 'Terry Lee Johnson');
  });

  it.each(['T. Johnson', 'Lee Johnson', 'Terry Johnson'])(
    'compares %s with the whole name on record, whatever is shown',
    async (name) => {
      const facts = await compare({ name, emails });
      const whole = await compare({ name, emails, phones });
      expect(facts).toMatchObject({ matched: name, comparison: { variation: 'partial' } });
      expect(facts?.comparison?.confidence).toBeLessThan(100);
      expect(facts?.comparison?.variation).toBe(whole?.comparison?.variation);
      expect(facts?.comparison?.explanation).toMatch(
        /^Only the submitted words of the name on record are shown/,
      );
    },
  );

  it.each(['T Johnson', 'Terri Lee Johnson', 'Bea Quimby', 'SARAH BETH DONNELLY'])(
    'says of %s alone only that the name is on record',
    async (name) => {
      expect(await compare({ name })).toMatchObject({
        matched: name,
        comparison: {
          same: true,
          concerns: [],
          explanation: expect.stringMatching(/^The name is on record; [a-z ]+\.$/),
        },
      });
    },
  );

  it('does not count the contact of a partner as one of the identity', async () => {
    const couple = { name: 'Otis and Mabel Fairbank' };
    const [own, partner] = ['33@post.example', '44@post.example'];
    const facts = await compare({ ...couple, emails: [own, partner] });
    expect(facts).toMatchObject({ matched: 'Otis Fairbank', comparison: { same: true } });
    expect(JSON.stringify(facts)).not.toMatch(/Jr/);
    const both = await compare({ ...couple, emails: [own], phones: ['+1 208 234 1033'] });
    expect(both).toHaveProperty('matched', 'Otis Fairbank Jr');
  });

  it('does not say that a middle name contradicts half of a double family name', async () => {
    const sent = { emails: ['55@post.example'], phones: ['+1 208 234 1055'] };
    const facts = await compare({ name: 'Sarah Donnelly-Kowalski', ...sent });
    expect(facts).toMatchObject({ matched: 'Sarah Beth Donnelly', comparison: { same: true } });
    expect(facts?.comparison?.explanation).toMatch(
      /^The family name Kowalski is missing in the name on record\./,
    );
  });

  it('says whose name it compared, and that the contacts are somebody else’s', async () => {
    const own = await compare({ name: 'Terry Lee Johnson', emails, phones });
    expect(own?.comparison).toMatchObject({ same: true, concerns: [] });
    expect(own?.comparison?.explanation).toMatch(/an identity with submitted contacts\.$/);
    const other = { emails: ['22@post.example'], phones: ['+1 208 234 1022'] };
    const stolen = await compare({ name: 'Terry Lee Johnson', ...other });
    expect(stolen?.comparison?.concerns).toEqual(['The submitted contacts belong to somebody else.']);
    expect(stolen?.comparison?.explanation).toMatch(/has none of the submitted contacts\.$/);
  });

  it('calls one word of a name a part of it', async () => {
    const facts = await compare({ name: 'Quimby', emails: ['22@post.example'], phones: ['+1 208 234 1022'] });
    expect(facts?.comparison).toMatchObject({ variation: 'partial', same: true });
    expect(facts?.comparison?.explanation).toContain(
      'is missing in the submitted name. The names alone do not show',
    );
  });
});
