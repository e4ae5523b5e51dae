// Routes `/docs` and `/docs/PAGE`: the documentation of this version, which needs no key.
import { createHash } from 'node:crypto';
import type { H3Event } from 'h3';
import type { MarkedExtension } from 'marked';
import { getPackageVersion, readDocPage, listDocPages, type DocPage } from '../platform/assets.ts';
import { declareHtmlAnswer, declarePublicRoute } from './openapi/operation.ts';
import { createNotFoundProblem } from './problems.ts';
import { getRequestContext, createHtmlResponse, createTextResponse } from './response.ts';
import * as s from './schema/parts.ts';

export const PAGE_ROUTES = [
  declarePublicRoute({
    path: '/',
    id: 'getRoot',
    summary: 'Go to the documentation',
    about: 'Redirects to the documentation.',
    answers: [{ status: 302, about: 'To `/docs`.', types: ['text/plain'], headers: ['Location'] }],
    handle: redirectToPages,
  }),
  declarePublicRoute({
    path: '/docs',
    id: 'getPages',
    summary: 'The documentation',
    about: 'The list of its pages.',
    answers: declareHtmlAnswer('The list.'),
    handle: servePage,
  }),
  declarePublicRoute({
    path: '/docs/:page',
    id: 'getPage',
    summary: 'A page of the documentation',
    about: 'One of the pages of the list.',
    pathParts: { page: s.string('Name of the page.', { pattern: /^[a-z_-]+$/ }) },
    answers: declareHtmlAnswer('The page.'),
    errors: ['not_found'],
    handle: servePage,
  }),
];

/** Cache of rendered pages: HTML by the name of the page. */
const rendered = new Map<string, string>();

async function servePage(event: H3Event): Promise<Response> {
  const page = event.context.params?.page ?? 'index';
  const html = rendered.get(page) ?? (await renderPage(page));
  return createHtmlResponse(getRequestContext(event), html, {
    sources: [`style-src '${STYLE_HASH}'`, 'img-src data:'],
  });
}

function redirectToPages(event: H3Event): Response {
  const headers: [string, string][] = [['location', '/docs']];
  return createTextResponse(getRequestContext(event), '', { status: 302, type: 'text/plain', headers });
}

async function renderPage(page: string): Promise<string> {
  const text = readDocPage(page);
  if (text === null) throw createNotFoundProblem('There is no such page.');
  const html = toDocument(await renderMarkdown(text), listDocPages(), page);
  rendered.set(page, html);
  return html;
}

// Style sheet of the documentation pages. Wide tables and code scroll horizontally, so that a page is readable at a width of 360 px.
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

const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

/** Returns the complete HTML document of a documentation page: head, list of pages, style sheet, and the HTML of its content. */
function toDocument(content: string, pages: DocPage[], page: string): string {
  const title = pages.find((info) => info.page === page)?.title ?? 'Documentation';
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
<strong><a href="/docs">Bonafide</a></strong> <small>${escapeHtml(getPackageVersion())}</small>
<ul>
${pages.map((info) => `<li>${toNavLink(info, page)}</li>`).join('\n')}
</ul>
</nav>
<main>
${content}</main>
</div>
</body>
</html>
`;
}

function toNavLink({ page, title }: DocPage, current: string): string {
  const mark = page === current ? ' aria-current="page"' : '';
  return `<a href="/docs/${page}"${mark}>${escapeHtml(title)}</a>`;
}

/**
 * Renders Markdown as HTML. Headings get the same anchors as on GitHub; links to other pages become `/docs/PAGE`; HTML in the Markdown is
 * shown as text. The Markdown library is loaded with the first page.
 */
export async function renderMarkdown(text: string): Promise<string> {
  const { Marked } = await import('marked');
  return new Marked(EXTENSION).parse(text, { async: false });
}

/** Returns the anchor of a heading as GitHub makes it: lower case, no punctuation, dashes for spaces. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/**
 * Returns the address at which the server serves a link of a page: `names.md#limits` → `/docs/names#limits`. Other links are returned
 * unchanged.
 */
export function toServedLink(href: string): string {
  return href.replace(/^index\.md/, '/docs').replace(/^([a-z-]+)\.md/, '/docs/$1');
}

function escapeHtml(text: string): string {
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
    // Without this class, browsers would break a line inside `--dry-run`.
    codespan: ({ text }) =>
      `<code${/^\S{1,18}$/.test(text) ? ' class="word"' : ''}>${escapeHtml(text)}</code>`,
    html: ({ text }) => escapeHtml(text),
  },
};
