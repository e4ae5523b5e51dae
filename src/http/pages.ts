// Routes `/docs` and `/docs/PAGE`: the documentation of this version, which needs no key.
import { createHash } from 'node:crypto';
import type { H3Event } from 'h3';
import type { MarkedExtension } from 'marked';
import * as v from 'valibot';
import {
  getPackageVersion,
  listDocPages,
  readDocPage,
  README_PAGE_NAME,
  type DocPage,
  searchDocPages,
} from '../platform/assets.ts';
import { declareHtmlAnswers, declarePublicRoute } from './openapi/operation.ts';
import { createNotFoundProblemError } from './problems.ts';
import { getRequestContext, createHtmlResponse, createTextResponse } from './response.ts';
import * as s from './schema/builders.ts';

export const DOCUMENTATION_ROUTES = [
  declarePublicRoute('GET /', 'getRoot', {
    summary: 'Go to the documentation',
    about: 'Redirects to the documentation.',
    answers: [{ status: 302, about: 'To `/docs`.', types: ['text/plain'], headers: ['Location'] }],
    handle: redirectToPages,
  }),
  declarePublicRoute('GET /docs', 'getPages', {
    summary: 'The documentation',
    about: 'The list of its pages, or with `?q=` the sections that have all words of a search.',
    query: { q: v.optional(s.shortString('Words to search for.')) },
    answers: declareHtmlAnswers('The list.'),
    handle: servePage,
  }),
  declarePublicRoute('GET /docs/:page', 'getPage', {
    summary: 'A page of the documentation',
    about: 'One of the pages of the list.',
    pathParts: { page: s.string('Name of the page.', { pattern: /^[a-z_-]+$/ }) },
    answers: declareHtmlAnswers('The page.'),
    errors: ['not_found'],
    handle: servePage,
  }),
];

const rendered = new Map<string, string>();

async function servePage(event: H3Event): Promise<Response> {
  const page = event.context.params?.page ?? 'index';
  const search =
    page === 'index' ? (event.url.searchParams.get('q')?.slice(0, MAX_SEARCH_LENGTH) ?? null) : null;
  const html =
    search === null ? (rendered.get(page) ?? (await renderPage(page))) : renderSearch(search.trim());
  return createHtmlResponse(getRequestContext(event), html, {
    sources: [`style-src '${STYLE_HASH}'`, `script-src '${SCRIPT_HASH}'`, 'img-src data:'],
    formAction: "'self'",
  });
}

const MAX_SEARCH_LENGTH = 200;

/** Returns the page of search results as HTML. */
function renderSearch(search: string): string {
  const items = searchDocPages(search).map(
    ({ page, title, heading, excerpt }) =>
      `<li><a href="/docs/${page}#${toHeadingAnchor(heading)}">${escapeHtml(title)}${heading === title ? '' : ` › ${escapeHtml(toPlainText(heading))}`}</a><br><small>${escapeHtml(toPlainText(excerpt).slice(0, 200))}</small></li>`,
  );
  const list =
    items.length === 0
      ? '<p>No section has all of these words.</p>'
      : `<ul class="found">${items.join('\n')}</ul>`;
  return toDocument(`<h1 id="search">Search: ${escapeHtml(search)}</h1>\n${list}`, { page: 'index', search });
}

/** Removes the markup characters of a Markdown text, for display on a single line. */
const toPlainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|#]+/g, ' ')
    .trim();

function redirectToPages(event: H3Event): Response {
  const headers: [string, string][] = [['location', '/docs']];
  return createTextResponse(getRequestContext(event), '', { status: 302, type: 'text/plain', headers });
}

async function renderPage(page: string): Promise<string> {
  const text = readDocPage(page);
  if (text === null)
    throw createNotFoundProblemError(
      'There is no documentation page of this name. The page /docs lists all pages.',
    );
  const html = toDocument(await renderMarkdown(text), { page, contents: toContents(text) });
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
.frame{display:grid;grid-template-columns:13rem minmax(0,46rem) 11rem;gap:2.5rem;max-width:79rem;margin:0 auto;padding:2rem 1rem 4rem}
.contents{order:3;font-size:.85rem;position:sticky;top:1rem;align-self:start;max-height:95vh;overflow:auto}
main{order:2}
nav h2{font-size:.8rem;color:var(--soft);text-transform:uppercase;letter-spacing:.04em;margin:1.2rem 0 .2rem}
nav form{margin:.75rem 0}
nav input{width:100%;font:inherit;padding:.35rem .5rem;border:1px solid var(--line);border-radius:4px;background:var(--paper);color:inherit}
.found{padding-left:1.1rem}
.found li{margin:.8rem 0}
.code{position:relative}
.code button{position:absolute;top:.4rem;right:.4rem;font:inherit;font-size:.78rem;padding:.1rem .5rem;border:1px solid var(--line);border-radius:4px;background:var(--paper);color:var(--soft);cursor:pointer}
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
@media (max-width:75rem){.frame{grid-template-columns:13rem minmax(0,46rem)}.contents{display:none}}
@media (max-width:50rem){.frame{display:block;padding:1rem 1rem 3rem}nav{margin-bottom:1.5rem;border-bottom:1px solid var(--line);padding-bottom:.75rem}nav ul{display:flex;flex-wrap:wrap;gap:.1rem .9rem;margin-top:.4rem}th,td{min-width:7rem;overflow-wrap:anywhere}}
`;

// Adds a copy button to each block of code. Without the script, the page is complete but for these buttons.
const SCRIPT = `
for (const code of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const pre = code.querySelector('pre')
    try { await navigator.clipboard.writeText(pre.textContent.trimEnd()); button.textContent = 'Copied' }
    catch { getSelection().selectAllChildren(pre); button.textContent = 'Selected' }
    setTimeout(() => button.textContent = 'Copy', 1600)
  })
  code.append(button)
}
`;

const toHash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const STYLE_HASH = toHash(STYLE);
const SCRIPT_HASH = toHash(SCRIPT);

/** Returns the links to the sections of a page as HTML; empty if the page has only one section. */
function toContents(markdown: string): string {
  const headings = Array.from(markdown.matchAll(/^## (.+)$/gm), ([, heading = '']) => heading);
  if (headings.length < 2) return '';
  const items = headings.map(
    (heading) => `<li><a href="#${toHeadingAnchor(heading)}">${escapeHtml(toPlainText(heading))}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('\n')}</ul></nav>`;
}

function toGroups(pages: DocPage[], current: string): string {
  return [...Map.groupBy(pages, ({ group }) => group)]
    .map(([group, members]) => {
      const items = members.map((info) => `<li>${toNavLink(info, current)}</li>`).join('\n');
      return `<h2>${escapeHtml(group)}</h2>\n<ul>\n${items}\n</ul>`;
    })
    .join('\n');
}

/** Page to display: its name, the links to its sections, and the search words. */
interface ShownPage {
  page: string;
  contents?: string;
  search?: string;
}

function toDocument(content: string, { page, contents = '', search = '' }: ShownPage): string {
  const pages = listDocPages();
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
<form action="/docs" role="search"><input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="200" value="${escapeHtml(search)}"></form>
<ul>
<li><a href="/console">Console</a></li>
<li><a href="/docs/api">API reference</a></li>
<li>${toNavLink({ page: README_PAGE_NAME, title: 'Start here' }, page)}</li>
</ul>
${toGroups(pages, page)}
</nav>
${contents}
<main>
${content}</main>
</div>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

function toNavLink({ page, title }: Pick<DocPage, 'page' | 'title'>, current: string): string {
  const mark = page === current ? ' aria-current="page"' : '';
  return `<a href="/docs/${page}"${mark}>${escapeHtml(title)}</a>`;
}

/**
 * Renders Markdown as HTML. Headings get the same anchors as on GitHub, links to other pages become `/docs/PAGE`, and HTML in the Markdown is
 * shown as text.
 */
export async function renderMarkdown(text: string): Promise<string> {
  const { Marked } = await import('marked');
  return new Marked(EXTENSION).parse(text, { async: false });
}

/** Returns the anchor that GitHub gives a heading: lower case, no punctuation, dashes for spaces. */
export function toHeadingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/**
 * Converts the target of a link in a page to the address on this server: `names.md#limits` → `/docs/names#limits`. Other links stay unchanged.
 */
function toServedLink(href: string): string {
  return href.replace(/^index\.md/, '/docs').replace(/^([a-z-]+)\.md/, '/docs/$1');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const EXTENSION: MarkedExtension = {
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${toHeadingAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(toServedLink(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    code: ({ text }) => `<div class="code"><pre><code>${escapeHtml(text.trimEnd())}\n</code></pre></div>\n`,
    // Without this class, browsers would break a line inside an option such as `--dry-run`.
    codespan: ({ text }) =>
      `<code${/^\S{1,18}$/.test(text) ? ' class="word"' : ''}>${escapeHtml(text)}</code>`,
    html: ({ text }) => escapeHtml(text),
  },
};
