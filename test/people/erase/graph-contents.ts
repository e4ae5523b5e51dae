// The whole content of a graph, independent of row and identity numbers, for comparing two graphs.
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { openSqliteGraph } from '../../../src/graph/sqlite/open.ts';
import type { RecordRow } from '../../../src/link/stored-record.ts';
import { endOfTurn } from '../../../src/platform/turn.ts';
import { foundIn, SECRET } from '../../kit/graphs/found.ts';
import { queryOf, type Row } from '../../kit/graphs/graph.ts';

/** Returns the content of the graph in a folder. @param rows values of the queries, also of people who are not in the graph */
export async function allIn(folder: string, rows: Row[]) {
  const graph = openSqliteGraph({ dataDir: folder, secret: SECRET });
  const members = new Map<number | null, string[]>();
  const records: string[] = [];
  for await (const page of graph.records.pages())
    for (const one of page) {
      const { row: _, identity, ...said }: RecordRow = one;
      records.push(JSON.stringify(said));
      members.set(identity, [...(members.get(identity) ?? []), `${one.source}:${one.recordId}`]);
    }
  const who = (id: number) => members.get(id)?.join(' ') ?? 'nobody';
  const cards: object[] = [];
  for (const id of members.keys())
    cards.push({ ...(await graph.linking.getIdentity(id ?? 0)), id: who(id ?? 0) });
  const answers: string[] = [];
  for (const row of rows) {
    await endOfTurn();
    const answer = await graph.resolve(queryOf({ ...row, name: nameOf(row) }));
    const named = (ids: number[]) => ids.map(who).toSorted();
    answers.push(
      JSON.stringify({
        ...answer,
        values: answer.values.map((hits) =>
          hits.map((hit) => JSON.stringify({ ...hit, identity: who(hit.identity) })).toSorted(),
        ),
        name: {
          ...answer.name,
          identities: named(answer.name.identities),
          given: named(answer.name.given),
          differentPeople: answer.name.differentPeople?.map((pair) => named(pair).join(' | ')).toSorted(),
          housemates: answer.name.housemates?.map((pair) => named(pair).join(' | ')).toSorted(),
        },
        // The number of identities, because identity numbers decide which of two equal ones is read.
        identities: answer.identities.size,
      }),
    );
  }
  const { linkedAt: _, merged: __, ...stats } = await graph.stats();
  const errorRates = await graph.linking.errorRates();
  await graph.close();
  return {
    records,
    cards: cards.map((card) => JSON.stringify(card)).toSorted(),
    answers,
    stats,
    errorRates,
    counted: countedIn(folder),
    ...(await foundIn(folder)),
  };
}

const nameOf = ({ name, names: [first] = [] }: Row): string | undefined => {
  if (name === undefined || typeof name === 'string') return name ?? first;
  return Object.values(name as object).join(' ');
};

function countedIn(folder: string) {
  const db = new Database(join(folder, 'link.db'), { readonly: true });
  const counted = ['tally', 'pattern'].map((table) =>
    db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all(),
  );
  db.close();
  return counted;
}
