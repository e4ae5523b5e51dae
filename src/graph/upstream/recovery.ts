import { PAUSE_MS } from './patience.ts';

/** Where nobody asks any more, since this server is not ready, nobody would see that the graph is there again: so it is asked from here. */
export function recovering(probe: () => Promise<unknown>, isHealthy: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const look = () => {
    timer = undefined;
    probe().then(later, later);
  };
  const later = () => {
    if (over || timer || isHealthy()) return;
    timer = setTimeout(look, PAUSE_MS).unref();
  };
  return {
    watch<T>(work: Promise<T>): Promise<T> {
      work.catch(later);
      return work;
    },
    end() {
      over = true;
      clearTimeout(timer);
    },
  };
}
