const [ebml, segment, cluster] = [0x1a45dfa3, 0x18538067, 0x1f43b675];
/** The elements that a WebM has outside of its clusters; the last one is empty space. */
const outside = new Set([
  ...[ebml, segment, cluster],
  ...[0x114d9b74, 0x1549a966, 0x1654ae6b, 0x1c53bb6b],
  ...[0x1941a469, 0x1043a770, 0x1254c367, 0xec],
]);
/** More elements than a minute has, even in the shortest packets of Opus, which take 2.5 ms. */
const mostElements = 30_000;

/**
 * Whether a WebM is malformed: its elements don't follow each other according to their sizes, or there are too many; false for other files.
 * Where the library finds no element, it searches byte by byte, in the worst case forever.
 */
export function hasJunk(upload: Buffer): boolean {
  if (upload.readUInt32BE(0) !== ebml) return false;
  let clusterEnd = 0;
  let count = 0;
  // A recording may be cut off in its last element.
  for (let at = 0; at + 1 < upload.length; count += 1) {
    const found = elementAt(upload, at);
    if (found === undefined || count > mostElements) return true;
    const { id, bodyAt, size } = found;
    const isEntered = id === segment || id === cluster;
    if (size === undefined && !isEntered) return true;
    if (outside.has(id)) clusterEnd = id === cluster ? bodyAt + (size ?? Infinity) : 0;
    else if (at >= clusterEnd) return true;
    at = isEntered ? bodyAt : bodyAt + (size ?? 0);
  }
  return false;
}

/** The element whose first byte is at `at`; its size is undefined if it isn't known, as live recorders write it. */
function elementAt(webm: Buffer, at: number): { id: number; bodyAt: number; size: number | undefined } | undefined {
  const idLength = lengthAt(webm, at);
  const sizeAt = at + idLength;
  const sizeLength = lengthAt(webm, sizeAt);
  const bodyAt = sizeAt + sizeLength;
  if (idLength > 4 || sizeLength > 8 || bodyAt > webm.length) return undefined;
  const mask = 0xff >> sizeLength;
  const size = webm.subarray(sizeAt, bodyAt).reduce((sum, byte, n) => sum * 256 + (n === 0 ? byte & mask : byte), 0);
  const isUnknown = webm[sizeAt] === 0xff || size === 2 ** 56;
  return { id: webm.readUIntBE(at, idLength), bodyAt, size: isUnknown ? undefined : size };
}

/** How many bytes an id or a size has, by the zeros that its first byte begins with; 9 for none that exists. */
const lengthAt = (webm: Buffer, at: number) => Math.clz32(webm[at] ?? 0) - 23;
