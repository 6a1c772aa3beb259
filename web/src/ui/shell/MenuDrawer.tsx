import { ActionIcon } from '@mantine/core';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Logo } from './Logo.tsx';
import classes from './shell.module.css';
import { t } from '../text/text.ts';

interface MenuDrawerProps {
  /** Unread items behind one of the links; they mark the button. */
  unread?: string | undefined;
  className?: string | undefined;
  /** `NavItem`s. */
  links: ReactNode;
  /** Who is signed in, and how to sign out. */
  account: ReactNode;
}

/** The menu's button and its drawer with every link. */
export function MenuDrawer({ unread, className, links, account }: MenuDrawerProps) {
  const drawer = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();

  useEffect(() => drawer.current?.close(), [pathname]);

  function open() {
    setOpen(true);
    drawer.current?.showModal();
  }

  return (
    <>
      <ActionIcon
        className={`${classes.opener} ${className ?? ''}`}
        variant="subtle"
        color="gray"
        size="lg"
        data-unread={unread !== undefined || undefined}
        aria-label={unread === undefined ? t('Open menu') : t('Open menu ({unread})', { unread })}
        aria-haspopup="dialog"
        onClick={open}
      >
        <IconMenu2 size={22} stroke={1.75} />
      </ActionIcon>
      <dialog ref={drawer} className={classes.drawer} aria-label={t('Menu')} onClose={() => setOpen(false)}>
        {isOpen && (
          <>
            <div className={classes.drawerTop}>
              <Logo />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('Close menu')}
                onClick={() => drawer.current?.close()}
              >
                <IconX size={22} stroke={1.75} />
              </ActionIcon>
            </div>
            <nav className={classes.drawerLinks} aria-label={t('Main')}>
              {links}
            </nav>
            <div className={classes.drawerAccount}>{account}</div>
          </>
        )}
      </dialog>
    </>
  );
}
