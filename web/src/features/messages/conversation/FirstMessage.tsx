import { t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { isOnline } from '../../../ui/loading/online.ts';
import { useHarshCheck, useKindness } from '../kindness/kindness.tsx';
import { post, useOutgoing } from '../outbox.ts';
import { Composer, useMessageDraft } from './Composer.tsx';

interface FirstMessageProps {
  matchId: string;
  /** The other person's name. */
  name: string;
  /** Renders suggestions; `fill` puts one into the empty field. */
  openers: (fill: (text: string) => void) => ReactNode;
  onSent: () => void;
}

/** The element that had the focus has disappeared, so the text takes it. */
const focus = (words: HTMLElement | null) => words?.focus();

/** Shown in place of the field when offline, because a conversation that was never opened can't be loaded. */
function SentLater({ matchId }: { matchId: string }) {
  const isWaiting = useOutgoing(matchId).length > 0;
  return (
    <Text role="status" tabIndex={-1} ref={focus} py="0.55rem" px="0.9rem" bdrs="md" bg="var(--hw-sunken)" ta="center">
      {isWaiting ? t`You're offline. Your message is saved, and sent once you're back.` : t`Your message was sent.`}
    </Text>
  );
}

/** The field for the first message of a match. Sending it opens the conversation. */
export function FirstMessage({ matchId, name, openers, onSent }: FirstMessageProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useMessageDraft(matchId);
  const [isLater, setLater] = useState(false);
  const navigate = useNavigate();
  const kindness = useKindness(useHarshCheck(), name, field);
  if (isLater) return <SentLater matchId={matchId} />;

  function send(text: string) {
    setDraft('');
    post(matchId, text);
    if (!isOnline()) return setLater(true);
    onSent();
    void navigate(`/app/messages/${matchId}`);
  }

  return (
    <>
      <Composer
        field={field}
        label={t`Write to ${name}`}
        value={draft}
        above={
          draft === '' &&
          openers((text) => {
            setDraft(text);
            field.current?.focus();
          })
        }
        onChange={setDraft}
        onSend={(text) => kindness.ask(text, () => send(text))}
      />
      {kindness.dialog}
    </>
  );
}
