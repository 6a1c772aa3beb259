import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { IconMessageHeart } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { Picture } from '#contract/media.ts';
import type { getUser } from '#contract/profiles/profiles.ts';
import { DecisionBar, DecisionButton } from '../../ui/layout/DecisionBar.tsx';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';
import { memberName } from '../../ui/text/person.ts';
import { decide, undo, withdraw } from './decide.ts';
import { type DecisionKind, type LikeWords, useDecisionOn, useDecisions } from './decisions.ts';
import classes from './likes.module.css';

type ShownMember = AnswerOf<typeof getUser>['data'];

/** Fetched when the pointer is on the button. */
export const [LikeNoteDialog, preloadLikeNoteDialog] = lazyPart(
  async () => (await import('./LikeNoteDialog.tsx')).LikeNoteDialog,
);

function Matched({ name, matchId }: { name: string; matchId: string | undefined }) {
  return (
    <>
      <p role="status">{t`You like each other.`}</p>
      <Button component={Link} to={matchId === undefined ? '/app/messages' : `/app/messages/${matchId}`}>
        {t`Write to ${name}`}
      </Button>
    </>
  );
}

function Outcome({ name, kind, onUndo }: { name: string; kind: DecisionKind; onUndo: (() => void) | undefined }) {
  return (
    <>
      <p role="status">{kind === 'like' ? t`You like ${name}.` : t`You passed on ${name}.`}</p>
      {onUndo && (
        <Button variant="default" onClick={onUndo}>
          {t`Take it back`}
        </Button>
      )}
    </>
  );
}

/** The member's decision about a person, made now or earlier, and whether it created a match. */
function useRelation({ user, decision, matchId }: ShownMember) {
  const made = useDecisionOn(user._id);
  const isMatch = made === 'match' || (matchId ?? null) !== null;
  return {
    isMatch,
    matchId: matchId ?? undefined,
    kind: isMatch ? null : (made ?? (decision === 'like' ? decision : null)),
  };
}

interface MemberDecisionProps {
  member: ShownMember;
  picture: Picture | undefined;
  /** The person likes the member, who has opened the profile to answer. */
  isAnswer?: boolean;
  /** Shows the buttons outside the card, as wide as the page. */
  isApart?: boolean;
}

/** Buttons to like or pass on a member's profile page, and the result of the decision. */
export function MemberDecision({ member, picture, isAnswer = false, isApart = false }: MemberDecisionProps) {
  const { user } = member;
  const place = useRef<HTMLDivElement>(null);
  const [isNoteOpen, setNoteOpen] = useState(false);
  const { kind, isMatch, matchId } = useRelation(member);
  const isLast = useDecisions((decisions) => decisions.at(-1)?.user._id === user._id);
  const name = memberName(user);
  const isDecided = isMatch || kind !== null;
  const wasDecided = useRef(isDecided);

  // The button that opened the dialog has disappeared by now; without this, the focus would be lost.
  useEffect(() => {
    if (isDecided && !wasDecided.current && document.activeElement === document.body) place.current?.focus();
    wasDecided.current = isDecided;
  }, [isDecided]);

  function settle(decision: DecisionKind, words?: LikeWords) {
    setNoteOpen(false);
    place.current?.focus();
    decide(user, decision, words);
  }

  function takeBack() {
    place.current?.focus();
    void (kind === 'like' ? withdraw(user) : undo());
  }

  return (
    <>
      <div ref={place} tabIndex={-1} className={classes.decision} data-apart={isApart || undefined}>
        {isMatch ? (
          <Matched name={name} matchId={matchId} />
        ) : kind !== null ? (
          <Outcome name={name} kind={kind} onUndo={kind === 'like' || isLast ? takeBack : undefined} />
        ) : (
          <DecisionBar
            label={t`Your decision`}
            passText={t`Pass on ${name}`}
            likeText={isAnswer ? t`Like back ${name}` : t`Like ${name}`}
            onPass={() => settle('pass')}
            onLike={() => settle('like')}
            after={
              <DecisionButton
                way="more"
                Icon={IconMessageHeart}
                aria-label={t`Like with a note`}
                onPointerEnter={preloadLikeNoteDialog}
                onFocus={preloadLikeNoteDialog}
                onClick={() => setNoteOpen(true)}
              />
            }
          />
        )}
      </div>
      {isNoteOpen && (
        <LikeNoteDialog
          user={user}
          picture={picture}
          onSend={(words) => settle('like', words)}
          onClose={() => setNoteOpen(false)}
        />
      )}
    </>
  );
}
