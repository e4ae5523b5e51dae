// How well scores tell genuine people from others, on cases whose truth is known.
import { guessFields, recordOf } from './table.ts';
import type { Field, Table } from './table.ts';

export interface Case {
  request: object;
  genuine: boolean;
}

export interface Judged {
  score: number;
  genuine: boolean;
}

const HEAD = /^(genuine|label|truth|is[ _-]?genuine|outcome)$/i;
const TRUE = /^(1|true|yes|y|genuine|real|ok)$/i;
const FALSE = /^(0|false|no|n|impostor|fake|fraud)$/i;

/** The cases of a table: whose column `genuine` says yes or no, and who has a name. `wrong` lines are left out. */
export function casesOf(table: Table): { cases: Case[]; wrong: number; told: boolean } {
  const at = table.columns.findIndex((column) => HEAD.test(column.trim()));
  const fields: Field[] = guessFields(table.columns).map((field, i) => (i === at ? '' : field));
  const cases = table.rows.flatMap((row) => {
    const said = row[at]?.trim() ?? '';
    const genuine = TRUE.test(said) ? true : FALSE.test(said) ? false : null;
    const request = requestOf(row, fields);
    return genuine === null || request === null ? [] : [{ request, genuine }];
  });
  return { cases, wrong: table.rows.length - cases.length, told: at >= 0 };
}

function requestOf(row: string[], fields: Field[]): object | null {
  const { name, emails, phones, addresses } = recordOf(row, fields, { source: '', id: '' }) as Record<
    string,
    unknown
  >;
  const whole =
    typeof name === 'object' && name !== null ? Object.values(name).filter(Boolean).join(' ') : name;
  if (typeof whole !== 'string' || whole === '') return null;
  return {
    name: whole,
    ...(emails ? { emails } : {}),
    ...(phones ? { phones } : {}),
    ...(addresses ? { addresses } : {}),
  };
}

export interface AtThreshold {
  /** Genuine people who pass, and who are lost. */
  passed: number;
  lost: number;
  /** Others who are stopped, and who pass. */
  stopped: number;
  missed: number;
}

export function atThreshold(judged: Judged[], threshold: number): AtThreshold {
  const of = (genuine: boolean, passes: boolean) =>
    judged.filter((one) => one.genuine === genuine && one.score >= threshold === passes).length;
  return {
    passed: of(true, true),
    lost: of(true, false),
    stopped: of(false, false),
    missed: of(false, true),
  };
}

/** How often a genuine person scores above another one, ties by half: 1 is always, 0.5 is chance. Null without both kinds. */
export function areaUnder(judged: Judged[]): number | null {
  const counts = Array.from({ length: 101 }, () => [0, 0] as [number, number]);
  for (const { score, genuine } of judged) {
    const at = counts[score];
    if (at) at[genuine ? 1 : 0]++;
  }
  let below = 0;
  let pairs = 0;
  let genuines = 0;
  for (const [others, own] of counts) {
    pairs += own * (below + others / 2);
    below += others;
    genuines += own;
  }
  return below === 0 || genuines === 0 ? null : pairs / (below * genuines);
}

/** Shares of the scores in each five points, for the genuine and for others. */
export function sharesOf(judged: Judged[]): { from: number; genuine: number; other: number }[] {
  const all = {
    genuine: judged.filter(({ genuine }) => genuine).length || 1,
    other: judged.filter(({ genuine }) => !genuine).length || 1,
  };
  return Array.from({ length: 20 }, (_, i) => {
    const within = judged.filter(({ score }) => Math.min(19, Math.floor(score / 5)) === i);
    return {
      from: i * 5,
      genuine: within.filter(({ genuine }) => genuine).length / all.genuine,
      other: within.filter(({ genuine }) => !genuine).length / all.other,
    };
  });
}
