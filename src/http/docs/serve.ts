// `/docs` and `/docs/PAGE`: the pages of this very version, for anybody who can reach the server.
import type { H3Event } from 'h3';
import { answer, exchangeOf } from '../answer.ts';
import { ProblemError } from '../problems.ts';
import { CONTENT_SECURITY_POLICY, frame } from './layout.ts';
import { findPage, listPages } from '../../platform/doc-pages.ts';
import { renderMarkdown } from './render.ts';

const rendered = new Map<string, string>();

/** One page as HTML, rendered when it is first asked for. Errors: not_found. */
export async function servePage(event: H3Event): Promise<Response> {
  const page = event.context.params?.page ?? 'index';
  const html = rendered.get(page) ?? (await render(page));
  return answer(exchangeOf(event), html, {
    type: 'text/html; charset=utf-8',
    headers: [
      ['content-security-policy', CONTENT_SECURITY_POLICY],
      ['referrer-policy', 'no-referrer'],
    ],
  });
}

/** Who comes to the server itself is led to the pages. */
export function toPages(event: H3Event): Response {
  return answer(exchangeOf(event), '', { status: 302, type: 'text/plain', headers: [['location', '/docs']] });
}

async function render(page: string): Promise<string> {
  const text = findPage(page);
  if (text === null) throw new ProblemError({ code: 'not_found', detail: 'There is no such page.' });
  const html = frame(await renderMarkdown(text), listPages(), page);
  rendered.set(page, html);
  return html;
}
