// Hostile bodies and texts of any length.

/** Repeats a text up to a number of UTF-8 bytes. */
const filled = (bytes: number, unit: string) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

/** Returns texts of about `bytes` bytes for which careless code takes more than linear time, by kind. */
export function nastyTexts(bytes: number): Record<string, string> {
  const fill = (unit: string) => filled(bytes, unit);
  return {
    'combining marks out of order': `a${fill('\u0301\u0316')}`,
    'combining marks of every class': `a${fill('\u0301\u0316\u0327\u0345\u05b0\u3099\u0334')}`,
    'marks in runs of thirty': fill(`a${'\u0301\u0316'.repeat(15)}`),
    'half-width voice marks': `カ${fill('\uff9e\u0316')}`,
    'letters that compose': fill('a\u0323\u0302'),
    'Hangul letters': fill('\u1112\u1161\u11ab'),
    'ligatures that grow': fill('\ufdfa'),
    'zero-width joiners': `a${fill('\u200d')}b`,
    'direction marks': fill('\u202e\u202c'),
    'halves of surrogates': fill('\ud800'),
    'pairs of surrogates': fill('\u{1d400}'),
    'mathematical digits': fill('\u{1d7ff}'),
    'Arabic digits': fill('\u0669'),
    digits: fill('7'),
    'digits and dots': fill('1.'),
    'one letter': fill('a'),
    'one capital': fill('İ'),
    spaces: `a${fill(' ')}b`,
    'spaces, then a line': `a${fill(' ')}\nb`,
    lines: `a${fill('\n')}b`,
    tabs: `a${fill('\t')}b`,
    commas: fill(','),
    'commas and spaces': fill(' , '),
    'round brackets': fill('('),
    'brackets, open and closed': fill('()'),
    'nested brackets': `${fill('((')}a${fill('))')}`.slice(0, bytes),
    quotes: fill('"'),
    apostrophes: fill("'"),
    'apostrophes and letters': fill("a' 'b "),
    hyphens: fill('-'),
    'hyphened letters': fill('a-'),
    hashes: fill('#'),
    extensions: fill(' ext'),
    'extensions of x': fill('1 x'),
    dots: fill('.'),
    'dotted letters': fill('a.'),
    at: fill('@'),
    'at and letters': fill('a@'),
    angles: fill('<'),
    'angles closed': fill('<a>'),
    titles: fill('Dr '),
    particles: fill('van de '),
    generations: fill('Jr '),
    'born names': fill('née '),
    'street types': fill('Street '),
    units: fill('Apt # '),
    highways: fill('US HWY 7 '),
    boxes: fill('PO BOX '),
    Han: fill('欧阳'),
    kana: fill('タカ'),
    Thai: fill('สมชาย'),
    Arabic: fill('عبد '),
    'rare Han': fill('\u{2a6d6}'),
    emoji: fill('👨‍👩‍👧'),
  };
}

const inAddress = (text: string) => ({
  street: text,
  street2: text,
  city: text,
  state: text,
  zip: text,
  country: text,
});

/**
 * Returns hostile bodies of about 64 KB, one for each kind of text and position, and bodies with texts of
 * allowed lengths.
 */
export function nastyBodies(): Map<string, string> {
  const bodies = new Map<string, string>();
  const put = (name: string, body: unknown) => bodies.set(name, JSON.stringify(body));
  for (const [kind, text] of Object.entries(nastyTexts(64_000))) {
    put(`${kind} as a name`, { name: text });
    put(`${kind} as an email`, { name: 'Ann Lee', emails: [text] });
    put(`${kind} as a phone`, { name: 'Ann Lee', phones: [text] });
    put(`${kind} as a street`, { name: 'Ann Lee', addresses: [{ street: text }] });
    put(`${kind} as a field`, { name: 'Ann Lee', [text]: 1 });
    put(`${kind} as an intent`, { name: 'Ann Lee', intent: text });
  }
  for (const [kind, text] of Object.entries(nastyTexts(1500)))
    put(`${kind} in all 36 texts`, {
      name: [...text].slice(0, 200).join(''),
      emails: Array.from({ length: 5 }, (_, i) => `${[...text].slice(0, 60).join('')}${i}@example.com`),
      addresses: Array.from({ length: 5 }, (_, i) => inAddress(`${i}${[...text].slice(0, 199).join('')}`)),
    });
  for (const [name, text] of nastyJson()) bodies.set(name, text);
  return bodies;
}

/** Returns JSON with a hostile structure. */
function nastyJson(): [string, string][] {
  const keys = (count: number, key: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => `${JSON.stringify(key(i))}:0`).join();
  const list = (count: number, item: string) => Array.from({ length: count }, () => item).join();
  return [
    ['lists 32,000 deep', `{"name":${'['.repeat(32_000)}${']'.repeat(32_000)}}`],
    ['lists that never close', '['.repeat(64_000)],
    ['objects 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['lists deep with doubled keys', `{"a":${'['.repeat(30_000)}{"a":1,"a":2}${']'.repeat(30_000)}}`],
    [
      'objects deep with doubled keys',
      `${'{"abcdefghijklmnopqrstuvwxyz":'.repeat(1900)}{"a":1,"a":2}${'}'.repeat(1900)}`,
    ],
    ['many keys', `{"name":"Ann Lee",${keys(7000, (i) => `k${i}`)}}`],
    ['many numbers as keys', `{"name":"Ann Lee",${keys(7000, (i) => String(i * 1024))}}`],
    ['many doubled keys', `{"name":"Ann Lee",${keys(10_000, () => 'a')}}`],
    ['long keys nearly known', `{"name":"Ann Lee",${keys(1600, (i) => `e-m_a-i_l-s${'_'.repeat(25)}${i}`)}}`],
    ['one long key', `{"name":"Ann Lee","${'k'.repeat(64_000)}":1}`],
    ['escaped quotes', `{"name":"${'\\"'.repeat(32_000)}"}`],
    ['backslashes', `{"name":"${'\\\\'.repeat(32_000)}"}`],
    ['many emails', `{"name":"Ann Lee","emails":[${list(10_000, '"a@b"')}]}`],
    ['many addresses', `{"name":"Ann Lee","addresses":[${list(20_000, '{}')}]}`],
    ['many names', `{"nameAddresses":[${list(3000, '{"fullName":"A B"}')}]}`],
    ['white space', `{"name":"Ann Lee"${' '.repeat(64_000)}}`],
    ['a number of 64,000 digits', `{"name":"Ann Lee","phones":[${'7'.repeat(64_000)}]}`],
  ];
}
