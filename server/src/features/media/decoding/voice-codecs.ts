/** What we need to know about an audio codec in order to check and repack its packets without decoding them. */
export interface VoiceCodec {
  codec: 'opus' | 'aac';
  /** The description of the track, which we write ourselves, so that nothing of the upload's is kept. */
  config: { codec: string; numberOfChannels: number; sampleRate: number; description: Uint8Array };
  /** The duration of a packet, in samples of `sampleRate`; undefined if it isn't a packet of this codec. */
  samplesOf: (packet: Uint8Array) => number | undefined;
}

const opusRate = 48_000;
/** Samples that every Opus encoder puts before the sound. */
const usualPreSkip = 312;
/** Samples of a frame, by the configuration in an Opus packet's first byte: SILK, hybrid and CELT (RFC 6716, section 3.1). */
const silkFrames = [480, 960, 1920, 2880];
const celtFrames = [120, 240, 480, 960];
const mostSamplesOfPacket = 5760;

function opusFrame(configuration: number): number {
  if (configuration >= 16) return celtFrames[configuration % 4] ?? 0;
  return (configuration < 12 ? silkFrames[configuration % 4] : silkFrames[configuration % 2]) ?? 0;
}

function opusSamples(packet: Uint8Array): number | undefined {
  const [first, second = 0] = packet;
  if (first === undefined) return undefined;
  const frames = [1, 2, 2, second % 64][first % 4] ?? 0;
  const samples = opusFrame(first >> 3) * frames;
  return samples > 0 && samples <= mostSamplesOfPacket ? samples : undefined;
}

/** Opus with one or two channels. The header of the upload counts only for its pre-skip: its gain could be deafening. */
export function opusOf(channels: number, header: Buffer | undefined): VoiceCodec {
  const preSkip = header !== undefined && header.length >= 19 ? Math.min(header.readUInt16LE(10), 3840) : usualPreSkip;
  const description = Buffer.alloc(19);
  description.write('OpusHead\x01', 'latin1');
  description.writeUInt8(channels, 9);
  description.writeUInt16LE(preSkip, 10);
  description.writeUInt32LE(opusRate, 12);
  return {
    codec: 'opus',
    config: { codec: 'opus', numberOfChannels: channels, sampleRate: opusRate, description },
    samplesOf: opusSamples,
  };
}

const aacRates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000];
const lowComplexity = 2;

/** AAC-LC with one or two channels; undefined for all other kinds (ISO 14496-3, AudioSpecificConfig). */
export function aacOf(header: Buffer | undefined): VoiceCodec | undefined {
  const bits = header === undefined || header.length < 2 ? 0 : header.readUInt16BE(0);
  const sampleRate = aacRates[(bits >> 7) & 15];
  const channels = (bits >> 3) & 15;
  if (bits >> 11 !== lowComplexity || sampleRate === undefined || channels < 1 || channels > 2) return undefined;
  const description = Buffer.alloc(2);
  // Without the last three bits, which change the length of a frame or announce extensions.
  description.writeUInt16BE(bits & ~7);
  return {
    codec: 'aac',
    config: { codec: 'mp4a.40.2', numberOfChannels: channels, sampleRate, description },
    samplesOf: (packet) => (packet.length > 1 ? 1024 : undefined),
  };
}
