/** Makes `bonafide/plugin` and `bonafide/plugin/test` resolve to this Bonafide, from now on and everywhere. */
export declare function giveContract(): void;
