import { describe, expect, test } from 'vitest';
import { fillSentenceTemplate } from '../../src/score/texts/sentences.ts';
import { contacts, openFairWorld } from './fair-people.ts';
import {
  unknown,
  anyRequest,
  openWorld,
  requestOf,
  run,
  expectAlways,
  ALONE,
  WORLD,
  valuesOf,
  type Outcome,
} from './world.ts';

openWorld();

describe('the wording of every text', () => {
  const FORBIDDEN =
    /\b(?:invalid|fake|unverifiable|unverified|bogus|fraud\w*|criminal\w*|scam\w*|lie[sd]?|liar|failed|could not be verified|suspicious|high risk)\b/i;
  const textsOf = (it: Outcome) => [
    it.summary,
    it.message.replace(/^[A-Z ]+: /, ''),
    it.combined.explanation,
    ...it.insights,
    ...it.trustScore.reasons,
  ];

  test('tells only whether a value is on record', async () => {
    await expectAlways(anyRequest, async (request) => {
      for (const text of textsOf(await run(request))) expect(text).not.toMatch(FORBIDDEN);
    });
  });

  test('starts the message with the verdict of the band, and consists of whole sentences', async () => {
    await expectAlways(anyRequest, async (request) => {
      const it = await run(request);
      const verdict =
        it.score >= 85
          ? 'VERIFIED'
          : it.score >= 65
            ? 'LIKELY REAL'
            : it.score >= 40
              ? 'SUSPICIOUS'
              : 'HIGH RISK';
      const known = it.contacts.some((one) => one.identity !== null);
      const word = it.contacts.length === 0 ? 'NAME ONLY' : known ? verdict : 'NO RECORD';
      expect(it.message.startsWith(`${word}: `)).toBe(true);
      for (const text of [it.message.slice(word.length + 2), it.summary, ...it.insights])
        expect(text).toMatch(/^[A-Z\d].*[^.]\.$/);
      expect(it.summary.split(/\. /).length).toBeLessThanOrEqual(2);
    });
  });

  test('names the next step in every doubtful verdict, and beside contacts of others', async () => {
    await expectAlways(anyRequest, async (request) => {
      const it = await run(request);
      const isDoubtful = /^(?:HIGH RISK|SUSPICIOUS): /.test(it.message);
      const known = it.contacts.filter(({ identity }) => identity !== null).length;
      const hasOthers = it.nameHolderContacts > 0 && known > it.nameHolderContacts;
      expect(/\. (?:Ask|Check) /.test(it.summary)).toBe(isDoubtful || hasOthers);
    });
  });

  test('contains no submitted value and no name', async () => {
    await expectAlways(anyRequest, async (request) => {
      const it = await run(request);
      const words = [
        request.name,
        it.matchedName ?? '',
        ...request.emails,
        ...request.phones,
        ...request.addresses.map((one) => one.street),
      ]
        .flatMap((text) => text.toLowerCase().split(/[\s@]+/))
        .filter((word) => word.length > 3 && !/^\d{4}$/.test(word));
      const text = textsOf(it).join('\n').toLowerCase();
      expect(words.filter((word) => text.includes(word))).toEqual([]);
    });
  });

  test('tells what to do in case of a possible catfish, and which values have no record', async () => {
    const hugo = await run(
      requestOf('Hugo Delacroix-Boone', [
        ['emails', 'wy@post.example'],
        ['phones', ALONE],
      ]),
    );
    expect(hugo.isPossibleCatfish).toBe(true);
    expect(hugo.summary).toContain('Check who is really behind these contacts');
    const lone = await run(
      requestOf('Wilhelmina Yorkshire', [['emails', 'wy@post.example'], ...unknown.slice(0, 1)]),
    );
    expect(lone.summary).toContain('E-mail 2 has no matching record, which counts neither');
  });
});

test('a longer form is not told as a match, because the summary may tell that the name is not the same', () =>
  expect(fillSentenceTemplate('name_form', { form: 'record_longer' })).not.toMatch(/match/));

const askWorld = openFairWorld();
/** Checks a name with contacts of the fair people: `wife.email wife.phone`. */
const ask = (name: string, sent: string) => askWorld(name, contacts(...sent.split(' ')));

const PLACES = [
  [
    'Jr. Walter Brandt',
    'Walter Jr. Brandt',
    'Brandt Jr., Walter',
    'Brandt, Walter Jr.',
    'Dr. Jr. Walter Brandt',
  ],
  ['Sr. Walter Brandt', 'Senior Walter Brandt', 'Brandt, Walter Sr', 'Brandt Walter Sr. Prof.'],
];

test.each([
  ['Walter Brandt Jr.', PLACES[0]],
  ['Walter Brandt Sr.', PLACES[1]],
])('%s scores the same in every order of its parts (15)', async (name, orders = []) => {
  for (const sent of [
    'junior.email junior.phone',
    'senior.email senior.phone senior.home',
    'junior.email senior.phone',
  ]) {
    const { score } = await ask(name, sent);
    for (const order of orders) expect([order, (await ask(order, sent)).score]).toEqual([order, score]);
  }
});

test('a contact that several people share is not told as that of one of them', async () => {
  const { message, summary } = await ask('Honorine Delacourt', 'ring-0.phone');
  expect(message).toMatch(/belongs to \d+ identities, none of which has this name/);
  expect(summary).not.toMatch(/identity's records/);
});

test.each([
  ['Wilhelmina Yorkshire', 'has this name; 1 of'],
  ['James Ridgeway', 'has this name; 30 of'],
  ['Jim Ridgeway', 'has this name in another form; none of'],
])('the reasons count the identities with exactly the form %s', async (name, count) => {
  const row = WORLD.find((one) => one.name?.endsWith(name.split(' ')[1]!))!;
  const { trustScore } = await run(requestOf(name, valuesOf(row)));
  expect(trustScore.reasons.join(' ')).toContain(count);
});

test('the history of a person found by the name alone is not told', async () => {
  const { insights } = await ask('Laura Smith', 'nobody@nowhere.example');
  expect(insights.join(' ')).not.toMatch(/span/);
});

test('a couple is not told as two people of one name', async () => {
  const { insights } = await ask('Peter and Laura Smith', 'smith-a.email smith-b.phone');
  expect(insights.join(' ')).toMatch(/Check each of them/);
  expect(insights.join(' ')).not.toMatch(/identity with this name|the person by their own/);
});

test.each([
  ['Walter Brandt Sr', 'junior.email junior.phone', 2],
  ['Walter Brandt', 'senior.email junior.phone', 1],
  ['Otis Fairbank Sr', 'younger.email younger.phone', 2],
  ['Walter Brandt Jr', 'junior.email junior.phone', 0],
])('%s with %s has %i contacts of a namesake', async (name, sent, count) => {
  expect((await ask(name, sent)).namesakeContacts).toBe(count);
});

test.each([
  ['Mark and Carol Whitfield', 'carol.email carol.phone carol.home', ['person']],
  ['Northgate Plumbing LLC', 'firm.email firm.phone', ['person']],
  ['Xanthe Ravenscroft', 'nobody@nowhere.example', ['name']],
  ['Beatrix Lindqvist', 'nobody@nowhere.example', ['own_contact']],
  ['Beatrix Lindqvist', 'victim.email', ['other_kind']],
  ['Beatrix Lindqvist', 'victim.home', ['other_kind']],
  ['Beatrix Lindqvist', 'victim.email victim.phone victim.home other.email', ['foreign_contact']],
  ['Beatrix Lindqvist', 'other.email other.phone victim.phone2', ['unshared_contact']],
  ['J. Hollingberry', 'middle.email middle.phone', ['name']],
  ['Beatrix Lindqvist', 'victim.email victim.phone', []],
])('the score of %s with %s is kept down by %j', async (name, sent, limits) => {
  expect((await ask(name, sent)).limits).toEqual(limits);
});

test.each([
  ['Ottilie Oxenholme', 'kin-firm.email kin-owner.phone'],
  ['Lotte Oxenholme', 'kin-firm.email kin-firm.phone'],
])('no text calls a company a relative of %s', async (name, sent) => {
  const { insights, summary, trustScore } = await ask(name, sent);
  expect([summary, ...insights, ...trustScore.reasons].join(' ')).not.toMatch(/relative|family name/);
});

test('the texts do not call the owner of the contacts another member of the family at the address', async () => {
  const { insights } = await ask('Xenia Lindqvist', 'victim.email victim.phone victim.home');
  expect(insights).toContainEqual(expect.stringContaining('The family name agrees'));
  expect(insights).not.toContainEqual(expect.stringContaining('The address is on record for somebody'));
});

test('a phone that somebody has now is not told as one of long ago', async () => {
  const { insights } = await ask('Quentin Abernathy', 'current.phone');
  expect(insights.join(' ')).not.toContain('new subscribers');
});

test('a suffix that contradicts is told as such, and not as another given name', async () => {
  const { insights, summary } = await ask('Walter Brandt III', 'junior.email junior.phone');
  expect([summary, ...insights].join(' ')).not.toContain('given name');
  expect(insights).toContainEqual(expect.stringContaining('the suffix (Jr, Sr, III) does not'));
});

test('a contact of a namesake is told as one, in reasons and insights', async () => {
  const { insights, trustScore } = await ask('Monika Keller', 'keller-a.email keller-b.phone');
  expect(trustScore.reasons[0]).toContain('another person of the same name');
  expect(insights).toContainEqual(
    expect.stringContaining('The phone belongs to another person of the same name'),
  );
});

test.each([
  ['Quentin Abernathy', 'north.phone', /years ago/],
  ['Nadia Ferro', 'desk-0.email desk-0.phone', /address/],
  ['Lindqvist Interiors LLC', 'victim.email victim.phone', /given name|household|relative/],
  ['VM', 'keller-a.email keller-a.phone', /more words/],
])('no text on %s with %s claims what is not so: %s', async (name, sent, claim) => {
  const { combined, insights, summary, trustScore } = await ask(name, sent);
  const bounds = name === 'Lindqvist Interiors LLC' ? [summary, ...insights, ...trustScore.reasons] : [];
  expect([combined.explanation, ...bounds].join(' ')).not.toMatch(claim);
});

test('a phone that somebody else had later is told as one', async () => {
  const { insights, dominantIdentity } = await ask('Gunnar Ekstrom', 'former.phone');
  expect(insights).toContainEqual(expect.stringContaining('was seen with somebody else 14 years after'));
  const stranger = await ask('Quentin Abernathy', 'current.phone');
  expect(stranger.dominantIdentity).not.toBe(dominantIdentity);
});

test('contacts of a possible former name are not counted as certainly other people’s', async () => {
  expect((await ask('Odile Kirkland', 'partner-a.email partner-a.phone')).exclusiveOtherContacts).toBe(0);
  expect((await ask('Roland Kirkland', 'partner-a.email partner-a.phone')).exclusiveOtherContacts).toBe(2);
});

test('another middle name is told as another word, and not as a spelling', async () => {
  const sent = 'patronym.email patronym.phone';
  const { insights, summary } = await ask('Alexander Petrovich Orlov', sent);
  expect(summary).toContain('whose name has another word beside the ones that agree');
  expect(insights.join()).toContain('a word that the other lacks');
});

test('the person of the score is the dominant identity, if two of one name have a value each', async () => {
  const { trustScore, dominantIdentity } = await ask('Monika Keller', 'keller-b.email keller-a.home');
  expect(trustScore.reasons.join()).toContain(`belongs to identity ${dominantIdentity} [email_own]`);
});

test.each([
  ['Beatrix Lindqvist', 'victim.email thief.phone', /mistyped or passed on/],
  ['Beatrix Lindqvist', 'victim.email thief.phone carol.home', /an address that is on record for others/],
  ['Quentin Abernathy', 'gone-10.phone', /numbers are given to new subscribers/],
])('the explanation on %s with %s names the bound that explains it', async (name, sent, bound) => {
  expect((await ask(name, sent)).combined.explanation).toMatch(bound);
});

test('both people of a couple have the name: their contacts are own, and no text calls one a stranger', async () => {
  const it = await ask('Ingrid & Leif Thorvaldsen', 'wife.email husband.phone wife.home');
  expect([it.nameHolderContacts, it.exclusiveOtherContacts]).toEqual([3, 0]);
  expect(it.summary).toBe(
    'All 3 contacts belong to the people named, or to one of them. Ask for the name of one person.',
  );
  expect(it.insights.join()).toContain('The phone belongs to the other person named');
  expect(it.insights.join()).not.toMatch(/different identity|also on record/);
});
