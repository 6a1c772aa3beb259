// Imported on every member's page, so that messages left unsent by a reload are sent from any page.
import { t } from '@lingui/core/macro';
import '../../features/messages/outbox.ts';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { renewPush } from '../../api/push/push.ts';
import { queryClient } from '../../api/query-client.ts';
import { onRealtime } from '../../api/realtime/realtime.ts';
import { followRealtime } from '../../api/realtime/realtime-cache.ts';
import { useServiceConfig } from '../../api/service-config.ts';
import { closeNotifications } from '../../api/session/left-behind.ts';
import { NewMatches } from '../../features/connections/NewMatches.tsx';
import { useCurrentUser, useSession } from '../../features/auth/session/session.ts';
import { AccountBanners } from '../../features/auth/account/AccountNotices.tsx';
import { unreadConversationsQuery } from '../../features/messages/queries.ts';
import { newestNotificationQuery } from '../../features/notifications/queries.ts';
import { ServiceBanner } from '../../features/service/ServiceBanner.tsx';
import { watchUnread } from '../../features/moderation/own-reports/unread.tsx';
import { FloatingNotice } from '../../ui/feedback/Notice.tsx';
import { markRoot } from '../../ui/shell/AppBar.tsx';
import classes from './MemberTabs.module.css';
import { followZone } from '../../features/notifications/follow-zone.ts';
import { useVisible } from '../../ui/loading/online.ts';
import { loadTexts } from '../../ui/text/catalogues.ts';
import { whenSettled } from '../../ui/loading/preload.ts';
import { lazyPart } from '../../ui/loading/LazyBoundary.tsx';

/** The match dialog, fetched with the first decision or the first match, with its texts, which most other pages also load. */
const moment = lazyPart(async () => {
  const [part] = await Promise.all([import('../people/NewMatchMoment.tsx'), loadTexts('members')]);
  return part.NewMatchMoment;
});

/** Shows the count on the installed app's icon if the platform supports it. */
function useAppBadge(count: number | undefined): void {
  useEffect(() => {
    if (count === undefined || !('setAppBadge' in navigator)) return undefined;
    const ignore = () => undefined;
    void navigator.setAppBadge(count).catch(ignore);
    return () => void navigator.clearAppBadge().catch(ignore);
  }, [count]);
}

const isOfMessages = ({ tag }: Notification) => tag.startsWith('message ');

/** Closes the system's notifications about what was read, here or on another device. */
function useNotificationClosing(unreadConversations: number | undefined, unreadNews: number | undefined): void {
  const { pathname } = useLocation();
  const isVisible = useVisible();
  const ownId = useSession(({ user }) => user?._id);
  useEffect(() => {
    if (isVisible) void closeNotifications(({ data }) => pathOf(data) === pathname);
  }, [isVisible, pathname]);
  useEffect(() => {
    if (unreadConversations === 0) void closeNotifications(isOfMessages);
  }, [unreadConversations]);
  useEffect(() => {
    if (unreadNews === 0) void closeNotifications((notification) => !isOfMessages(notification));
  }, [unreadNews]);
  useEffect(
    () =>
      onRealtime((event) => {
        if (event.kind === 'read' && event.by === ownId)
          void closeNotifications(({ data }) => pathOf(data) === `/app/messages/${event.matchId}`);
      }),
    [ownId],
  );
}
const pathOf = (data: unknown) => (data as { path?: string } | null)?.path;

/** The pages that can be refreshed by pulling them down. */
const pulledPages = ['/app/discover', '/app/likes', '/app/messages'];
/** The pull in px from which releasing refreshes the page. */
const readyPx = 64;
/** The furthest the indicator moves; it follows the finger less and less. */
const mostPx = 110;
/** Shorter movements count as a tap. */
const slopPx = 8;
/** The indicator stays at least this long, because a shorter time looks like a flicker. */
const leastBusyMs = 500;

/** Whether pulling at this element moves the page: the page and every scrollable element around the finger are at their top. */
function isAtTop(target: EventTarget | null): boolean {
  let element = target instanceof Element ? target : null;
  if (scrollY > 0 || element === null || element.closest('dialog') !== null) return false;
  while (element !== null && element.scrollTop <= 0) element = element.parentElement;
  return element === null;
}

/**
 * Shows a pull with one finger as `--pull` on the indicator and as `data-pull`, and calls `onPulled` on release. The page is
 * only watched: as its own overscroll is switched off, the browser does nothing with the gesture.
 */
function listenForPull(indicator: HTMLElement, onPulled: () => void, signal: AbortSignal): void {
  let start: { x: number; y: number } | null = null;
  let pulledPx = 0;

  function draw(px: number) {
    if (px === pulledPx) return;
    pulledPx = px;
    indicator.style.setProperty('--pull', `${px}`);
    if (px > 0) indicator.dataset['pull'] = px >= readyPx ? 'ready' : 'pulling';
    else delete indicator.dataset['pull'];
  }

  function begin({ touches, target }: TouchEvent) {
    const [finger] = touches;
    const isOne = finger !== undefined && touches.length === 1 && isAtTop(target);
    start = isOne ? { x: finger.clientX, y: finger.clientY } : null;
    draw(0);
  }

  function follow({ touches }: TouchEvent) {
    const [finger] = touches;
    if (start === null || finger === undefined) return;
    const down = finger.clientY - start.y;
    const aside = Math.abs(finger.clientX - start.x);
    if (pulledPx === 0 && Math.max(aside, Math.abs(down)) < slopPx) return;
    // Sideways is a swipe, upwards is scrolling. Reading the scroll position forces a layout, so it comes last.
    if ((pulledPx === 0 && down < aside) || scrollY > 0) start = null;
    draw(start === null ? 0 : Math.max(0, mostPx * (1 - Math.exp(-down / (1.6 * mostPx)))));
  }

  function stop() {
    start = null;
    draw(0);
  }

  function release() {
    if (start !== null && pulledPx >= readyPx) onPulled();
    stop();
  }

  document.addEventListener('touchstart', begin, { passive: true, signal });
  document.addEventListener('touchmove', follow, { passive: true, signal });
  document.addEventListener('touchend', release, { signal });
  document.addEventListener('touchcancel', stop, { signal });
}

function usePull(indicator: RefObject<HTMLElement | null>, isPulled: boolean, onPulled: () => void): void {
  const pulled = useEffectEvent(onPulled);
  useEffect(() => {
    if (!isPulled || indicator.current === null) return undefined;
    const ending = new AbortController();
    listenForPull(indicator.current, () => pulled(), ending.signal);
    const unmark = markRoot('data-pulled');
    return () => {
      ending.abort();
      unmark();
    };
  }, [indicator, isPulled]);
}

const hasFailed = () =>
  queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(({ state }) => state.error !== null);

/** Reloads the page's data when the page is pulled down or `asked` rises, with an indicator at the top. */
function Refresher({ asked }: { asked: number }) {
  const { pathname } = useLocation();
  const indicator = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'failed'>('idle');
  const isPulled = pulledPages.includes(pathname);

  async function load() {
    if (state === 'busy') return;
    setState('busy');
    const pause = new Promise((resolve) => setTimeout(resolve, leastBusyMs));
    await Promise.all([queryClient.refetchQueries({ type: 'active' }), pause]);
    setState(hasFailed() ? 'failed' : 'done');
  }

  usePull(indicator, isPulled, () => void load());
  const refresh = useEffectEvent(load);
  useEffect(() => {
    if (asked > 0) void refresh();
  }, [asked]);
  return (
    <>
      <div ref={indicator} className={classes.refresh} data-state={state}>
        <IconRefresh size={22} stroke={1.9} aria-hidden="true" />
      </div>
      {(isPulled || state !== 'idle') && (
        <p role="status" className="visually-hidden">
          {state === 'busy' ? t`Refreshing...` : state === 'done' && t`Up to date.`}
        </p>
      )}
      {state === 'failed' && (
        <FloatingNotice kind="error" onClose={() => setState('idle')}>
          {t`Couldn't refresh. Check your connection and try again.`}
        </FloatingNotice>
      )}
    </>
  );
}

/** Keeps the account, the service’s configuration and the counts up to date, and shows new matches. It is separate so that its updates render nothing else. */
function Counts() {
  useCurrentUser();
  useServiceConfig();
  // The server refuses conversations to members who haven't finished joining.
  const hasJoined = useSession((session) => session.onboardingComplete && !session.requiresVerification);
  const { data: unread } = useQuery({ ...unreadConversationsQuery, enabled: hasJoined });
  const { data: newest } = useQuery(newestNotificationQuery);
  useAppBadge(unread);
  useNotificationClosing(unread, newest?.unread);
  return <NewMatches arrived={newest?.arrived ?? null} moment={moment} />;
}

/** Keeps counts, lists and conversations up to date while a member's page is open; shows the banners above every page. */
export function LiveUpdates({ refreshes }: { refreshes: number }) {
  useEffect(followRealtime, []);
  useEffect(watchUnread, []);
  useEffect(() => void renewPush(), []);
  useEffect(() => whenSettled(() => void followZone()), []);
  return (
    <>
      <Counts />
      <ServiceBanner />
      <AccountBanners />
      <Refresher asked={refreshes} />
    </>
  );
}
