import { expect, test } from 'vitest';
import { loadListItems, MAX_LIST_ITEMS } from '../../../src/console/app/api.ts';

const { signal } = new AbortController();

/** Returns a loader of pages of 200 numbers, of which there are `total`, and the paths that it loaded. */
function pagesOf(total: number) {
  const paths: string[] = [];
  const load = async (path: string) => {
    paths.push(path);
    const from = Number(new URL(path, 'http://server').searchParams.get('cursor') ?? 0);
    const items = Array.from({ length: Math.min(200, total - from) }, (_, i) => from + i);
    return { items, next: from + 200 < total ? String(from + 200) : null };
  };
  return { paths, load };
}

test('a field offers the items of all pages of a list', async () => {
  const { paths, load } = pagesOf(450);
  const items = await loadListItems('/admin/v1/keys', signal, load);
  expect([items.length, items.at(-1)]).toEqual([450, 449]);
  expect(paths).toEqual([
    '/admin/v1/keys?limit=200',
    '/admin/v1/keys?limit=200&cursor=200',
    '/admin/v1/keys?limit=200&cursor=400',
  ]);
});

test('a list of any length is read up to its bound', async () => {
  const { paths, load } = pagesOf(1_000_000);
  expect(await loadListItems('/admin/v1/keys', signal, load)).toHaveLength(MAX_LIST_ITEMS);
  expect(paths).toHaveLength(MAX_LIST_ITEMS / 200);
});
