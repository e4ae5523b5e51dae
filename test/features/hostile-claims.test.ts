// The built-in explanations pass their own guard for any submitted values.
import { expect, test } from 'vitest';
import { Random } from '../../src/generate/random.ts';
import { freshApp } from '../kit/app.ts';

const PARTS =
  'a & b and c |Jane Quimby|Robert Vandermeer|two people|3 identities|Mr & Mrs |twelve phones |0 | or |/|, |; |"|\n|Jr. |both |score 7 |100 of 100|བཀྲ|王\u3000|١٢|c/o |Estate of |Quimby LLC|not |Dr. |high-risk|impersonating|Jane and Robert |née |-|\u202e|@|(|)'.split(
    '|',
  );
const EMAILS = ['jane.quimby@example.com', 'rob.vandermeer@example.org', 'x@nowhere.example'];
const PHONES = ['(415) 555-0134', '+1 212 555 0177', '+1 503 555 0100'];
const LANES = ['12 Larch Street', '9 Quarry Road', '1 Nowhere Lane'];
const LONG = `x${'a & b and c '.repeat(20)}`.slice(0, 199);

test('no hostile claim makes the guard reject a built-in explanation', { timeout: 120_000 }, async () => {
  const it = await freshApp();
  const random = new Random(20_261_130, 0, 0);
  const text = (most: number) =>
    Array.from({ length: random.between(1, most) }, () => random.pick(PARTS))
      .join('')
      .slice(0, 190);
  const some = (of: readonly string[]) => of.filter(() => random.chance(0.5));
  const draw = () => ({
    name: random.pick(['Jane Quimby', 'Robert Vandermeer', 'Jane & Robert Quimby', `x${text(12)}`]),
    emails: some(EMAILS),
    phones: some(PHONES),
    addresses: [...some(LANES), ...(random.chance(0.3) ? [text(9)] : [])].map((street) => ({
      street,
      city: random.pick(['Springfield', 'Albany', `x${text(4)}`]),
      state: random.pick(['IL', 'NY', text(2)]),
      zip: random.pick(['62701', '12207', text(2)]),
    })),
  });
  const address = (i: number) => ({ street: `${i} ${LONG.slice(3)}`, city: LONG, state: LONG, zip: LONG });
  const claims = [
    { name: LONG, addresses: [0, 1, 2, 3, 4].map(address) },
    { name: 'Jane & Robert Quimby', phones: PHONES },
    ...Array.from({ length: 150 }, draw),
  ];
  const statuses = new Set<number>();
  for (const claim of claims) {
    statuses.add((await it.post('/v1/validate/enhanced', claim)).status);
    expect([claim, it.logged().includes('answer_rejected')]).toEqual([claim, false]);
  }
  expect([...statuses].filter((status) => ![200, 422].includes(status))).toEqual([]);
});
