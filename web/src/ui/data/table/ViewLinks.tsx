import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { IconBookmark, IconUsers } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { SavedView } from '#contract/moderation/saved-views.ts';
import { showInMiddle } from '../../layout/show-in-middle.ts';
import classes from './views.module.css';

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** A row of links to lists; with `isSaved`, it never takes more than one row. */
export function ViewStrip({ label, isSaved, children }: { label: string; isSaved?: boolean; children: ReactNode }) {
  return (
    <nav aria-label={label}>
      <ul className={classes.views} data-saved={isSaved}>
        {children}
      </ul>
    </nav>
  );
}

interface ViewLinkProps {
  to: string;
  isCurrent: boolean;
  count?: string | undefined;
  /** The list should be empty, so a count is highlighted. */
  isLate?: boolean;
  shortcut?: string | undefined;
  children: ReactNode;
}

/** A link to a list, with its count if there is one. */
export function ViewLink({ to, isCurrent, count, isLate = false, shortcut, children }: ViewLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const strip = link.current?.closest('ul');
    if (isCurrent && strip && link.current) showInMiddle(strip, link.current);
  }, [isCurrent]);
  return (
    <li>
      <Link
        ref={link}
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        aria-keyshortcuts={shortcut}
        className={classes.view}
      >
        {children}
        {count !== undefined && (
          <span className={classes.count} data-late={isLate || undefined}>
            {count}
          </span>
        )}
      </Link>
    </li>
  );
}

interface SavedLinksProps<V extends SavedView> {
  lists: readonly V[];
  current: V | undefined;
  addressOf: (list: V) => string;
  countOf?: (list: V) => string;
}

/** Links to the viewer's saved lists and those of the team. */
export function SavedLinks<V extends SavedView>(props: SavedLinksProps<V>) {
  const { lists, current, addressOf, countOf } = props;
  return (
    <ViewStrip label={t`Saved lists`} isSaved>
      {lists.map((list) => {
        const { _id, name, isShared, sharedBy } = list;
        const who = !isShared
          ? t`Only you see this list`
          : sharedBy === null
            ? t`Shared with the team`
            : t`Shared by ${{ name: sharedBy }}`;
        return (
          <ViewLink key={_id} to={addressOf(list)} isCurrent={list === current} count={countOf?.(list)}>
            <Group component="span" display="inline-flex" gap="0.35rem" wrap="nowrap" title={who}>
              {isShared ? <IconUsers {...icon} /> : <IconBookmark {...icon} />}
              <bdi>{name}</bdi>
              <span className="visually-hidden">({who})</span>
            </Group>
          </ViewLink>
        );
      })}
    </ViewStrip>
  );
}
