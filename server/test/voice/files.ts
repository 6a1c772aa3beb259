import { readFileSync } from 'node:fs';

/** A recording from this folder; see the README there. */
export const recording = (name: string): Buffer => readFileSync(new URL(name, import.meta.url));

/** Twenty milliseconds of Opus without a sound. */
export const silence = Buffer.from([0xf8, 0xff, 0xfe]);

const bigEndian = (value: number, bytes: number) => {
  const written = Buffer.alloc(bytes);
  if (bytes === 8) written.writeBigUInt64BE(BigInt(value));
  else written.writeUIntBE(value, 0, bytes);
  return written;
};

/** An element of WebM; `size` is its declared size, 'unknown' as live recorders write it. */
export function element(id: string, body: Buffer | Buffer[], size?: number | 'unknown'): Buffer {
  const content = Array.isArray(body) ? Buffer.concat(body) : body;
  const claimed = bigEndian(size === 'unknown' ? 2 ** 48 : (size ?? content.length), 8);
  if (size === 'unknown') claimed.fill(0xff);
  claimed.writeUInt8(size === 'unknown' ? 0x01 : claimed.readUInt8(0) | 0x01);
  return Buffer.concat([Buffer.from(id, 'hex'), claimed, content]);
}
const number = (id: string, value: number) => element(id, bigEndian(value, 4));
const word = (id: string, value: string) => element(id, Buffer.from(value, 'latin1'));

interface WebmParts {
  packets: readonly Buffer[];
  codec?: string;
  channels?: number;
  tracks?: number;
  /** An OpusHead; none by default. */
  header?: Buffer;
  /** More elements of the track. */
  more?: Buffer[];
  /** The time of the first packet, in milliseconds. */
  startMs?: number;
  /** How long a packet takes. */
  packetMs?: number;
  /** The flags of every block, with its kind of lacing. */
  flags?: number;
  docType?: string;
  /** The content of the segment before its clusters. */
  before?: Buffer[];
  /** How many packets a cluster has. */
  clusterOf?: number;
}

/** A WebM as a live recorder writes it: no duration, no index, and elements of unknown size. */
export function webmOf(parts: WebmParts): Buffer {
  const { packets, codec = 'A_OPUS', channels = 1, tracks = 1, header, more = [], before = [] } = parts;
  const { startMs = 0, packetMs = 20, flags = 0x80, clusterOf = 500 } = parts;
  const track = (at: number) =>
    element('ae', [
      number('d7', at + 1),
      number('73c5', at + 1),
      number('83', 2),
      word('86', codec),
      ...(header === undefined ? [] : [element('63a2', header)]),
      ...more,
      element('e1', [number('9f', channels)]),
    ]);
  const blocks = packets.map((packet, at) =>
    element(
      'a3',
      Buffer.concat([Buffer.of(0x81), bigEndian((at % clusterOf) * packetMs, 2), Buffer.of(flags), packet]),
    ),
  );
  const clusters = [];
  for (let at = 0; at < blocks.length; at += clusterOf)
    clusters.push(
      element('1f43b675', [number('e7', startMs + at * packetMs), ...blocks.slice(at, at + clusterOf)], 'unknown'),
    );
  return Buffer.concat([
    element('1a45dfa3', [number('4286', 1), word('4282', parts.docType ?? 'webm'), number('4287', 4)]),
    element(
      '18538067',
      [
        element('1549a966', [number('2ad7b1', 1_000_000), word('4d80', 'CANARYMUXER')]),
        element(
          '1654ae6b',
          Array.from({ length: tracks }, (_, at) => track(at)),
        ),
        ...before,
        ...clusters,
      ],
      'unknown',
    ),
  ]);
}

/** A WebM that keeps its reader busy for seconds: one cluster whose blocks expand to millions of frames. */
export const lacedWebm = (): Buffer =>
  webmOf({
    packets: Array.from({ length: 20_000 }, () => Buffer.of(255)),
    packetMs: 1,
    flags: 0x84,
    clusterOf: 20_000,
  });

/** A box of MP4; `size` is its declared size. */
export function box(name: string, body: Buffer | Buffer[] = [], size?: number): Buffer {
  const content = Array.isArray(body) ? Buffer.concat(body) : body;
  return Buffer.concat([bigEndian(size ?? content.length + 8, 4), Buffer.from(name, 'latin1'), content]);
}

/** Numbers of 32 bits. */
export const words = (...values: number[]): Buffer => Buffer.concat(values.map((value) => bigEndian(value, 4)));

/** Where the packets of `mp4Of` begin. */
export const mp4DataAt = 28;

/** An MP4 with one track of Opus and fifty packets of silence, whose tables of samples are given. */
export function mp4Of({ tables, moof = [], brand = 'isom' }: { tables: Buffer[]; moof?: Buffer[]; brand?: string }) {
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(1, 16);
  entry.writeUInt16BE(16, 18);
  entry.writeUInt32BE(48_000 * 65_536, 24);
  const opus = box('Opus', [entry, box('dOps', Buffer.of(0, 1, 1, 56, 0, 0, 0xbb, 0x80, 0, 0, 0))]);
  const media = box('mdia', [
    box('mdhd', words(0, 0, 0, 48_000, 0, 0x55c40000)),
    box('hdlr', Buffer.concat([words(0, 0), Buffer.from('soun', 'latin1'), Buffer.alloc(13)])),
    box('minf', [box('smhd', words(0, 0)), box('stbl', [box('stsd', [words(0, 1), opus]), ...tables])]),
  ]);
  const track = box('trak', [box('tkhd', [words(7, 0, 0, 1, 0, 0), Buffer.alloc(60)]), media]);
  const extend = moof.length === 0 ? [] : [box('mvex', box('trex', words(0, 1, 1, 960, 3, 0)))];
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\x00\x00\x02\x00${brand}`, 'latin1')),
    box('mdat', Buffer.concat(Array.from({ length: 50 }, () => silence))),
    box('moov', [box('mvhd', [words(0, 0, 0, 1000, 0), Buffer.alloc(80)]), track, ...extend]),
    ...moof,
  ]);
}
