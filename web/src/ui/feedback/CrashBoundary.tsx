import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import classes from './PageStates.module.css';
import { LogoMark } from '../shell/Logo.tsx';
import { t } from '../text/text.ts';

function CrashPage() {
  return (
    <main className={classes.page}>
      <LogoMark size={48} />
      <h1>{t('This page could not be shown')}</h1>
      <p role="alert">
        {t('Something went wrong, or there is a newer version of Heartwood. Reloading usually helps.')}
      </p>
      <Button onClick={() => window.location.reload()}>{t('Reload')}</Button>
    </main>
  );
}

/** Shows ways to continue instead of an empty window if a screen fails to render or its code can't be fetched. */
export class CrashBoundary extends Component<{ children: ReactNode }, { hasCrashed: boolean }> {
  override state = { hasCrashed: false };

  static getDerivedStateFromError() {
    return { hasCrashed: true };
  }

  override render() {
    return this.state.hasCrashed ? <CrashPage /> : this.props.children;
  }
}
