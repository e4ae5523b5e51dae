// The contract of every engine of an identity graph, and the records of its tests. Any test runner can use it:
//     expect(await graphProblems(engine)).toEqual([]);
import { explainIdentityLinks, explainRecordPair, getIdentityDetails } from '../../../src/graph/inspect.ts';
import { EMPTY_GRAPH_QUERY } from '../../../src/graph/graph.ts';
import { computeSuppressionMarks } from '../../../src/graph/suppression.ts';
import type { GraphAnswer, IdentityGraph, RecordStoringGraph } from '../../../src/graph/graph.ts';
import type { GraphErasureOperations } from '../../../src/graph/capabilities.ts';
import { verifyGraph } from '../../../src/people/verify-links.ts';
import type { ContactMatch } from '../../../src/model.ts';
import { endOfTurn } from '../../../src/platform/turn.ts';
import { FAMILY, GIVEN, identitiesIn, importInto, queryOf, type Row, type Submitted } from './graph.ts';

/** Records that `graphProblems` imports. Labels name the person of each record, so that linking compares none of them. */
export const CONTRACT_ROWS: Row[] = [
  {
    record_id: 'a1',
    identity: 'a',
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example', 'rf.old@post.example'],
    phones: ['+1 503 234 0101'],
    addresses: [
      { street: '418 Alder Creek Road', street2: 'Apt 5', city: 'Portland', state: 'OR', zip: '97219' },
    ],
    first_seen: '2015-01-01',
    last_seen: '2018-01-01',
  },
  {
    record_id: 'a2',
    identity: 'a',
    source: 'shop',
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example'],
    phones: ['+1 503 234 0177'],
    first_seen: '2017-01-01',
    last_seen: '2024-06-01',
  },
  { record_id: 'b1', identity: 'b', name: 'Quentin Fairweather', phones: ['+1 503 234 0101'] },
  { record_id: 'c1', identity: 'c', name: 'Николай Сидоров', emails: ['sidorov@post.example'] },
  { record_id: 'd1', identity: 'd', emails: ['nameless@post.example'] },
  ...Array.from({ length: 60 }, (_, i): Row => ({
    record_id: `office-${i}`,
    identity: `office-${i}`,
    name: `${GIVEN[i % 20]} ${FAMILY[10 + Math.floor(i / 20)]}`,
    phones: ['+1 206 234 0199'],
  })),
];

type Must = (clause: string, holds: boolean) => void;
type AskGraph = (submitted: Submitted) => Promise<GraphAnswer>;

/** Returns the clauses of the contract that an empty engine breaks. It uses only the engine's interface to import, link, publish, resolve and explain. */
export async function graphProblems(graph: RecordStoringGraph): Promise<string[]> {
  const problems: string[] = [];
  const must: Must = (clause, holds) => void (holds || problems.push(clause));
  const ask: AskGraph = async (submitted) => {
    await endOfTurn();
    return graph.resolve(queryOf(submitted));
  };
  await emptyProblems(graph, must, ask);
  await importInto(graph, [CONTRACT_ROWS]);
  await resolveProblems(graph, must, ask);
  await frequentProblems(must, ask);
  await explainProblems(graph, must);
  await publishProblems(graph, must, ask);
  if (graph.erasing) {
    await undoProblems(graph, must);
    await erasingProblems(graph, graph.erasing, must);
  }
  if (graph.verifying) await verifyProblems(graph, must);
  return problems;
}

async function emptyProblems(graph: RecordStoringGraph, must: Must, ask: AskGraph): Promise<void> {
  const answer = await ask({ name: 'Ada Abernathy', emails: ['ada@post.example'] });
  must('an empty graph knows nobody', answer.total === 0 && answer.values.flat().length === 0);
  const { records, identities, linkedAt } = await graph.stats();
  must('an empty graph holds nothing', records === 0 && identities === 0 && linkedAt === null);
  const [count, maxRow] = [await graph.records.count(), await graph.records.maxRow()];
  must('an empty graph has no rows', count === 0 && maxRow === 0);
}

async function resolveProblems(graph: IdentityGraph, must: Must, ask: AskGraph): Promise<void> {
  const one = async (submitted: Submitted): Promise<ContactMatch[]> => (await ask(submitted)).values[0] ?? [];

  const whole = await ask({
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example', 'nobody@nowhere.example'],
  });
  must('total counts the identities', whole.total === 64);
  must('a graph that is linked has nothing to warn of', (await graph.warnings()).length === 0);
  must(
    'one list per value, in the order asked; an unknown value has none',
    whole.values.length === 2 && whole.values[1]?.length === 0,
  );
  const [a, ...others] = whole.values[0] ?? [];
  const number = a?.identity ?? 0;
  must(
    'an exact value resolves by its exact key, alone',
    others.length === 0 && a?.type === 'email' && a.share === 1,
  );
  const card = whole.identities.get(number);
  must('the identities behind the hits are read', card?.names.join() === 'Rosalind Fairweather');
  must(
    'history spans all records',
    card?.firstSeen === Date.UTC(2015, 0, 1) && card.lastSeen === Date.UTC(2024, 5, 1),
  );
  must('records and sources are counted', card?.records === 2 && card.sources === 2);
  must('the name finds its identity', whole.name.identities.includes(number) && whole.name.bearers === 1);
  const primary = async (email: string) => (await one({ emails: [email] }))[0]?.primary;
  must(
    'the value that most records attest is primary',
    (await primary('rosalind@fairweather.example')) === true,
  );
  must('another value is not', (await primary('rf.old@post.example')) === false);
  must(
    'a mailbox matches whatever its tag',
    (await one({ emails: ['rosalind+x@fairweather.example'] }))[0]?.type === 'mailbox',
  );
  const address = {
    street: '418 alder creek rd',
    street2: 'unit 5',
    city: 'portland',
    state: 'Oregon',
    zip: '97219-1234',
  };
  must('a reformatted address is the same', (await one({ addresses: [address] }))[0]?.type === 'address');
  must(
    'an address without its unit is looser',
    (await one({ addresses: [{ ...address, street2: '' }] }))[0]?.type !== 'address',
  );
  must(
    'a street alone is the loosest',
    (await one({ addresses: [{ street: '418 Alder Creek Rd' }] }))[0]?.type === 'street',
  );
  const phone = await one({ phones: ['5032340101'] });
  must('a shared value tells its share', phone.length === 2 && phone.every((hit) => hit.share === 2));
  must('of one key, the lower number comes first', (phone[0]?.identity ?? 0) < (phone[1]?.identity ?? 0));
  const typo = { emails: ['rosalnid@fairweather.example'] };
  must("an e-mail with a typo is nobody's without the name", (await one(typo)).length === 0);
  must(
    "and its bearer's with it",
    (await one({ ...typo, name: 'Rosalind Fairweather' }))[0]?.type === 'typo',
  );
  must(
    'a name in another script is found',
    (await ask({ name: 'Nikolai Sidorov' })).name.identities.length === 1,
  );
  const nameless = await ask({ emails: ['nameless@post.example'] });
  must(
    'an identity may have no name',
    nameless.identities.get(nameless.values[0]?.[0]?.identity ?? 0)?.names.length === 0,
  );
  const none = await graph.resolve({
    ...EMPTY_GRAPH_QUERY,
    values: [{ keys: [], signature: null, raw: null }],
  });
  must(
    'a value without keys, and no name, resolve to nothing',
    none.values[0]?.length === 0 && none.name.identities.length === 0,
  );
  const again = await ask({
    name: 'Rosalind Fairweather',
    emails: ['rosalind@fairweather.example', 'nobody@nowhere.example'],
  });
  must('the same question has the same answer', bytes(again) === bytes(whole));
  const stats = await graph.stats();
  must(
    'stats count records and identities',
    stats.records === CONTRACT_ROWS.length && stats.identities === 64,
  );
}

/** Checks a phone with sixty holders: the holder with the submitted name must be found. */
async function frequentProblems(must: Must, ask: AskGraph): Promise<void> {
  const last = CONTRACT_ROWS.at(-1);
  const office = await ask({ name: last?.name, phones: ['(206) 234-0199'] });
  const [named = 0] = office.name.identities;
  const found = office.values[0]?.find((hit) => hit.identity === named);
  const right = found?.share === 60 && office.identities.get(named)?.names[0] === last?.name;
  must('of a value that very many share, its bearer by name is found', right);
}

async function explainProblems(graph: RecordStoringGraph, must: Must): Promise<void> {
  const { identity, records, mergedFrom } = await getIdentityDetails(graph, 1);
  must('numbers count from 1 in the order of import', identity === 1 && mergedFrom === null);
  must('an identity shows its records', records.map(({ recordId }) => recordId).join() === 'a1,a2');
  const pair = await explainRecordPair(graph, 'a1', 'shop:a2');
  must('why tells what became of a pair', pair.together && !pair.conflict);
  const links = JSON.stringify(await explainIdentityLinks(graph, 1, 8));
  must('the links of an identity explain its pairs', links === JSON.stringify([{ a: 0, b: 1, ...pair }]));
  const code = await getIdentityDetails(graph, 9999).catch((error: { code: string }) => error.code);
  must('a number that nobody has is not found', code === 'not_found');
  const rows = await graph.records.findByRecordId('b1');
  must('a record is found by its id', rows[0]?.recordId === 'b1' && rows.length === 1);
  const read = await graph.records.readRows([2, 1, 9999]);
  must('records are read by their rows, in the order asked', read.map(({ row }) => row).join() === '2,1');
}

async function publishProblems(graph: RecordStoringGraph, must: Must, ask: AskGraph): Promise<void> {
  const before = await ask({ name: 'Николай Сидоров', emails: ['nameless@post.example'] });
  const { linking, records } = graph;
  const partition = {
    clusters: [],
    revision: await linking.revision(),
    errorRates: await linking.errorRates(),
  };
  await records.put([]);
  const published = await linking.publish(partition);
  must('a partition of records that changed since is not published', published === null);
  await endOfTurn();
  must('and the graph warns until they are linked', (await graph.warnings()).length > 0);
  const between = await ask({ name: 'Николай Сидоров', emails: ['nameless@post.example'] });
  must('until then checks are answered as before', bytes(between) === bytes(before));
  const merged: Row[] = [{ record_id: 'b1', identity: 'a', name: 'Quentin Fairweather' }];
  const { added, replaced, identities } = await importInto(graph, [merged]);
  must('the same source and record id replaces the record', added === 0 && replaced === 1);
  must('identities that prove to be one are merged', identities === 63);
  const card = await getIdentityDetails(graph, 2);
  must('a merged number leads to the lower one', card.identity === 1 && card.mergedFrom === 2);
  await endOfTurn();
  must('stats count merged numbers', (await graph.stats()).merged === 1);
  const numbers = await identitiesIn(graph);
  must('every record has its identity', numbers.get('b1') === 1 && numbers.get('c1') === 3);
  await removeProblems(graph, must, ask);
}

async function removeProblems(graph: RecordStoringGraph, must: Must, ask: AskGraph): Promise<void> {
  const { records } = graph;
  const names = ['b1', 'c1', 'nobody'].map((recordId) => ({ source: 'crm', recordId }));
  must('taken out are those that are there', (await records.remove(names)) === 2);
  const { identities } = await importInto(graph, [[]]);
  await endOfTurn();
  const answer = await ask({ name: 'Николай Сидоров', emails: ['sidorov@post.example'] });
  must('who has no record left is no identity', identities === 62 && answer.total === 62);
  must('and is found by nothing', answer.values.flat().length === 0 && answer.name.identities.length === 0);
  const rosalind = await ask({ emails: ['rosalind@fairweather.example'] });
  must('who keeps records stays', rosalind.values[0]?.[0]?.identity === 1);
  await importInto(graph, [[{ record_id: 'c1', identity: 'c', name: 'Николай Сидоров' }]]);
  must('a number that is free is given to nobody else', ((await identitiesIn(graph)).get('c1') ?? 0) > 64);
}

/** Verifies the graph after all other changes. */
async function verifyProblems(graph: RecordStoringGraph, must: Must): Promise<void> {
  await endOfTurn();
  const { wrong, remembered, invariants } = await verifyGraph(graph);
  must('all records are where linking all of them anew puts them', wrong === 0);
  must('what linking remembers is of the graph as it is', remembered);
  for (const { says, broken } of invariants) must(says, broken === 0);
}

async function undoProblems(graph: RecordStoringGraph, must: Must): Promise<void> {
  const { records } = graph;
  const [there] = await records.findByRecordId('d1');
  const rows: Row[] = [
    { record_id: 'd1', identity: 'd', name: 'Somebody Else' },
    { record_id: 'z1', name: 'Zora Undone' },
  ];
  await importInto(graph, [rows], { journal: { what: 'tried' } });
  const { removed, restored, left } = await records.undoLastImport();
  must('the last import is taken back', removed === 1 && restored === 1 && left === 0);
  const [again] = await records.findByRecordId('d1');
  must('what it replaced is as it was', again?.names.join() === there?.names.join());
  must('and what it added is gone', (await records.findByRecordId('z1')).length === 0);
  await importInto(graph, [[]]);
}

/** Checks an engine that can erase people permanently. */
async function erasingProblems(
  graph: RecordStoringGraph,
  erasing: GraphErasureOperations,
  must: Must,
): Promise<void> {
  const { records } = graph;
  const rows = await records.findByRecordId('a2');
  const marks = computeSuppressionMarks(rows, records.fingerprints);
  await records.runAtomically(async () => {
    await erasing.suppress(marks, 1, 'it');
    await records.remove(rows);
  });
  must('an erasure is owed under its name until its end', (await erasing.pendingErasure()) === 'it');
  must(
    'an interrupted one is told',
    (await graph.warnings()).some((text) => text.includes('graph compact')),
  );
  await importInto(graph, [[]]);
  await endOfTurn();
  must('logs that nobody reads are emptied', await erasing.emptyLogs());
  await erasing.rewriteFiles();
  await erasing.finishErasure();
  must('then none is', (await erasing.pendingErasure()) === null);
  must('marks are counted', (await erasing.countSuppressed()) === marks.length);
  const again: Row = { ...CONTRACT_ROWS[1], record_id: 'a2-again', source: 'shop' };
  const sister: Row = {
    record_id: 'sister',
    source: 'shop',
    name: 'Ottilie Fairweather',
    phones: again.phones ?? [],
  };
  const kept = await importInto(graph, [[...CONTRACT_ROWS.slice(1, 2), again, sister]]);
  must('who was erased is kept out, under another id too', kept.barred === 2 && kept.added === 1);
  must('and who shares something with them is told', kept.alike === 1);
  const asked = await erasing.checkSuppressed(rows);
  must('who would be kept out can be asked', asked.barred === 1 && asked.alike === 0);
  const [stored] = rows;
  const put = stored && (await records.put([stored]));
  must('nor may be put', put?.added === 0 && put.barred === 1);
  const back = stored && (await records.put([stored], { allowReturn: true }));
  must('unless that is allowed', back?.added === 1);
  must('which ends what kept them out', stored !== undefined && (await records.put([stored])).barred === 0);
  await importInto(graph, [[]]);
}

function bytes(answer: GraphAnswer): string {
  return JSON.stringify({ ...answer, identities: [...answer.identities] });
}
