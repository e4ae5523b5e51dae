// Lets built-in plugins import the contract by its public name, as the program does.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';
import { registerPluginImportHooks } from '../../../src/features/plugin-file.ts';
import './priority.ts';
import { ProgramThread } from './threads.ts';

registerPluginImportHooks();

threads.Worker = ProgramThread;
syncBuiltinESMExports();
