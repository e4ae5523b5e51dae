// A route as it is declared, once: what it takes, what it answers, which errors it has. The server serves it and the API
// description shows it.
import type { EventHandler } from 'h3';
import type { GenericSchema } from 'valibot';
import type { ProblemCode } from '../problems.ts';
import type { ANSWER_HEADERS } from './headers.ts';

export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As h3 has it: `/v1/requests/:id`. */
  path: string;
  /** A name for programs: a generated client calls its function so. */
  id: string;
  tag: Tag;
  summary: string;
  about: string;
  /** Whether it needs a key. */
  key: boolean;
  /** What stands in the path, by name. */
  pathParts?: Record<string, GenericSchema>;
  query?: Record<string, GenericSchema>;
  headers?: Record<string, GenericSchema>;
  /** Of the media types; JSON where none is named. */
  body?: { schemas: GenericSchema[]; examples: () => Record<string, Example>; types?: readonly string[] };
  /** All answers but problems. */
  answers: AnswerDeclared[];
  /** Codes of errors beside those that every operation has, and every one with a key. */
  errors: ProblemCode[];
}

export interface AnswerDeclared {
  status: number;
  about: string;
  /** Media types beside JSON, which it is where it has schemas. */
  types?: string[] | undefined;
  /** Any of them; none where the content is no JSON. */
  schemas?: GenericSchema[];
  /** Headers that it has beside those of every answer. */
  headers?: readonly (keyof typeof ANSWER_HEADERS)[] | undefined;
  examples?: () => Record<string, Example>;
}

export interface Example {
  summary: string;
  value: unknown;
}

/** An operation with what works on it. */
export interface Route {
  operation: Operation;
  handler: EventHandler;
}

export type Tag = keyof typeof TAGS;

export const TAGS = {
  Checks: 'The two checks.',
  'Your calls': 'What became of your earlier calls, and what they count.',
  Graph: 'The identity graph behind this server, for servers that have it as their upstream.',
  Administration: 'For the operator: needs a live key with the scope `admin`. Each act is in the audit log.',
  Agents: 'For programs that speak the Model Context Protocol.',
  Console: 'The operator’s pages, and who is signed in to them.',
  Server: 'How the server is, and what it says about itself.',
} as const;
