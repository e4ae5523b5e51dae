// Rows below headers, of any format. The columns are chosen after the first rows; then every row becomes a
// raw record.
import { isCompanyName } from '../../names/index.ts';
import { isHeaderOfOtherPersonOrThing } from '../columns/by-words.ts';
import { isCellTooLong, isSpreadsheetRoundedNumber } from '../columns/cells.ts';
import { assignFieldsToColumns, assignFieldToPropertyAppearingLater } from '../columns/columns.ts';
import { EPOCH, isEpochPlaceholder, PLACEHOLDER_DATE_REASON, TableDateOrders } from '../columns/dates.ts';
import {
  DATE_FIELDS,
  findCompanyFlagColumnIndex,
  findCompanyNameColumnIndex,
  type TableColumn,
} from '../columns/headers.ts';
import { FILE_OWNER_REASON } from '../columns/persons.ts';
import { findEmailsOfFileOwner } from '../columns/values.ts';
import { INPUT_LIMITS } from '../formats/limits.ts';
import {
  findCountryCodeOfRow,
  type RawRecord,
  readRecordIdCell,
  toRawRecord,
  toTrimmedText,
} from '../columns/raw.ts';
import { createRecordsOfRelatives } from '../columns/names/relatives.ts';
import type { TableReadSettings } from '../settings.ts';

/** Row of a table as a raw record, or the reason why the row is unusable. */
export interface TableRow {
  line: number;
  raw?: RawRecord;
  /** True if the row also names a second person, whose data the record does not contain. */
  others?: boolean;
  /** Person in a list inside the object of the row before, as in the record id: `tenants2`. */
  person?: string;
  /** Dates of the row that contradict the day and month order of their column, each as field and order: `birth_date dmy`. */
  againstOrder?: string[];
  blanks?: string[];
  /** Company name in a row of an address book. Empty or missing if there is none. */
  firm?: string;
  /** True if a column says that the row is a company. */
  isCompany?: boolean;
  /** All cells of the row, which may be fewer or more than the headers. If the row has a problem: the cells that could be read. */
  cells?: string[];
  /** Texts of a row with a problem that may be its record id. Missing for other rows, and if there are none. */
  possibleIds?: string[];
  /** Non-empty cells of the label columns (see `TableReadSettings`). */
  labels?: Record<string, string>;
  problem?: string;
}

/** Called when the columns of a table are chosen. Receives the headers, the column of each header and the first rows. */
export type ColumnsChosenCallback = (
  headers: string[],
  columns: (TableColumn | null)[],
  samples: readonly (readonly string[])[],
) => void;

/** Values of a column that says whether a row is a company. */
const COMPANY = /^(?:true|yes|1|company|business)$/i;

const MOST_SAMPLED_LENGTH = 1024 * 1024;
/** Minimum length in characters that is counted for each cell of a row kept in memory, because an empty cell also needs memory. */
const LEAST_CELL_LENGTH = 4;
/** Maximum length of a name that is searched for a company: the search takes quadratic time. */
const LONGEST_NAME = 200;

interface Layout {
  columns: (TableColumn | null)[];
  orders: TableDateOrders;
  labels: (string | null)[];
  firm: number;
  companyFlag: number;
  /** E-mails of the owner of the file, in lower case. They belong to none of the people in it. */
  ownerEmails: Set<string>;
  /** True if 1 January 1970 means an unknown birth date. */
  isEpochUnknown: boolean;
}

export class TableReader {
  /** Headers of the columns. In a table of objects, later rows can add headers. */
  readonly headers: string[] = [];
  private readonly settings: TableReadSettings;
  private readonly onColumns: ColumnsChosenCallback;
  private layout: Layout | undefined;
  /** True if a row kept in memory has a date whose order of day and month is not known yet. */
  private isUndecided = false;
  private waiting: TableRow[] = [];
  private waitingLength = 0;
  /** Name in the last row whose name has no comma. It may be a company, whose contact persons follow. */
  private nameBefore = '';
  /** Record of the last row that has a record id. */
  private recordBefore: RawRecord = {};
  /** Record of the last row that is not one of a person in a list. */
  private recordOfObject: RawRecord = {};

  constructor(settings: TableReadSettings, onColumns: ColumnsChosenCallback) {
    this.settings = settings;
    this.onColumns = onColumns;
  }

  /**
   * Adds a row. Returns the rows, in input order, for which the columns and the order of day and month are now known. Other rows are kept in memory
   * until both are known. Errors: those of `assignFieldsToColumns`.
   */
  add(row: TableRow): TableRow[] {
    if (this.layout && !this.isUndecided) {
      this.isUndecided = this.layout.orders.isUndecidedFor(row.cells ?? []);
      if (!this.isUndecided) return this.read(row, this.layout);
    }
    this.waiting.push(row);
    for (const cell of row.cells ?? []) this.waitingLength += Math.max(cell.length, LEAST_CELL_LENGTH);
    if (!this.layout) {
      const isEnough = this.waiting.length >= (this.settings.sampled ?? 0);
      if (!isEnough && this.waitingLength <= MOST_SAMPLED_LENGTH) return [];
      this.layout = this.choose();
    } else if (this.layout.orders.learn(row.cells ?? [])) this.updateUndecided(this.layout);
    const isTooMuch =
      this.waiting.length > INPUT_LIMITS.waitingRows || this.waitingLength > INPUT_LIMITS.waitingLength;
    if (isTooMuch) this.layout.orders.giveUp();
    return isTooMuch || !this.isUndecided ? this.flush(this.layout) : [];
  }

  /** Returns all kept rows at the end of the table, even if the order of their dates is unknown. */
  end(): TableRow[] {
    this.layout ??= this.choose();
    return this.flush(this.layout);
  }

  private choose(): Layout {
    const samples = this.waiting.flatMap(({ cells, problem }) =>
      cells && !problem ? [cells.map((cell) => (isCellTooLong(cell) ? '' : cell))] : [],
    );
    const { labels = [] } = this.settings;
    const columns = assignFieldsToColumns(this.headers, { ...this.settings, samples });
    const orders = new TableDateOrders(
      columns.map((column) => column !== null && DATE_FIELDS.has(column.field)),
      samples,
      this.settings,
      (cells) => findCountryCodeOfRow(cells, columns),
    );
    const dates = samples.flatMap((cells) => {
      const { birth_date: date } = toRawRecord(cells, { columns, orders }).raw;
      return typeof date === 'string' ? [date] : [];
    });
    const layout = {
      columns,
      orders,
      labels: this.headers.map((header) => labels.find((label) => label === header.toLowerCase()) ?? null),
      firm: findCompanyNameColumnIndex(this.headers),
      companyFlag: findCompanyFlagColumnIndex(this.headers),
      ownerEmails: findEmailsOfFileOwner(columns, samples),
      isEpochUnknown: isEpochPlaceholder(dates),
    };
    this.updateUndecided(layout);
    this.onColumns(this.headers, columns, samples);
    return layout;
  }

  private updateUndecided({ orders }: Layout): void {
    this.isUndecided = this.waiting.some(({ cells = [] }) => orders.isUndecidedFor(cells));
  }

  private flush(layout: Layout): TableRow[] {
    const rows = this.waiting.splice(0).flatMap((row) => this.read(row, layout));
    this.waitingLength = 0;
    this.isUndecided = false;
    return rows;
  }

  /**
   * Removes the company before the name of its contact: Odoo exports `Azure Interior, Ann Lee` as the name. The company is also in another column of
   * the row, or is the row before, because Odoo sorts by this name.
   */
  private withoutCompanies(cells: string[], columns: Layout['columns']): string[] {
    const index = columns.findIndex((column) => column?.field === 'name' && column.group === '');
    const name = cells[index]?.trim() ?? '';
    const comma = name.length > LONGEST_NAME ? -1 : name.indexOf(', ');
    if (comma < 0) this.nameBefore = name;
    if (comma < 0 || (this.nameBefore === '' && !this.headers.some(isHeaderOfOtherPersonOrThing)))
      return cells;
    // `Van Dijk` before `Van Dijk, Anna Maria` may also be a person without a given name.
    const isSortedByCompany = /complete|display/i.test(this.headers[index] ?? '');
    const isParent = (company: string) =>
      (isSortedByCompany && company.includes(' ') && company === this.nameBefore) ||
      cells.some(
        (cell, i) =>
          i !== index && cell.trim() === company && isHeaderOfOtherPersonOrThing(this.headers[i] ?? ''),
      );
    for (let at = comma; at >= 0; at = name.indexOf(', ', at + 1)) {
      const person = name.slice(at + 2).trim();
      if (person.includes(' ') && !isCompanyName(person) && isParent(name.slice(0, at)))
        return cells.with(index, person);
    }
    return cells;
  }

  private withPossibleIds(row: TableRow, columns: Layout['columns']): TableRow {
    const index = columns.findIndex((column) => column?.field === 'record_id');
    const column = columns[index];
    const texts = column ? listPossibleCells(row.cells ?? [], index, this.headers.length) : [];
    const possibleIds = texts.flatMap((text) => (column && readRecordIdCell(text, column)) || []);
    return possibleIds.length > 0 ? { ...row, possibleIds } : row;
  }

  /** Returns the row with its record, followed by rows of other people that it contains, such as a pupil's parents. */
  private read(row: TableRow, layout: Layout): TableRow[] {
    const { columns, orders, labels, firm, companyFlag } = layout;
    if (!row.cells || row.problem !== undefined) return [this.withPossibleIds(row, columns)];
    const cells = this.withoutCompanies(row.cells, columns);
    while (columns.length < this.headers.length)
      columns.push(
        assignFieldToPropertyAppearingLater(columns, this.headers[columns.length] ?? '', this.settings),
      );
    const table = { columns, orders, now: this.settings.now };
    const { raw, others, againstOrder, blanks } = toRawRecord(cells, table);
    if (layout.isEpochUnknown && raw.birth_date === EPOCH) {
      delete raw.birth_date;
      blanks.push(`birth_date ${PLACEHOLDER_DATE_REASON}`);
    }
    const isOfOwner = removeEmailsOfOwner(raw, layout.ownerEmails);
    if (isOfOwner) blanks.push(`emails ${FILE_OWNER_REASON}`);
    if (row.person !== undefined) {
      shareWithPerson(raw, this.recordOfObject, row.person);
      return [{ ...row, raw, againstOrder, blanks }];
    }
    this.recordOfObject = raw;
    const { recordBefore } = this;
    if (raw.record_id === undefined && isContinuation(raw, recordBefore))
      raw.record_id = recordBefore.record_id;
    // Shopify writes the source of an order only in the row of its first article.
    const isSameOrder = raw.record_id !== undefined && raw.record_id === recordBefore.record_id;
    if (isSameOrder && recordBefore.source !== undefined) raw.source ??= recordBefore.source;
    if (raw.record_id !== undefined) this.recordBefore = raw;
    const own = {
      ...row,
      raw,
      others: others || row.others === true,
      againstOrder,
      blanks,
      firm: cells[firm]?.trim() ?? '',
      isCompany: COMPANY.test(cells[companyFlag]?.trim() ?? '') || (isOfOwner && hasNobody(raw)),
      labels: labelsIn(cells, labels),
    };
    if (!this.settings.makeId) return [own];
    const more = createRecordsOfRelatives(cells, table, blanks);
    own.others ||= more.others;
    const relatives = more.relatives.map(({ group, raw: relative }) => {
      shareWithPerson(relative, raw, group);
      return { ...row, others: false, raw: relative };
    });
    return [own, ...relatives];
  }
}

/** Fields that apply to every person in a row. */
const SHARED_FIELDS = ['source', 'first_seen', 'last_seen'] as const;

/** Gives the record of a further person in a row the id and the fields that follow from the row's record. */
function shareWithPerson(raw: RawRecord, ofRow: RawRecord, person: string): void {
  const id = toTrimmedText(ofRow.record_id);
  if (id !== '' && !isSpreadsheetRoundedNumber(id)) raw.record_id = `${id}/${person}`;
  for (const field of SHARED_FIELDS) if (ofRow[field] !== undefined) raw[field] ??= ofRow[field];
}

/**
 * Returns the texts of an unusable row that may be its cell in one column. An unquoted delimiter in an earlier cell shifts the cell to the right. An
 * unclosed quote joins it with the cells after it.
 */
function listPossibleCells(cells: string[], index: number, columnCount: number): string[] {
  const shift = Math.max(cells.length - columnCount, 0);
  const isHidden = index >= cells.length - 1;
  const texts = isHidden ? (cells.at(-1) ?? '').split(/[,;\t|]/) : cells.slice(index, index + shift + 1);
  return texts.slice(0, INPUT_LIMITS.columns).map((text) => text.replaceAll('"', ''));
}

/**
 * True if a row has no name and only repeats contacts of the last row with an id. A shop writes one row for each article of an order, but the id and
 * the buyer only in the first of them.
 */
function isContinuation({ name, names, emails, phones, addresses }: RawRecord, before: RawRecord): boolean {
  const contacts = [emails, phones].flat();
  const known = new Set([before.emails, before.phones].flat());
  const hasNoName = name === undefined && [names, addresses].flat().length === 0;
  return hasNoName && contacts.length > 0 && contacts.every((contact) => known.has(contact));
}

/** Removes the e-mails of the owner of the file from a record. Returns true if it had one. */
function removeEmailsOfOwner(raw: RawRecord, ownerEmails: ReadonlySet<string>): boolean {
  const emails = (raw.emails ?? []) as string[];
  raw.emails = emails.filter((email) => !ownerEmails.has(email.toLowerCase()));
  return (raw.emails as string[]).length < emails.length;
}

const hasNobody = ({ name, names, emails, phones, addresses }: RawRecord): boolean =>
  name === undefined && [names, emails, phones, addresses].flat().length === 0;

function labelsIn(cells: string[], labels: (string | null)[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [i, label] of labels.entries()) {
    const cell = cells[i]?.trim() ?? '';
    if (label !== null && cell !== '') values[label] = cell;
  }
  return values;
}
