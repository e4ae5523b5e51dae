// Built-in plugins import the contract by its public name, which a clone gives them when it runs.
import { giveContract } from '../../../src/features/plugin-file.ts';

giveContract();
