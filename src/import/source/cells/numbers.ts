// Numbers as spreadsheets write those that are too long for a cell.

/** Why a number cannot be used of which only the first digits are left. */
export const ROUNDED = 'has lost digits';

/** Whether a text is such a number: `4.91712E+11`. It is no phone and no id any more. */
export const isRounded = (text: string): boolean => /^'?[+-]?\d(?:[.,]\d+)?[eE]\+\d{2,3}$/.test(text);
