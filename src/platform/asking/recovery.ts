/** How often what is away is asked. */
const EVERY_MS = 5000;

/** Where nobody asks any more, since this server is not ready, nobody would see that the graph is there again: so it is asked from here. */
export function recovering(probe: () => unknown, isHealthy: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let over = false;
  const look = async () => {
    timer = undefined;
    try {
      await probe();
    } catch {
      // What it failed with is known to whoever says that it is healthy.
    }
    later();
  };
  const later = () => {
    if (over || timer || isHealthy()) return;
    timer = setTimeout(() => void look(), EVERY_MS).unref();
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
