// The calibrations of a data folder: maps of scores, each under a name. A setting says which one is in use.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import type { Calibration } from '../model.ts';
import { replaceFile } from '../platform/files.ts';
import { SCORING_MODEL } from '../score/weights.ts';

/** A calibration, and what it was fitted to. */
export interface StoredCalibration extends Calibration {
  /** When, as an ISO date. */
  made: string;
  genuine: number;
  notGenuine: number;
}

const NAME = /^[a-z0-9][a-z0-9_.-]{0,39}$/;
export const isCalibrationName = (text: string): boolean => NAME.test(text);

const getCalibrationsFile = (dataDir: string) => join(dataDir, 'calibrations.json');

/**
 * The calibration that a setting names; null where it names none.
 *
 * Errors: invalid_config (there is none of this name, it was fitted for another scoring model, the file is damaged).
 */
export function getCalibration({
  dataDir,
  calibration: name,
}: {
  dataDir: string;
  calibration?: string | undefined;
}): Calibration | null {
  if (name === undefined) return null;
  const found = readAll(dataDir).find((one) => one.name === name);
  const advice = 'Fit it with bonafide calibrate, or take the setting out.';
  if (!found) throw new BonafideError('invalid_config', `There is no calibration ${name}. ${advice}`);
  if (found.scoringModel === SCORING_MODEL) return found;
  throw new BonafideError(
    'invalid_config',
    `The calibration ${name} was fitted for version ${found.scoringModel} of the scoring model, and this is ${SCORING_MODEL}. ${advice}`,
  );
}

/** Keeps a calibration under its name, in place of an earlier one. Errors: invalid_config, read_only. */
export function storeCalibration(dataDir: string, calibration: StoredCalibration): string {
  const file = getCalibrationsFile(dataDir);
  const others = readAll(dataDir).filter(({ name }) => name !== calibration.name);
  replaceFile(file, `${JSON.stringify([...others, calibration], null, 2)}\n`);
  return file;
}

function readAll(dataDir: string): StoredCalibration[] {
  const file = getCalibrationsFile(dataDir);
  if (!existsSync(file)) return [];
  try {
    const all: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(all) && all.every(isCalibration)) return all;
  } catch {
    // Told below: no JSON is as bad as another shape of it.
  }
  throw new BonafideError(
    'invalid_config',
    `${file} holds no calibrations. Move it away, and fit them anew.`,
  );
}

function isCalibration(value: unknown): value is StoredCalibration {
  if (typeof value !== 'object' || value === null) return false;
  const { name, scoringModel, knots } = value as Partial<StoredCalibration>;
  return (
    typeof name === 'string' && typeof scoringModel === 'number' && Array.isArray(knots) && isRising(knots)
  );
}

/** A map that falls anywhere would turn a better score into a worse one. */
function isRising(knots: readonly unknown[]): boolean {
  const inside = (at: unknown) => typeof at === 'number' && at >= 0 && at <= 100;
  let before: readonly unknown[] | null = null;
  for (const knot of knots) {
    if (!Array.isArray(knot) || knot.length !== 2 || !knot.every(inside)) return false;
    if (before && !(knot[0] > Number(before[0]) && knot[1] > Number(before[1]))) return false;
    before = knot;
  }
  return before !== null;
}
