/**
 * The cache that holds pictures shared from another app until the profile page takes them. It has the prefix of opened
 * pages (`visitedPrefix`), so it is deleted with them.
 */
export const sharedCache = 'visited-shared';

/** The part of the profile's address that says that shared pictures are waiting. */
export const sharedSearch = '?add=shared';

/** Keeps pictures shared from another app, which never leave the device here, and opens the profile that adds them. */
export async function keepShared(
  request: Request,
  { caches }: { caches: Pick<CacheStorage, 'open'> },
): Promise<Response> {
  const shared = (await request.formData()).getAll('pictures').filter((entry) => typeof entry !== 'string');
  const cache = await caches.open(sharedCache);
  await Promise.all(shared.map((file, number) => cache.put(`/app/share/${number}`, new Response(file))));
  return new Response(null, { status: 303, headers: { location: `/app/profile${sharedSearch}` } });
}
