import { createHash } from 'node:crypto';
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  Logging,
  LogLevel,
  MP4,
  Mp4OutputFormat,
  OGG,
  Output,
  WEBM,
} from 'mediabunny';
import { voiceMaxBytesPerSecond, voiceMaxSeconds } from '#contract/constants.ts';
import type { Refusal } from './picture.ts';
import { serveParent } from './serve.ts';
import { longVoice, type MadeVoice, richVoice, unreadableVoice, wrongVoice } from './voice.ts';
import { aacOf, opusOf, type VoiceCodec } from './voice-codecs.ts';
import { hasJunk } from './webm.ts';

/**
 * A child process of the server that repacks recordings, one after another; see `decode.ts`. Nothing is decoded: the packets are checked
 * and written into a file that we describe ourselves.
 */

Logging.level = LogLevel.Silent;

/** Recorders stop slightly after they are told to. */
const graceSeconds = 1;
/** Bytes beyond the rate, for short recordings. */
const spareBytes = 8000;
/** The shortest packets of Opus take 2.5 ms. */
const mostPackets = (voiceMaxSeconds + graceSeconds) * 400;

async function repack(upload: Buffer): Promise<MadeVoice | Refusal> {
  if (isExpanding(upload) || hasJunk(upload)) return unreadableVoice;
  hideRepeatedFragments(upload);
  const input = new Input({ source: new BufferSource(upload), formats: [WEBM, OGG, MP4] });
  try {
    const [track, ...others] = await input.getTracks();
    if (track === undefined) return unreadableVoice;
    if (others.length > 0 || !track.isAudioTrack()) return wrongVoice;
    const codec = await codecOf(track);
    if (codec === undefined || hasEncodedBlocks(track)) return wrongVoice;
    const packets = await packetsOf(track, codec);
    return 'code' in packets ? packets : await pack(codec, packets);
  } catch {
    return unreadableVoice;
  } finally {
    input.dispose();
  }
}

/**
 * Whether boxes of an MP4 claim more samples than a recording has, or use tables that no recorder writes: a few bytes of these make a
 * reader build lists of billions of entries.
 */
function isExpanding(upload: Buffer): boolean {
  return ['trun', 'ctts', 'stz2'].some((name) => {
    for (let at = upload.indexOf(name, 4, 'latin1'); at !== -1; at = upload.indexOf(name, at + 4, 'latin1')) {
      // Elsewhere, the four letters occur by chance in the sound.
      const isBox = at + 12 <= upload.length && upload.readUInt32BE(at - 4) <= upload.length;
      if (isBox && (name !== 'trun' || upload.readUInt32BE(at + 8) > mostPackets)) return true;
    }
    return false;
  });
}

/**
 * Turns the header of an MP4 fragment into empty space if another header follows it instead of sound. WebKitGTK writes the last
 * header twice, and the offsets in the first are wrong.
 */
function hideRepeatedFragments(mp4: Buffer): void {
  const isFragment = (at: number) => mp4.toString('latin1', at + 4, at + 8) === 'moof';
  for (let [at, size] = [0, 0]; at + 8 <= mp4.length; at += size) {
    size = mp4.readUInt32BE(at);
    if (size < 8) return;
    if (isFragment(at) && isFragment(at + size)) mp4.write('free', at + 4, 'latin1');
  }
}

/** WebM can prefix each of its blocks with the same bytes, which a reader copies. The library offers no other way to read them. */
function hasEncodedBlocks(track: InputAudioTrack): boolean {
  const { _backing } = track as unknown as { _backing: { internalTrack?: { decodingInstructions?: unknown[] } } };
  return (_backing.internalTrack?.decodingInstructions ?? []).length > 0;
}

/** The container's description of its track, without the types of browsers. */
interface Described {
  description?: Uint8Array;
  numberOfChannels: number;
}

async function codecOf(track: InputAudioTrack): Promise<VoiceCodec | undefined> {
  const name = await track.getCodec();
  const config = name === 'opus' || name === 'aac' ? ((await track.getDecoderConfig()) as Described | null) : null;
  if (config === null) return undefined;
  const { description, numberOfChannels } = config;
  const header = description === undefined ? undefined : Buffer.from(description);
  if (name === 'aac') return aacOf(header);
  return numberOfChannels >= 1 && numberOfChannels <= 2 ? opusOf(numberOfChannels, header) : undefined;
}

interface Packet {
  data: Uint8Array;
  samples: number;
}

/** The packets of a recording. Their own durations count, not the container's, because recorders often write wrong times or none. */
async function packetsOf(track: InputAudioTrack, { samplesOf, config }: VoiceCodec): Promise<Packet[] | Refusal> {
  const packets: Packet[] = [];
  let [bytes, samples] = [0, 0];
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    const own = samplesOf(data);
    if (own === undefined) return unreadableVoice;
    packets.push({ data, samples: own });
    bytes += data.length;
    samples += own;
    if (samples > (voiceMaxSeconds + graceSeconds) * config.sampleRate) return longVoice;
    if (bytes > (voiceMaxSeconds + graceSeconds) * voiceMaxBytesPerSecond) return richVoice;
  }
  if (packets.length === 0) return unreadableVoice;
  return bytes > spareBytes + (samples / config.sampleRate) * voiceMaxBytesPerSecond ? richVoice : packets;
}

/** Writes the packets into an MP4 whose index is at its start, so that players can begin before they have all of it. */
async function pack({ codec, config }: VoiceCodec, packets: readonly Packet[]): Promise<MadeVoice> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  let at = 0;
  for (const { data, samples } of packets) {
    const packet = new EncodedPacket(data, 'key', at / config.sampleRate, samples / config.sampleRate);
    await source.add(packet, { decoderConfig: config });
    at += samples;
  }
  await output.finalize();
  const bytes = withoutTimes(Buffer.from(target.buffer ?? new ArrayBuffer(0)));
  return {
    bytes,
    durationMs: Math.round((at / config.sampleRate) * 1000),
    sha256: createHash('sha256').update(bytes).digest(),
  };
}

/** Sets the times of creation in an MP4 to zero. */
function withoutTimes(mp4: Buffer): Buffer {
  for (const name of ['mvhd', 'tkhd', 'mdhd']) {
    const at = mp4.indexOf(name, 0, 'latin1') + 4;
    mp4.fill(0, at + 4, at + 4 + (mp4.readUInt8(at) === 0 ? 8 : 16));
  }
  return mp4;
}

serveParent(repack);
