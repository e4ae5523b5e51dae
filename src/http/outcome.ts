// The body that tells how a call turned out.
import type { H3Event } from 'h3';
import { parseJsonObject } from '../claim/json.ts';
import { BonafideError, type ValidationIssue } from '../errors.ts';
import { readBytes } from './body.ts';

/**
 * What `{ "genuine": true }` says.
 *
 * Errors: invalid_request, invalid_json, body_too_large, unsupported_media_type.
 */
export async function outcomeIn(event: H3Event): Promise<boolean> {
  const { value, issues } = parseJsonObject(await readBytes(event));
  const { genuine, ...more } = value;
  const found: ValidationIssue[] = [...issues];
  if (typeof genuine !== 'boolean')
    found.push({ pointer: '/genuine', code: 'invalid_genuine', detail: 'It must be true or false.' });
  if (Object.keys(more).length > 0)
    found.push({ pointer: '', code: 'unknown_field', detail: 'There is no field but `genuine`.' });
  if (typeof genuine === 'boolean' && found.length === 0) return genuine;
  const rules = found.length === 1 ? 'one rule' : `${found.length} rules`;
  throw new BonafideError('invalid_request', `The request breaks ${rules}.`, { issues: found });
}
