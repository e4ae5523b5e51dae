/** Saves a value as a file of JSON, where the browser saves files. */
export const saveJson = (name: string, value: unknown): void =>
  saveBlob(name, new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: 'application/json' }));

/** Saves bytes as a file, where the browser saves files. */
export function saveBlob(name: string, bytes: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
