import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QueuedPicture } from '#contract/media/media.ts';
import { Freshness } from '../../../../ui/feedback/Freshness.tsx';
import { formatNumber } from '../../../../ui/text/format.ts';
import { Link } from '../../../../ui/layout/Link.tsx';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { EmptyState } from '../../../../ui/feedback/PageStates.tsx';
import { RichText } from '../../../../ui/data/RichText.tsx';
import { useLocale, useText } from '../../../../ui/text/text.ts';
import { ownerWords } from '../picture-words.ts';
import classes from './PictureQueueState.module.css';
import type { usePictureQueue } from './use-picture-queue.ts';

/** What was decided last, with the way to the user: there an approved picture may still be rejected. */
function Last({ picture }: { picture: QueuedPicture }) {
  const t = useText();
  const locale = useLocale();
  return (
    <RichText
      text={picture.state === 'approved' ? 'Approved: {name}' : 'Rejected: {name}'}
      parts={{
        name: (
          <Link to={`/users/${picture.user._id}`}>
            <bdi>{ownerWords(picture.user, t, locale)}</bdi>
          </Link>
        ),
      }}
    />
  );
}

interface PictureQueueStateProps {
  queue: ReturnType<typeof usePictureQueue>;
  last: QueuedPicture | null;
  /** Where one is looked at large: the way to the others. */
  way: ReactNode;
  /** The pictures, where there are some. */
  children: ReactNode;
}

/** How many wait and what was decided last above the pictures; below them that more come, or why not. */
export function PictureQueueState({ queue, last, way, children }: PictureQueueStateProps) {
  const t = useText();
  const locale = useLocale();
  const { query, pictures, total, isTotalExact } = queue;
  return (
    <>
      <div className={classes.caption}>
        <p role="status" className={classes.count}>
          {total > 0 &&
            t('{count, plural, one {{shown} picture is waiting} other {{shown} pictures are waiting}}', {
              count: total,
              shown: `${formatNumber(total, locale)}${isTotalExact ? '' : '+'}`,
            })}
        </p>
        <p role="status" className={classes.last}>
          {last !== null && <Last picture={last} />}
        </p>
        <div className={classes.end}>{way ?? <Freshness query={query} />}</div>
      </div>
      {pictures.length > 0 && children}
      {pictures.length === 0 && !query.hasNextPage && (
        <EmptyState text={t('No pictures are waiting.')} hint={t('New ones appear here by themselves.')} />
      )}
      {query.isFetchNextPageError ? (
        <div className={classes.foot}>
          <Notice
            kind="error"
            action={
              <Button variant="default" size="xs" onClick={() => void query.fetchNextPage()}>
                {t('Retry')}
              </Button>
            }
          >
            {t('Error loading pictures: {error}', { error: t(query.error.message) })}
          </Notice>
        </div>
      ) : (
        <p role="status" className={classes.more}>
          {query.isFetchingNextPage && t('Loading more pictures...')}
        </p>
      )}
    </>
  );
}
