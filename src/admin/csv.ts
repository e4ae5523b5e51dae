/**
 * Rows as CSV (RFC 4180): a cell that holds a comma, a quote or a line break is quoted. A text that a spreadsheet would run as a formula
 * begins with an apostrophe, as OWASP ("CSV Injection") has it.
 */
export const csv = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => row.map(cellOf).join(',')).join('\r\n');

function cellOf(cell: string | number): string {
  const text = typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
