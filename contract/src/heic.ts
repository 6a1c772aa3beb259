/** The kinds of HEIF that hold HEVC, as iPhones and some Android phones take pictures. */
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];

/** How many bytes from the start of a file `isHeic` needs. */
export const heicStartBytes = 200;

/** Whether a file with these first bytes is HEIC, which only Apple's browsers decode. */
export function isHeic(file: Uint8Array): boolean {
  const start = String.fromCharCode(...file.subarray(0, heicStartBytes));
  if (start.slice(4, 8) !== 'ftyp') return false;
  const boxBytes = new DataView(file.buffer, file.byteOffset).getUint32(0);
  const brands: string[] = start.slice(8, boxBytes).match(/[^]{4}/g) ?? [];
  return brands.some((brand) => heicBrands.includes(brand)) && !brands.includes('avif');
}
