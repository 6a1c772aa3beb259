import { formatTime } from '../../../ui/text/format.ts';
import { Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { t } from '../../../ui/text/text.ts';
import { useQuotedMessage } from '../queries.ts';
import { Bubble } from './Bubble.tsx';
import classes from '../messages.module.css';

interface QuotedMessageProps {
  matchId: string;
  seq: number;
  ownId: string;
  /** The sender's name, if known. */
  name: string | null;
}

/** The message that is about to be reported, so that the right one is reported; nothing if it cannot be read. */
export function QuotedMessage({ matchId, seq, ownId, name }: QuotedMessageProps) {
  const { data: message, isFetching } = useQuotedMessage(matchId, seq, ownId);
  if (!message) return isFetching && <Skeleton height="3.6rem" />;
  return (
    <blockquote className={classes.quote} aria-label={t('The message you are reporting')}>
      <Bubble isOwn={false} by={name ?? t('This person')} text={message.text} meta={formatTime(message.sentAt)} />
    </blockquote>
  );
}
