import { fileOf } from '#contract/service/file-name.ts';
import { presentBrand } from '../../brand.ts';

/** The name of a file of the service, which begins with the service's. */
export const brandFile = (rest: string): string => fileOf(presentBrand().name, rest);

/** WebKit reads the file after the click; a minute is enough for the largest one. */
const readWithinMs = 60_000;

/** Makes the browser save a file under this name. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), readWithinMs);
}
