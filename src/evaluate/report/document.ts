import { STYLE } from './style.ts';
import { escape } from './words.ts';

/**
 * A report as one HTML file that opens from disk: no script, no font, no other host.
 *
 * @param title as text
 * @param parts what it shows, as HTML; an empty one is left out
 */
export function document(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escape(title)} – Bonafide</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${parts.filter(Boolean).join('\n')}
</main>
</body>
</html>
`;
}
