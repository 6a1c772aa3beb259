/** Whether the first bits of a digest are zero. */
function startsWithZeros(digest: ArrayBuffer, bits: number): boolean {
  return new DataView(digest).getUint32(0) >>> (32 - bits) === 0;
}

/**
 * The number that solves a challenge of the server: it makes sending many reports expensive, without a service that watches people. Takes
 * about half a second on a phone.
 */
export async function solve({ challenge, bits }: { challenge: string; bits: number }): Promise<number> {
  const encoder = new TextEncoder();
  for (let counter = 0; ; counter += 1) {
    const digest = await crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}.${counter}`));
    if (startsWithZeros(digest, bits)) return counter;
  }
}
