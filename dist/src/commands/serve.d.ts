declare const _default: import("./kit.ts").Command<{
    readonly 'data-dir': {
        readonly type: 'string';
        readonly description: 'Folder of the databases and the secret (BONAFIDE_DATA_DIR; default data/local)';
        readonly valueHint: 'folder';
    };
    readonly config: {
        readonly type: 'string';
        readonly description: 'Settings file (default bonafide.config.*)';
        readonly valueHint: 'file';
    };
    readonly json: {
        readonly type: 'boolean';
        readonly description: 'Print JSON for scripts';
    };
    readonly plugins: {
        readonly type: 'string';
        readonly description: 'Folders with feature plugins of your own (BONAFIDE_PLUGINS)';
        readonly valueHint: 'folders';
    };
    readonly host: {
        readonly type: "string";
        readonly description: "Address to listen on (BONAFIDE_HOST; default 127.0.0.1)";
    };
    readonly port: {
        readonly type: "string";
        readonly description: "Port to listen on, 0 for a free one (BONAFIDE_PORT; default 8787)";
    };
    readonly region: {
        readonly type: "string";
        readonly description: "Country of numbers without a country code (BONAFIDE_REGION; default US)";
    };
    readonly log: {
        readonly type: "string";
        readonly description: "auto, json, pretty or silent (BONAFIDE_LOG; default auto)";
    };
    readonly demo: {
        readonly type: "boolean";
        readonly description: "A graph of invented people, a key and a request to paste; in data/demo where no folder is named";
    };
}>;
export default _default;
