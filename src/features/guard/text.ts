// Small helpers over the strings inside a model's answer.

/** Every string in a value with its path, such as `key_factors[0]`. */
export function strings(value: unknown, path = ''): { path: string; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => strings(item, `${path}[${index}]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, item]) => strings(item, path ? `${path}.${key}` : key));
}

/** Every number that a value holds, those written in its strings included, but for strings that are passed over. */
export function numbersIn(
  value: unknown,
  over: ReadonlySet<unknown> = new Set(),
  found = new Set<number>(),
): Set<number> {
  if (typeof value === 'number') found.add(value);
  else if (typeof value === 'string' && !over.has(value))
    for (const number of writtenNumbers(value)) found.add(number);
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) numbersIn(item, over, found);
  return found;
}

/** The numbers written in digits in a text: `1,000` is 1000. */
export function writtenNumbers(text: string): number[] {
  return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((digits) => Number(digits.replaceAll(',', '')));
}

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  maxItems?: number;
  maxLength?: number;
}

/** Cuts lists and strings to the limits of their JSON Schema; a string at its last whole sentence, else at a word. */
export function trimTo(shape: Shape, value: unknown): unknown {
  if (typeof value === 'string') return cut(value.trim().replace(/\s+/g, ' '), shape.maxLength);
  if (Array.isArray(value)) {
    const kept = value.filter((item) => item !== '' && item !== null).slice(0, shape.maxItems);
    return shape.items ? kept.map((item) => trimTo(shape.items ?? {}, item)) : kept;
  }
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, trimTo(shape.properties?.[key] ?? {}, item)]),
  );
}

function cut(text: string, limit = Infinity): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, limit - 1);
  const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? '));
  if (sentence > limit / 2) return head.slice(0, sentence + 1);
  const word = head.lastIndexOf(' ');
  return `${head.slice(0, word > 0 ? word : head.length)}…`;
}

/** Parses the JSON of a model's text: bare, in a code fence, or with words around it. Undefined when there is none. */
export function looseJson(text: string): unknown {
  const body = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
