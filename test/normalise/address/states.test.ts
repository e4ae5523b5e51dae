// Words such as "county" beside the name of a state do not matter, and an omitted state leaves a key in common.
import { expect, test } from 'vitest';
import { getAddressKeys } from './address-key.ts';

const keysOf = (street: string, state: string) =>
  getAddressKeys({ street, city: 'X-Town', state }).map(({ type, text }) => `${type} ${text}`);

test.each([
  'Co. Donegal = County Donegal = Donegal = DONEGAL = Co Donegal',
  'Durham = Co. Durham = County Durham',
  'Sevilla = Provincia de Sevilla = Prov. de Sevilla',
  'Milano = Provincia di Milano = Città metropolitana di Milano',
  '(MI) = MI',
  'mazowieckie = woj. mazowieckie = województwo mazowieckie',
  'Stockholm = Stockholms län',
  'Skåne = Skåne län',
  'Vestland = Vestland fylke',
  '神奈川県 = 神奈川',
  '東京都 = 東京',
  '京都府 = 京都',
  'Kanagawa = Kanagawa-ken = Kanagawa Prefecture',
  '경기도 = 경기',
  'Краснодарский край = Краснодарский',
  'Республика Татарстан = Татарстан',
  'Comunidad Valenciana = Comunitat Valenciana = Valenciana',
  'Provincia autonoma di Trento = Trento',
  'Zürich = Kanton Zürich',
  'Illinois = IL = ill.',
])('one state: %s', (spellings) => {
  for (const street of ['12 Main St', 'Derrybeg']) {
    const keys = spellings.split(' = ').map((state) => keysOf(street, state).join('\n'));
    expect(new Set(keys).size).toBe(1);
    const [withState = ''] = keys;
    const common = keysOf(street, '').filter((key) => withState.split('\n').includes(key));
    expect(common).not.toEqual([]);
  }
});

test.each([
  ['Co. Donegal', 'Co. Cork'],
  ['County', 'Donegal'],
  ['京都', '東京'],
])('%s is not %s', (one, other) => expect(keysOf('Derrybeg', one)[0]).not.toBe(keysOf('Derrybeg', other)[0]));
