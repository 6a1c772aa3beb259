import { t } from '@lingui/core/macro';
import { ActionIcon, Group, Stack } from '@mantine/core';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { ColorSchemeToggle } from '../theme/ColorSchemeToggle.tsx';
import { Logo } from './Logo.tsx';
import classes from './shell.module.css';

interface SiteHeaderProps {
  home: string;
  links: ReactNode;
  /** The last links, which only the widest screens show; on others they are in the menu. */
  moreLinks: ReactNode;
  /** The signed-in person and a button to sign out. */
  account: ReactNode;
  /** A button that is visible on every screen. */
  bell: ReactNode;
}

const inARow = { gap: '0.25rem', wrap: 'nowrap', miw: 0 } as const;

/** The bar at the top of the staff's pages. On narrow screens, links and account are in a drawer. */
export function SiteHeader({ home, links, moreLinks, account, bell }: SiteHeaderProps) {
  return (
    <header className={classes.header} data-full={moreLinks ? true : undefined}>
      <div className={classes.bar}>
        <Link to={home} className={classes.home}>
          <Logo />
        </Link>
        <Group component="nav" {...inARow} aria-label={t`Main`}>
          <Group className={classes.wide ?? ''} {...inARow}>
            {links}
          </Group>
          {moreLinks && (
            <Group className={classes.widest ?? ''} {...inARow}>
              {moreLinks}
            </Group>
          )}
        </Group>
        <Group {...inARow} gap="0.5rem" ms="auto">
          <Group className={classes.wide ?? ''} {...inARow}>
            {account}
          </Group>
          {bell}
          <ColorSchemeToggle />
          <MenuDrawer
            links={
              <>
                {links}
                {moreLinks}
              </>
            }
            account={account}
          />
        </Group>
      </div>
    </header>
  );
}

/** The menu button of narrow screens and its drawer with all links. */
function MenuDrawer({ links, account }: Pick<SiteHeaderProps, 'links' | 'account'>) {
  const drawer = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();

  // Runs before the new page's heading takes the focus, because closing the dialog returns the focus to its button.
  useLayoutEffect(() => drawer.current?.close(), [pathname]);

  function open() {
    setOpen(true);
    drawer.current?.showModal();
  }

  return (
    <>
      <ActionIcon
        className={classes.narrow ?? ''}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={t`Open menu`}
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconMenu2 size={22} stroke={1.75} />
      </ActionIcon>
      <dialog ref={drawer} className={classes.drawer} aria-label={t`Menu`} onClose={() => setOpen(false)}>
        {isOpen && (
          <>
            <Group justify="space-between" mih="4rem">
              <Logo />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t`Close menu`}
                onClick={() => drawer.current?.close()}
              >
                <IconX size={22} stroke={1.75} />
              </ActionIcon>
            </Group>
            <Stack component="nav" gap="0.35rem" aria-label={t`Main`}>
              {links}
            </Stack>
            <Stack gap="0.35rem" className={classes.drawerAccount ?? ''}>
              {account}
            </Stack>
          </>
        )}
      </dialog>
    </>
  );
}
