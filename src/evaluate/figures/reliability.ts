// Is a score of 70 right seven times in ten? The CORP diagram (Dimitriadis, Gneiting and Jordan 2021): its bins are those of the
// isotonic regression, so that nobody has to choose any.
import { brier, weighted } from './figures.ts';
import { type Interval, intervalsOf, BAND_LEVEL, tidy } from './interval.ts';
import { isotonic } from './isotonic.ts';
import { MOST, type Sample, type Tally, tallyOf } from './tally.ts';

export interface Reliability {
  /** At each score that some case reached: the share that is genuine, both classes weighing the same, and its band. */
  curve: ({ score: number } & Interval)[];
  /** The Brier score taken apart: miscalibration − discrimination + uncertainty. */
  miscalibration: number | null;
  discrimination: number | null;
  uncertainty: number | null;
}

export function reliabilityOf(sample: Sample): Reliability {
  const tally = tallyOf(sample);
  const { genuine, notGenuine } = tally;
  const seen = Array.from({ length: MOST + 1 }, (_, score) => score).filter(
    (score) => (genuine.scores[score] ?? 0) + (notGenuine.scores[score] ?? 0) > 0,
  );
  const band = intervalsOf(sample, calibrated, BAND_LEVEL);
  const curve = seen.flatMap((score) => {
    const at = band[score];
    return at ? [{ score, ...at }] : [];
  });
  const shares = calibrated(tally);
  const best = weighted(tally, (at, yes) => ((yes ? 1 : 0) - (shares[at] ?? 0)) ** 2);
  const uncertainty = 0.25;
  return {
    curve,
    miscalibration: tidy(brier(tally) - best),
    discrimination: tidy(uncertainty - best),
    uncertainty: tidy(uncertainty),
  };
}

/** What each score would have to be, 0-1, to be right of these cases. */
function calibrated({ genuine, notGenuine }: Tally): Float64Array {
  const positives = genuine.scores.map((count) => count / genuine.total);
  const weights = positives.map((share, at) => share + (notGenuine.scores[at] ?? 0) / notGenuine.total);
  return isotonic(weights, positives);
}
