import { listMessages } from '#contract/messages.ts';
import { call } from '../../../api/call.ts';
import { useRead } from '../../../api/use-read.ts';
import { formatTime } from '../../../ui/text/format.ts';
import { Bone } from '../../../ui/feedback/PageStates.tsx';
import { useLocale, useText } from '../../../ui/text/text.ts';
import { Bubble } from './Bubble.tsx';
import classes from './QuotedMessage.module.css';

interface QuotedMessageProps {
  matchId: string;
  seq: number;
  ownId: string;
  /** Who wrote it, where that is known. */
  name: string | null;
}

/** The message one is about to report, so that nobody reports the wrong one; nothing where there is none of theirs to be read. */
export function QuotedMessage({ matchId, seq, ownId, name }: QuotedMessageProps) {
  const t = useText();
  const locale = useLocale();
  const { data: message, isFetching } = useRead(`${matchId} ${seq}`, async (signal) => {
    const { data } = await call(listMessages, { params: { id: matchId }, query: { after: seq - 1, limit: 1 }, signal });
    return data.messages.find((one) => one.seq === seq && one.from !== ownId);
  });
  if (message === undefined) return isFetching && <Bone height="3.6rem" />;
  return (
    <blockquote className={classes.quote} aria-label={t('The message you are reporting')}>
      <Bubble
        isOwn={false}
        by={name ?? t('This person')}
        text={message.text}
        meta={formatTime(message.sentAt, locale)}
      />
    </blockquote>
  );
}
