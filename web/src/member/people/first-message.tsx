import { Suspense } from 'react';
import type { NewMatch } from '../../features/connections/decision-notices.ts';
import { lazyPart } from '../../ui/loading/lazy-page.tsx';
import { memberName } from '../../ui/text/person.ts';

/** Fetched with the first match. */
const field = lazyPart(() =>
  import('../../features/messages/conversation/FirstMessage.tsx').then((module) => module.FirstMessage),
);

/** The field to write the first message of a match in. */
export const firstMessageTo = ({ matchId, user }: NewMatch, onSent: () => void) => (
  <Suspense>
    <field.Part matchId={matchId} name={memberName(user)} onSent={onSent} />
  </Suspense>
);
