/** The bytes at a signed address of the API. They are kept only in memory. Throws if the address has expired or serves nothing. */
export async function fetchMedia(address: string): Promise<Blob> {
  const response = await fetch(address, { method: 'GET', cache: 'no-store', credentials: 'omit' });
  if (!response.ok) throw new Error(`media: ${response.status}`);
  return await response.blob();
}
