// Japanese in Latin letters.

/** Long vowels are written in many ways (Sato, Satou, Satoh): they are written short here. */
export function shortVowels(text: string): string {
  return text
    .replace(/ō/g, 'o')
    .replace(/o[uh](?![aeiouy])|oo/g, 'o')
    .replace(/uu/g, 'u');
}

const SYSTEMS: readonly (readonly [official: RegExp, hepburn: string])[] = [
  [/sy(?=[auo])/g, 'sh'],
  [/ty(?=[auo])/g, 'ch'],
  [/[zj]y(?=[auo])/g, 'j'],
  [/(?<!s)si/g, 'shi'],
  [/ti/g, 'chi'],
  [/tu/g, 'tsu'],
  [/zi/g, 'ji'],
  [/(?<![cst])hu/g, 'fu'],
  [/m(?=[pbm])/g, 'n'],
];

/** The official spelling (Hukuda, Tiba, Zyunko) as Hepburn has it, long vowels short. */
export function hepburn(text: string): string {
  return shortVowels(SYSTEMS.reduce((word, [official, to]) => word.replace(official, to), text));
}

const VOICED: readonly (readonly [voiceless: RegExp, voiced: string])[] = [
  [/^(?:sh|ch)/, 'j'],
  [/^ts/, 'z'],
  [/^k/, 'g'],
  [/^s/, 'z'],
  [/^t/, 'd'],
  [/^h/, 'b'],
  [/^c/, 'j'],
];

/** A reading as it sounds inside a name: Tanaka, but Yamada. Other first sounds are lost there (Kazuichi, Kazuchi). */
export function innerReading(reading: string): string {
  const [pattern, to] = VOICED.find(([voiceless]) => voiceless.test(reading)) ?? [/^./, ''];
  return reading.replace(pattern, to);
}
