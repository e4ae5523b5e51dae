// Letters without accents, and mailboxes' letters.

/** Lower-case letters a-z: what mailboxes are made of. */
export function plain(text: string): string {
  return ascii(text)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

const LETTERS: Record<string, string> = {
  ß: 'ss',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  æ: 'ae',
  º: '',
};
const ASCII = /^[\u0020-\u007e]*$/;

/** Without accents. */
export function ascii(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßłŁøØđĐıæº]/g, (letter) => LETTERS[letter] ?? '');
}
