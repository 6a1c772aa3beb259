import pLimit from 'p-limit';
import sharp from 'sharp';
import { thumbnailHeight, thumbnailWidth } from '#contract/constants.ts';
import type { Storage } from '../../server/src/features/media/storage/storage.ts';
import type { DemoGender, Origin } from '../members/demo-member.ts';
import { demoPictureSvg } from './demo-picture.ts';

/** Everything a demo picture is drawn from. */
export interface DrawnPicture {
  seed: number;
  kind: 'portrait' | 'place';
  gender: DemoGender | null;
  origin: Origin | null;
  age: number;
}

const origins: Record<string, Origin | null> = {
  e: 'europe',
  o: 'middle-east',
  s: 'south-asia',
  j: 'east-asia',
  a: 'africa',
  x: null,
};
const genders: Record<string, DemoGender | null> = { w: 'woman', m: 'man', n: 'non-binary', x: null };
const letterOf = <T>(letters: Record<string, T>, value: T) =>
  Object.entries(letters).find(([, one]) => one === value)?.[0] ?? 'x';

/** The storage key of a picture, which contains everything needed to draw it. */
export function pictureKey({ seed, kind, gender, origin, age }: DrawnPicture): string {
  const looks = letterOf(genders, gender) + letterOf(origins, origin);
  return `drawn-${kind === 'portrait' ? 'p' : 'l'}-${looks}-${age}-${String(seed).padStart(8, '0')}`;
}

function readKey(key: string): (DrawnPicture & { isLarge: boolean }) | null {
  const found = /^drawn-(p|l)-([wmnx])([eosjax]?)-(\d{1,3})-(\d{8,10})\.(large|thumbnail)$/.exec(key);
  if (found === null) return null;
  // Demos of an earlier version have no origin in their keys.
  const [, kind, gender = 'x', origin = 'x', age, seed, size] = found;
  return {
    kind: kind === 'p' ? 'portrait' : 'place',
    gender: genders[gender] ?? null,
    origin: origins[origin] ?? null,
    age: Number(age),
    seed: Number(seed),
    isLarge: size === 'large',
  };
}

const large = { width: 1200, height: 1500 };
const thumbnail = { width: thumbnailWidth, height: thumbnailHeight };

async function draw({ isLarge, ...picture }: DrawnPicture & { isLarge: boolean }): Promise<Buffer> {
  const { width, height } = isLarge ? large : thumbnail;
  const svg = demoPictureSvg(picture).replace(/<svg [^>]*?>/, (tag) =>
    tag.replace(/width="\d+"/, `width="${width}"`).replace(/height="\d+"/, `height="${height}"`),
  );
  return await sharp(Buffer.from(svg)).resize(width, height).webp({ quality: 80 }).toBuffer();
}

/** `storage`, plus demo pictures, which are drawn and stored on first request so that a demo starts quickly. */
export function withDemoPictures(storage: Storage): Storage {
  const queue = pLimit(2);
  const inProgress = new Map<string, Promise<Buffer>>();

  async function drawOnce(key: string, picture: NonNullable<ReturnType<typeof readKey>>): Promise<Buffer> {
    const drawing =
      inProgress.get(key) ??
      queue(async () => {
        const bytes = await draw(picture);
        await storage.put(key, bytes);
        return bytes;
      });
    inProgress.set(key, drawing);
    try {
      return await drawing;
    } finally {
      inProgress.delete(key);
    }
  }

  return {
    ...storage,
    async get(key) {
      const picture = readKey(key);
      const bytes = await storage.get(key);
      return bytes ?? (picture && (await drawOnce(key, picture)));
    },
    address: async (key) => (readKey(key) === null ? await storage.address(key) : null),
  };
}
