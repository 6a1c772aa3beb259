import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { parseBuffer } from 'music-metadata';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { draw } from '../../../test/pictures.ts';
import {
  box,
  element,
  lacedWebm,
  mp4DataAt,
  mp4Of,
  recording,
  silence,
  webmOf,
  words,
} from '../../../test/voice/files.ts';
import { AppError } from '#platform/http/app-error.ts';
import { inTurn } from './image.ts';
import { makeVoice, repackWithin } from './voice.ts';

const times = (count: number, packet = silence) => Array.from({ length: count }, () => packet);

/** Each kind of recording that browsers make, its codec and its length. */
const accepted: [string, Buffer, 'Opus' | 'mp4a', number][] = [
  ["Chromium's WebM", recording('chromium.webm'), 'Opus', 3000],
  ["Chromium's WebM in slices", recording('chromium-sliced.webm'), 'Opus', 1980],
  ["Chromium's fragmented MP4", recording('chromium-opus.mp4'), 'Opus', 3000],
  ["WebKitGTK's fragmented MP4, which announces its last fragment twice", recording('webkitgtk.mp4'), 'Opus', 3140],
  ["Firefox's Ogg, with a title and a place", recording('tone.ogg'), 'Opus', 2520],
  [
    "Safari's WebM: no duration, no index, no OpusHead, times that begin anywhere",
    recording('safari.webm'),
    'Opus',
    3000,
  ],
  ['MP4 with AAC and a title', recording('tone.m4a'), 'mp4a', 3029],
  ["Safari's fragmented MP4 with AAC", recording('fragmented.m4a'), 'mp4a', 3029],
  ['a minute of WebM', webmOf({ packets: times(3000) }), 'Opus', 60_000],
  ['an MP4 with its tables at the end', mp4Of({ tables: tables() }), 'Opus', 1000],
];

function tables({ timing = [1, 50, 960], sizes = [3, 50], chunkAt = mp4DataAt } = {}): Buffer[] {
  return [
    box('stts', words(0, ...timing)),
    box('stsc', words(0, 1, 1, 50, 1)),
    box('stsz', words(0, ...sizes)),
    box('stco', words(0, 1, chunkAt)),
  ];
}

const packets = times(50);
const most = 0xffff_ffff;
const trun = (flags: number, count: number) =>
  box('moof', [
    box('mfhd', words(0, 1)),
    box('traf', [box('tfhd', words(0x02_0000, 1)), box('tfdt', words(0, 0)), box('trun', words(flags, count, 8))]),
  ]);
const fragments = (count: number) => Array.from({ length: count }, () => box('moof', []));
const nested = (depth: number) => {
  const start = box('moov', [], 8 * depth);
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), ...Array.from({ length: depth }, () => start)]);
};
const bit = (at: number, bytes: Buffer, value: number) => {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(value, at);
  return changed;
};
const stripped = element(
  '6d80',
  element('6240', [element('5034', [element('4254', Buffer.of(3)), element('4255', Buffer.alloc(300_000))])]),
);
const loud = Buffer.from(
  'OpusHead\x01\x06\x38\x01\x80\xbb\x00\x00\x00\x00\x01\x04\x02\x00\x04\x01\x02\x03\x05',
  'latin1',
);

/** Files that aren't voice messages, by how they are refused: all but one without having to kill the process that reads them. */
const hostile = Object.entries<Record<string, () => Buffer | Promise<Buffer>>>({
  VOICE_UNREADABLE: {
    nothing: () => Buffer.alloc(0),
    AVIF: () => Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'latin1'),
    QuickTime: () => mp4Of({ tables: tables(), brand: 'qt  ' }),
    'garbage after the start of a WebM': () => garbage(recording('chromium.webm'), 4),
    'garbage after the header of a WebM': () => garbage(recording('chromium.webm'), 48),
    'garbage after the start of an Ogg': () => garbage(recording('tone.ogg'), 27),
    'garbage after the start of an MP4': () => garbage(recording('tone.m4a'), 32),
    'garbage before the first cluster of a WebM': () => webmOf({ packets, before: [noise(3000)] }),
    'zeros before the first cluster of a WebM': () => webmOf({ packets, before: [Buffer.alloc(64)] }),
    'zeros after the last cluster of a WebM': () => Buffer.concat([webmOf({ packets }), Buffer.alloc(64)]),
    'tags of unknown size': () => webmOf({ packets, before: [element('1254c367', Buffer.alloc(9), 'unknown')] }),
    'a hundred thousand empty elements': () => webmOf({ packets, before: times(100_000, Buffer.of(0xec, 0x80)) }),
    'an MP4 of nothing but fragments': () =>
      Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), ...fragments(90_000)]),
    'a WebM cut in its header': () => recording('chromium.webm').subarray(0, 100),
    'an Ogg cut in its header': () => recording('tone.ogg').subarray(0, 60),
    'an MP4 cut before its tables': () => recording('tone.m4a').subarray(0, 9000),
    'no packets': () => webmOf({ packets: [] }),
    'empty packets': () => webmOf({ packets: times(50, Buffer.alloc(0)) }),
    'packets without a frame': () => webmOf({ packets: times(50, Buffer.of(0xfb, 0)) }),
    'packets of more than 120 ms': () => webmOf({ packets: times(50, Buffer.of(0xfb, 63)) }),
    'five minutes': () => webmOf({ packets: times(15_000) }),
    '62 seconds': () => webmOf({ packets: times(3100) }),
    'five minutes that claim a few seconds': () => webmOf({ packets: times(2500, Buffer.of(0xfb, 6, 0)), packetMs: 1 }),
    'a second of 100 KB': () => webmOf({ packets: times(50, Buffer.concat([silence, Buffer.alloc(2000)])) }),
    'an element that claims petabytes': () =>
      Buffer.concat([recording('chromium.webm').subarray(0, 48), element('1654ae6b', Buffer.alloc(9), 2 ** 47)]),
    'boxes in boxes': () => nested(60_000),
    'a box that claims more than the file': () =>
      Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), box('moov', [], most)]),
    'four billion samples in a fragment': () =>
      mp4Of({ tables: tables({ timing: [0], sizes: [0, 0] }), moof: [trun(1, most)] }),
    'four billion samples with offsets': () =>
      mp4Of({ tables: [...tables({ timing: [1, most, 1] }), box('ctts', words(0, 1, most, 5))] }),
    'four billion samples of zero bits': () => mp4Of({ tables: [box('stz2', words(0, 0, most)), ...tables()] }),
    'four billion sizes': () => mp4Of({ tables: tables({ sizes: [0, most] }) }),
    'four billion samples of one size': () => mp4Of({ tables: tables({ timing: [1, most, 0], sizes: [3, most] }) }),
    'samples outside of the file': () => mp4Of({ tables: tables({ chunkAt: 400_000_000 }) }),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    'one byte': () => Buffer.of(0x1a),
    text: () => Buffer.from('hello '.repeat(1000)),
    'a page with a script': () => Buffer.from('<!doctype html><script>alert(1)</script>'),
    'a playlist that names other files': () => Buffer.from('#EXTM3U\nfile:///etc/passwd\n'),
    'half a megabyte of zeros': () => Buffer.alloc(500_000),
    'a zip bomb': () => gzipSync(Buffer.alloc(50_000_000)),
    'a picture': () => draw(),
    'an MP3 named .webm': () => recording('sound.mp3'),
    'a WAV': () => Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt ', 'latin1'),
    Vorbis: () => recording('vorbis.ogg'),
    'a video': () => recording('video.webm'),
    PCM: () => webmOf({ packets: times(50), codec: 'A_PCM/FLOAT/IEEE' }),
    'two tracks': () => webmOf({ packets: times(50), tracks: 2 }),
    'a thousand tracks': () => webmOf({ packets: times(50), tracks: 1000 }),
    'six channels': () => webmOf({ packets: times(50), channels: 6, header: loud }),
    'blocks that are expanded by a prefix': () => webmOf({ packets: times(3000), more: [stripped], flags: 0x84 }),
    'AAC with other frames': () => otherAac(),
  },
  killed: {
    'blocks that expand to millions of frames': lacedWebm,
  },
  PAYLOAD_TOO_LARGE: {
    'more bytes than any recording': () => Buffer.concat([recording('chromium.webm'), Buffer.alloc(900_000)]),
  },
}).flatMap(([code, files]) => Object.entries(files).map(([name, make]) => [name, code, make] as const));

const noise = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 7919 + (at >> 3) * 31) % 256));

function garbage(start: Buffer, kept: number): Buffer {
  const bytes = noise(start.length);
  start.copy(bytes, 0, 0, kept);
  return bytes;
}

/** The AAC recording, whose description says that it is HE-AAC. */
function otherAac(): Buffer {
  const file = recording('tone.m4a');
  const at = file.indexOf(Buffer.of(0x05, 0x80, 0x80, 0x80)) + 5;
  return bit(at, file, (5 << 3) | (file.readUInt8(at) & 7));
}

/** What a failed expectation should print: the length of the result or the kind of refusal, not the bytes. */
const outcomeOf = (made: ReturnType<typeof makeVoice>) =>
  made.then(
    ({ durationMs }) => durationMs,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      return error.details.costs === undefined ? error.code : 'killed';
    },
  );

/** The product's limit of work, however long a busy machine takes for it. */
const workOnly = { within: { ...repackWithin, clockMs: 600_000 } };

const namesOf = (mp4: Buffer) => mp4.toString('latin1').match(/meta|udta|CANARY\w+|Lavf|\+50\.08/g);

describe('makeVoice', () => {
  it.each(accepted)('accepts %s', async (_, upload, codec, durationMs) => {
    const { bytes, ...made } = await makeVoice(upload, 'ada', workOnly);
    expect(made.durationMs).toBe(durationMs);
    const { format, common } = await parseBuffer(bytes, { mimeType: 'audio/mp4' });
    expect(format).toMatchObject({
      container: expect.stringContaining('isom'),
      hasVideo: false,
      numberOfChannels: 1,
    });
    expect(Math.abs((format.duration ?? 0) * 1000 - durationMs)).toBeLessThan(2);
    expect({ creation: format.creationTime?.getFullYear(), title: common.title }).toEqual({ creation: 1904 });
    expect(bytes.indexOf(codec)).toBeGreaterThan(0);
    expect(namesOf(bytes)).toBeNull();
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  it('keeps the sound', async () => {
    const { bytes } = await makeVoice(recording('tone.ogg'), 'ada');
    const again = await makeVoice(bytes, 'ada');
    expect(again.bytes.equals(bytes)).toBe(true);
    expect(again.sha256).toEqual((await makeVoice(recording('tone.ogg'), 'ada')).sha256);
  });

  it('does not keep a deafening gain', async () => {
    const header = Buffer.from('OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\xff\x7f\x00', 'latin1');
    const { bytes } = await makeVoice(webmOf({ packets: times(50), header }), 'ada');
    const at = bytes.indexOf('dOps') + 4;
    expect(bytes.subarray(at, at + 11)).toEqual(Buffer.of(0, 1, 1, 0x38, 0, 0, 0xbb, 0x80, 0, 0, 0));
  });

  it('refuses hostile files one after the other', async () => {
    for (const [name, code, make] of hostile)
      expect([name, await outcomeOf(makeVoice(await make(), 'mallory', workOnly))]).toEqual([name, code]);
  });

  it('accepts recordings of others while hostile files are refused', async () => {
    const refused = Promise.all(
      hostile.map(async ([, , make]) => await outcomeOf(makeVoice(await make(), 'mallory', workOnly))),
    );
    for (const [name, upload, , durationMs] of accepted)
      expect([name, await outcomeOf(makeVoice(upload, 'ada', workOnly))]).toEqual([name, durationMs]);
    expect((await refused).filter((outcome) => typeof outcome === 'number')).toEqual([]);
  });

  describe('while a busy machine does not run its process (Linux only)', () => {
    afterEach(() => void vi.useRealTimers());

    it.each([
      ['waits', 50_000, 3000],
      ['gives up in the end, and reads the next one', 70_000, 'killed'],
    ])('%s', async (_, passedMs, outcome) => {
      await makeVoice(recording('chromium.webm'), 'ada');
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
      const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').map(Number);
      for (const child of children) process.kill(child, 'SIGSTOP');
      const made = outcomeOf(
        makeVoice(recording('chromium.webm'), 'ada', { within: { processorMs: 300, clockMs: 60_000 } }),
      );
      await vi.advanceTimersByTimeAsync(passedMs);
      for (const child of children) process.kill(child, 'SIGCONT');
      expect(await made).toBe(outcome);
      expect(await outcomeOf(makeVoice(recording('chromium.webm'), 'ada'))).toBe(3000);
    });
  });
});

describe('inTurn', () => {
  it('makes the next uploads of the same member wait, even after a failed one, but not those of other members', async () => {
    const started: string[] = [];
    const first = Promise.withResolvers<never>();
    const work = (name: string, until?: Promise<never>) => async () => (started.push(name), await until);
    const ofAda = [inTurn('ada', work('1st', first.promise)), inTurn('ada', work('2nd')), inTurn('ada', work('3rd'))];
    await inTurn('bo', work('another member’s'));
    expect(started).toEqual(['1st', 'another member’s']);
    first.reject(new Error('unreadable'));
    await expect(ofAda[0]).rejects.toThrow('unreadable');
    await Promise.all(ofAda.slice(1));
    expect(started).toEqual(['1st', 'another member’s', '2nd', '3rd']);
  });
});
