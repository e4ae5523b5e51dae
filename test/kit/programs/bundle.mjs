// bundle.mjs FOLDER: builds the program as the executable carries it. The folder appears when it is complete.
import { renameSync } from 'node:fs';
import { makeHome } from '../../../.config/binary/home.mjs';

const folder = process.argv[2];
const node = { version: process.versions.node, text: '' };
await makeHome(`${folder}.new`, { target: `${process.platform}-${process.arch}`, node });
renameSync(`${folder}.new`, folder);
