import { describe, expect, it } from 'vitest';
import { parseJsonObject } from '../../src/claim/json.ts';
import { claimOf, issuesOf, parse, problemOf } from '../kit/claims.ts';

const NAME = { name: 'Jane Doe' };

describe('an accepted body', () => {
  const rows: [string, unknown, object][] = [
    ['is trimmed and composed (NFC)', { name: '  Zoe\u0308 ' }, { name: 'Zoë' }],
    [
      'has its emails lowercased',
      { ...NAME, emails: ['Jane@Example.COM'] },
      { emails: ['jane@example.com'] },
    ],
    [
      'has its phones stripped to digits',
      { ...NAME, phones: ['+1 (415) 555-0100'] },
      { phones: ['14155550100'] },
    ],
    [
      'may have digits of any script',
      { ...NAME, phones: ['٤١٥٥٥٥٠١٠٠', '４１５-５５５-０１０１'] },
      { phones: ['4155550100', '4155550101'] },
    ],
    [
      'keeps equal values once, at the place of the first',
      { ...NAME, emails: ['b@x.com', 'A@x.com', 'a@X.com'], phones: ['(415) 555-0100', '415 555 0100'] },
      { emails: ['b@x.com', 'a@x.com'], phones: ['4155550100'] },
    ],
    [
      'keeps phones of one number with and without the country code apart',
      { ...NAME, phones: ['4155550100', '14155550100'] },
      { phones: ['4155550100', '14155550100'] },
    ],
    ['reads an unknown intent as general', { ...NAME, intent: 'spying' }, { intent: 'general' }],
    ['reads an intent of any type as general', { ...NAME, intent: { a: [1] } }, { intent: 'general' }],
    ['keeps a known intent', { ...NAME, intent: 'sending-money' }, { intent: 'sending-money' }],
    ['is validated unless raw is asked for', NAME, { operation: 'validate' }],
    ['may ask for raw', { ...NAME, operation: 'raw' }, { operation: 'raw' }],
    [
      'may leave features out',
      { ...NAME, include_fraud_detection: false },
      { include: { trust_enhancement: true, fraud_detection: false, name_matching: true } },
    ],
    ['may begin with a byte order mark', '\uFEFF{"name":"Jane Doe"}', NAME],
    ['may have empty lists', { ...NAME, emails: [], addresses: [] }, { emails: [], addresses: [] }],
    [
      'may mix the shapes in different fields',
      { ...NAME, phoneNumbers: ['4155550100'] },
      { phones: ['4155550100'] },
    ],
    [
      'may name the person twice in one spelling',
      { nameAddresses: [{ fullName: 'Jane' }, { fullName: ' Jane' }] },
      { name: 'Jane' },
    ],
    ['may have a name of 200 characters', { name: '𝒜'.repeat(200) }, { name: '𝒜'.repeat(200) }],
  ];
  it.each(rows)('%s', (_, body, expected) => {
    expect(parse(body)).toMatchObject(expected);
  });

  it('is the same claim in the current and the legacy shape', () => {
    const current = {
      name: 'Jane Doe',
      emails: ['jane@example.com'],
      phones: ['4155550100'],
      addresses: [
        {
          street: '1 Main St',
          street2: 'Apt 2',
          city: 'Springfield',
          state: 'IL',
          zip: '62701',
          country: 'US',
        },
      ],
      intent: 'reconnecting',
    };
    const legacy = {
      operation: 'validate',
      nameAddresses: [
        {
          fullName: 'Jane Doe',
          address: {
            line1: '1 Main St',
            line2: 'Apt 2',
            city: 'Springfield',
            region: 'IL',
            postalCode: '62701',
            countryCode: 'US',
          },
        },
      ],
      emailAddresses: ['jane@example.com'],
      phoneNumbers: ['4155550100'],
      intent: 'reconnecting',
    };
    expect(claimOf(legacy)).toEqual(claimOf(current));
  });
});

describe('values of a request', () => {
  it('null counts as absent, and so does an empty entry of a list', () => {
    const body = {
      ...NAME,
      emails: ['', 'a@b.com', ' '],
      phones: null,
      operation: null,
      addresses: [{ street: '1 Elm St', city: null }],
    };
    expect(parse(body)).toMatchObject({
      emails: ['a@b.com'],
      phones: [],
      operation: 'validate',
      addresses: [{ street: '1 Elm St', city: '' }],
    });
    expect(issuesOf({ name: null })).toEqual(['/name required']);
  });

  it('six spellings of one phone are one input, without an extension', () => {
    const phones = [
      '4155550100',
      '(415) 555-0100',
      '415.555.0100',
      '415 555 0100',
      '415-555-0100',
      '415 555 0100 x12',
    ];
    expect(parse({ ...NAME, phones }).phones).toEqual(['4155550100']);
    const [phone] = claimOf({ ...NAME, phones: ['+1 415 555 0100 ext. 7'] }).contacts;
    expect(phone).toMatchObject({ input: '14155550100', hasExtension: true });
  });

  it('a phone is read without the remarks that are removed at an import', () => {
    const phones = ['0341 5550142', '0341 5550142/43', 'Tel. 2: 0341 5550142', '0341 5550142 (ab 18 Uhr)'];
    const { phones: read } = parse({ ...NAME, phones: [...phones, '3415550142.0'] });
    expect(read).toEqual(['03415550142', '3415550142']);
    const [plain] = claimOf({ ...NAME, phones }).contacts;
    expect(plain).not.toHaveProperty('hasExtension');
    const [phone] = claimOf({ ...NAME, phones: ['0341 5550142 DW 12'] }).contacts;
    expect(phone).toMatchObject({ input: '03415550142', hasExtension: true });
  });

  const address = { street: '1 \u00c9lm St', city: 'Springfield' };
  const spelled: [string, unknown, unknown[], (i: number) => unknown][] = [
    ['emails', '\u00e9@b.com', [' E\u0301@B.com', '\u00e9@b.com\u200b'], (i) => `a${i}@b.com`],
    ['phones', '415 555 0100', ['(415) 555-0100', '415 555 0100 x12'], (i) => `415555010${i}`],
    [
      'addresses',
      address,
      [
        { city: 'SPRINGFIELD ', street: '1  E\u0301lm St', zip: null },
        { ...address, street2: '' },
      ],
      (i) => ({ street: `${i} Oak St` }),
    ],
  ];
  it.each(spelled)(
    'of %s, other spellings do not count against the limit of five',
    (field, first, spellings, create) => {
      const others = [1, 2, 3, 4].map(create);
      const values = [first, ...others, ...spellings];
      expect(claimOf({ ...NAME, [field]: values }).contacts).toHaveLength(5);
      expect(issuesOf({ ...NAME, [field]: [...values, create(5)] })).toEqual([`/${field} too_many`]);
    },
  );

  it('other spellings of a legacy address do not count against the limit of five', () => {
    const lines = ['1 \u00c9lm St', '2 A', '3 A', '4 A', '5 A', ' 1 e\u0301lm st'];
    const nameAddresses = lines.map((line1) => ({ fullName: 'Jane', address: { line1 } }));
    expect(claimOf({ nameAddresses }).contacts).toHaveLength(5);
  });

  it('an extension is noted, in whichever spelling of a phone it is', () => {
    const phones = ['415 555 0100', '415 555 0100 x12'];
    for (const list of [phones, phones.toReversed()])
      expect(claimOf({ ...NAME, phones: list }).contacts).toMatchObject([{ hasExtension: true }]);
  });

  it('a list of more than fifty entries is rejected', () => {
    expect(issuesOf({ ...NAME, emails: Array(51).fill('a@b.com') })).toEqual(['/emails too_many']);
    expect(parse({ ...NAME, emails: Array(50).fill('a@b.com') }).emails).toEqual(['a@b.com']);
  });
});

describe('a rejected body', () => {
  const rows: [unknown, string[]][] = [
    [{}, ['/name required']],
    [{ name: '' }, ['/name empty']],
    [{ name: ' \t ' }, ['/name empty']],
    [{ name: '12345' }, ['/name no_letter']],
    [{ name: ['Jane'] }, ['/name wrong_type']],
    [{ name: { full: 'Jane' } }, ['/name wrong_type']],
    [{ name: null }, ['/name required']],
    [{ name: 'x'.repeat(201) }, ['/name too_long']],
    [{ name: 'Jane \ud800' }, ['/name not_unicode']],
    [{ ...NAME, emails: 'jane@example.com' }, ['/emails wrong_type']],
    [
      { ...NAME, emails: ['jane@example.com', 7, 'nope', ''] },
      ['/emails/1 wrong_type', '/emails/2 invalid_email'],
    ],
    [{ ...NAME, emails: [`${'x'.repeat(250)}@example.com`] }, ['/emails/0 too_long']],
    [
      { ...NAME, phones: ['123456789', '1234567890123456'] },
      ['/phones/0 invalid_phone', '/phones/1 invalid_phone'],
    ],
    [{ ...NAME, phones: [4155550100] }, ['/phones/0 wrong_type']],
    [{ ...NAME, addresses: [{}] }, ['/addresses/0 empty']],
    [{ ...NAME, addresses: [{ street: ' ' }] }, ['/addresses/0 empty']],
    [{ ...NAME, addresses: ['1 Main St'] }, ['/addresses/0 wrong_type']],
    [
      { ...NAME, addresses: [{ street: 'x'.repeat(201), zip: 62701 }] },
      ['/addresses/0/street too_long', '/addresses/0/zip wrong_type'],
    ],
    [{ ...NAME, emails: Array.from({ length: 6 }, (_, i) => `a${i}@b.com`) }, ['/emails too_many']],
    [{ ...NAME, operation: 'delete' }, ['/operation invalid_operation']],
    [{ ...NAME, include_name_matching: 'yes' }, ['/include_name_matching wrong_type']],
    [{ ...NAME, email: ['a@b.com'] }, ['/email unknown_field']],
    [{ ...NAME, addresses: [{ street: 'x', line1: 'y' }] }, ['/addresses/0/line1 unknown_field']],
    [{ ...NAME, 'jane@example.com': 1 }, [' unknown_field']],
    ['{"name":"Jane","__proto__":{"name":"x"}}', [' unknown_field']],
    [{ ...NAME, emails: [], emailAddresses: [] }, ['/emailAddresses conflicting_fields']],
    [{ ...NAME, phones: [], phoneNumbers: [] }, ['/phoneNumbers conflicting_fields']],
    [{ ...NAME, nameAddresses: [{ fullName: 'Jane' }] }, ['/nameAddresses/0/fullName conflicting_fields']],
    [
      { ...NAME, addresses: [], nameAddresses: [{ address: { line1: 'x' } }] },
      ['/nameAddresses/0/address conflicting_fields'],
    ],
    [
      { nameAddresses: [{ fullName: 'Jane' }, { fullName: 'Joan' }] },
      ['/nameAddresses/1/fullName several_names'],
    ],
    [{ nameAddresses: [{ address: { line1: 'x' } }] }, ['/name required']],
    [
      { nameAddresses: [{ fullName: 'Jane', address: { street: 'x' } }] },
      ['/nameAddresses/0/address/street unknown_field', '/nameAddresses/0/address empty'],
    ],
    [{ nameAddresses: [{ fullName: 'Jane' }], phoneNumbers: ['1'] }, ['/phoneNumbers/0 invalid_phone']],
    ['{"name":"Jane","n\\u0061me":"Joan"}', ['/name duplicate_field']],
    ['{"name":"Jane","addresses":[{"zip":"1"},{"zip":"1","zip":"2"}]}', ['/addresses/1/zip duplicate_field']],
  ];
  it.each(rows)('%j', (body, expected) => {
    expect(issuesOf(body)).toEqual(expected);
  });

  it('lists every broken rule', () => {
    const found = issuesOf({ name: '7', emails: ['x'], phones: 'y', adresses: [], operation: 1 });
    expect(found.toSorted()).toEqual([
      '/adresses unknown_field',
      '/emails/0 invalid_email',
      '/name no_letter',
      '/operation invalid_operation',
      '/phones wrong_type',
    ]);
  });

  it('names the field that was probably meant', () => {
    const detailOf = (body: object) => problemOf(body)!.errors![0]!.detail;
    expect(detailOf({ ...NAME, email: [] })).toContain('did you mean `emails`?');
    expect(detailOf({ ...NAME, adresses: [] })).toContain('did you mean `addresses`?');
    expect(detailOf({ ...NAME, Phone: [] })).toContain('did you mean `phones`?');
    expect(detailOf({ ...NAME, zzzzzzzzzz: [] })).toContain('known are name, emails');
  });

  it.each([
    ['full_name', 'name'],
    ['customer-name', 'name'],
    ['emailAddress', 'emails'],
    ['Mobile', 'phones'],
    ['include_fraud', 'include_fraud_detection'],
    ['includeNameMatching', 'include_name_matching'],
  ])('names the field for %s: %s', (sent, meant) => {
    expect(problemOf({ ...NAME, [sent]: [] })!.errors![0]).toEqual({
      pointer: `/${sent}`,
      code: 'unknown_field',
      detail: `This field is not known; did you mean \`${meant}\`?`,
    });
  });

  it.each([
    ['line1', 'street'],
    ['postalCode', 'zip'],
    ['post_code', 'zip'],
    ['countryCode', 'country'],
    ['Region', 'state'],
  ])('names the part of an address for %s: %s', (sent, meant) => {
    const { errors } = problemOf({ ...NAME, addresses: [{ street: '1 Main St', [sent]: 'x' }] })!;
    expect(errors![0]).toMatchObject({ pointer: `/addresses/0/${sent}` });
    expect(errors![0]!.detail).toContain(`did you mean \`${meant}\`?`);
  });
});

describe('a body that is not a JSON object in UTF-8', () => {
  it.each([
    '',
    ' ',
    '[]',
    '"x"',
    'null',
    '7',
    '{',
    '{"name":"Jane"',
    '{name:"Jane"}',
    "{'name':1}",
    '['.repeat(40_000),
  ])('is invalid_json: %.20j', (text) => {
    expect(problemOf(text)?.code).toBe('invalid_json');
  });
  it('is invalid_json if a byte is not UTF-8', () => {
    expect(() => parseJsonObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]))).toThrow(
      expect.objectContaining({ code: 'invalid_json' }),
    );
  });
});
