/** What a caller is told whose plan has no probe left: how it begins tells it from a rate that is reached, which has the same code. */
export const probesUsedUp = (most: number): string =>
  `The plan of this key has ${most} checks an hour with a name alone or with one value. A check with more of the person's values is none of them; like every check, this one too, it takes from the plan's rate.`;

/** Whether the detail of a `rate_limited` says that: it is about this one check then, and the next one may pass. */
export const isOfProbes = (detail: string): boolean =>
  /^The plan of this key has \d+ checks an hour with a name alone or with one value\./.test(detail);
