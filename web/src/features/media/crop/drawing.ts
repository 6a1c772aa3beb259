import { pictureNameMaxLength } from '#contract/constants.ts';
import { drawnSize, type Part } from './crop.ts';

/** A file the browser could open, ready to be shown. */
export interface OpenPicture {
  url: string;
  width: number;
  height: number;
  name: string;
  /** Releases it. */
  close: () => void;
}

/** What the browser does with pictures; replaced in tests. */
export interface Drawing {
  /** Opens a file; rejects if the browser cannot show it. */
  open: (file: File) => Promise<OpenPicture>;
  /** Draws a part again, no larger than it is ever shown, so that nothing else in the file is uploaded. */
  draw: (picture: OpenPicture, part: Part) => Promise<File>;
}

const kind = { type: 'image/jpeg', extension: '.jpg', quality: 0.9 };

/** The name of the drawn picture for a file of this name. */
export function drawnName(name: string): string {
  const base = name.replace(/\.\w{1,5}$/, '');
  return [...base].slice(0, (pictureNameMaxLength - kind.extension.length) / 2).join('') + kind.extension;
}

async function imageOf(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

async function open(file: File): Promise<OpenPicture> {
  const url = URL.createObjectURL(file);
  const close = () => URL.revokeObjectURL(url);
  try {
    const { naturalWidth: width, naturalHeight: height } = await imageOf(url);
    if (width === 0 || height === 0) throw new Error('The picture has no size');
    return { url, width, height, name: file.name, close };
  } catch (error) {
    close();
    throw error;
  }
}

async function draw({ url, name }: OpenPicture, part: Part): Promise<File> {
  const image = await imageOf(url);
  const canvas = document.createElement('canvas');
  const { width, height } = drawnSize(part);
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('No canvas context');
  // Transparent parts would turn black.
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, width, height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, kind.type, kind.quality));
  if (!drawn) throw new Error('The picture could not be drawn');
  return new File([drawn], drawnName(name), { type: kind.type });
}

/** Drawing in the browser. */
export const browserDrawing: Drawing = { open, draw };
