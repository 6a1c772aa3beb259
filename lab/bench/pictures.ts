import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { createPool } from '../../server/src/platform/db/pool.ts';
import { makePicture } from '../../server/src/features/media/image.ts';
import type { BenchData } from './data.ts';
import { heading, remark, reportAtMost } from './report.ts';
import { serve, type Service } from './service.ts';
import { usagePer } from './usage.ts';

/** 12 megapixels, as phones take them. */
const photo = { width: 4000, height: 3000 };
const different = 2;
const uploads = 8;
const atOnce = 4;
const idleMs = 3000;
const cards = 20;
/** Widths of the noise that a photograph is made of here, and how strong each is: as much detail at every scale. */
const grains = [
  [16, 60],
  [64, 45],
  [250, 30],
  [1000, 18],
  [4000, 6],
] as const;

/** What an upload costs, what it does to other requests, and how much a page of cards makes a browser load. */
export async function benchPictures(data: BenchData): Promise<void> {
  heading('Pictures: JPEGs of 12 megapixels');
  const taken: Buffer[] = [];
  for (let made = 0; made < different; made += 1) taken.push(await takePhoto());
  const photos = Array.from({ length: uploads }, (_, at) => taken[at % different] ?? Buffer.of());
  await forgetUploads(data);
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-pictures-'));
  process.env['MEDIA_DIR'] = folder;
  const service = await serve(data.large, 'ada@heartwood.test');
  try {
    const [first] = photos;
    if (first !== undefined) await upload(service, first);
    const before = await service.usage();
    for (const each of photos) await upload(service, each);
    const { serverMs, mainMs } = usagePer(photos.length, before, await service.usage());
    reportAtMost('CPU of an upload', serverMs, 700, ' ms');
    remark('of which on the main thread', `${mainMs.toFixed(1)} ms`);
    const idle = await delayDuring(service, () => pause(idleMs));
    const delay = await delayDuring(service, async () => {
      for (let from = 0; from < photos.length; from += atOnce)
        await Promise.all(photos.slice(from, from + atOnce).map((each) => upload(service, each)));
    });
    reportAtMost(`p99 of the event loop's delay, ${atOnce} uploads at once`, delay, 20, ' ms');
    remark('the same without uploads', `${idle.toFixed(2)} ms`);
  } finally {
    await service.stop();
    await forgetUploads(data);
    rmSync(folder, { recursive: true });
  }
  let bytes = 0;
  for (const each of taken) bytes += (await makePicture(each, 'bench')).thumbnail.length;
  reportAtMost(`thumbnails of ${cards} cards`, ((bytes / different) * cards) / 1024, 400, ' KB');
}

async function delayDuring(service: Service, work: () => Promise<unknown>): Promise<number> {
  await service.ask({ delay: 'start' });
  await work();
  return (await service.ask({ delay: 'stop' })) as number;
}

/** An account may have only a few uploads that it does not use. */
async function forgetUploads(data: BenchData): Promise<void> {
  const pool = createPool(data.large);
  try {
    await pool.query(`delete from picture where state = 'unclaimed'`);
  } finally {
    await pool.end();
  }
}

/** A picture with the statistics of a photograph: noise of all sizes. */
async function takePhoto(): Promise<Buffer> {
  const layers = await Promise.all(
    grains.map(async ([width, sigma]) => {
      const height = Math.round((width * photo.height) / photo.width);
      const noise = { type: 'gaussian', mean: 128, sigma } as const;
      const grain = sharp({ create: { width, height, channels: 3, background: '#808080', noise } });
      const raw = { width, height, channels: 3 } as const;
      const input = await sharp(await grain.raw().toBuffer(), { raw })
        .resize({ ...photo, kernel: 'cubic' })
        .raw()
        .toBuffer();
      return { input, raw: { ...photo, channels: 3 } as const, blend: 'soft-light' as const };
    }),
  );
  const background = { ...photo, channels: 3, background: '#b08d78' } as const;
  return await sharp({ create: background }).composite(layers).jpeg({ quality: 90 }).toBuffer();
}

async function upload({ baseUrl, token }: Service, bytes: Buffer): Promise<void> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'IMG_2041.jpg');
  const answer = await fetch(`${baseUrl}/api/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  if (answer.status !== 201) throw new Error(`the upload answered ${answer.status}: ${await answer.text()}`);
}
