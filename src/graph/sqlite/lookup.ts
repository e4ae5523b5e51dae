import type { Form } from '../../model.ts';
import { SHARE_LIMIT } from '../graph.ts';
import type { Vault } from '../vault.ts';
import type { Db } from './database.ts';

export type PostingRow = [id: number, meta: number];

/** A key that was looked up: how many identities share it, and the first of them. */
export interface Found {
  key: number;
  share: number;
  rows: PostingRow[];
}

export interface LookUps {
  /** Looks all forms up in one statement; an answer each, in their order. */
  all(forms: Form[]): Found[];
  /** The posting's meta, where the identity has this key; else undefined. */
  meta(key: number, id: number): number | undefined;
}

/** Look-ups in the postings. Row 0 of a key carries how many share it, where more than one does. */
export function lookUps(db: Db, vault: Vault): LookUps {
  const statements = new Map<number, ReturnType<typeof statement>>();
  const one = db.prepare('SELECT meta FROM posting WHERE key = ? AND id = ?').pluck();
  return {
    all(forms) {
      const found: Found[] = forms.map(({ form, text }) => ({
        key: vault.key(form, text),
        share: 0,
        rows: [],
      }));
      if (found.length === 0) return found;
      let select = statements.get(found.length);
      if (!select) statements.set(found.length, (select = statement(db, found.length)));
      for (const [place, id, meta] of select.all(found.map(({ key }) => key)) as [number, number, number][]) {
        const it = found[place];
        if (id === 0) it.share = meta;
        else it.rows.push([id, meta]);
      }
      for (const it of found) it.share ||= it.rows.length;
      return found;
    },
    meta: (key, id) => one.get(key, id) as number | undefined,
  };
}

/** One statement for `count` keys: entering SQLite costs as much as a look-up. */
function statement(db: Db, count: number) {
  const part = (place: number) =>
    `SELECT * FROM (SELECT ${place}, id, meta FROM posting WHERE key = ? LIMIT ${SHARE_LIMIT + 1})`;
  return db.prepare(Array.from({ length: count }, (_, place) => part(place)).join(' UNION ALL ')).raw();
}
