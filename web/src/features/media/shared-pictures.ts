import { sharedCache, sharedSearch } from '../../../worker/shared-pictures.ts';

/**
 * Hands over the pictures that another app shared with this one, once: the service worker kept them and opened this
 * address, which is an ordinary one afterwards.
 */
export async function takeSharedPictures(add: (files: File[]) => void): Promise<void> {
  if (location.search !== sharedSearch || !('caches' in window)) return;
  history.replaceState(history.state, '', location.pathname);
  const cache = await caches.open(sharedCache);
  const kept = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
  await caches.delete(sharedCache);
  const blobs = await Promise.all(kept.flatMap((response) => response?.blob() ?? []));
  if (blobs.length > 0) add(blobs.map((blob, number) => new File([blob], `shared-${number + 1}`, { type: blob.type })));
}
