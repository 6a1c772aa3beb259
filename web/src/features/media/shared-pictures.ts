import { t } from '@lingui/core/macro';
import { deleteCaches, openCache } from '../../browser-storage.ts';
import { sharedCache, sharedMaxBytes, sharedSearch, tooLargeHeader } from '../../../worker/shared-pictures.ts';

/** Receives pictures that were shared from another app, and the names of those that were too large to be stored. */
interface SharedPicturesTaker {
  add: (files: File[]) => void;
  refuse: (file: File, reason: string) => void;
}

/**
 * Passes on the pictures that another app has shared with this one, once. The service worker has stored them and opened
 * this address; afterwards it is an ordinary address.
 */
export async function takeSharedPictures({ add, refuse }: SharedPicturesTaker): Promise<void> {
  if (location.search !== sharedSearch) return;
  history.replaceState(history.state, '', location.pathname);
  const cache = await openCache(sharedCache);
  const kept = cache === null ? [] : await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  await deleteCaches((name) => name === sharedCache);
  if (kept.length === 0)
    refuse(new File([], t`Shared pictures`), t`Your browser had no room for them. Please choose them here.`);
  const pictures = await Promise.all(kept.flatMap((response) => (response ? [pictureOf(response)] : [])));
  for (const { tooLarge } of pictures) {
    if (tooLarge === null) continue;
    const limit = sharedMaxBytes / 1e6;
    refuse(
      new File([], tooLarge),
      t`Shared pictures can be up to ${limit} MB, and this one is larger. Make it smaller, or take a screenshot of it.`,
    );
  }
  const blobs = pictures.flatMap(({ tooLarge, blob }) => (tooLarge === null ? [blob] : []));
  if (blobs.length > 0) add(blobs.map((blob, number) => new File([blob], `shared-${number + 1}`, { type: blob.type })));
}

/** The picture, or the name of one that was too large to be stored. */
async function pictureOf(response: Response): Promise<{ blob: Blob; tooLarge: string | null }> {
  const name = response.headers.get(tooLargeHeader);
  return { blob: await response.blob(), tooLarge: name === null ? null : decodeURIComponent(name) };
}
