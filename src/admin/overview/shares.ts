/** How many keys so many holders have in common, from pairs of key and holder that may come several times. */
export function sharesOf(keys: readonly number[], holders: readonly number[]): Map<number, number> {
  const order = Uint32Array.from(keys, (_, i) => i);
  order.sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || (holders[a] ?? 0) - (holders[b] ?? 0));
  const shares = new Map<number, number>();
  let [key, holder, share]: [number | undefined, number | undefined, number] = [undefined, undefined, 0];
  const end = () => {
    if (share > 0) shares.set(share, (shares.get(share) ?? 0) + 1);
  };
  for (const at of order) {
    if (keys[at] !== key) {
      end();
      [key, holder, share] = [keys[at], holders[at], 1];
    } else if (holders[at] !== holder) {
      holder = holders[at];
      share++;
    }
  }
  end();
  return shares;
}
