import { createHash } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import sharp from 'sharp';
import type { MadeBrandPicture, Refusal } from './picture.ts';
import { serveParent } from './serve.ts';

/** A child process of the server that re-encodes logos and icons, from SVG or PNG only; see `decode.ts`. */

sharp.concurrency(1);
sharp.cache(false);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadSvg'] });

const isIcon = process.argv[2] === 'icon';
const iconSide = 512;
const logoBox = { width: 960, height: 240 };
const mostPixels = 16e6;
const leastSide = { icon: 128, logo: 40 };
const pngStart = '\x89PNG\r\n\x1a\n';

const wrongType: Refusal = { code: 'UNSUPPORTED_MEDIA_TYPE', text: msg`Choose an SVG or PNG picture` };
const unreadable: Refusal = {
  code: 'PICTURE_UNREADABLE',
  text: msg`This picture is damaged and can't be read. Save it again, or choose another one.`,
};
const active: Refusal = {
  code: 'PICTURE_REFUSED',
  text: msg`This SVG contains a script or loads something from outside. Save it as a plain drawing, or as PNG.`,
};
const tooSmall: Refusal = {
  code: 'PICTURE_TOO_SMALL',
  text: msg`This picture is too small. An icon needs 128 pixels on each side, and a logo a height of 40.`,
};

/** Features that a drawing doesn't need. None of them would run here, but the owner should know that the file isn't a plain picture. */
const isActive = (svg: string) =>
  /<\s*(?:\w+:)?(?:script|foreignObject|iframe|handler|set|animate\w*)\b|\son\w+\s*=|<!ENTITY|@import|javascript:/i.test(
    svg,
  ) ||
  [...svg.matchAll(/(?:href\s*=\s*["']?|url\(\s*["']?)\s*([^"')\s>]*)/gi)].some(
    ([, target = '']) => !/^(?:#|data:image\/(?:png|jpeg);)/i.test(target),
  );

async function redraw(upload: Buffer): Promise<MadeBrandPicture | Refusal> {
  const isPng = upload.toString('latin1', 0, 8) === pngStart;
  const text = isPng ? '' : upload.toString('utf8');
  if (!isPng && !/^\uFEFF?\s*<(?:\?xml|!--|!DOCTYPE svg|svg)[\s>]/i.test(text)) return wrongType;
  if (!isPng && isActive(text)) return active;
  return await drawn(upload, !isPng).catch(() => unreadable);
}

async function drawn(upload: Buffer, isVector: boolean): Promise<MadeBrandPicture | Refusal> {
  const options = { limitInputPixels: mostPixels, pages: 1, failOn: 'error' } as const;
  const { width, height } = await sharp(upload, options).metadata();
  const [least, given] = isIcon ? [leastSide.icon, Math.min(width, height)] : [leastSide.logo, height];
  if (!isVector && given < least) return tooSmall;
  // Drawings are scaled before they are rendered, so that small ones stay sharp.
  const scale = isIcon ? iconSide / Math.max(width, height) : Math.min(logoBox.width / width, logoBox.height / height);
  const density = Math.min(2400, Math.max(1, 72 * scale));
  const picture = sharp(upload, isVector ? { ...options, density } : options);
  const png = await (
    isIcon
      ? picture.resize({
          width: iconSide,
          height: iconSide,
          fit: 'contain',
          background: { r: 0, g: 0, b: 0, alpha: 0 },
        })
      : picture.resize({ ...logoBox, fit: 'inside', withoutEnlargement: true })
  )
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer();
  return { png, sha256: createHash('sha256').update(png).digest('hex') };
}

serveParent(redraw);
