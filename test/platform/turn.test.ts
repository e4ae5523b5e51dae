import { describe, expect, it, vi } from 'vitest';
import { endOfTurn, waitForEventLoopTurn } from '../../src/platform/turn.ts';

function busyFor(ms: number) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('a burst of calls', () => {
  it('is worked on in the order of asking, over several turns of the event loop', async () => {
    let turns = 0;
    const done: number[] = [];
    const counting = (async () => {
      while (done.length < 40) {
        await endOfTurn();
        turns++;
      }
    })();
    await waitForEventLoopTurn(undefined);
    busyFor(3);
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        await waitForEventLoopTurn(undefined);
        busyFor(1);
        done.push(i);
      }),
    );
    await counting;
    expect(done).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('has each done with what is at hand before the next is woken', async () => {
    const seen: string[] = [];
    await waitForEventLoopTurn(undefined);
    busyFor(3);
    const call = async (name: string) => {
      await waitForEventLoopTurn(undefined);
      for (let step = 0; step < 9; step++) await Promise.resolve();
      seen.push(name, name);
    };
    const next = async (name: string) => {
      await waitForEventLoopTurn(undefined);
      seen.push(name);
    };
    await Promise.all([call('a'), next('b'), call('c'), next('d')]);
    expect(seen).toEqual(['a', 'a', 'b', 'c', 'c', 'd']);
  });

  it('that comes while others wait goes behind them', async () => {
    const done: string[] = [];
    const call = async (name: string) => {
      await waitForEventLoopTurn(undefined);
      busyFor(3);
      done.push(name);
    };
    const first = [call('a'), call('b'), call('c')];
    await endOfTurn();
    await Promise.all([...first, call('d')]);
    expect(done).toEqual(['a', 'b', 'c', 'd']);
  });

  it('of one caller, many or long, does not delay another caller', async () => {
    const done: string[] = [];
    const call = async (group: string, name: string, ms: number) => {
      await waitForEventLoopTurn(group);
      busyFor(ms);
      done.push(name);
    };
    await waitForEventLoopTurn('many');
    busyFor(3);
    const many = Array.from({ length: 20 }, (_, i) => call('many', `many ${i}`, 4));
    const others = Array.from({ length: 8 }, (_, i) => call('other', `other ${i}`, 0.5));
    await Promise.all([...many, ...others, call('third', 'third', 1)]);
    expect(done).toHaveLength(29);
    expect(done.indexOf('other 7')).toBeLessThan(done.indexOf('many 4'));
    expect(done.indexOf('third')).toBeLessThan(done.indexOf('many 2'));
  });

  it('of one caller, long and one after the other, does not delay another caller', async () => {
    let now = 1;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const done: string[] = [];
    const call = async (group: string, ms: number) => {
      await waitForEventLoopTurn(group);
      now += ms;
      done.push(group);
    };
    await call('long', 3);
    const long = (async () => {
      for (let i = 0; i < 12; i++) {
        await call('long', 6);
        await new Promise(process.nextTick);
      }
    })();
    await Promise.all([long, ...Array.from({ length: 24 }, () => call('short', 1))]);
    clock.mockRestore();
    expect(done.slice(0, done.lastIndexOf('short')).filter((one) => one === 'long').length).toBeLessThan(6);
  });
});
