// Names by the customs of their languages: syllables and romanisations, consonants without vowels, couples.
import { expect, test } from 'vitest';
import { createNameComparer } from '../../src/match/name.ts';
import { compareNames, findPartialNameMatch, prepareName } from '../../src/names/index.ts';
import { createIdentity } from '../kit/values/identity.ts';

test.each([
  ['Kim Min-seo', '김민재'],
  ['김민서', '김민재'],
  ['Kim Min-seo', 'Kim Min-su'],
  ['Kim Min-seo', 'Kim Min-jae'],
  ['Kim Min-jun', 'Kim Min-joo'],
  ['김민준', '김민정'],
  ['Choi Ji-hoon', 'Choi Ji-hyun'],
  ['최지훈', '최지은'],
  ['Choi Ji-hoon', '최지현'],
  ['이서연', '이서영'],
  ['김준', '김진'],
  ['Minseo Kim', 'Min-su Kim'],
  ['Seoyeon Kim', 'Seo Jin Kim'],
  ['Minseo Kim', 'Seo Kim'],
])('%s and %s have another Korean syllable', (a, b) => {
  const result = compareNames(a, b);
  expect(result.same).toBe(false);
  expect(result.confidence).toBeLessThan(25);
});

test.each([
  ['Kim Jina', '김진아'],
  ['Kim Jina', '김지나'],
  ['Kim Minseo', 'Minsuh Kim'],
  ['Pak Songmin', '박성민'],
  ['Lee Byeng-Ju', '이병주'],
  ['Yi Yonghui', '이영희'],
  ['Jea-hyun Lee', '이제현'],
  ['이승만', '리승만'],
  ['Suk-hyun Seo', 'Seokhyeon Suh'],
  ['Park Jihoon', 'Park Jihoom'],
  ['Lee Eunju', 'Lee Eumju'],
])('%s and %s may have the same Korean syllables', (a, b) => {
  const result = compareNames(a, b);
  expect(result.same).toBe(true);
  expect(result.confidence).toBeGreaterThan(84);
});

test.each([
  ['Chong-hun Yi', 'Jeonghun Lee'],
  ['Yon-hwa So', 'Yeonhwa Seo'],
  ['Hyeonu Yi', 'Hyun-woo Lee'],
  ['Dong-geun Baek', 'Tonggun Paek'],
  ['Minsu Seong', 'Minsu Sung'],
  ['Minsu Pang', 'Minsu Bang'],
  ['Minsu Wu', '우민수'],
  ['Soobin Kim', 'Su-bin Kim'],
  ['Soobin Kim', 'Su Bin Kim'],
  ['Lee Do Yun', 'Doyoon Lee'],
  ['Hai-bin Wang', '王海滨'],
  ['Wang Da-wei', '王大伟'],
  ['Xiaoming Chang', 'Xiaoming Zhang'],
  ['Xiaoming Chao', '赵小明'],
  ['Xiaoming Choo', '朱小明'],
  ['Jing Liu', 'Jing Lew'],
])('%s and %s are romanisations of one name', (a, b) =>
  expect(compareNames(a, b).confidence).toBeGreaterThan(80),
);

test.each([
  ['Weiting Hsu', 'Wei Hsu'],
  ['Meiling Tsai', 'Mei-hua Tsai'],
  ['Wingkei Chan', 'Wing Man Chan'],
])('one syllable is no short form of a Chinese name: %s and %s', (a, b) =>
  expect(compareNames(a, b).confidence).toBeLessThan(25),
);

test.each([
  ['Ben Kim', 'Benny Kim'],
  ['Jen Park', 'Jenny Park'],
  ['Weenguo Chen', 'Wenguo Chen'],
])('short forms and typing errors beside an East Asian family name are the same: %s and %s', (a, b) =>
  expect(compareNames(a, b).confidence).toBeGreaterThan(80),
);

const MUHAMMAD = ['Muhammad', 'Mohammed', 'Mohamed', 'محمد', 'מוחמד', 'Мухаммед'];
const MAHMUD = ['Mahmud', 'Mahmoud', 'Mahmood', 'محمود', 'מחמוד', 'Махмуд'];
const HASAN = ['Hassan', 'Hasan', 'حسن'];
const HUSSEIN = ['Hussein', 'Husain', 'Hossein', 'حسين'];
test.each([
  [MUHAMMAD, MAHMUD],
  [HASAN, HUSSEIN],
])('names with the same consonants are two names, and all spellings of each are one: %j, %j', (one, two) => {
  const confidenceOf = (a: string, b: string) => compareNames(`${a} Rahal`, `${b} Rahal`).confidence;
  for (const a of one) for (const b of two) expect([a, b, confidenceOf(a, b) < 25]).toEqual([a, b, true]);
  for (const names of [one, two])
    for (const a of names)
      for (const b of names) expect([a, b, confidenceOf(a, b) > 75]).toEqual([a, b, true]);
});

test.each([
  ['Sven and Ida Lund', 'Sven Erik Lund', true],
  ['Sven & Ida Lund', 'Ida Marie Lund', true],
  ['Lund, Sven and Ida', 'Sven Erik Lund', true],
  ['Sven and Ida Lund', 'Kjell Erik Lund', false],
  ['Sven Olaf Lund', 'Sven Erik Lund', false],
])('%s and %s, a couple and a person, may be one name: %s', (a, b, same) =>
  expect(compareNames(a, b).same).toBe(same),
);

const SLAVIC_MEN: [cyrillic: string, latin: string, english: string][] = [
  ['Иванов', 'Iwanow', 'Ivanov'],
  ['Смирнов', 'Smirnow', 'Smirnov'],
  ['Чернов', 'Tschernow', 'Chernov'],
  ['Горбачёв', 'Gorbatschow', 'Gorbachev'],
  ['Соколов', 'Sokołow', 'Sokolov'],
  ['Кузнецов', 'Kusnezow', 'Kuznetsov'],
  ['Волков', 'Wolkow', 'Volkov'],
  ['Новиков', 'Nowikow', 'Novikov'],
  ['Георгиев', 'Georgiew', 'Georgiev'],
  ['Ботев', 'Botew', 'Botev'],
  ['Захаров', 'Sacharow', 'Zakharov'],
];
const confidence = (a: string, b: string) => compareNames(a, b).confidence;

test.each(SLAVIC_MEN)(
  '%s is %s, a man, and the ending -a makes it the name of a woman',
  (cyrillic, latin, english) => {
    for (const spelling of [latin, english]) {
      expect(confidence(cyrillic, spelling)).toBeGreaterThan(90);
      expect(confidence(`Иван ${cyrillic}`, `Iwan ${spelling}`)).toBeGreaterThan(90);
      expect(confidence(`Анна ${cyrillic}а`, `Anna ${spelling}a`)).toBeGreaterThan(90);
      expect(confidence(`Иван ${cyrillic}`, `Iwan ${spelling}a`)).toBeLessThan(25);
      expect(confidence(`Иван ${cyrillic}а`, `Iwan ${spelling}`)).toBeLessThan(25);
      expect(confidence(`Александр ${cyrillic}`, `Alexandra ${spelling}a`)).toBeLessThan(25);
      expect(confidence(`Александра ${cyrillic}а`, `Alexander ${spelling}`)).toBeLessThan(25);
      // A woman whose husband's or father's form is on record.
      const forms = compareNames(`Анна ${cyrillic}а`, `Anna ${spelling}`);
      expect([forms.same, forms.explanation]).toEqual([
        true,
        expect.stringContaining('forms of one family name'),
      ]);
    }
    expect(confidence(`Anna ${latin}a`, `Anna ${english}`)).toBeGreaterThan(90);
    expect(confidence(`Anna ${latin}`, `Anna ${english}a`)).toBeGreaterThan(90);
  },
);

test.each([
  ['Ярослав Ковалів', 'Jaroslaw Kowaliw', true],
  ['Станислав Петров', 'Stanisław Petrow', true],
  ['Станислава Петрова', 'Stanisława Petrowa', true],
  ['Станислав Петров', 'Stanisława Petrowa', false],
  ['Мирослава Николова', 'Miroslaw Nikolow', false],
  ['Владислава', 'Wladislaw', false],
  ['Яков Петров', 'Jakow Petrow', true],
  ['Jan Ostrow', 'Jan Ostrow', true],
  ['Янек Остров', 'Janek Ostrow', true],
  ['Джон Марлоу', 'John Marlow', true],
  ['Иван Шоу', 'Ivan Shaw', true],
])('%s and %s: a last w may be a consonant or a part of a vowel (%s)', (a, b, same) =>
  expect(compareNames(a, b).same).toBe(same),
);

test.each([
  ['Ana', 'Ruiz', 'Castro'],
  ['Guadalupe', 'Hernández', 'Ortiz'],
  ['Lucía', 'Moreno', 'Vega'],
  ['María José', 'García', 'Lozano'],
  ['João', 'Silva', 'Santos'],
])('%s goes by the first family name %s at least as much as by the second one %s', (given, first, second) => {
  const whole = `${given} ${first} ${second}`;
  const [byFirst, bySecond] = [first, second].map((family) => compareNames(`${given} ${family}`, whole));
  expect(byFirst!.confidence).toBeGreaterThanOrEqual(bySecond!.confidence);
  const [agreement, ofSecond] = [first, second].map(
    (family) => findPartialNameMatch(prepareName(`${given} ${family}`), prepareName(whole))?.hasBothEnds,
  );
  expect([agreement, ofSecond]).toEqual([true, true]);
});

test.each(['Mary Anne Smith', 'Juan Carlos Pérez'])('the second given name of %s is no family name', (name) =>
  expect(compareNames(name.split(' ').slice(0, 2).join(' '), name).confidence).toBeLessThan(94),
);

test.each([
  ['Γιώργος', 'George'],
  ['Giorgos', 'George'],
  ['Κωνσταντίνος', 'Constantine'],
  ['Konstantinos', 'Constantine'],
  ['Κωνσταντίνος', 'Konstantinos'],
  ['Κωνσταντίνος', 'Κώστας'],
  ['Γιάννης', 'John'],
  ['Νίκος', 'Nicholas'],
  ['Αντώνης', 'Anthony'],
  ['Χαράλαμπος', 'Charalampos'],
  ['Ντίνος', 'Dinos'],
])('the Greek name %s is %s abroad', (a, b) => {
  expect(confidence(a, b)).toBeGreaterThan(94);
  expect(compareNames(a, b).explanation).not.toMatch(/(?:George|Constantine|John) is a short form/);
});

test.each([
  ['Rahim Uddin', 'Md. Rahim Uddin', true],
  ['Kabir Hossain', 'Md. Kabir Hossain', true],
  ['Rahim Uddin', 'Mohammad Rahim Uddin', true],
  ['Ali Khan', 'Muhammad Ali Khan', true],
  ['Rahim Uddin', 'Rahimuddin', true],
  ['Karim Uddin', 'Md. Rahim Uddin', false],
  ['Mohammad Karim Uddin', 'Mohammad Rahim Uddin', false],
  ['Ali', 'Muhammad Ali', false],
])('%s is the whole name of %s, whom Muhammad honours: %s', (name, record, isWhole) => {
  const part = findPartialNameMatch(prepareName(name), prepareName(record));
  expect(confidence(name, record) > 98 && (part === null || part.hasBothEnds)).toBe(isWhole);
});

test.each([
  ['Nguyễn Văn Hùng', 'Nguyễn Văn Hưng', false],
  ['Hùng Nguyễn', 'Hưng Nguyễn', false],
  ['Hùng Nguyễn', 'Nguyễn Văn Hưng', false],
  ['Trần Thị Thúy', 'Trần Thị Thủy', false],
  ['Nguyễn Văn Hùng', 'Nguyen Van Hung', true],
  ['Nguyễn Văn Hưng', 'Nguyen Van Hung', true],
  ['Hùng Nguyễn', 'Nguyễn Văn Hùng', true],
  ['Trần Thị Hoà', 'Trần Thị Hòa', true],
  ['Nguyễn Thị Hương', 'Nguyên Thị Hương', true],
  ['José Nguyen', 'Josè Nguyen', true],
])('%s and %s: two Vietnamese names with marks have the same ones (%s)', (a, b, same) => {
  const result = compareNames(a, b);
  expect([result.same, result.confidence > 90 || result.confidence < 25]).toEqual([same, true]);
  const { isSame, agreement } = createNameComparer(prepareName(a))(createIdentity(1, b));
  expect([isSame, agreement < 25]).toEqual([same, !same]);
  expect(result.explanation.includes('look alike')).toBe(!same);
});

const RECORDS = {
  'Ekaterina Petrova': ['Ekaterina Petrova', 'Ekaterina Ivanovna Petrova', 'Екатерина Петрова'],
  'LaToya Jenkins': ['LaToya Renee Jenkins', 'LaToya Jenkins'],
  'Margaret Whitcombe': ['Margaret Anne Whitcombe', 'Peggy Whitcombe'],
  'Juan García': ['Juan García', 'García, Juan'],
  Derek: ['Derek Vandermolen', 'Derek'],
  Whitcombe: ['Margaret Anne Whitcombe'],
  Wulandari: ['Wulandari', 'Wulandari Wulandari', 'Wulandari Wulandary'],
};

test.each(Object.entries(RECORDS))('a repeated word of %s lowers no agreement', (name, records) => {
  const words = name.split(' ');
  const repeated = words.flatMap((word) => [`${word} ${name}`, `${name} ${word}`]);
  for (const record of records)
    for (const text of repeated) {
      const [before, after] = [name, text].map((submitted) => compareNames(submitted, record));
      expect([text, record, after!.confidence]).toEqual([
        text,
        record,
        expect.toSatisfy((n) => n >= before!.confidence),
      ]);
      expect(compareNames(record, text).confidence).toBe(after!.confidence);
    }
});

test('a family name at both ends of an East Asian name is repeated', () =>
  expect(compareNames('Chan Tai Man Chan', 'Chan Tai Man').confidence).toBe(100));

test.each([
  ['Juan García García', 'Juan García López'],
  ['Maung Maung Soe', 'Khin Maung Soe'],
  ['Ahmad Ahmad', 'Ahmad Ali'],
  ['Li Li', 'Li Na'],
  ['Bing Bing Fan', 'Bing Chen Fan'],
])('%s is a double name: %s is another person', (a, b) =>
  expect(compareNames(a, b).confidence).toBeLessThan(25),
);
