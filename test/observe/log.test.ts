import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toErrorLogFields as told, openLog } from '../../src/observe/log.ts';
import type { LogFormat } from '../../src/observe/log.ts';

const LINE = {
  time: 0,
  requestId: 'req_1',
  method: 'POST',
  route: '/v1/validate',
  status: 200,
  ms: 1.5,
  score: 71,
  band: 'MEDIUM',
};

function logging(format: LogFormat) {
  const writes: string[] = [];
  return { writes, log: openLog(format, (text) => writes.push(text)) };
}

describe('the log', () => {
  it('in json is one object a line, written once per turn of the event loop', async () => {
    const { writes, log } = logging('json');
    log.request(LINE);
    log.info('hello');
    expect(writes).toEqual([]);
    await nextTurn();
    expect(writes).toHaveLength(1);
    const lines = writes[0]!
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({
      time: '1970-01-01T00:00:00.000Z',
      level: 'info',
      request_id: 'req_1',
      method: 'POST',
      route: '/v1/validate',
      status: 200,
      ms: 1.5,
      score: 71,
      band: 'MEDIUM',
    });
    expect(lines[1]).toMatchObject({ level: 'info', message: 'hello' });
  });

  it('in a terminal is for people', () => {
    const { writes, log } = logging('pretty');
    log.request(LINE);
    log.flush();
    expect(writes.join('')).toContain('200 POST /v1/validate score 71 MEDIUM 1.5 ms req_1');
  });

  it('that is silent says nothing', async () => {
    const { writes, log } = logging('silent');
    log.request(LINE);
    log.error('x', new Error('y'));
    await nextTurn();
    expect(writes).toEqual([]);
  });

  it.each(['json', 'pretty'] as const)('in %s tells the request that a line belongs to', (format) => {
    const { writes, log } = logging(format);
    log.warn('a model', 'req_1');
    log.error('it failed', new Error('x'), 'req_2');
    log.warn('a file');
    log.flush();
    const [model, failed, file] = writes
      .join('')
      .split('\n')
      .filter((line) => /a model|it failed|a file/.test(line));
    expect([model, failed]).toEqual([expect.stringContaining('req_1'), expect.stringContaining('req_2')]);
    expect(file).not.toContain('req_');
  });

  it.each(['json', 'pretty'] as const)('in %s never tells what an error says', (format) => {
    const { writes, log } = logging(format);
    log.error(
      'it failed',
      Object.assign(new TypeError('Marked\n    value Marked'), { code: 'E_CODE', cause: 'Marked' }),
    );
    log.error('it failed', 'Marked');
    log.flush();
    expect(writes.join('')).toMatch(/TypeError.*E_CODE/);
    expect(writes.join('')).not.toContain('Marked');
  });

  it('knows an error by name, code and place', () => {
    const { name, at } = told(new RangeError('x'));
    expect(name).toBe('RangeError');
    expect(at[0]).toMatch(/^at .*log\.test\.ts/);
  });
});
