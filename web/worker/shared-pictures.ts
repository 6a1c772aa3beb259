/**
 * The cache that holds pictures shared from another app until the profile page reads them. It has the prefix of opened pages
 * (`visitedPrefix`), so it is deleted with them.
 */
export const sharedCache = 'visited-shared';

/** The part of the profile's address that says that shared pictures are waiting. */
export const sharedSearch = '?add=shared';

const mostPictures = 9;
/** More than a 200-megapixel photo from a phone has; they are resized before they are uploaded. */
export const sharedMaxBytes = 100_000_000;
/** The header that keeps the name of a picture which is too large to be kept itself. */
export const tooLargeHeader = 'x-too-large';

/** Stores pictures shared from another app, which never leave the device here, and opens the profile that adds them. */
export async function keepShared(
  request: Request,
  { caches }: { caches: Pick<CacheStorage, 'open' | 'delete'> },
): Promise<Response> {
  const pictures = (await request.formData()).getAll('pictures').filter((entry) => typeof entry !== 'string');
  // Any site can send a form here, so files that can't be profile pictures are not stored.
  const shared = pictures.filter(({ type }) => type.startsWith('image/')).slice(0, mostPictures);
  const keepAll = async () => {
    await caches.delete(sharedCache);
    const cache = await caches.open(sharedCache);
    await Promise.all(shared.map((file, number) => cache.put(`/app/share/${number}`, keptAs(file))));
  };
  // If there is no room for all of them, none is stored, and the profile says so.
  await keepAll().catch(() => caches.delete(sharedCache).catch(() => false));
  return new Response(null, { status: 303, headers: { location: `/app/profile${sharedSearch}` } });
}

function keptAs(file: File): Response {
  if (file.size <= sharedMaxBytes) return new Response(file);
  return new Response(null, { headers: { [tooLargeHeader]: encodeURIComponent(file.name) } });
}
