import type { OwnPicture, Picture } from '#contract/picture.ts';

/** A blurred likeness, as the server makes them. */
const placeholder = '1QcSHQRnh493V4dIh4eXh1h4kJUI';

/** A picture as others see it, named by a word that stands for its 22 characters. */
export function picture(word: string, changes: Partial<Picture> = {}): Picture {
  return {
    url: `/api/v1/media/${word}-1600`,
    thumbnailUrl: `/api/v1/media/${word}-400`,
    publicId: pictureId(word),
    name: '',
    size: 300_000,
    mimeType: 'image/webp',
    width: 1200,
    height: 1600,
    placeholder,
    ...changes,
  };
}

/** The handle of a picture with this word. */
export function pictureId(word: string): string {
  return word.padEnd(22, '_');
}

/** A picture as its owner sees it: a further one, approved, unless said otherwise. */
export function ownPicture(word: string, changes: Partial<OwnPicture> = {}): OwnPicture {
  return {
    ...picture(word),
    name: `${word}.jpg`,
    state: 'approved',
    reason: null,
    isProfilePicture: false,
    ...changes,
  };
}

/** A profile picture as its owner sees it. */
export function ownProfilePicture(word: string, changes: Partial<OwnPicture> = {}): OwnPicture {
  return ownPicture(word, { isProfilePicture: true, ...changes });
}
