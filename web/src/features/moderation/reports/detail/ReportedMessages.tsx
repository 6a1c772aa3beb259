import { Fragment, type ReactNode } from 'react';
import type { FrozenMessage } from '#contract/moderation/report.ts';
import { formatExactTime, formatTime } from '../../../../ui/text/format.ts';
import { RichText } from '../../../../ui/data/RichText.tsx';
import { Tag } from '../../../../ui/data/Tag.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import classes from './ReportedMessages.module.css';

const authorWords: Record<FrozenMessage['by'], string> = { reporter: 'Reporter', reported: 'Reported person' };

function Moment({ time }: { time: string }) {
  const locale = useLocale();
  return (
    <time dateTime={time} title={formatExactTime(time, locale)}>
      {formatTime(time, locale)}
    </time>
  );
}

/** A sentence in which `{time}` is a moment. */
function At({ text, time }: { text: string; time: string }): ReactNode {
  return <RichText text={text} parts={{ time: <Moment time={time} /> }} />;
}

/** What the message said before, oldest first; those that the copy leaves out stood in the middle. */
function Before({ message: { before, leftOut } }: { message: FrozenMessage }) {
  const t = useText();
  const half = Math.ceil(before.length / 2);
  return (
    <ol className={classes.before} aria-label={t('What it said before')}>
      {before.map(({ text, until }, index) => (
        <Fragment key={index}>
          {leftOut > 0 && index === half && (
            <li className={classes.leftOut}>
              {t('{count, plural, one {# version} other {# versions}} in between are not in the copy.', {
                count: leftOut,
              })}
            </li>
          )}
          <li>
            <p className={classes.until}>
              <At text="Until {time} it said" time={until} />
            </p>
            <p className={classes.text} dir="auto">
              {text}
            </p>
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

function Message({ message }: { message: FrozenMessage }) {
  const t = useText();
  const { by, isReported, text, sentAt, editedAt, deletedAt, readAt, before } = message;
  return (
    <li className={classes.message} data-by={by} data-reported={isReported || undefined}>
      <p className={classes.who}>
        <strong>{t(authorWords[by])}</strong>
        {isReported && <Tag tone="accent">{t('Reported message')}</Tag>}
        {deletedAt !== null ? (
          <Tag tone="attention">{t('Deleted')}</Tag>
        ) : (
          editedAt !== null && <Tag tone="attention">{t('Changed')}</Tag>
        )}
        <Moment time={sentAt} />
      </p>
      {text !== null && (
        <p className={classes.text} dir="auto">
          {text}
        </p>
      )}
      {before.length > 0 && <Before message={message} />}
      <p className={classes.facts}>
        {deletedAt !== null && (
          <span>
            <At text="Deleted {time}" time={deletedAt} />
          </span>
        )}
        <span>{readAt === null ? t('Not read') : <At text="Read {time}" time={readAt} />}</span>
      </p>
    </li>
  );
}

/** Messages as a report froze them: who of the two wrote, when, and what was changed or deleted since. */
export function ReportedMessages({ messages }: { messages: readonly FrozenMessage[] }) {
  const t = useText();
  return (
    <ol className={classes.messages} aria-label={t('Copied messages')}>
      {messages.map((message) => (
        <Message key={message.seq} message={message} />
      ))}
    </ol>
  );
}
