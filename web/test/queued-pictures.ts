import { decidePicture, listQueuedPictures, type QueuedPicture } from '#contract/media.ts';
import { Refusal, serve } from './fake-server.ts';
import { picture } from './pictures.ts';

/** A picture that waits: Ada's, a further one, unless said otherwise. */
export function queuedPicture(word: string, changes: Partial<QueuedPicture> = {}): QueuedPicture {
  return {
    ...picture(word, { width: 1280, height: 1600 }),
    state: 'pending',
    reason: null,
    isProfilePicture: false,
    claimedAt: '2025-10-18T09:00:00.000Z',
    user: { _id: `user-${word}`, name: word, age: 31, gender: 'woman' },
    ...changes,
  };
}

/** So many pictures that wait, of people called P1, P2 and on. */
export function manyQueued(count: number): QueuedPicture[] {
  return Array.from({ length: count }, (_, index) => queuedPicture(`P${index + 1}`));
}

/** Answers the queue by cursor, and decides as the server does; answers what stands by then. */
export function serveQueue(first: readonly QueuedPicture[]): () => readonly QueuedPicture[] {
  let pictures = first;
  serve(listQueuedPictures, ({ query: { cursor, limit = 20 } }) => {
    const start = cursor === undefined ? 0 : first.findIndex(({ publicId }) => publicId === cursor) + 1;
    const waiting = pictures.filter(({ state }) => state === 'pending');
    const rest = pictures.slice(start).filter(({ state }) => state === 'pending');
    const shown = rest.slice(0, limit);
    const nextCursor = rest.length > limit ? (shown.at(-1)?.publicId ?? null) : null;
    return { data: { pictures: shown, pagination: { limit, total: waiting.length, nextCursor } } };
  });
  serve(decidePicture, ({ params, body }) => {
    const known = pictures.find(({ publicId }) => publicId === params.publicId);
    if (!known) throw new Refusal('NOT_FOUND', 'There is no such picture');
    if (known.state === 'rejected' && body.verdict === 'approved') {
      throw new Refusal('CONFLICT', 'This picture is rejected');
    }
    const decided: QueuedPicture = { ...known, state: body.verdict, reason: body.reason ?? null };
    pictures = pictures.map((other) => (other === known ? decided : other));
    return { data: { picture: decided } };
  });
  return () => pictures;
}
