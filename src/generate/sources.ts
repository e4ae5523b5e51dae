// Sources of generated records. Sources differ in the data that they have about people and in their formatting.
import type { TextEntryMethod } from './typos.ts';
import { type WeightedChoices, createWeightedChoices } from './random.ts';

export interface RecordSource {
  id: string;
  share: number;
  /** Share (0-1) of the source's records that have an e-mail. */
  mail: number;
  /** Share (0-1) of the source's records with a second e-mail address or mobile number. */
  more: number;
  phone: number;
  /** Share (0-1) of phone numbers that are the household's landline, if there is one. */
  landline: number;
  address: number;
  /** Share (0-1) of records with an address that also contain the previous address. */
  earlier: number;
  born: number;
  nameless: number;
  /** True if the source contains work contacts: e-mail, switchboard and address of the office. */
  work: boolean;
  /** Share (0-1) of values that were entered with a mistake. */
  mistakes: number;
  entry: TextEntryMethod;
  /** Format of names: separate fields, one field, or one field with the family name first and a comma. */
  name: 'parts' | 'full' | 'comma';
  /** Share (0-1) of names with a short form or an initial in place of the given name. */
  informal: number;
  letters: 'mixed' | 'upper' | 'lower';
  /** True if the source writes names in Latin script without accents. */
  plain: boolean;
  years: [from: number, to: number];
}

export const DEFAULT_RECORD_SOURCE: RecordSource = {
  id: '',
  share: 0,
  mail: 0.6,
  more: 0.08,
  phone: 0.6,
  landline: 0.2,
  address: 0.7,
  earlier: 0,
  born: 0,
  nameless: 0.02,
  work: false,
  mistakes: 0.02,
  entry: 'keyed',
  name: 'full',
  informal: 0.06,
  letters: 'mixed',
  plain: false,
  years: [1999, 2026],
};

export const RECORD_SOURCES: RecordSource[] = [
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'crm',
    share: 0.16,
    mail: 0.85,
    phone: 0.8,
    name: 'parts',
    years: [2004, 2026],
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'shop',
    share: 0.19,
    mail: 0.97,
    phone: 0.6,
    address: 0.9,
    informal: 0.1,
    mistakes: 0.03,
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'telco',
    share: 0.12,
    mail: 0.3,
    phone: 1,
    address: 0.9,
    born: 0.6,
    name: 'parts',
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'utility',
    share: 0.1,
    mail: 0.1,
    phone: 0.5,
    landline: 0.8,
    address: 1,
    name: 'comma',
    letters: 'upper',
    plain: true,
    informal: 0.02,
    years: [1990, 2026],
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'newsletter',
    share: 0.1,
    mail: 1,
    phone: 0,
    address: 0.1,
    nameless: 0.2,
    informal: 0.15,
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'registry',
    share: 0.08,
    mail: 0.05,
    phone: 0.3,
    address: 1,
    earlier: 0.6,
    born: 1,
    name: 'parts',
    plain: true,
    informal: 0,
    mistakes: 0.015,
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'marketplace',
    share: 0.09,
    mail: 0.9,
    phone: 0.6,
    address: 0.3,
    nameless: 0.12,
    informal: 0.3,
    letters: 'lower',
    years: [2008, 2026],
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'directory',
    share: 0.06,
    mail: 0.8,
    phone: 0.9,
    address: 0.9,
    work: true,
    nameless: 0,
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'loyalty',
    share: 0.07,
    born: 0.5,
    mistakes: 0.09,
    entry: 'heard',
    name: 'parts',
    more: 0,
  },
  {
    ...DEFAULT_RECORD_SOURCE,
    id: 'archive',
    share: 0.03,
    mail: 0,
    phone: 0.6,
    landline: 0.7,
    address: 0.95,
    mistakes: 0.12,
    entry: 'scanned',
    letters: 'upper',
    plain: true,
    years: [1975, 2005],
  },
];

export const WEIGHTED_RECORD_SOURCES: WeightedChoices<RecordSource> = createWeightedChoices(
  RECORD_SOURCES.map((source) => [source, source.share]),
);
