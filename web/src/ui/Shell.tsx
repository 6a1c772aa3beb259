import { type ReactNode, Suspense } from 'react';
import { Outlet } from 'react-router';
import classes from './Shell.module.css';
import { mainId, SkipLink } from './SkipLink.tsx';

/** Header, the current page, footer. While the page's chunk is on its way the room stays as it is. */
export function Shell({ header, footer, notice }: { header: ReactNode; footer: ReactNode; notice?: ReactNode }) {
  return (
    <>
      <SkipLink />
      {header}
      <main id={mainId} tabIndex={-1} className={classes.main}>
        {notice}
        <Suspense fallback={<div className={classes.room} />}>
          <Outlet />
        </Suspense>
      </main>
      {footer}
    </>
  );
}
