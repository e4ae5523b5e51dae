import { describe, expect, it } from 'vitest';
import {
  findApiKeyTexts,
  isApiKeyText,
  generateApiKeyText,
  createRandomBase62,
} from '../../src/accounts/key-text.ts';

describe('the text of a key', () => {
  it('has its prefix, 32 random characters and 6 of a checksum', () => {
    expect(generateApiKeyText('live')).toMatch(/^bf_live_[0-9A-Za-z]{38}$/);
    expect(generateApiKeyText('test')).toMatch(/^bf_test_[0-9A-Za-z]{38}$/);
    expect(isApiKeyText(generateApiKeyText('live'))).toBe(true);
  });

  it('with one changed character is not a key', () => {
    const key = generateApiKeyText('live');
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'A' ? 'B' : 'A';
      expect(isApiKeyText(key.slice(0, i) + other + key.slice(i + 1))).toBe(false);
    }
    for (const text of ['', 'bf_live_', `${key}x`, ` ${key}`, key.slice(1)])
      expect(isApiKeyText(text)).toBe(false);
  });

  it('is found in any surrounding text, each key once', () => {
    const [one, two] = [generateApiKeyText('live'), generateApiKeyText('test')];
    const typo = `${one.slice(0, -1)}${one.endsWith('A') ? 'B' : 'A'}`;
    const wrapped = `${two.slice(0, 20)}=\r\n  ${two.slice(20)}`;
    for (const text of [
      one,
      `${one}\n`,
      `{"k":"${one}"}`,
      `x${one}y`,
      `bf_live_${'0'.repeat(36)}${one}`,
      `${typo} ${one}`,
    ])
      expect(findApiKeyTexts(text)).toEqual([one]);
    expect(findApiKeyTexts(`a ${one}, ${one}; ${wrapped}`)).toEqual([one, two]);
    expect(findApiKeyTexts([...one].join('\0'))).toEqual([one]);
    expect(findApiKeyTexts(`${typo} bf_live_ ${one.slice(0, -1)}`)).toEqual([]);
  });

  it('has equally likely characters', () => {
    const text = createRandomBase62(62_000);
    const counts = new Map<string, number>();
    for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    // 1000 of each are expected, with a standard deviation of 32: a difference of seven deviations has a
    // probability of one in a billion.
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(224);
  });
});
