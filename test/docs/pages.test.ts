import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listDocPages } from '../../src/platform/assets.ts';
import { toHeadingAnchor } from '../../src/http/pages.ts';
import { codeIn, linksIn, ROOT, textOf } from '../kit/pages.ts';

const PAGES = readdirSync(join(ROOT, 'data/docs')).map((file) => `data/docs/${file}`);
const TEXTS = ['README.md', '.github/CONTRIBUTING.md', ...PAGES];

const headings = (file: string) =>
  Array.from(textOf(file).matchAll(/^#+ (.+)$/gm), ([, text = '']) => toHeadingAnchor(text));

test('the index lists every page once', () => {
  const listed = listDocPages().map(({ page }) => `data/docs/${page}.md`);
  expect(listed.toSorted()).toEqual(PAGES.filter((file) => file !== 'data/docs/index.md').toSorted());
});

test('the README’s map lists every page of the index', () => {
  const links = linksIn(textOf('README.md'));
  for (const { page } of listDocPages()) expect(links).toContain(`data/docs/${page}.md`);
});

const isThere = (path: string) => existsSync(join(ROOT, path));

describe.each(TEXTS)('%s', (file) => {
  test('every link leads to a file, and to a heading in it', () => {
    const broken = linksIn(textOf(file)).filter((href) => {
      if (/^https?:/.test(href)) return false;
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      return !isThere(target) || (anchor !== undefined && !headings(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('every file of the repository that it names is there', () => {
    const named = codeIn(textOf(file)).filter((code) =>
      /^(src|test|plugins|data\/(?!local|demo))\/?[\w./-]*$/.test(code),
    );
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });
});

test('no text offers npx, which outside a clone runs a package of this name from the public registry', () => {
  expect(TEXTS.filter((file) => /\bnpx bonafide\b/.test(textOf(file)))).toEqual([]);
});

test('the README says how to call the commands of the pages in a clone and after an installation', () => {
  expect(textOf('README.md')).toMatch(
    /In a clone[^]*alias bonafide=[^]*npm run -s bonafide -- COMMAND[^]*After an installation[^]*bonafide COMMAND/,
  );
});

test('a page links to pages only: the server shows nothing else', () => {
  for (const file of PAGES)
    for (const href of linksIn(textOf(file))) expect(href).toMatch(/^([a-z-]+\.md)?(#[a-z0-9-]+)?$|^https:/);
});

test('the version of the package is the newest in the list of changes, and the one to install', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(/^## (.+)$/m.exec(textOf('data/docs/changes.md'))?.[1]).toBe(version);
  for (const file of TEXTS)
    for (const [, named] of textOf(file).matchAll(/bonafide-([\d.]+)\.tgz/g)) expect(named).toBe(version);
});
