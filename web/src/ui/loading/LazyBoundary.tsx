import { t } from '@lingui/core/macro';
import { Component, type ComponentType, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { FloatingNotice, Notice } from '../feedback/Notice.tsx';
import { tabStorage } from '../../browser-storage.ts';
import { useOnline } from './online.ts';
import { preloadable } from './preload.ts';
import { Page } from '../layout/Page.tsx';

function ReloadButton() {
  return <Button onClick={() => window.location.reload()}>{t`Reload`}</Button>;
}

/** How often a page that waits for the network reloads once it is said to be back, and the pause in between. */
const mostReloads = 3;
const pauseMs = 1500;
const reloadsLeft = 'reloads-left';

function reloadOnce(left: number): void {
  tabStorage.write(reloadsLeft, `${left - 1}`);
  window.location.reload();
}

/**
 * Shown in place of a page whose code is missing. The page loads when the network is back, or with the newer version
 * that includes it. Browsers say that the network is back a moment before it is, so it tries again.
 */
export function UnfetchedPage() {
  const isOnline = useOnline();
  const wasOnline = useRef(isOnline);

  useEffect(() => {
    const isBack = isOnline && !wasOnline.current;
    wasOnline.current = isOnline;
    // Nothing on the page could be lost by reloading.
    if (isBack) return reloadOnce(mostReloads);
    const left = Number(tabStorage.read(reloadsLeft) ?? 0);
    if (!isOnline || left < 1) return;
    const timer = setTimeout(() => reloadOnce(left), pauseMs);
    return () => clearTimeout(timer);
  }, [isOnline]);

  return (
    <Page title={isOnline ? t`This page didn't load` : t`You're offline`}>
      <Notice kind="info" action={isOnline && <ReloadButton />}>
        {isOnline
          ? t`There may be a newer version of {brand}. Reloading usually helps.`
          : t`This page hasn't been opened on this device yet. It opens once you're back online.`}
      </Notice>
    </Page>
  );
}

/** Shown in place of a part of a page or dialog whose code is missing. */
function UnfetchedPart({ onClose }: { onClose?: (() => void) | undefined }) {
  const isOnline = useOnline();
  const [isClosed, setClosed] = useState(false);
  if (isClosed) return null;

  function close() {
    setClosed(true);
    onClose?.();
  }

  return (
    <FloatingNotice kind="error" action={isOnline ? <ReloadButton /> : undefined} onClose={close}>
      {isOnline
        ? t`Part of this page didn't load. There may be a newer version of {brand}: reloading usually helps.`
        : t`You're offline, and this hasn't been opened on this device yet. Try again once you're back.`}
    </FloatingNotice>
  );
}

interface LazyBoundaryProps {
  /** Shown until the code has been fetched. */
  fallback?: ReactNode;
  /** Closes the dialog that failed to load, so that it can be opened again. */
  onClose?: (() => void) | undefined;
  children: ReactNode;
}

/**
 * Wraps parts whose code is fetched when they are shown. If one can't be fetched, the rest of the page stays and a
 * message is shown in its place.
 */
export class LazyBoundary extends Component<LazyBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  close = () => {
    this.setState({ hasFailed: false });
    this.props.onClose?.();
  };

  override render() {
    const { fallback, onClose, children } = this.props;
    if (this.state.hasFailed) return <UnfetchedPart onClose={onClose && this.close} />;
    return <Suspense fallback={fallback}>{children}</Suspense>;
  }
}

/**
 * A part of a page, or a dialog, whose code is fetched when it is shown, in a `LazyBoundary`; and a function that fetches
 * its code in advance, after which it renders synchronously.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  fallback?: ReactNode,
): [Part: ComponentType<P>, preloadPart: () => void] {
  const [Fetched, preloadPart] = preloadable(load);
  const Part = (props: P & Pick<LazyBoundaryProps, 'onClose'>) => (
    <LazyBoundary fallback={fallback} onClose={props.onClose}>
      <Fetched {...props} />
    </LazyBoundary>
  );
  return [Part as ComponentType<P>, preloadPart];
}
