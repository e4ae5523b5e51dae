// The public operations over plain HTTP. test/http/openapi/client.test.ts runs the same tests with a
// generated client.
import { sharedApp } from '../kit/app.ts';
import { checkRows } from './rows/checks.ts';
import { ERRORS } from './rows/errors.ts';
import { errorRows, keyRows } from './rows/refused.ts';

const open = sharedApp();
checkRows(open);
errorRows(open, ERRORS);
keyRows(open);
