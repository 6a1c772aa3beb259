/** What the markers before the pixels of a JPEG contain. */
export interface JpegStart {
  /** Whether the first scan has all components. If not, the whole picture must be in memory before any row can be decoded. */
  isOnePass: boolean;
  /** Where the compressed pixels start. */
  scanAt: number;
}

const startOfScan = 0xda;
/** Markers of a frame (SOF), which share their range with DHT, JPG and DAC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isProgressive = (marker: number) => [0xc2, 0xc6, 0xca, 0xce].includes(marker);
/** Markers without a length: TEM and restarts. */
const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Reads the markers of a JPEG up to its first scan; null if it has none. */
export function readJpegStart(jpeg: Buffer): JpegStart | null {
  let frame = { isProgressive: true, components: 0 };
  let at = jpeg.indexOf(0xff, 2);
  while (at !== -1 && at + 4 <= jpeg.length) {
    const marker = jpeg.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0 || isBare(marker)) {
      at = jpeg.indexOf(0xff, at + 2);
      continue;
    }
    const next = at + 2 + jpeg.readUInt16BE(at + 2);
    if (next > jpeg.length) return null;
    if (isFrame(marker) && next >= at + 10)
      frame = { isProgressive: isProgressive(marker), components: jpeg.readUInt8(at + 9) };
    if (marker === startOfScan)
      return { isOnePass: !frame.isProgressive && jpeg.readUInt8(at + 4) === frame.components, scanAt: next };
    at = jpeg.indexOf(0xff, next);
  }
  return null;
}
