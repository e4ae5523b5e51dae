import { tryShortly } from './shortly.ts';

tryShortly('kills of commands');
