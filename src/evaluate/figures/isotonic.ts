/**
 * The best rising curve through shares: of all curves that never fall, the one with the least squared error, by pooling adjacent
 * violators (Ayer, Brunk, Ewing, Reid and Silverman 1955).
 *
 * @param weights what stands at each place, 0 or more
 * @param positives what of it is positive
 * @returns the share at each place, 0-1. A place without weight lies on the line between its neighbours; NaN where none has any.
 */
export function isotonic(weights: ArrayLike<number>, positives: ArrayLike<number>): Float64Array {
  const blocks: { from: number; to: number; weight: number; positive: number }[] = [];
  for (let at = 0; at < weights.length; at++) {
    const weight = weights[at] ?? 0;
    if (weight <= 0) continue;
    let block = { from: at, to: at, weight, positive: positives[at] ?? 0 };
    for (let last = blocks.at(-1); last && share(last) >= share(block); last = blocks.at(-1)) {
      blocks.pop();
      block = {
        from: last.from,
        to: block.to,
        weight: last.weight + block.weight,
        positive: last.positive + block.positive,
      };
    }
    blocks.push(block);
  }
  return filled(
    blocks.map((block) => ({ ...block, share: share(block) })),
    weights.length,
  );
}

const share = ({ weight, positive }: { weight: number; positive: number }) => positive / weight;

/** The value at every place: a block's own inside it, the line from one to the next between them, the outermost beyond. */
function filled(blocks: { from: number; to: number; share: number }[], length: number): Float64Array {
  const curve = new Float64Array(length).fill(Number.NaN);
  const [first, last] = [blocks[0], blocks.at(-1)];
  if (!first || !last) return curve;
  curve.fill(first.share, 0, first.from);
  curve.fill(last.share, last.to);
  for (const [i, block] of blocks.entries()) {
    curve.fill(block.share, block.from, block.to + 1);
    const next = blocks[i + 1];
    if (!next) continue;
    const step = (next.share - block.share) / (next.from - block.to);
    for (let at = block.to + 1; at < next.from; at++) curve[at] = block.share + step * (at - block.to);
  }
  return curve;
}
