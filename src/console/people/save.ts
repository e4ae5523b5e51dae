/** Saves a value as a file of JSON, where the browser saves files. */
export function saveJson(name: string, value: unknown): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
