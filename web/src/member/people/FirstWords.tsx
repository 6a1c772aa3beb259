import { useQuery } from '@tanstack/react-query';
import type { PublicUser } from '#contract/profiles/user.ts';
import { Openers } from '../../features/messages/openers/Openers.tsx';
import { completeOwn, ownProfileQuery } from '../../features/profiles/own/queries.ts';

/** Suggestions for the first message, once the member's own profile is loaded. */
export function FirstWords({ user, onChoose }: { user: PublicUser; onChoose: (text: string) => void }) {
  const { data } = useQuery(ownProfileQuery);
  return data !== undefined && <Openers own={completeOwn(data.user)} user={user} onChoose={onChoose} />;
}
