// Small helpers of the test kit.
/** Freezes a value and all that it holds, so that a plugin that changes what it is handed throws. */
export function frozen(value) {
    if (value !== null && typeof value === 'object') {
        for (const part of Object.values(value))
            frozen(part);
        Object.freeze(value);
    }
    return value;
}
/** The problems that some work finds, or what it throws as one. */
export function thrown(work) {
    try {
        return work();
    }
    catch (error) {
        return [`throws ${error instanceof Error ? error.message : 'something that is no Error'}`];
    }
}
/** Strings and lists of a JSON Schema that have no limit: they would let a model answer at any length. */
export function unbounded(schema, path = 'answer') {
    const { type, properties, items } = schema;
    const own = (type === 'string' && !('maxLength' in schema) && !('enum' in schema) && !('const' in schema)) ||
        (type === 'array' && !('maxItems' in schema));
    const limit = type === 'string' ? 'v.maxLength' : 'v.maxLength on the list';
    const below = Object.entries({ ...properties, ...(items ? { '[]': items } : {}) });
    return [
        ...(own ? [`${path} has no limit; give it one with ${limit}`] : []),
        ...below.flatMap(([key, part]) => unbounded(part, `${path}.${key}`)),
    ];
}
