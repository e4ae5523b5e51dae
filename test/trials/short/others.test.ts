import { tryShortly } from './shortly.ts';

tryShortly('others');
