import { makeMember } from '../../factories.ts';
import { placeDecision, placeMatch } from '../../likes.ts';
import type { CallRequest, Scene } from '../requests.ts';

const aboutTheOther = ({ other }: Scene): CallRequest => ({ params: { userId: other.id } });

/** A valid request for every call about cards, likes and matches. */
export const likesRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /discovery': () => ({ query: { limit: '5' } }),
  'POST /discovery/undo': async ({ test, actor }) => {
    if (actor !== null) await placeDecision(test, actor, await makeMember(test), 'pass');
    return { body: {} };
  },
  'POST /likes/{userId}': (scene) => ({ ...aboutTheOther(scene), body: { note: 'The second picture!' } }),
  'DELETE /likes/{userId}': aboutTheOther,
  'POST /passes/{userId}': aboutTheOther,
  'GET /likes/received': () => ({ query: { page: '1' } }),
  'GET /likes/sent': () => ({ query: { page: '1' } }),
  'GET /matches': () => ({ query: { page: '1' } }),
  'DELETE /matches/{id}': async ({ test, actor, other }) => ({
    params: { id: await placeMatch(test, actor ?? other, await makeMember(test)) },
  }),
};
