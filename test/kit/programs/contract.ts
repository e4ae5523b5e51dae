// Built-in plugins import the contract by its public name, which a clone gives them when it runs.
import { registerPluginModules } from '../../../src/features/plugin-file.ts';

registerPluginModules();
