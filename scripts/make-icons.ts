// Draws the icons of the installed app from the logo. Run `node scripts/make-icons.ts` when the logo changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { projectRoot } from '../launcher/command.ts';

const folder = join(projectRoot, 'web/public');
const mark = /<svg[^>]*>(.*)<\/svg>/s.exec(readFileSync(join(folder, 'favicon.svg'), 'utf8'))?.[1] ?? '';
const paper = '#fcf8f3';
/** The side of the square that the mark is drawn in, and of the icons. */
const [markSide, side] = [48, 512];

/** The mark in the middle of an icon; its width is the given share of the side. */
function centred(part: number, drawing = mark): string {
  const scale = (side * part) / markSide;
  const [x, y] = [(side - markSide * scale) / 2, (side - (markSide + 1) * scale) / 2];
  return `<g transform="translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})" fill="none">${drawing}</g>`;
}

const drawn = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" width="${side}" height="${side}">${content}</svg>\n`;
const icon = drawn(`<rect width="${side}" height="${side}" rx="112" fill="${paper}"/>${centred(0.74)}`);
/** Launchers crop this icon to their shape, but never inside a circle of four fifths of its width. */
const maskable = drawn(`<rect width="${side}" height="${side}" fill="${paper}"/>${centred(0.6)}`);
const edgeToEdge = drawn(`<rect width="${side}" height="${side}" fill="${paper}"/>${centred(0.72)}`);
/** The system shows only the opaque part of this icon, in the system's colour. */
const badge = drawn(
  `<mask id="m">${centred(0.98, mark.replace('#972f33', '#fff').replaceAll('#fbe3d3', '#000'))}</mask><rect width="${side}" height="${side}" fill="#fff" mask="url(#m)"/>`,
);

async function write(name: string, svg: string, pixels: number): Promise<void> {
  const png = await sharp(Buffer.from(svg)).resize(pixels).png({ compressionLevel: 9, palette: true }).toBuffer();
  writeFileSync(join(folder, 'icons', name), png);
}

writeFileSync(join(folder, 'icons/icon.svg'), icon);
writeFileSync(join(folder, 'icons/maskable.svg'), maskable);
await write('icon-192.png', icon, 192);
await write('icon-512.png', icon, 512);
await write('maskable-192.png', maskable, 192);
await write('maskable-512.png', maskable, 512);
await write('apple-touch-icon.png', edgeToEdge, 180);
await write('badge-96.png', badge, 96);
