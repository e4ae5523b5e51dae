// What the two operations answer, asked as plain HTTP. test/http/openapi/client.test.ts has a generated client ask the same.
import { freshApp } from '../kit/app.ts';
import { checkRows } from './rows/checks.ts';
import { ERRORS } from './rows/errors.ts';
import { errorRows, keyRows } from './rows/refused.ts';

checkRows(() => freshApp());
errorRows(() => freshApp(), ERRORS);
keyRows(() => freshApp());
