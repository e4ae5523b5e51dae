// Problems as the document has them: for each status the codes that it may carry, with an example of each.
import { problemBody, PROBLEMS } from '../problems.ts';
import type { ProblemCode } from '../problems.ts';
import type { Json } from './convert.ts';

const ID = 'req_01kajw9m2e7r0q4s6t8v3x5y7z';

/** The content of an answer that carries one of these codes, which have one status. */
export function problemsOf(codes: ProblemCode[]): Json {
  const only = { properties: { code: { enum: codes } } };
  const schema = { allOf: [{ $ref: '#/components/schemas/Problem' }, only] };
  const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
  return { 'application/problem+json': { schema, examples } };
}

/** An example of each, by its code. */
export function problemExamples(): Record<ProblemCode, Json> {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const pairs = codes.map((code) => [code, { summary: PROBLEMS[code].title, value: example(code) }]);
  return Object.fromEntries(pairs) as Record<ProblemCode, Json>;
}

function example(code: ProblemCode): unknown {
  const errors =
    code === 'invalid_request'
      ? [{ pointer: '/phones/0', code: 'invalid_phone', detail: 'A phone number has 10 to 15 digits.' }]
      : undefined;
  return JSON.parse(problemBody({ code, detail: PROBLEMS[code].help, errors }, ID));
}
