/** Declares a feature plugin; a file's default export, or one of a list. */
export function defineFeature(feature) {
    return { kind: 'feature', ...feature };
}
/** Declares a model plugin; a file's default export, or one of a list. */
export function defineModel(model) {
    return { kind: 'model', ...model };
}
