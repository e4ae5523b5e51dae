import { nameTablesDigest } from '../../names/index.ts';
import type { ErrorRates } from '../error-rates.ts';
import { levelContext } from './levels.ts';
import { drawingFor } from './measure.ts';
import type { Survey } from './survey.ts';

/** What weighs in every pair, as a text: where it becomes another one, all records are linked anew. */
export function globalsOf(survey: Survey, errorRates: ErrorRates): string {
  const { records } = levelContext({ ...survey, errorRates, sharers: () => 1 });
  const { share } = drawingFor(survey);
  const names = nameTablesDigest();
  return JSON.stringify({ names, records, perPerson: survey.perPerson, share, errorRates });
}
