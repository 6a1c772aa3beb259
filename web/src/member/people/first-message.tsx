import { lazy } from 'react';
import type { NewMatch } from '../../features/connections/decisions.ts';
import { LazyBoundary } from '../../ui/loading/LazyBoundary.tsx';
import { memberName } from '../../ui/text/person.ts';

/** Fetched with the first match. */
const FirstMessage = lazy(async () => ({
  default: (await import('../../features/messages/conversation/FirstMessage.tsx')).FirstMessage,
}));

/** The field to write the first message of a match in. */
export const firstMessageTo = ({ matchId, user }: NewMatch, onSent: () => void) => (
  <LazyBoundary>
    <FirstMessage matchId={matchId} name={memberName(user)} onSent={onSent} />
  </LazyBoundary>
);
