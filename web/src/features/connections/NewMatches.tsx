import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ComponentType, useEffect } from 'react';
import type { NotificationView } from '#contract/notifications.ts';
import { onRealtime } from '../../api/realtime/realtime.ts';
import { readSession } from '../../api/session/stored-session.ts';
import { FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { useBackCloses } from '../../ui/feedback/use-back-closes.ts';
import { memberName } from '../../ui/text/person.ts';
import { announceMatch, dismissMatch, type NewMatch, useDecisions, useNotices } from './decisions.ts';

/** Whether a dialog would interrupt: while something is typed or filled in, and above another dialog. */
const isOccupied = () =>
  document.querySelector('dialog[open]') !== null ||
  document.activeElement?.closest('form, input, textarea, select, iframe, [contenteditable]') != null;

/** Forgets matches that have ended or were opened on another device. */
const dropKnown = () =>
  onRealtime((event) => {
    if (event.kind === 'matchEnded') dismissMatch(event.matchId);
    if (event.kind === 'read' && event.by === readSession().user?._id) dismissMatch(event.matchId);
  });

export interface MomentProps {
  match: NewMatch;
  /** Closes the match dialog for the conversation, which the first message opens. */
  onSent: () => void;
  onClose: () => void;
}

interface NewMatchesProps {
  /** The latest notification that has arrived: about a match if the other person's like created one. */
  arrived: NotificationView | null;
  /** The match dialog, and a function that fetches its code, called at the first decision. */
  moment: readonly [Moment: ComponentType<MomentProps>, preloadMoment: () => void];
}

/** Announces new matches on every member page: with the match dialog, or a banner that opens it. */
export function NewMatches({ arrived, moment: [Moment, preloadMoment] }: NewMatchesProps) {
  const matches = useNotices((notices) => notices.matches);
  const [match, next] = matches.filter(({ isWaiting }) => isWaiting !== true);
  const waiting = matches.find(({ isWaiting }) => isWaiting);
  const hasDecided = useDecisions((decisions) => decisions.length > 0);
  const dismiss = () => match && dismissMatch(match.matchId);
  const leaveMoment = useBackCloses(match?.matchId ?? null, dismiss);

  useEffect(dropKnown, []);
  useEffect(() => {
    if (arrived?.kind !== 'match' || arrived.subjectId === null || arrived.user === null) return;
    announceMatch({ matchId: arrived.subjectId, user: arrived.user, isWaiting: isOccupied() });
  }, [arrived]);
  useEffect(() => {
    // Fetched at once, because the answer to the first like may already be a match.
    if (hasDecided) preloadMoment();
  }, [hasDecided, preloadMoment]);

  function closeMoment() {
    dismiss();
    if (next === undefined) leaveMoment();
  }

  if (match !== undefined) return <Moment key={match.matchId} match={match} onSent={dismiss} onClose={closeMoment} />;
  if (waiting === undefined) return null;
  const { matchId, user } = waiting;
  const name = memberName(user);
  return (
    <FloatingNotice
      kind="success"
      staysMs={Infinity}
      action={
        <Button variant="default" size="xs" onClick={() => announceMatch({ matchId, user })}>
          {t`Write to ${name}`}
        </Button>
      }
      onClose={() => dismissMatch(matchId)}
    >
      {t`You and ${name} like each other`}
    </FloatingNotice>
  );
}
