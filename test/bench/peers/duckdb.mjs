// Links a table of records on DuckDB with the method of Splink (Linacre et al. 2022): blocking rules, comparison levels with fixed match
// weights, connected components.
//
//   node duckdb.mjs TABLE.tsv LABELS.tsv        TABLE: the columns below; LABELS: the id and the cluster of each record
//
// Prints the number of compared pairs as JSON.
import { DuckDBInstance } from '@duckdb/node-api';

const [table, labels] = process.argv.slice(2);
const THREADS = '2';
const COLUMNS = ['given', 'family', 'dob', 'email', 'phone', 'street', 'zip', 'city'];

/** Two records are compared if one of these conditions holds. */
const BLOCKING_RULES = [
  'l.email = r.email',
  'l.phone = r.phone AND l.given[1] = r.given[1]',
  'l.given = r.given AND l.family = r.family AND l.zip = r.zip',
  'l.family = r.family AND l.dob = r.dob',
  'l.given = r.given AND l.dob = r.dob',
  'l.street = r.street AND l.zip = r.zip AND l.given = r.given',
  'l.given = r.given AND l.family = r.family AND l.city = r.city',
];
/** Match weight in bits of each column: [condition, bits]… and the bits if no condition holds; 0 if one value is missing. */
const LEVELS = {
  given: [
    ['l.given = r.given', 6],
    ['jaro_winkler_similarity(l.given, r.given) >= 0.92', 4],
    ['jaro_winkler_similarity(l.given, r.given) >= 0.88', 2],
    ['l.given[1] = r.given[1] AND least(length(l.given), length(r.given)) = 1', 2],
    -4,
  ],
  family: [
    ['l.family = r.family', 7],
    ['jaro_winkler_similarity(l.family, r.family) >= 0.92', 5],
    ['jaro_winkler_similarity(l.family, r.family) >= 0.88', 2],
    -4,
  ],
  dob: [['l.dob = r.dob', 10], ['levenshtein(l.dob, r.dob) <= 1', 5], -5],
  email: [['l.email = r.email', 11], ['jaro_winkler_similarity(l.email, r.email) >= 0.92', 4], -1],
  phone: [['l.phone = r.phone', 10], ['levenshtein(l.phone, r.phone) <= 1', 4], -1],
  zip: [['l.zip = r.zip', 6], -1],
  street: [['l.street = r.street', 6], ['jaro_winkler_similarity(l.street, r.street) >= 0.92', 4], -1],
};
const LINK_BITS = 18;

const database = await DuckDBInstance.create(':memory:', { threads: THREADS });
const connection = await database.connect();
const ask = async (sql) => (await connection.runAndReadAll(sql)).getRows();

const columns = ['rid', ...COLUMNS].map((name) => `'${name}': 'VARCHAR'`).join(', ');
const values = COLUMNS.map((name) => `nullif(${name}, '') AS ${name}`).join(', ');
await ask(
  `CREATE TABLE record AS SELECT row_number() OVER () AS id, rid, ${values}
     FROM read_csv('${table}', delim = '\t', header = false, quote = '', columns = {${columns}})`,
);
const pairs = BLOCKING_RULES.map(
  (rule) => `SELECT l.id AS a, r.id AS b FROM record l JOIN record r ON ${rule} WHERE l.id < r.id`,
);
await ask(`CREATE TABLE pair AS ${pairs.join(' UNION ')}`);
const weights = Object.entries(LEVELS).map(([column, levels]) => {
  const cases = levels.slice(0, -1).map(([condition, bits]) => `WHEN ${condition} THEN ${bits}`);
  return `CASE WHEN l.${column} IS NULL OR r.${column} IS NULL THEN 0 ${cases.join(' ')} ELSE ${levels.at(-1)} END`;
});
await ask(
  `CREATE TABLE edge AS SELECT a, b FROM pair JOIN record l ON l.id = a JOIN record r ON r.id = b
    WHERE ${weights.join(' + ')} >= ${LINK_BITS}`,
);
await ask('CREATE TABLE neighbour AS SELECT a, b FROM edge UNION ALL SELECT b, a FROM edge');
await ask('CREATE TABLE cluster AS SELECT id, id AS label FROM record');
for (let isChanged = true; isChanged;) {
  await ask(
    `CREATE TABLE next AS SELECT c.id, least(c.label, coalesce(min(n.label), c.label)) AS label
       FROM cluster c LEFT JOIN neighbour e ON e.a = c.id LEFT JOIN cluster n ON n.id = e.b GROUP BY c.id, c.label`,
  );
  const [[changes]] = await ask(
    'SELECT count(*) FROM cluster JOIN next USING (id) WHERE cluster.label <> next.label',
  );
  await ask('DROP TABLE cluster');
  await ask('ALTER TABLE next RENAME TO cluster');
  isChanged = changes > 0n;
}
const [[compared]] = await ask('SELECT count(*) FROM pair');
await ask(
  `COPY (SELECT rid, label FROM record JOIN cluster USING (id)) TO '${labels}' (DELIMITER '\t', HEADER false)`,
);
process.stdout.write(`${JSON.stringify({ pairs: Number(compared) })}\n`);
