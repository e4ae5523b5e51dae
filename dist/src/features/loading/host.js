// Gives every plugin the running copy of the contract under its public name, so that a plugin needs no node_modules
// beside it and never loads a second Bonafide.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { codeFile } from '../../platform/assets.js';
const HOST_MODULES = new Map([
    ['bonafide/plugin', 'features/plugin/index'],
    ['bonafide/plugin/test', 'features/plugin/test/index'],
]);
let given = false;
/** Makes `bonafide/plugin` and `bonafide/plugin/test` resolve to this Bonafide, from now on and everywhere. */
export function giveContract() {
    if (given)
        return;
    given = true;
    registerHooks({
        resolve(specifier, context, next) {
            const module = HOST_MODULES.get(specifier);
            return module === undefined
                ? next(specifier, context)
                : { url: pathToFileURL(codeFile(module)).href, shortCircuit: true };
        },
    });
}
