// `/docs` and `/docs/PAGE`: the pages of this version, for anybody who can reach the server.
import { createHash } from 'node:crypto';
import type { H3Event } from 'h3';
import type { MarkedExtension } from 'marked';
import * as v from 'valibot';
import { packageVersion } from '../platform/assets.ts';
import { findPage, listPages } from '../platform/doc-pages.ts';
import type { PageInfo } from '../platform/doc-pages.ts';
import { textResponse, contextOf } from './response.ts';
import { openRoute } from './openapi/operation.ts';
import { notFound } from './problems.ts';

const page = (about: string) => [{ status: 200, about, types: ['text/html'] }];

export const PAGE_ROUTES = [
  openRoute({
    path: '/',
    id: 'getRoot',
    summary: 'The way in',
    about: 'Leads to the documentation.',
    answers: [{ status: 302, about: 'To `/docs`.', types: ['text/plain'], headers: ['Location'] }],
    handle: toPages,
  }),
  openRoute({
    path: '/docs',
    id: 'getPages',
    summary: 'The documentation',
    about: 'The list of its pages.',
    answers: page('The list.'),
    handle: servePage,
  }),
  openRoute({
    path: '/docs/:page',
    id: 'getPage',
    summary: 'A page of the documentation',
    about: 'One of the pages that the list names.',
    pathParts: { page: v.pipe(v.string(), v.regex(/^[a-z_-]+$/), v.description('Name of the page.')) },
    answers: page('The page.'),
    errors: ['not_found'],
    handle: servePage,
  }),
];

const rendered = new Map<string, string>();

/** One page as HTML, rendered when it is first asked for. Errors: not_found. */
async function servePage(event: H3Event): Promise<Response> {
  const page = event.context.params?.page ?? 'index';
  const html = rendered.get(page) ?? (await render(page));
  return textResponse(contextOf(event), html, {
    type: 'text/html; charset=utf-8',
    headers: [
      ['content-security-policy', CONTENT_SECURITY_POLICY],
      ['referrer-policy', 'no-referrer'],
    ],
  });
}

/** Who comes to the server itself is led to the pages. */
function toPages(event: H3Event): Response {
  return textResponse(contextOf(event), '', {
    status: 302,
    type: 'text/plain',
    headers: [['location', '/docs']],
  });
}

async function render(page: string): Promise<string> {
  const text = findPage(page);
  if (text === null) throw notFound('There is no such page.');
  const html = frame(await renderMarkdown(text), listPages(), page);
  rendered.set(page, html);
  return html;
}

// Wide tables and code scroll by themselves, so that the page never does: it has to be readable at 360 px.
const STYLE = `
:root{color-scheme:light dark;--ink:#1d2126;--soft:#5b6470;--paper:#fff;--tint:#f3f5f7;--line:#d9dee4;--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ink:#e3e6ea;--soft:#9aa4b0;--paper:#14171b;--tint:#1e2329;--line:#343b44;--link:#7db7f2}}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
.frame{display:grid;grid-template-columns:13rem minmax(0,46rem);gap:3rem;max-width:66rem;margin:0 auto;padding:2rem 1rem 4rem}
a{color:var(--link)}
nav{font-size:.92rem}
nav strong a{color:inherit;text-decoration:none}
nav small{color:var(--soft)}
nav ul{list-style:none;margin:.75rem 0 0;padding:0}
nav li{margin:.3rem 0}
nav a[aria-current]{color:inherit;font-weight:600;text-decoration:none}
main>:first-child{margin-top:0}
h1,h2,h3{line-height:1.25}
h1{font-size:1.8rem}
h2{font-size:1.3rem;margin:2.2rem 0 .6rem}
h3{font-size:1.05rem;margin:1.8rem 0 .5rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87em;background:var(--tint);border-radius:4px}
code{padding:.1em .3em}
.word{white-space:nowrap}
pre{padding:.8rem 1rem;overflow-x:auto;line-height:1.45}
pre code{padding:0;background:none;font-size:1em}
table{display:block;overflow-x:auto;border-collapse:collapse;font-size:.93rem}
th,td{border:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top}
th{background:var(--tint)}
@media (max-width:50rem){.frame{display:block;padding:1rem 1rem 3rem}nav{margin-bottom:1.5rem;border-bottom:1px solid var(--line);padding-bottom:.75rem}nav ul{display:flex;flex-wrap:wrap;gap:.1rem .9rem;margin-top:.4rem}th,td{min-width:7rem;overflow-wrap:anywhere}}
`;

/** What a browser may do on a page: use this one style sheet, and nothing else; no script, no other host. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A whole HTML document around the HTML of a page. */
function frame(content: string, pages: PageInfo[], page: string): string {
  const title = pages.find((one) => one.page === page)?.title ?? 'Documentation';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Bonafide</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<div class="frame">
<nav aria-label="Pages">
<strong><a href="/docs">Bonafide</a></strong> <small>${escapeHtml(packageVersion())}</small>
<ul>
${pages.map((one) => `<li>${navLink(one, page)}</li>`).join('\n')}
</ul>
</nav>
<main>
${content}</main>
</div>
</body>
</html>
`;
}

function navLink({ page, title }: PageInfo, current: string): string {
  const mark = page === current ? ' aria-current="page"' : '';
  return `<a href="/docs/${page}"${mark}>${escapeHtml(title)}</a>`;
}

/**
 * Markdown to HTML. Headings get the anchors that GitHub gives them, so that one link serves in both places; links to
 * other pages lead to `/docs/PAGE`; HTML inside a page is shown as text. The library is loaded at the first page.
 */
export async function renderMarkdown(text: string): Promise<string> {
  const { Marked } = await import('marked');
  return new Marked(EXTENSION).parse(text, { async: false });
}

/** The anchor of a heading: lower case, without punctuation, dashes for spaces. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Where a link of a page leads on the server: `names.md#limits` to `/docs/names#limits`, others as they are. */
export function toServedLink(href: string): string {
  return href.replace(/^index\.md/, '/docs').replace(/^([a-z-]+)\.md/, '/docs/$1');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const EXTENSION: MarkedExtension = {
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${toAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(toServedLink(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    // A browser would break `--dry-run` at its dashes.
    codespan: ({ text }) =>
      `<code${/^\S{1,18}$/.test(text) ? ' class="word"' : ''}>${escapeHtml(text)}</code>`,
    html: ({ text }) => escapeHtml(text),
  },
};
