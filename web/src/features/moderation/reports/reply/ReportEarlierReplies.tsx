import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { StaffReport } from '#contract/moderation/report.ts';
import { formatTime } from '../../../../ui/text/format.ts';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import dialogClasses from './ReportReplyDialog.module.css';
import classes from './ReportEarlierReplies.module.css';
import { conversationQuery } from '../list/reports-query.ts';

/** A row of the list brings at most the beginnings of its newest replies along, this long. */
const rowTextLength = 500;

/** What was said on a report in public so far: the newest in sight, all of it, asked for where the row has only a part. */
export function ReportEarlierReplies({ report }: { report: StaffReport }) {
  const t = useText();
  const locale = useLocale();
  const region = useRef<HTMLDivElement>(null);
  const brought = report.replies.filter(({ isInternal }) => !isInternal);
  const isPart = brought.length < report.replyCount || brought.some(({ message }) => message.length >= rowTextLength);
  const whole = useQuery({ ...conversationQuery(report._id), enabled: isPart, staleTime: 0 });
  const said = whole.data?.filter(({ _id, isInternal }) => _id !== report._id && !isInternal) ?? brought;
  const newest = said.at(-1)?._id;

  // In the next frame: the dialog around it is shown by then, and it has a height.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (region.current) region.current.scrollTop = region.current.scrollHeight;
    });
    return () => cancelAnimationFrame(frame);
  }, [newest, said.length]);

  if (said.length === 0) return null;
  return (
    <>
      {isPart && whole.data === undefined && whole.error === null && (
        <p role="status" className={classes.note}>
          {t('Loading earlier replies...')}
        </p>
      )}
      {whole.error !== null && (
        <Notice kind="error">{t('Error loading replies: {error}', { error: t(whole.error.message) })}</Notice>
      )}
      <div
        ref={region}
        role="region"
        aria-label={t('Earlier replies')}
        tabIndex={0}
        className={`${dialogClasses.scroll} ${classes.region}`}
      >
        <ol className={classes.replies}>
          {said.map((reply) => (
            <li key={reply._id}>
              <p className={classes.who}>
                <strong dir="auto">{reply.repliedBy.name}</strong>{' '}
                <time dateTime={reply.repliedAt}>{formatTime(reply.repliedAt, locale)}</time>
              </p>
              <p className={dialogClasses.text} dir="auto">
                {reply.message}
              </p>
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
