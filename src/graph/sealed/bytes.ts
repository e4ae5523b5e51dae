// Values one after the other in bytes: who reads them knows their order.

export interface BytesWriter {
  /** A whole number from 0 to 2^31, small ones in one byte (seven bits each, the lowest first). */
  count(value: number): void;
  text(value: string): void;
  /** 52 bits in seven bytes. */
  fingerprint(value: number): void;
  /** 16 bits. */
  short(value: number): void;
  /** Everything, filled with zeros up to a multiple of so many bytes. */
  padded(step: number): Buffer;
}

export interface BytesReader {
  count(): number;
  text(): string;
  fingerprint(): number;
  short(): number;
}

const HIGH = 2 ** 32;

export function bytesWriter(): BytesWriter {
  let bytes = Buffer.allocUnsafe(256);
  let at = 0;
  const room = (more: number) => {
    if (at + more <= bytes.length) return;
    bytes = Buffer.concat([bytes.subarray(0, at), Buffer.allocUnsafe(bytes.length + more)]);
  };
  const count = (value: number) => {
    room(5);
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) bytes[at++] = (rest & 0x7f) | 0x80;
    bytes[at++] = rest;
  };
  return {
    count,
    text(value) {
      const length = Buffer.byteLength(value);
      count(length);
      room(length);
      at += bytes.write(value, at);
    },
    fingerprint(value) {
      room(7);
      at = bytes.writeUInt32LE(value % HIGH, at);
      at = bytes.writeUIntLE(Math.floor(value / HIGH), at, 3);
    },
    short(value) {
      room(2);
      at = bytes.writeUInt16LE(value, at);
    },
    padded(step) {
      const padding = (step - (at % step)) % step;
      room(padding);
      bytes.fill(0, at, at + padding);
      return bytes.subarray(0, at + padding);
    },
  };
}

export function bytesReader(bytes: Buffer): BytesReader {
  let at = 0;
  const count = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  return {
    count,
    text() {
      const length = count();
      return bytes.toString('utf8', at, (at += length));
    },
    fingerprint() {
      at += 7;
      return bytes.readUIntLE(at - 3, 3) * HIGH + bytes.readUInt32LE(at - 7);
    },
    short() {
      at += 2;
      return bytes.readUInt16LE(at - 2);
    },
  };
}
