// Making another form of a word by rules.

type Rules = readonly (readonly [pattern: RegExp, to: string])[];

/** By the first rule that fits; a word that none fits stays as it is. */
export function byFirstRule(rules: Rules): (text: string) => string {
  return (text) => {
    for (const [pattern, to] of rules) if (text.search(pattern) >= 0) return text.replace(pattern, to);
    return text;
  };
}
