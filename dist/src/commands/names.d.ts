import { type NameComparison } from '../names/index.ts';
/** The comparison as lines of text: the verdict, the words side by side, what a reviewer should look at. */
export declare function formatComparison(a: string, b: string, result: NameComparison): string;
declare const _default: import("citty").CommandDef<import("citty").ArgsDef>;
export default _default;
