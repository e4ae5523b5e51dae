// Textbook statistics for the fraud analysis. Pure functions on numbers; probabilities are one-sided.

// Lanczos' approximation of log Γ (g = 7, nine terms), good to about 15 digits for x > 0.
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

export function computeLogGamma(x: number): number {
  const z = x - 1;
  let sum = LANCZOS[0] ?? 1;
  for (let i = 1; i < LANCZOS.length; i += 1) sum += (LANCZOS[i] ?? 0) / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

const logChoose = (n: number, k: number): number =>
  computeLogGamma(n + 1) - computeLogGamma(k + 1) - computeLogGamma(n - k + 1);

/** Returns P(X ≥ k): the sum of the probabilities of k and all higher counts. `logTerm` is the logarithm of one probability. */
function tail(k: number, logTerm: (count: number) => number, mean: number): number {
  let sum = 0;
  for (let count = k; count < k + 10_000; count += 1) {
    const term = Math.exp(logTerm(count));
    sum += term;
    if (count > mean && term < sum * 1e-12) break;
  }
  return Math.min(1, sum);
}

export function computePoissonTail(k: number, mean: number): number {
  if (k <= 0) return 1;
  if (mean <= 0) return 0;
  return tail(k, (count) => count * Math.log(mean) - mean - computeLogGamma(count + 1), mean);
}

/**
 * Returns P(X ≥ k) of a negative binomial distribution with this mean and variance (Fisher 1941), or of a Poisson distribution if the variance
 * is not above the mean.
 */
export function computeNegativeBinomialTail(k: number, mean: number, variance: number): number {
  if (k <= 0) return 1;
  if (variance <= mean * 1.0001) return computePoissonTail(k, mean);
  const size = (mean * mean) / (variance - mean);
  const p = size / (size + mean);
  const logTerm = (count: number): number =>
    computeLogGamma(count + size) -
    computeLogGamma(size) -
    computeLogGamma(count + 1) +
    size * Math.log(p) +
    count * Math.log1p(-p);
  return tail(k, logTerm, mean);
}

/** Returns the one-sided p-value of Fisher's exact test: has the share `hits/of` risen above the earlier share `earlierHits/earlierOf`? */
export function computeFisherExactPValue(
  hits: number,
  of: number,
  earlierHits: number,
  earlierOf: number,
): number {
  const all = of + earlierOf;
  const allHits = hits + earlierHits;
  let sum = 0;
  for (let x = hits; x <= Math.min(of, allHits); x += 1) {
    if (allHits - x > earlierOf) continue;
    sum += Math.exp(logChoose(of, x) + logChoose(earlierOf, allHits - x) - logChoose(all, allHits));
  }
  return Math.min(1, sum);
}

/** Returns a quantile of sorted numbers (type 7 of Hyndman and Fan). `share` is from 0 to 1. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? 0;
  const high = sorted[Math.ceil(at)] ?? low;
  return low + (high - low) * (at - Math.floor(at));
}

export function computeMedian(values: readonly number[]): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}

/**
 * Returns the quartile coefficient of dispersion (Q3 − Q1) / (Q3 + Q1): 0 for equal gaps, 0.656 for random (exponential) gaps. A few long pauses
 * have little effect. Null if all gaps are zero.
 */
export function computeQuartileDispersion(gaps: readonly number[]): number | null {
  const sorted = gaps.toSorted((a, b) => a - b);
  const low = quantile(sorted, 0.25);
  const high = quantile(sorted, 0.75);
  return low + high > 0 ? (high - low) / (high + low) : null;
}

/**
 * Returns the probability that `count` random (exponential) gaps have at most this dispersion, by a normal approximation with mean 0.656 and
 * standard error 0.563/√n.
 */
export function computeRegularityPValue(dispersion: number, count: number): number {
  const z = (0.656 - dispersion) / (0.563 / Math.sqrt(count));
  return computeNormalTail(z);
}

/** Returns P(Z ≥ z) of the standard normal distribution (Abramowitz & Stegun 26.2.17, error below 1e-7). */
export function computeNormalTail(z: number): number {
  if (z < 0) return 1 - computeNormalTail(-z);
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > 4) return (density / z) * (1 - 1 / (z * z));
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return density * series;
}

/** Selects the significant tests by Holm's step-down method (1979), which keeps the error probability of all tests together below `alpha`. */
export function selectSignificantByHolm<T extends { p: number }>(tests: readonly T[], alpha: number): T[] {
  const sorted = tests.toSorted((a, b) => a.p - b.p);
  const first = sorted.findIndex(({ p }, index) => p > alpha / (sorted.length - index));
  return first < 0 ? sorted : sorted.slice(0, first);
}
