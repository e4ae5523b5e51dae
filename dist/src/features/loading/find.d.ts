/**
 * The plugins that a path of the settings stands for: the file itself, or what a folder holds, sorted by name.
 * Files are `.ts`, `.mjs` and `.js`; each folder within is one plugin. Hidden ones, declarations and tests are not plugins.
 * Errors: file_not_found.
 */
export declare function pluginsAt(path: string): string[];
/**
 * The file that a plugin starts with: itself, or of a folder what its package.json names as `main`, else its index.
 * @returns the path; throws a plain Error whose message is half a sentence
 */
export declare function startOf(path: string): string;
