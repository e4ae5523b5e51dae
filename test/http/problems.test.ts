import { describe, expect, it } from 'vitest';
import { BonafideError } from '../../src/errors.ts';
import {
  PROBLEMS,
  toProblemJsonText,
  renderProblemPage,
  ProblemError,
  toProblem,
} from '../../src/http/problems.ts';
import type { ProblemCode } from '../../src/http/problems.ts';

describe('an error becomes a problem', () => {
  it('with its own message only if the message was written for callers', () => {
    const text = 'Marked-Value /etc/secret SELECT';
    const thrown = [
      new Error(text),
      text,
      new BonafideError('disk_full', text),
      new BonafideError('graph_unavailable', text),
      new BonafideError('graph_timeout', text),
      new SyntaxError(text),
      undefined,
    ];
    for (const error of thrown) expect(JSON.stringify(toProblem(error))).not.toContain('Marked');
  });

  it.each([
    ['graph_unavailable', 503],
    ['graph_bad_response', 502],
    ['graph_timeout', 504],
    ['disk_full', 503],
    ['database_busy', 503],
  ] as const)('%s is answered with %i', (code, status) => {
    expect(PROBLEMS[toProblem(new BonafideError(code, 'x')).code].status).toBe(status);
  });

  it('says when to try an unavailable graph again', () => {
    expect(toProblem(new BonafideError('graph_unavailable', 'x')).headers).toContainEqual([
      'retry-after',
      '5',
    ]);
  });

  it('never says that a call was not counted if it may have been', () => {
    for (const code of ['store_unavailable', 'disk_full', 'internal_error', 'overloaded'] as const) {
      const counted = 'The call was not counted.';
      const { detail } = toProblem(new BonafideError(code, counted, { mayBeCounted: true }));
      expect([code, detail]).toEqual([code, expect.stringContaining('may have been counted')]);
      expect(detail).toContain('GET /v1/requests/ID');
      expect(detail).not.toContain('same Idempotency-Key');
      const keyed = toProblem(new BonafideError(code, counted), { isCounted: true, hasIdempotencyKey: true });
      expect(keyed.detail).toMatch(/may have been counted.*same Idempotency-Key/);
      expect(toProblem(new BonafideError(code, counted)).detail).toContain('not counted');
    }
  });

  it('keeps the problem of a ProblemError', () => {
    const problem = { code: 'forbidden', detail: 'Why.' } as const;
    expect(toProblem(new ProblemError(problem))).toBe(problem);
  });
});

describe('every code', () => {
  it.each(Object.keys(PROBLEMS) as ProblemCode[])('%s has a page and a complete body', (code) => {
    expect(renderProblemPage(code)).toContain(`<code>${code}</code>`);
    expect(JSON.parse(toProblemJsonText({ code, detail: 'd' }, 'req_x'))).toEqual({
      type: `/problems/${code}`,
      title: PROBLEMS[code].title,
      status: PROBLEMS[code].status,
      detail: 'd',
      code,
      request_id: 'req_x',
    });
  });
  it('that does not exist has no page', () => {
    for (const code of ['', 'nope', 'toString', '__proto__', '<script>'])
      expect(renderProblemPage(code)).toBeNull();
  });
});
