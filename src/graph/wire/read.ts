// What was sent as a question, read.
import * as v from 'valibot';
import type { Submitted } from '../../claim/json.ts';
import { invalidRequest, toIssue } from '../../claim/parse.ts';
import { unknownFields } from '../../claim/rules.ts';
import type { Issue } from '../../errors.ts';
import type { GraphQuery } from '../graph.ts';
import { queryOf } from './question.ts';
import { QUESTION } from './schema.ts';

const FIELDS = Object.keys(QUESTION.pipe[0].entries);

/**
 * The query that a body asks. All broken rules are told in one answer.
 *
 * @param home country of numbers and addresses where neither they nor the body name one
 *
 * Errors: invalid_request.
 */
export function readQuestion({ value, issues: before }: Submitted, home: string): GraphQuery {
  const issues: Issue[] = [...before, ...unknownFields(value, FIELDS)];
  const read = v.safeParse(QUESTION, value);
  for (const issue of read.issues ?? []) issues.push(toIssue(issue));
  if (read.success && namesOf(read.output.nameAddresses).size > 1) issues.push(SEVERAL_NAMES);
  if (issues.length > 0 || !read.success) throw invalidRequest(issues);
  return queryOf(read.output, home);
}

const namesOf = (entries: readonly { fullName?: string | null | undefined }[]) =>
  new Set(entries.flatMap(({ fullName }) => fullName ?? []));

const SEVERAL_NAMES: Issue = {
  pointer: '/nameAddresses',
  code: 'several_names',
  detail: 'All entries carry the same name: one name a question.',
};
