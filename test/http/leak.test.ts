import { describe, expect, it } from 'vitest';
import { freshApp } from '../kit/app.ts';

// Each mark is a value that occurs nowhere else in the program.
const MARKS = [
  'qzxmarkjulia',
  'qzxmarkstone',
  '6175550142',
  'qzxmarkmail',
  'qzxmark lane',
  'qzxmarkville',
  'qzxmarkkey',
];

const PERSON = {
  name: 'Qzxmarkjulia Qzxmarkstone',
  emails: ['qzxmarkmail@example.com'],
  phones: ['+1 617-555-0142'],
  addresses: [{ street: '77 Qzxmark Lane', city: 'Qzxmarkville', state: 'MA', zip: '02139' }],
};
const RECORD = {
  record_id: 'r1',
  source: 'crm',
  first_seen: '2020-01-01',
  last_seen: '2024-01-01',
  ...PERSON,
};

function marksIn(text: string): string[] {
  const lower = text.toLowerCase();
  const wide = lower.replaceAll('\0', '');
  return MARKS.filter((mark) =>
    [lower, wide].some((text) => text.includes(mark) || text.includes(mark.replace(' ', ''))),
  );
}

describe('a submitted value', () => {
  it('is on no disk, in no log and in no error, whatever was sent and whatever the result', async () => {
    const test = await freshApp({ people: [RECORD] });
    const errors: string[] = [];
    const send = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const response = await test.post(path, body, headers);
      const text = await response.text();
      if (response.status >= 400) errors.push(text + JSON.stringify([...response.headers]));
      return response.status;
    };
    const good = [PERSON, { ...PERSON, operation: 'raw' }, { ...PERSON, intent: 'qzxmarkmail' }];
    for (const path of [
      '/v1/validate',
      '/v1/validate?ai=true',
      '/v1/validate/enhanced',
      '/v1/validate?response=v2',
    ]) {
      for (const body of good) expect(await send(path, body)).toBe(200);
    }
    const marked = 'qzxmarkmail';
    const bad: unknown[] = [
      { ...PERSON, name: 7, emails: [marked], phones: [`${marked} 617`], addresses: [marked] },
      { ...PERSON, operation: marked, include_fraud_detection: marked },
      { ...PERSON, 'qzxmarkmail@example.com': 1 },
      { ...PERSON, emailAddresses: PERSON.emails, phoneNumbers: PERSON.phones },
      { nameAddresses: [{ fullName: PERSON.name }, { fullName: `${marked} x` }] },
      `{"name":"${PERSON.name}",}`,
      `["${marked}"]`,
      `{"name":"${PERSON.name}","emails":["${marked}"`,
      `{"name":"${PERSON.name}","x":"${marked.repeat(8000)}"}`,
    ];
    for (const body of bad) expect(await send('/v1/validate/enhanced', body)).toBeGreaterThanOrEqual(400);
    await send(`/v1/${marked}?${marked}=${marked}`, PERSON);
    await send(`/v1/requests/${marked}`, PERSON);
    await send(`/v1/validate?response=${marked}`, PERSON);
    await send('/v1/validate', PERSON, {
      'x-api-key': 'qzxmarkkey',
      traceparent: marked,
      'accept-version': marked,
    });
    await send('/v1/validate', PERSON, { 'content-type': marked });
    errors.push(
      await (await test.send(`/v1/requests/${marked}`)).text(),
      await (await test.send(`/problems/${marked}`)).text(),
    );

    // The graph fails during a check: its error must not contain the values either.
    test.app.graph.close();
    expect(await send('/v1/validate', PERSON)).toBeGreaterThanOrEqual(500);

    expect(errors.length).toBeGreaterThan(14);
    expect(marksIn(errors.join('\n'))).toEqual([]);
    expect(marksIn(test.logged())).toEqual([]);
    const bytes = test.everyByte();
    expect(bytes).toContain('enhanced');
    expect(marksIn(bytes)).toEqual([]);
    expect(test.logged().match(/"status":200/g)).toHaveLength(12);
  });

  it('would be found by this search if it were stored', () => {
    expect(marksIn(JSON.stringify(RECORD).replaceAll('-', ''))).toEqual(MARKS.slice(0, 6));
    expect(marksIn(Buffer.from('Qzxmark Lane', 'utf16le').toString('latin1'))).toEqual(['qzxmark lane']);
  });
});

describe('an API key', () => {
  it('is in no file and in no log', async () => {
    const test = await freshApp();
    const key = test.key();
    await (await test.send('/v1/usage', { key })).text();
    await (await test.send('/v1/usage', { key: `${key.slice(0, -1)}-` })).text();
    expect(test.everyByte() + test.logged()).not.toContain(key.slice(12));
  });
});
