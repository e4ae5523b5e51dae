/** The option of the commands that encrypt or open a backup. */
export const PASSPHRASE = {
  'passphrase-file': {
    type: 'string',
    description: 'File whose first line is the passphrase of an encrypted backup',
    valueHint: 'file',
  },
} as const;
