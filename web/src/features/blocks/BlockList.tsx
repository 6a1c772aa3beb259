import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { BlockView } from '#contract/connections/blocks.ts';
import { Avatar } from '../../ui/data/Avatar.tsx';
import { formatDate, formatExactTime } from '../../ui/text/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Bone, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';
import classes from './BlockList.module.css';
import { useBlockList } from './use-block-list.ts';

function Blocked({ block: { user, blockedAt }, onUnblock }: { block: BlockView; onUnblock: () => void }) {
  const t = useText();
  const locale = useLocale();
  const name = user.name ?? t('A member');
  return (
    <li className={classes.person}>
      <Avatar id={user._id} name={user.name} picture={user.profilePicture} />
      <div className={classes.text}>
        <p className={classes.name}>
          <bdi>{name}</bdi>
        </p>
        <p className={classes.since}>
          <time dateTime={blockedAt} title={formatExactTime(blockedAt, locale)}>
            {t('Blocked on {date}', { date: formatDate(blockedAt, locale) })}
          </time>
        </p>
      </div>
      <Button variant="default" size="xs" aria-label={t('Unblock {name}', { name })} onClick={onUnblock}>
        {t('Unblock')}
      </Button>
    </li>
  );
}

/** The people one blocked, each with the way back. */
export function BlockList() {
  const t = useText();
  const { query, gone, unblock, error, more } = useBlockList();
  const [news, setNews] = useState<string | null>(null);
  const place = useRef<HTMLDivElement>(null);

  async function release({ user }: BlockView) {
    setNews(null);
    place.current?.focus();
    if (await unblock(user._id)) setNews(t('{name} is no longer blocked.', { name: user.name ?? t('A member') }));
  }

  return (
    <div ref={place} tabIndex={-1}>
      {error !== null && (
        <div className={classes.notice}>
          <Notice kind="error">{t('This person is still blocked: {error}', { error: t(error) })}</Notice>
        </div>
      )}
      {news !== null && (
        <div className={classes.notice}>
          <Notice kind="success">{news}</Notice>
        </div>
      )}
      <QueryStates
        query={query}
        loadingText={t('Loading the people you blocked...')}
        skeleton={<Bone height="4rem" />}
        errorText={(text) => t('The people you blocked could not be loaded: {error}', { error: text })}
      >
        {({ blocks, total }) => {
          const shown = blocks.filter(({ user }) => !gone.includes(user._id));
          if (shown.length === 0)
            return (
              <p className={classes.quiet}>
                {t('You have not blocked anybody. You can block somebody on their profile; they are not told.')}
              </p>
            );
          return (
            <>
              <ul className={classes.list}>
                {shown.map((block) => (
                  <Blocked key={block.user._id} block={block} onUnblock={() => void release(block)} />
                ))}
              </ul>
              {blocks.length < total && (
                <Button className={classes.more ?? ''} variant="default" size="xs" onClick={more}>
                  {t('Show more')}
                </Button>
              )}
            </>
          );
        }}
      </QueryStates>
    </div>
  );
}
