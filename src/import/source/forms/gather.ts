import { BonafideError } from '../../../errors.ts';

/** What is read from its end, as workbooks and Parquet files are, has to be at hand as a whole. */
const MOST_BYTES = 256 * 1024 * 1024;

/** All bytes of an input. Errors: `unreadable_file` where they are too many. */
export async function gather(
  bytes: AsyncIterable<Uint8Array>,
  { name, way }: { name: string; way: string },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MOST_BYTES)
      throw new BonafideError('unreadable_file', `${name} is larger than 256 MiB. ${way} and import that.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
