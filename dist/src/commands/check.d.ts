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
    readonly name: {
        readonly type: "string";
        readonly description: "The person's full name";
        readonly required: true;
    };
    readonly email: {
        readonly type: "string";
        readonly description: "An email address; up to 5 times";
    };
    readonly phone: {
        readonly type: "string";
        readonly description: "A phone number; up to 5 times";
    };
    readonly address: {
        readonly type: "string";
        readonly description: "An address on one line; up to 5 times";
    };
    readonly region: {
        readonly type: "string";
        readonly description: "Country of numbers without a country code (default US)";
    };
}>;
export default _default;
