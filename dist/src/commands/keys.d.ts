declare const _default: import("./kit.ts").Command<import("citty").ArgsDef>;
export default _default;
