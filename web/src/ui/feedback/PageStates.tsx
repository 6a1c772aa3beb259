import { t } from '@lingui/core/macro';
import { Box, Button, Loader, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { Component, type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useReducer, useRef } from 'react';
import { LogoMark } from '../shell/Logo.tsx';
import { passingFocus } from '../layout/Page.tsx';
import { isOnline } from '../loading/online.ts';
import { Notice } from './Notice.tsx';
import classes from './PageStates.module.css';

const showAfterMs = 200;
const keepForMs = 300;

/** Whether to show a loading state: after 200 ms, and then for at least 300 ms, so that it doesn't flicker. */
function useSteadyLoading(isLoading: boolean): boolean {
  // The timer may fire while large data is being rendered; its update then comes too late and is ignored.
  const [isShown, setShown] = useReducer((_: boolean, asked: boolean) => asked && isLoading, false);
  const shownAt = useRef(0);

  // Runs before the screen is painted: a timer that fires in between would hide displayed data again.
  useLayoutEffect(() => {
    if (isLoading === isShown) return;
    const waitMs = isLoading ? showAfterMs : Math.max(0, shownAt.current + keepForMs - performance.now());
    const timer = setTimeout(() => {
      if (isLoading) shownAt.current = performance.now();
      setShown(isLoading);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [isLoading, isShown]);

  return isShown;
}

interface LoadingStateProps {
  text: string;
  /** The expected layout, built from `Skeleton`s, so that nothing moves when the data arrives. */
  skeleton?: ReactNode;
  isShown?: boolean;
}

/** A spinner and a message in a status region, over a skeleton of the expected layout. */
export function LoadingState({ text, skeleton, isShown = true }: LoadingStateProps) {
  return (
    <Box pos="relative" mih={skeleton === undefined ? '12rem' : 0}>
      <div role="status" className={classes.status}>
        {isShown && (
          <span className={classes.pill}>
            <Loader size="xs" aria-hidden="true" />
            {text}
          </span>
        )}
      </div>
      <div aria-hidden="true" className={isShown ? classes.skeleton : classes.reserved}>
        {skeleton}
      </div>
    </Box>
  );
}

interface SkeletonProps {
  /** CSS lengths. */
  width?: string;
  height?: string;
  count?: number;
}

/** Grey blocks in place of content that is loading. */
export function Skeleton({ width = '100%', height = '1rem', count = 1 }: SkeletonProps) {
  return Array.from({ length: count }, (_, index) => (
    <span key={index} className={classes.block} style={{ width, height }} />
  ));
}

/**
 * The error's text as an alert with a Retry button. Offline, only a message is shown, because loading is retried once
 * the network is back.
 */
export function ErrorState({ text, onRetry }: { text: string; onRetry?: () => void }) {
  const isOffline = !isOnline();
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    const listen = () => retry();
    window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, []);
  return (
    <div ref={passingFocus} className={classes.error} data-waiting={isOffline || undefined}>
      <IconAlertTriangle size={28} stroke={1.5} aria-hidden="true" />
      <Text role={isOffline ? 'status' : 'alert'} maw="44rem" c="var(--hw-ink)">
        {isOffline ? t`This loads once you're back online.` : text}
      </Text>
      {onRetry && !isOffline && (
        <Button variant="default" onClick={onRetry} leftSection={<IconRefresh size={16} aria-hidden="true" />}>
          {t`Retry`}
        </Button>
      )}
    </div>
  );
}

interface EmptyStateProps {
  text: string;
  /** Explains what to do if there is no data at all. */
  hint?: string;
  /** A button or link to the next step, below the hint. */
  action?: ReactNode;
  /** Clears the filters; undefined if none are set. */
  onClearFilters?: (() => void) | undefined;
  /** Adds a background and border, for when it replaces a table. */
  isFramed?: boolean;
}

/** The text of an empty list, with a button to clear the filters or a line that explains what to do. */
export function EmptyState({ text, hint, action, onClearFilters, isFramed = false }: EmptyStateProps) {
  return (
    <div ref={passingFocus} className={classes.empty} data-framed={isFramed || undefined}>
      <Text fz="1.05rem">{text}</Text>
      {onClearFilters ? (
        <Button variant="light" onClick={onClearFilters}>
          {t`Clear filters`}
        </Button>
      ) : (
        hint && <Text c="dimmed">{hint}</Text>
      )}
      {action}
    </div>
  );
}

interface QueryStatesProps<T> {
  query: { data: T | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown };
  loadingText: string;
  /** The expected layout, or just its height as a CSS length. */
  skeleton?: ReactNode;
  /** Whether what is shown above is still loading, which would push the data down. */
  isHeld?: boolean;
  /** The text if the data could not be loaded for this reason. */
  errorText: (error: string) => string;
  /** A manual reload from `useRefresh`; a failure is shown above the data. */
  refreshing?: { hasFailed: boolean; refresh: () => unknown };
  children: (data: T) => ReactNode;
}

/**
 * Shows the state of one query: loading, error or data. Displayed data stays while it is reloaded, even if that fails.
 */
export function QueryStates<T>(props: QueryStatesProps<T>) {
  const { query, loadingText, skeleton, isHeld = false, errorText, refreshing, children } = props;
  const isWaiting = isHeld || (query.data === undefined && (query.isFetching || query.error === null));
  const isLoadingShown = useSteadyLoading(isWaiting);
  if (isWaiting || isLoadingShown) {
    const layout = typeof skeleton === 'string' ? <Skeleton height={skeleton} /> : skeleton;
    return <LoadingState text={loadingText} skeleton={layout} isShown={isLoadingShown} />;
  }
  const problem = errorText(query.error?.message ?? '');
  if (query.data === undefined) return <ErrorState text={problem} onRetry={() => void query.refetch()} />;
  return (
    <>
      {refreshing?.hasFailed === true && (
        <Notice mb="0.9rem" kind="error" onRetry={refreshing.refresh}>
          {problem}
        </Notice>
      )}
      {children(query.data)}
    </>
  );
}

/** Shown in place of a page that could not be rendered, or of the whole window. */
export function CrashPage({ isInFrame = false }: { isInFrame?: boolean }) {
  return (
    <Stack
      component={isInFrame ? 'div' : 'main'}
      align="center"
      justify="center"
      gap="0.75rem"
      flex={1}
      py="3rem"
      px="1.25rem"
      ta="center"
    >
      <LogoMark size={48} />
      <Title order={1} maw="34rem">
        {t`This page could not be shown`}
      </Title>
      <Text role="alert" maw="34rem" mb="0.75rem" c="dimmed">
        {t`Something went wrong, or there is a newer version of {brand}. Reloading usually helps.`}
      </Text>
      <Button onClick={() => window.location.reload()}>{t`Reload`}</Button>
    </Stack>
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
