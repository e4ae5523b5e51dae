// The frame around a page: its head, the list of pages beside it, one style sheet.
import { createHash } from 'node:crypto';
import { packageVersion } from '../../platform/assets.ts';
import type { PageInfo } from '../../platform/doc-pages.ts';
import { escapeHtml } from './render.ts';

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
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A whole HTML document around the HTML of a page. */
export function frame(content: string, pages: PageInfo[], page: string): string {
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
