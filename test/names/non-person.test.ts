import { expect, test } from 'vitest';
import { findNonPersonNameType } from '../../src/names/index.ts';

test.each([
  ['株式会社山田商事', 'company'],
  ['山田商事（株）', 'company'],
  ['삼성물산 주식회사', 'company'],
  ['北京天地科技有限公司', 'company'],
  ['ООО Ромашка', 'company'],
  ['ООО «Ромашка»', 'company'],
  ['Παπαδόπουλος ΑΕ', 'company'],
  ['Marsh & Finch Dental', 'company'],
  ['Familie Brandt', 'family'],
  ['The Whitmore Family', 'family'],
  ['Whitmore family', 'family'],
  ['The Whitmores', 'family'],
  ['Famille de Rohan', 'family'],
  ['Mark and Carol Whitfield', 'couple'],
  ['Schmidt, Otto u. Berta', 'couple'],
  ['Mark Whitfield / Carol Whitfield', 'couple'],
  ['Mark/Carol Whitfield', 'couple'],
  ['Quillfeather Pottery', 'company'],
  ['Mr. & Mrs. John Smith', 'couple'],
  ['Eheleute Otto und Berta Schmidt', 'family'],
  ['Erbengemeinschaft Vogel', 'family'],
  ['Estate of Ruth Gray', 'family'],
  ["Carol's mum", 'relation'],
])('%s is the name of: %s', (name, sort) => expect(findNonPersonNameType(name)).toBe(sort));

test.each([
  '佐藤花子',
  '김민수',
  'Тарас Шевчук',
  'Fam Nguyen',
  'Anna Familiari',
  'Rodina Petrova',
  'Karen Law',
  'Raj s/o Kumar',
  'Maria Lopez / Maria Garcia',
  'The Rt. Hon. Paul Keating',
])('%s is a person', (name) => expect(findNonPersonNameType(name)).toBeNull());
