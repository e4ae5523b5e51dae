import { expect, test } from 'vitest';
import { toAnchor, renderMarkdown } from '../../../src/http/pages.ts';

test('a heading has the anchor that a link to it uses', async () => {
  expect(toAnchor('What is kept, and what never is')).toBe('what-is-kept-and-what-never-is');
  expect(await renderMarkdown('## The record format')).toBe(
    '<h2 id="the-record-format">The record format</h2>\n',
  );
});

test.each([
  ['[a](names.md)', '<a href="/docs/names">a</a>'],
  ['[a](names.md#limits)', '<a href="/docs/names#limits">a</a>'],
  ['[a](index.md)', '<a href="/docs">a</a>'],
  ['[a](#limits)', '<a href="#limits">a</a>'],
  ['[a](https://example.com/x.md)', '<a href="https://example.com/x.md">a</a>'],
])('%s leads to where the server has it', async (markdown, html) => {
  expect(await renderMarkdown(markdown)).toBe(`<p>${html}</p>\n`);
});

test('a word of code is not broken, and none of it is markup', async () => {
  expect(await renderMarkdown('`--dry-run` `a b` `<b>`')).toBe(
    '<p><code class="word">--dry-run</code> <code>a b</code> <code class="word">&#60;b&#62;</code></p>\n',
  );
});

test('HTML in a page is shown, not obeyed', async () => {
  expect(await renderMarkdown('a <b onclick="x">b</b>')).not.toContain('<b');
});
