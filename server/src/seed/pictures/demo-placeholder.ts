import { rgbaToThumbHash } from 'thumbhash';
import { drawDemoPicture, type DemoPicture } from './demo-picture.ts';
import { paintSmall } from './drawing/raster.ts';
import { rasterHeight, rasterWidth } from './drawing/spans.ts';

/** The thumbhash of a demo picture, base64: of its larger shapes in 25 × 32 cells, as rendering all of it takes far longer. */
export function demoPlaceholder(wanted: DemoPicture): string {
  const pixels = paintSmall(drawDemoPicture(wanted).shapes);
  return Buffer.from(rgbaToThumbHash(rasterWidth, rasterHeight, pixels)).toString('base64');
}
