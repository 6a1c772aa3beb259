import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import classes from './shell.module.css';

const mainId = 'main';

interface ShellProps {
  header: ReactNode;
  /** Public and staff pages have a footer; the members' app does not. */
  footer?: ReactNode;
  notice?: ReactNode;
  /** Shown instead of the current page. */
  children?: ReactNode;
}

/** Header, the current page, footer. */
export function Shell({ header, footer, notice, children = <Outlet /> }: ShellProps) {
  return (
    <>
      <a className={classes.skip} href={`#${mainId}`}>
        {t`Skip to main content`}
      </a>
      {header}
      <main id={mainId} tabIndex={-1} className={classes.page} data-with-footer={footer ? true : undefined}>
        {notice}
        {children}
      </main>
      {footer}
    </>
  );
}
