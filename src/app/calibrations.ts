// Calibrations of a data folder: maps from raw scores to calibrated scores, by name. A setting names the one in use.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BonafideError } from '../errors.ts';
import type { Calibration } from '../model.ts';
import { replaceFile, readTextFile } from '../platform/files.ts';
import { SCORING_MODEL_VERSION } from '../score/weights.ts';

/** Stored calibration, with its date and the numbers of cases that it was fitted with. */
export interface StoredCalibration extends Calibration {
  /** Date at which the calibration was fitted, in ISO 8601. */
  made: string;
  genuine: number;
  notGenuine: number;
}

const NAME = /^[a-z0-9][a-z0-9_.-]{0,39}$/;
export const isCalibrationName = (text: string): boolean => NAME.test(text);

const getCalibrationsFile = (dataDir: string) => join(dataDir, 'calibrations.json');

/**
 * Returns the calibration that the setting `calibration` names; null without the setting. Errors: invalid_config if it does not exist, was
 * fitted for another scoring model, or is damaged.
 */
export function getConfiguredCalibration({
  dataDir,
  calibration: name,
}: {
  dataDir: string;
  calibration?: string | undefined;
}): Calibration | null {
  if (name === undefined) return null;
  const calibration = readAll(dataDir).find((one) => one.name === name);
  const advice = 'Fit it with bonafide calibrate, or take the setting out.';
  if (!calibration) throw new BonafideError('invalid_config', `There is no calibration ${name}. ${advice}`);
  if (calibration.scoringModel === SCORING_MODEL_VERSION) return calibration;
  throw new BonafideError(
    'invalid_config',
    `The calibration ${name} was fitted for version ${calibration.scoringModel} of the scoring model, and this is ${SCORING_MODEL_VERSION}. ${advice}`,
  );
}

/** Stores a calibration; replaces an existing one with the same name. Returns the path of the file. Errors: invalid_config, read_only. */
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
    const all: unknown = JSON.parse(readTextFile(file));
    if (Array.isArray(all) && all.every(isCalibration)) return all;
  } catch (error) {
    if (error instanceof BonafideError) throw error;
    // The check below reports invalid JSON, together with JSON of another shape.
  }
  throw new BonafideError(
    'invalid_config',
    `${file} is not a valid file of calibrations. Move it away, and fit them again with: bonafide calibrate`,
  );
}

function isCalibration(value: unknown): value is StoredCalibration {
  if (typeof value !== 'object' || value === null) return false;
  const { name, scoringModel, knots } = value as Partial<StoredCalibration>;
  return (
    typeof name === 'string' && typeof scoringModel === 'number' && Array.isArray(knots) && isRising(knots)
  );
}

/** True if the points of a score map are rising: a higher score always gets a higher calibrated score. */
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
