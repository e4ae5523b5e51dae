import type { MarkedExtension } from 'marked';

/**
 * Markdown to HTML. Headings get the anchors that GitHub gives them, so that one link serves in both places; links to
 * other pages lead to `/docs/PAGE`; HTML inside a page is shown as text. The library is loaded at the first page.
 */
export async function renderMarkdown(text: string): Promise<string> {
  const { Marked } = await import('marked');
  return new Marked(EXTENSION).parse(text, { async: false });
}

/** The anchor of a heading: lower case, without punctuation, dashes for spaces. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Where a link of a page leads on the server: `names.md#limits` to `/docs/names#limits`, others as they are. */
export function servedAt(href: string): string {
  return href.replace(/^index\.md/, '/docs').replace(/^([a-z-]+)\.md/, '/docs/$1');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

const EXTENSION: MarkedExtension = {
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(servedAt(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    // A browser would break `--dry-run` at its dashes.
    codespan: ({ text }) =>
      `<code${/^\S{1,18}$/.test(text) ? ' class="word"' : ''}>${escapeHtml(text)}</code>`,
    html: ({ text }) => escapeHtml(text),
  },
};
