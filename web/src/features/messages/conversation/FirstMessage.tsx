import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../../ui/text/text.ts';
import { post } from '../outbox.ts';
import { Composer } from './Composer.tsx';
import { useMessageDraft } from './message-draft.ts';

interface FirstMessageProps {
  matchId: string;
  /** The other person's name. */
  name: string;
  onSent: () => void;
}

/** The field for the first message of a match, wherever the match is shown; sending it opens the conversation. */
export function FirstMessage({ matchId, name, onSent }: FirstMessageProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useMessageDraft(matchId);
  const navigate = useNavigate();
  return (
    <Composer
      field={field}
      label={t('Write to {name}', { name })}
      value={draft}
      onChange={setDraft}
      onSend={(text) => {
        setDraft('');
        post(matchId, text);
        onSent();
        void navigate(`/app/messages/${matchId}`);
      }}
    />
  );
}
