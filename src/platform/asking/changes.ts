/** What flickers is told no oftener. */
const EVERY_MS = 5000;

/**
 * Tells a state whenever it is another one than was told last: at once, and where it changes soon again, as it is a while later.
 *
 * @param state what it is before anything is told
 */
export function tellingChanges(state: boolean, tell: (state: boolean) => void) {
  let told = state;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    if (state === told || timer) return;
    told = state;
    tell(state);
    timer = setTimeout(() => {
      timer = undefined;
      look();
    }, EVERY_MS).unref();
  };
  return {
    is(now: boolean) {
      state = now;
      look();
    },
    end: () => clearTimeout(timer),
  };
}
