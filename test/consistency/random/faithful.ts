// Checks that `score_without` of a piece of evidence is the score of a check without the value.
import * as fc from 'fast-check';
import type { Answer, Body, Kind } from '../answer.ts';
import type { Service } from './ask.ts';
import { arbitraries, LISTS } from './requests.ts';
import type { World } from './world.ts';

export interface Faithfulness {
  pieces: number;
  /** Number of pieces of evidence with a wrong `score_without`. */
  wrong: number;
  /** First wrong piece of each code. */
  examples: Map<string, { stated: number; real: number; request: Body }>;
}

export interface FaithfulOptions {
  service: Service;
  world: World;
  /** Minimum number of pieces of evidence to check. */
  pieces: number;
  seed?: number;
}

export async function countUnfaithful({
  service,
  world,
  pieces,
  seed = 1,
}: FaithfulOptions): Promise<Faithfulness> {
  const found: Faithfulness = { pieces: 0, wrong: 0, examples: new Map() };
  const { body } = arbitraries(world);
  for (let round = 0; found.pieces < pieces && round < pieces; round++) {
    const before = found.pieces;
    const bodies = fc.sample(body, { numRuns: 50, seed: seed + round });
    await Promise.all(bodies.map((request) => tryPieces(service, request, found)));
    if (found.pieces === before) break;
  }
  return found;
}

async function tryPieces(service: Service, request: Body, found: Faithfulness): Promise<void> {
  const { raw } = await service.ask<Answer>('/v1/validate', { ...request, operation: 'raw' });
  for (const { code, field, index, score_without: stated } of raw?.explanation ?? []) {
    const kind = kindOf(field);
    if (kind === null || index === null) continue;
    const { trustworthiness_score: real } = await service.ask('/v1/validate', without(request, kind, index));
    found.pieces++;
    if (Math.round(stated) === real) continue;
    found.wrong++;
    if (!found.examples.has(code)) found.examples.set(code, { stated, real, request });
  }
}

function kindOf(field: string | null): Kind | null {
  if (field === null || field === 'name') return null;
  if (field.startsWith('addr')) return 'address';
  return field.startsWith('phone') ? 'phone' : 'email';
}

const plain = (value: unknown): string => JSON.stringify(value).toLowerCase().replaceAll(/\s+/g, '');

/** Returns the request without the value of one row, and without its repetitions. */
function without(request: Body, kind: Kind, index: number): Body {
  const list: unknown[] = request[LISTS[kind]] ?? [];
  const rows = list.filter((value, i) => list.findIndex((other) => plain(other) === plain(value)) === i);
  const left = list.filter((value) => plain(value) !== plain(rows[index]));
  return { ...request, operation: 'validate', [LISTS[kind]]: left };
}
