// The nouns of Bonafide. Types only: nothing here runs, and nothing here imports.
export {};
