// East Asian encodings with one or two bytes per character. They are detected by the pairs of bytes that are
// frequent in each encoding.

export type MultiByteEncoding = 'Shift_JIS' | 'EUC-JP' | 'GBK' | 'Big5' | 'EUC-KR';

/** TextDecoder labels of the encodings. GB 18030 includes GBK and GB 2312. */
export const MULTI_BYTE_TEXT_DECODER_LABELS: Readonly<Record<MultiByteEncoding, string>> = {
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  GBK: 'gb18030',
  Big5: 'big5',
  'EUC-KR': 'euc-kr',
};

/** Counts of characters beyond ASCII. The text is read as two-byte characters, each a lead byte and a trail byte. */
interface PairCounts {
  pairs: number;
  leads: Uint32Array;
  /** Number of two-byte characters whose trail byte is below 0xa1. EUC encodings have none. */
  lowTrails: number;
  /** Number of two-byte characters whose trail byte is ASCII. */
  asciiTrails: number;
  /** Number of bytes that are characters by themselves, such as half-width katakana in Shift_JIS. */
  singles: number;
}

/** Counts the two-byte characters of a text. Returns null if a lead byte has no trail byte, which is invalid in these encodings. */
function countPairs(bytes: Uint8Array, isSingle: (byte: number) => boolean): PairCounts | null {
  const counts = { pairs: 0, leads: new Uint32Array(256), lowTrails: 0, asciiTrails: 0, singles: 0 };
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i] ?? 0;
    if (lead < 0x80) continue;
    if (isSingle(lead)) {
      counts.singles++;
      continue;
    }
    const trail = bytes[++i] ?? 0;
    if (trail < 0x40 || trail === 0x7f) return null;
    counts.pairs++;
    counts.leads[lead] = (counts.leads[lead] ?? 0) + 1;
    if (trail < 0xa1) counts.lowTrails++;
    if (trail < 0x80) counts.asciiTrails++;
  }
  return counts;
}

/** Returns the share (0-1) of two-byte characters whose lead byte is in one of the ranges. */
function shareOf({ pairs, leads }: PairCounts, ...ranges: [from: number, to: number][]): number {
  let sum = 0;
  for (const [from, to] of ranges) for (let lead = from; lead <= to; lead++) sum += leads[lead] ?? 0;
  return pairs === 0 ? 0 : sum / pairs;
}

/** Minimum number of two-byte characters for detecting an encoding. */
const FEWEST_PAIRS = 4;
/** Minimum share (0-1) of frequent characters in a text with which an East Asian encoding is accepted. */
const NEARLY_ALL = 0.95;
/** Minimum share (0-1) of ASCII trail bytes with which a text counts as Latin. In Latin text, an ASCII letter follows an accented letter. */
const LATIN_TRAILS = 0.7;
/** Minimum share (0-1) of kana with which a text counts as Japanese. Japanese names and addresses in kanji also contain some kana. */
const SOME_KANA = 0.03;

/**
 * Detects the East Asian encoding of a text. Returns null if the bytes are invalid in every encoding, or if several encodings fit (Chinese, or
 * Japanese without kana).
 */
export function detectMultiByteEncoding(bytes: Uint8Array): MultiByteEncoding | null {
  const pairs = countPairs(bytes, () => false);
  const matches = [
    ...(pairs && pairs.pairs >= FEWEST_PAIRS ? detectPairEncodings(pairs) : []),
    ...(isShiftJis(bytes) ? (['Shift_JIS'] as const) : []),
  ].filter((encoding) => isDecodable(bytes, encoding));
  return matches.length === 1 ? (matches[0] ?? null) : null;
}

function detectPairEncodings(counts: PairCounts): MultiByteEncoding[] {
  const lowTrails = counts.lowTrails / counts.pairs;
  const characters = shareOf(counts, [0xb0, 0xf7]);
  const symbols = shareOf(counts, [0xa1, 0xa3]);
  if (lowTrails === 0) {
    // Rows 4 and 5 are kana in both EUC-JP and GBK; Chinese text contains no kana.
    if (shareOf(counts, [0xa4, 0xa5]) >= SOME_KANA) return ['EUC-JP'];
    if (symbols + characters < NEARLY_ALL || characters === 0) return [];
    // All Korean syllables are between these bytes, but less than two thirds of frequent Chinese characters.
    if (shareOf(counts, [0xb0, 0xc8]) >= characters * 0.98) return ['EUC-KR'];
    // Frequent kanji end before these bytes, but a seventh of frequent Chinese characters does not.
    if (shareOf(counts, [0xd0, 0xd7]) >= 0.03) return ['GBK'];
    return [];
  }
  if (counts.asciiTrails > counts.pairs * LATIN_TRAILS) return [];
  const matches: MultiByteEncoding[] = [];
  if (
    lowTrails >= 0.1 &&
    shareOf(counts, [0xa1, 0xc6]) >= NEARLY_ALL &&
    shareOf(counts, [0xa4, 0xc6]) >= 0.85
  )
    matches.push('Big5');
  if (lowTrails < 0.1 && symbols + characters >= 0.9 && shareOf(counts, [0xd0, 0xd7]) >= 0.03)
    matches.push('GBK');
  return matches;
}

function isShiftJis(bytes: Uint8Array): boolean {
  const counts = countPairs(bytes, (byte) => byte >= 0xa1 && byte <= 0xdf);
  if (!counts || counts.pairs < FEWEST_PAIRS || counts.singles > counts.pairs) return false;
  if (counts.asciiTrails > counts.pairs * LATIN_TRAILS) return false;
  // 0x81 to 0x83 are symbols, Latin letters and kana, 0x88 to 0x97 the frequent kanji.
  return counts.lowTrails > 0 && shareOf(counts, [0x81, 0x83], [0x88, 0x98]) >= 0.9;
}

function isDecodable(bytes: Uint8Array, encoding: MultiByteEncoding): boolean {
  try {
    const text = new TextDecoder(MULTI_BYTE_TEXT_DECODER_LABELS[encoding], { fatal: true }).decode(bytes);
    return !/\p{Co}/u.test(text);
  } catch {
    return false;
  }
}
