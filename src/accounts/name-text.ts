/** What `readNameText` takes, as the end of a sentence. */
export const NAME_TEXT = '1 to 100 characters, none of them a control character or the end of a line';

/** The name of a key or an account as it is kept; undefined where a text is none: a control character would steer the terminal that lists it. */
export function readNameText(text: string): string | undefined {
  const name = text.trim();
  return name !== '' && name.length <= 100 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name) ? name : undefined;
}
