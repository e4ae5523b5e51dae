// Starts the program from the unpacked folder. Packages that an operator installs for a built-in plugin are beside the executable.
'use strict';
const { registerHooks } = require('node:module');
const { dirname, join } = require('node:path');
const { pathToFileURL } = require('node:url');

const BESIDE = pathToFileURL(join(dirname(process.execPath), 'beside.js')).href;

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== 'node-llama-cpp') return next(specifier, context);
    return next(specifier, { ...context, parentURL: BESIDE });
  },
});
import('./src/cli.js');
