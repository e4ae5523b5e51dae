// Sources of generated records (data/generate/sources.json). They differ in the data that they have about people and in their formatting.
import table from '../../data/generate/sources.json' with { type: 'json' };
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

export const RECORD_SOURCE_DEFAULTS = table.default as RecordSource;

export const RECORD_SOURCES = table.sources.map(
  (source) => ({ ...RECORD_SOURCE_DEFAULTS, ...source }) as RecordSource,
);

export const WEIGHTED_RECORD_SOURCES: WeightedChoices<RecordSource> = createWeightedChoices(
  RECORD_SOURCES.map((source) => [source, source.share]),
);
